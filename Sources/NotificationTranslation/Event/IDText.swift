/// Writes the canonical text of an id: the namespace, then one line for each thing it is made of.
///
/// All ids that this package makes are written here; ``EventID`` documents the text.
struct IDText {
    private let output: OutputBuffer

    /// Begins a text at the end of a buffer.
    init(_ output: OutputBuffer) {
        self.output = output
        let namespace = EventID.namespace
        withUnsafeBytes(of: (namespace.high.bigEndian, namespace.low.bigEndian)) { output.append($0) }
    }

    /// The eight lines of a V1 notification.
    func notification(
        bundleID: EventText, environment: EventText, type: EventText, originalTransactionID: EventText,
        transactionID: EventText, time: Int64?, autoRenewStatus: Bool?, autoRenewProductID: EventText
    ) {
        line("bid=", bundleID)
        line("\nenvironment=", environment)
        line("\ntype=", type)
        line("\noriginal_transaction_id=", originalTransactionID)
        line("\ntransaction_id=", transactionID)
        line("\ntime=", time)
        output.append("\nauto_renew_status=")
        if let autoRenewStatus { output.append(autoRenewStatus ? "true" : "false") }
        line("\nauto_renew_product_id=", autoRenewProductID)
    }

    /// A line whose value is a text, empty where that is absent.
    func line(_ name: StaticString, _ text: EventText) {
        output.append(name)
        guard text.hasEscapes, let start = text.bytes.baseAddress else { return output.append(text.bytes) }
        JSONEscapes.unescape(start, from: 0, to: text.bytes.count) { output.append($0) }
    }

    /// A line whose value is a number, empty where there is none.
    func line(_ name: StaticString, _ number: Int64?) {
        output.append(name)
        if let number { output.append(decimal: number) }
    }

    /// The 36 characters of a UUID.
    func uuid(_ id: EventID) { output.append(id.string) }

    /// What distinguishes events of the same text: `#2`, `#3` …, and nothing for the first.
    func number(_ number: Int) {
        guard number > 1 else { return }
        output.append("#")
        output.append(decimal: Int64(number))
    }

    /// The id of a text that `write` appends to.
    static func id(_ write: (IDText) -> Void) -> EventID {
        let output = OutputBuffer(capacity: 512)
        write(IDText(output))
        return EventID(namespaced: output)
    }
}
