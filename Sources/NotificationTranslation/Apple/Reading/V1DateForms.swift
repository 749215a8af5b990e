/// The dates of a version 1 body.
///
/// The fields that one may be in follow one another in the list of keys: a text with a zone, digits, a text in the time
/// of California, and of the end of a period two more texts.
enum V1DateForms: Int, CaseIterable {
    case purchase, originalPurchase, expires, cancellation
    case gracePeriodExpires
    case rootCancellation, statusChange

    /// Of each case, in the order of the cases, the keys of its object and the slot of its text.
    private static let slots = [
        (V1Keys.row, V1Keys.Row.purchaseDate.rawValue), (V1Keys.row, V1Keys.Row.originalPurchaseDate.rawValue),
        (V1Keys.row, V1Keys.Row.expiresDate.rawValue), (V1Keys.row, V1Keys.Row.cancellationDate.rawValue),
        (V1Keys.pending, V1Keys.Pending.gracePeriodExpiresDate.rawValue),
        (V1Keys.root, V1Keys.Root.cancellationDate.rawValue), (V1Keys.root, V1Keys.Root.statusChangeDate.rawValue),
    ]

    var keys: KeyTable { Self.slots[rawValue].0 }
    /// The slot of the text; `expires_date` held milliseconds until 2019.
    var text: Int { Self.slots[rawValue].1 }
}

/// Dates looked for in the tables where they are: to pass a table on is to count a reference to it.
extension V1Fields {
    func date(_ forms: V1DateForms, row: Int, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { rows[row, $0] }
    }

    func date(_ forms: V1DateForms, pending entry: Int, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { pending[entry, $0] }
    }

    /// A date of the outermost object.
    func date(_ forms: V1DateForms, _ view: TextView) -> (date: V1Date?, isUnreadable: Bool) {
        view.date(forms) { root[0, $0] }
    }
}
