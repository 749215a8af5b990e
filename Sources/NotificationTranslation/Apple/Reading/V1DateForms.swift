/// The dates of a version 1 body, each with the forms it may be in, the surest first.
///
/// Slots and names are answered by switches and not kept in tables: at a call the date is known, so that nothing is left
/// of a form but the offset of its slot.
enum V1DateForms: CaseIterable {
    case purchase, originalPurchase, expires, cancellation
    case gracePeriodExpires
    case rootCancellation, statusChange

    typealias Form = (slot: Int, field: StaticString)

    /// Digits: milliseconds since 1970.
    @inline(__always) var milliseconds: Form {
        switch self {
        case .purchase: (V1Keys.Row.purchaseDateMs.rawValue, "purchase_date_ms")
        case .originalPurchase: (V1Keys.Row.originalPurchaseDateMs.rawValue, "original_purchase_date_ms")
        case .expires: (V1Keys.Row.expiresDateMs.rawValue, "expires_date_ms")
        case .cancellation: (V1Keys.Row.cancellationDateMs.rawValue, "cancellation_date_ms")
        case .gracePeriodExpires: (V1Keys.Pending.gracePeriodExpiresDateMs.rawValue, "grace_period_expires_date_ms")
        case .rootCancellation: (V1Keys.Root.cancellationDateMs.rawValue, "cancellation_date_ms")
        case .statusChange: (V1Keys.Root.statusChangeDateMs.rawValue, "auto_renew_status_change_date_ms")
        }
    }

    /// A text with a zone, and what it may also hold: `expires_date` held milliseconds until 2019.
    @inline(__always) var text: Form {
        switch self {
        case .purchase: (V1Keys.Row.purchaseDate.rawValue, "purchase_date")
        case .originalPurchase: (V1Keys.Row.originalPurchaseDate.rawValue, "original_purchase_date")
        case .expires: (V1Keys.Row.expiresDate.rawValue, "expires_date")
        case .cancellation: (V1Keys.Row.cancellationDate.rawValue, "cancellation_date")
        case .gracePeriodExpires: (V1Keys.Pending.gracePeriodExpiresDate.rawValue, "grace_period_expires_date")
        case .rootCancellation: (V1Keys.Root.cancellationDate.rawValue, "cancellation_date")
        case .statusChange: (V1Keys.Root.statusChangeDate.rawValue, "auto_renew_status_change_date")
        }
    }

    /// The same in the time of California.
    @inline(__always) var pacific: Form {
        switch self {
        case .purchase: (V1Keys.Row.purchaseDatePst.rawValue, "purchase_date_pst")
        case .originalPurchase: (V1Keys.Row.originalPurchaseDatePst.rawValue, "original_purchase_date_pst")
        case .expires: (V1Keys.Row.expiresDatePst.rawValue, "expires_date_pst")
        case .cancellation: (V1Keys.Row.cancellationDatePst.rawValue, "cancellation_date_pst")
        case .gracePeriodExpires: (V1Keys.Pending.gracePeriodExpiresDatePst.rawValue, "grace_period_expires_date_pst")
        case .rootCancellation: (V1Keys.Root.cancellationDatePst.rawValue, "cancellation_date_pst")
        case .statusChange: (V1Keys.Root.statusChangeDatePst.rawValue, "auto_renew_status_change_date_pst")
        }
    }

    /// Two texts that only the end of a period has; they come after ``text`` and after ``pacific``.
    @inline(__always) var formatted: (text: Form, pacific: Form)? {
        guard self == .expires else { return nil }
        return (
            (V1Keys.Row.expiresDateFormatted.rawValue, "expires_date_formatted"),
            (V1Keys.Row.expiresDateFormattedPst.rawValue, "expires_date_formatted_pst")
        )
    }
}

/// Dates looked for in the tables where they are: to pass a table on is to count a reference to it.
extension V1Fields {
    @inline(__always)
    func date(_ forms: V1DateForms, row: Int, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { rows[row, $0] }
    }

    @inline(__always)
    func date(_ forms: V1DateForms, pending entry: Int, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { pending[entry, $0] }
    }

    /// A date of the outermost object.
    @inline(__always)
    func date(_ forms: V1DateForms, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { root[0, $0] }
    }
}
