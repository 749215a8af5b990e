/// The records of a verified receipt, to compare every row of a body with.
///
/// In a genuine body each transaction of a list is in the receipt beside it with the same facts: the receipt has
/// the whole history, also where the list ends at a hundred. Of a list only consumables are missing there, once they
/// are finished.
struct SignedRecords {
    /// How rows differ from the receipt.
    struct Differences {
        /// What is wrong with a row.
        var flags = FlagSet()
        /// Whether a row names no transaction, so that nothing can be compared.
        var isUnproven = false
    }

    private let records: [AppReceipt.Transaction]
    /// Places of records by the transaction, and the original transactions there are; `nil` where few rows are
    /// compared.
    private let index: (places: [String: [Int]], originals: Set<String>)?

    private init(_ records: [AppReceipt.Transaction], isIndexed: Bool) {
        self.records = records
        guard isIndexed else {
            index = nil
            return
        }
        var places: [String: [Int]] = [:]
        var originals: Set<String> = []
        for (place, record) in records.enumerated() {
            if let id = record.transactionID { places[id, default: []].append(place) }
            if let id = record.originalTransactionID { originals.insert(id) }
        }
        index = (places, originals)
    }

    /// Compares the rows of a body with its receipt; skips rows that were taken from the receipt.
    static func differences(of fields: V1Fields, _ view: TextView, from receipt: AppReceipt) -> Differences {
        let rows = fields.rows.count - fields.receiptRows
        let records = SignedRecords(receipt.transactions, isIndexed: rows > 4)
        var differences = Differences()
        for index in 0..<rows { records.compare(SignedRow(fields, index, view), &differences) }
        return differences
    }

    /// Whether a body states a cancellation at its top level that no record has.
    static func lacksCancellation(of fields: V1Fields, _ view: TextView, _ receipt: AppReceipt) -> Bool {
        guard fields.root.count > 0, let date = fields.date(.rootCancellation, view).date else { return false }
        return !receipt.transactions.contains { $0.cancelledAt.map { date.canBe($0) } ?? false }
    }

    private func compare(_ row: SignedRow, _ differences: inout Differences) {
        guard let id = row.facts.transactionID else {
            if isOfSubscription(row) { differences.isUnproven = true }
            return
        }
        // If several records have this id, one that agrees is enough.
        var isThere = false
        func agrees(_ record: AppReceipt.Transaction) -> Bool {
            guard record.transactionID == id else { return false }
            isThere = true
            return row.agrees(with: record)
        }
        if let index {
            if (index.places[id] ?? []).contains(where: { agrees(records[$0]) }) { return }
        } else if records.contains(where: { agrees($0) }) {
            return
        }
        if isThere {
            differences.flags.formUnion(.receiptContradictsRow)
        } else if isOfSubscription(row) {
            differences.flags.formUnion(.transactionNotInReceipt)
        }
    }

    /// Whether a row is of a subscription, whose transactions never vanish from receipts.
    private func isOfSubscription(_ row: SignedRow) -> Bool {
        if row.expires != nil { return true }
        guard let original = row.facts.originalTransactionID else { return false }
        return index?.originals.contains(original) ?? records.contains { $0.originalTransactionID == original }
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
    fileprivate func canBe(_ time: EventTime) -> Bool {
        let own = milliseconds / 1000
        let signed = time.milliseconds / 1000
        return own == signed || isAmbiguous && own + 3600 == signed
    }
}
