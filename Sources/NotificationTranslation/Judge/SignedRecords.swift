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
