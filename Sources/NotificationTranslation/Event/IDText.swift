/// Writes the canonical text of an id: the namespace, then one line for each thing it is made of.
///
/// All ids that this package makes are written here; ``EventID`` documents the text.
struct IDText {
    private var writer: JSONWriter

    /// Begins a text at the end of a buffer.
    @inline(__always)
    init(_ output: OutputBuffer) {
        writer = JSONWriter(output)
        writer.bytes(of: EventID.namespace)
    }

    func finish() { writer.finish() }

    /// The eight lines of a V1 notification.
    @inline(__always)
    mutating func notification(
        bundleID: EventText, environment: EventText, type: EventText, originalTransactionID: EventText,
        transactionID: EventText, time: Int64?, autoRenewStatus: Bool?, autoRenewProductID: EventText
    ) {
        line("bid=", bundleID)
        line("\nenvironment=", environment)
        line("\ntype=", type)
        line("\noriginal_transaction_id=", originalTransactionID)
        line("\ntransaction_id=", transactionID)
        line("\ntime=", time)
        writer.literal("\nauto_renew_status=")
        if let autoRenewStatus { writer.bool(autoRenewStatus) }
        line("\nauto_renew_product_id=", autoRenewProductID)
    }

    /// A line whose value is a text, empty where that is absent.
    @inline(__always)
    mutating func line(_ name: StaticString, _ text: EventText) {
        writer.literal(name)
        writer.characters(text)
    }

    /// A line whose value is a number, empty where there is none.
    @inline(__always)
    mutating func line(_ name: StaticString, _ number: Int64?) {
        writer.literal(name)
        if let number { writer.number(number) }
    }

    /// The 36 characters of a UUID.
    mutating func uuid(_ id: EventID) {
        var characters = id.string
        characters.withUTF8 { writer.raw(UnsafeRawBufferPointer($0)) }
    }

    /// What distinguishes events of the same text: `#2`, `#3` …, and nothing for the first.
    mutating func number(_ number: Int) {
        guard number > 1 else { return }
        writer.literal("#")
        writer.number(Int64(number))
    }

    /// The id of a text that `write` appends to.
    static func id(_ write: (inout IDText) -> Void) -> EventID {
        let output = OutputBuffer(capacity: 512)
        var text = IDText(output)
        write(&text)
        text.finish()
        return EventID(namespaced: output)
    }
}
