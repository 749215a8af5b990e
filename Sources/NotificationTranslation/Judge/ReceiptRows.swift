/// The transactions of a body, completed by those that only its verified receipt has; one for each worker.
///
/// The list in a body ends at a hundred transactions and may have been cut by whoever kept it; bodies before November
/// 2019, when `unified_receipt` came, hold a single transaction. The receipt usually has more: all but finished
/// consumables. What a receipt does not say (`is_upgraded`, `cancellation_reason`, offers, ownership) stays unknown of
/// its rows, as of those single transactions.
final class ReceiptRows {
    /// The completed body; its ranges belong to ``memory``, until the next is completed.
    let fields = V1Fields()
    private let buffer = OutputBuffer(capacity: 4096)

    /// What the ranges of ``fields`` belong to.
    var memory: UnsafeRawPointer? { buffer.bytes.baseAddress }

    /// Completes a body by its receipt, verified, of the app and the environment of the body; false if the receipt has
    /// no transaction that the body lacks.
    func complete(_ body: V1Fields, _ memory: UnsafeRawPointer, with receipt: AppReceipt) -> Bool {
        let view = TextView(memory: memory)
        var known = Set((0..<body.rows.count).map { view.string(body[row: $0, .transactionID]) })
        let missing = receipt.transactions.filter { record in
            guard let id = record.transactionID, record.purchasedAt != nil else { return false }
            return known.insert(id).inserted
        }
        guard !missing.isEmpty else { return false }
        buffer.removeAll()
        // A range never begins at 0, which means absent.
        buffer.append(0)
        fields.copy(body, from: memory, to: buffer)
        fields.receiptRows = missing.count
        for record in missing {
            fields.rows.addRow { row in
                func put(_ key: V1Keys.Row, _ text: String?) {
                    if let text { row[key.rawValue] = self.text(text) }
                }
                put(.transactionID, record.transactionID)
                put(.originalTransactionID, record.originalTransactionID)
                put(.productID, record.productID)
                put(.quantity, record.quantity.map { String($0) })
                put(.webOrderLineItemID, record.webOrderLineItemID.flatMap { $0 == 0 ? nil : String($0) })
                put(.purchaseDateMs, record.purchasedAt.map { String($0.milliseconds) })
                put(.originalPurchaseDateMs, record.originalPurchasedAt.map { String($0.milliseconds) })
                put(.expiresDateMs, record.expiresAt.map { String($0.milliseconds) })
                put(.cancellationDateMs, record.cancelledAt.map { String($0.milliseconds) })
                put(.isTrialPeriod, record.isTrialPeriod.map { $0 ? "true" : "false" })
                put(.isInIntroOfferPeriod, record.isInIntroOfferPeriod.map { $0 ? "true" : "false" })
            }
        }
        return true
    }

    /// Appends a text as it would be in a body.
    private func text(_ text: String) -> JSONText {
        let start = buffer.count
        text.utf8.withMemory { buffer.append(inString: $0) }
        let hasEscapes = buffer.bytes[start...].contains(0x5C)
        return JSONText(start, buffer.count, escaped: hasEscapes)
    }
}
