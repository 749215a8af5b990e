/// How the rows of a body differ from its verified receipt.
///
/// In a genuine body each transaction of a list is in the receipt beside it with the same facts: the receipt has
/// the whole history, also where the list ends at a hundred. Of a list only consumables are missing there, once they
/// are finished.
struct RowDifferences {
    /// What is wrong with a row.
    private(set) var flags = FlagSet()
    /// Whether a row names no transaction, so that nothing can be compared.
    private(set) var isUnproven = false

    /// Compares the rows of a body with its receipt; skips rows that were taken from the receipt.
    init(of fields: V1Fields, _ view: TextView, from receipt: AppReceipt) {
        let records = Dictionary(grouping: receipt.transactions, by: \.transactionID)
        let originals = Set(receipt.transactions.compactMap(\.originalTransactionID))
        for index in 0..<fields.rows.count - fields.receiptRows {
            let row = SignedRow(fields, index, view)
            if let id = row.facts.transactionID, let known = records[id] {
                // If several records have this id, one that agrees is enough.
                if !known.contains(where: row.agrees) { flags.formUnion(.receiptContradictsRow) }
            } else if row.expires != nil || row.facts.originalTransactionID.map(originals.contains) ?? false {
                // It is of a subscription, whose transactions never vanish from receipts.
                if row.facts.transactionID == nil {
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
}

/// What a row of a body says of the facts that receipts have.
private struct SignedRow {
    /// The facts but for dates.
    private(set) var facts = UnifiedEvent.Transaction()
    private let purchase: V1Date?
    private let originalPurchase: V1Date?
    let expires: V1Date?
    /// Also of a cancellation by an upgrade.
    private let cancellation: V1Date?
    private let isTrial: Bool?
    private let isIntroductory: Bool?
    /// Whether a missing end or cancellation counts as a claim that there is none.
    ///
    /// Not in single receipts of the first era, which leave out what is at the top level.
    private let absenceIsClaim: Bool

    init(_ fields: V1Fields, _ row: Int, _ view: TextView) {
        func text(_ key: V1Keys.Row) -> String? {
            let text = fields[row: row, key]
            return view.isZero(text) ? nil : view.string(text)
        }
        facts.transactionID = text(.transactionID)
        facts.originalTransactionID = text(.originalTransactionID)
        facts.productID = text(.productID)
        facts.webOrderLineItemID = text(.webOrderLineItemID)
        facts.quantity = view.count(fields[row: row, .quantity])
        purchase = fields.date(.purchase, row: row, view).date
        originalPurchase = fields.date(.originalPurchase, row: row, view).date
        expires = fields.date(.expires, row: row, view).date
        cancellation = fields.date(.cancellation, row: row, view).date
        isTrial = view.truth(fields[row: row, .isTrialPeriod])
        isIntroductory = view.truth(fields[row: row, .isInIntroOfferPeriod])
        absenceIsClaim = row < fields.unifiedRows
    }

    /// Whether no fact of the row differs from this record.
    func agrees(with record: AppReceipt.Transaction) -> Bool {
        var facts = facts
        facts.purchasedAt = purchase?.time(comparedWith: record.purchasedAt)
        facts.originalPurchasedAt = originalPurchase?.time(comparedWith: record.originalPurchasedAt)
        facts.expiresAt = expires?.time(comparedWith: record.expiresAt)
        facts.revokedAt = cancellation?.time(comparedWith: record.cancelledAt)
        guard record.coverage(of: facts, absenceIsClaim: absenceIsClaim).contradicted.isEmpty else { return false }
        func agree(_ claimed: Bool?, _ signed: Bool?) -> Bool {
            guard let claimed, let signed else { return true }
            return claimed == signed
        }
        return agree(isTrial, record.isTrialPeriod) && agree(isIntroductory, record.isInIntroOfferPeriod)
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
