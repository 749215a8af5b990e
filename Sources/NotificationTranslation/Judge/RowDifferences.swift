/// How the rows of a body differ from its verified receipt.
///
/// In a genuine body each transaction of a list is in the receipt beside it with the same facts: the receipt has
/// the whole history, also where the list ends at a hundred. Of a list only consumables are missing there, once they
/// are finished.
struct RowDifferences {
    private let fields: V1Fields
    private let view: TextView
    /// What is wrong with a row.
    private(set) var flags = FlagSet()
    /// Whether a row names no transaction, so that nothing can be compared.
    private(set) var isUnproven = false

    /// Compares the rows of a body with its receipt; skips rows that were taken from the receipt.
    init(of fields: V1Fields, _ view: TextView, from receipt: AppReceipt) {
        (self.fields, self.view) = (fields, view)
        let records = Dictionary(grouping: receipt.transactions, by: \.transactionID)
        let originals = Set(receipt.transactions.compactMap(\.originalTransactionID))
        for row in 0..<fields.rows.count - fields.receiptRows {
            let id = text(row, .transactionID)
            if let id, let known = records[id] {
                // If several records have this id, one that agrees is enough.
                if !known.contains(where: { agrees(row, with: $0) }) { flags.formUnion(.receiptContradictsRow) }
            } else if date(row, .expires) != nil || text(row, .originalTransactionID).map(originals.contains) ?? false {
                // It is of a subscription, whose transactions never vanish from receipts.
                if id == nil {
                    isUnproven = true
                } else {
                    flags.formUnion(.transactionNotInReceipt)
                }
            }
        }
    }

    /// Whether a body states a cancellation at its top level that no record has.
    static func lacksCancellation(of fields: V1Fields, _ view: TextView, _ receipt: AppReceipt) -> Bool {
        guard fields.root.count > 0, let date = fields.date(.rootCancellation, view).date else { return false }
        return !receipt.transactions.contains { $0.cancelledAt.map { date.canBe($0) } ?? false }
    }

    private func text(_ row: Int, _ key: V1Keys.Row) -> String? {
        let text = fields[row: row, key]
        return view.isZero(text) ? nil : view.string(text)
    }

    private func date(_ row: Int, _ forms: V1DateForms) -> V1Date? { fields.date(forms, row: row, view).date }

    /// Whether no fact of a row differs from a record.
    private func agrees(_ row: Int, with record: AppReceipt.Transaction) -> Bool {
        var facts = UnifiedEvent.Transaction()
        facts.transactionID = text(row, .transactionID)
        facts.originalTransactionID = text(row, .originalTransactionID)
        facts.productID = text(row, .productID)
        facts.webOrderLineItemID = text(row, .webOrderLineItemID)
        facts.quantity = view.count(fields[row: row, .quantity])
        facts.purchasedAt = date(row, .purchase)?.time(comparedWith: record.purchasedAt)
        facts.originalPurchasedAt = date(row, .originalPurchase)?.time(comparedWith: record.originalPurchasedAt)
        facts.expiresAt = date(row, .expires)?.time(comparedWith: record.expiresAt)
        // Also of a cancellation by an upgrade.
        facts.revokedAt = date(row, .cancellation)?.time(comparedWith: record.cancelledAt)
        // Single receipts of the first era leave out what is at the top level.
        let coverage = record.coverage(of: facts, absenceIsClaim: row < fields.unifiedRows)
        func agree(_ key: V1Keys.Row, _ signed: Bool?) -> Bool {
            let claimed = view.truth(fields[row: row, key])
            return claimed == nil || signed == nil || claimed == signed
        }
        return coverage.contradicted.isEmpty && agree(.isTrialPeriod, record.isTrialPeriod)
            && agree(.isInIntroOfferPeriod, record.isInIntroOfferPeriod)
    }
}

extension V1Date {
    /// The signed time where a reading of this date is the same, to the second; else this date.
    fileprivate func time(comparedWith signed: EventTime?) -> EventTime {
        if let signed, canBe(signed) { return signed }
        return EventTime(milliseconds: milliseconds)
    }

    /// Whether it is this time, to the second, as receipts have it.
    ///
    /// A date in the hour that is repeated when daylight saving time ends is read as the earlier instant; the signed
    /// time may be one hour later.
    func canBe(_ time: EventTime) -> Bool {
        let own = milliseconds / 1000
        let signed = time.milliseconds / 1000
        return own == signed || isAmbiguous && own + 3600 == signed
    }
}
