/// One date of a version 1 body, which may be there in up to five forms.
struct V1Date: Hashable, Sendable {
    /// Milliseconds since 1970.
    var milliseconds: Int64
    // Two bytes, and not the name itself: a reading holds nine dates, and is passed on with every one of them.
    private let forms: V1DateForms
    private let form: Form
    /// Whether it was read from an hour of California that happened twice; the earlier instant is given.
    let isAmbiguous: Bool

    /// Which of its forms was read.
    enum Form {
        case milliseconds, text, pacific, formatted, formattedPacific
    }

    init(milliseconds: Int64, _ forms: V1DateForms, _ form: Form, isAmbiguous: Bool = false) {
        self.milliseconds = milliseconds
        self.isAmbiguous = isAmbiguous
        self.forms = forms
        self.form = form
    }

    /// Whether it is the end of a period, which may be later than everything reported.
    var isEnd: Bool { forms == .expires || forms == .gracePeriodExpires }

    /// The name of the field it was read from.
    var field: StaticString {
        switch form {
        case .milliseconds: forms.milliseconds.field
        case .text: forms.text.field
        case .pacific: forms.pacific.field
        case .formatted: forms.formatted?.text.field ?? forms.text.field
        case .formattedPacific: forms.formatted?.pacific.field ?? forms.pacific.field
        }
    }

    static func == (one: V1Date, other: V1Date) -> Bool {
        one.milliseconds == other.milliseconds
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(milliseconds)
    }
}

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

extension TextView {
    /// The date that is in a row of a table, and whether something is there that is not a date.
    @inline(__always)
    func date(_ forms: V1DateForms, _ table: TextTable, _ row: Int) -> (date: V1Date?, isUnreadable: Bool) {
        date(forms) { table[row, $0] }
    }

    /// The date that is in slots, and whether something is there that is not a date.
    @inline(__always)
    fileprivate func date(
        _ forms: V1DateForms, _ text: (Int) -> JSONText
    ) -> (date: V1Date?, isUnreadable: Bool) {
        let digits = text(forms.milliseconds.slot)
        if !digits.isBlank, let value = milliseconds(digits) {
            return (V1Date(milliseconds: value, forms, .milliseconds), false)
        }
        var found: (date: V1Date?, isUnreadable: Bool) = (nil, !digits.isBlank && !isZero(digits))
        textDate(forms, .text, text(forms.text.slot), &found)
        if let formatted = forms.formatted { textDate(forms, .formatted, text(formatted.text.slot), &found) }
        textDate(forms, .pacific, text(forms.pacific.slot), &found)
        if let formatted = forms.formatted {
            textDate(forms, .formattedPacific, text(formatted.pacific.slot), &found)
        }
        return found
    }

    @inline(__always)
    private func textDate(
        _ forms: V1DateForms, _ form: V1Date.Form, _ text: JSONText,
        _ found: inout (date: V1Date?, isUnreadable: Bool)
    ) {
        guard !text.isBlank, found.date == nil else { return }
        if let value = textDate(text) {
            found.date = V1Date(milliseconds: value.milliseconds, forms, form, isAmbiguous: value.isAmbiguous)
        } else if !isZero(text) {
            found.isUnreadable = true
        }
    }

    @inline(never)
    private func textDate(_ text: JSONText) -> (milliseconds: Int64, isAmbiguous: Bool)? {
        guard text.hasEscapes else { return Self.textDate(bytes(text)) }
        return KeyLog.characters(text, memory).withUnsafeBytes { Self.textDate($0) }
    }

    private static func textDate(_ bytes: UnsafeRawBufferPointer) -> (milliseconds: Int64, isAmbiguous: Bool)? {
        guard let value = AppleDate.milliseconds(bytes) ?? JSONNumber.rounded(bytes) ?? AppleDate.instant(bytes),
            AppleDate.opening...CivilTime.latest ~= value
        else { return nil }
        return (value, AppleDate.isAmbiguous(bytes))
    }

    /// A number of milliseconds since the App Store opened.
    @inline(__always)
    func milliseconds(_ text: JSONText) -> Int64? {
        guard let value = JSONNumber.integer(bytes(text)) ?? JSONNumber.rounded(bytes(text)),
            AppleDate.opening...CivilTime.latest ~= value
        else { return nil }
        return value
    }

    /// The same, or a time with its zone: in payloads that a program decoded and wrote again.
    func instant(_ text: JSONText) -> Int64? {
        textDate(text)?.milliseconds
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
