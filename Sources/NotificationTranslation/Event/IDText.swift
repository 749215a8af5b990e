import NotificationLibC

/// Writes the canonical text of an id: the namespace, then one line for each thing it is made of.
///
/// All ids that this package makes are written here; ``EventID`` documents the text.
///
/// Between ``init(_:)`` and ``finish()`` the end of the buffer is a local pointer here, so that a piece costs a
/// comparison with the end of the room and a few stores. No other face of the buffer may be used meanwhile.
struct IDText {
    private let output: OutputBuffer
    private var at: UnsafeMutableRawPointer
    private var limit: UnsafeMutableRawPointer

    /// Begins a text at the end of a buffer.
    @inline(__always)
    init(_ output: OutputBuffer) {
        self.output = output
        (at, limit) = output.room
        reserve(16)
        at.storeBytes(of: EventID.namespace.high.bigEndian, as: UInt64.self)
        at.storeBytes(of: EventID.namespace.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        at += 16
    }

    /// Makes what was written part of the buffer.
    func finish() { output.end(at: at) }

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
        literal("\nauto_renew_status=")
        if let autoRenewStatus { autoRenewStatus ? literal("true") : literal("false") }
        line("\nauto_renew_product_id=", autoRenewProductID)
    }

    /// A line whose value is a text, empty where that is absent.
    @inline(__always)
    mutating func line(_ name: StaticString, _ text: EventText) {
        literal(name)
        guard text.hasEscapes else { return raw(text.bytes) }
        reserve(text.bytes.count)
        unescape(text.bytes)
    }

    /// A line whose value is a number, empty where there is none.
    @inline(__always)
    mutating func line(_ name: StaticString, _ number: Int64?) {
        literal(name)
        if let number { decimal(number) }
    }

    /// The 36 characters of a UUID.
    mutating func uuid(_ id: EventID) {
        var characters = id.string
        characters.withUTF8 { raw(UnsafeRawBufferPointer($0)) }
    }

    /// What distinguishes events of the same text: `#2`, `#3` …, and nothing for the first.
    mutating func number(_ number: Int) {
        guard number > 1 else { return }
        literal("#")
        decimal(Int64(number))
    }

    /// The id of a text that `write` appends to.
    static func id(_ write: (inout IDText) -> Void) -> EventID {
        let output = OutputBuffer(capacity: 512)
        var text = IDText(output)
        write(&text)
        text.finish()
        return EventID(namespaced: output)
    }

    // MARK: Bytes

    /// Makes sure that `count` bytes can be written.
    @inline(__always)
    private mutating func reserve(_ count: Int) {
        if limit - at < count { (at, limit) = output.moreRoom(count, from: at) }
    }

    @inline(__always)
    private mutating func literal(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        reserve(count)
        at.copyMemory(from: text.utf8Start, byteCount: count)
        at += count
    }

    @inline(__always)
    private mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        memcpy(at, start, bytes.count)
        at += bytes.count
    }

    private mutating func decimal(_ value: Int64) {
        reserve(DecimalText.longest)
        at = DecimalText.write(value, to: at)
    }

    /// Writes the characters of the inside of a JSON string, for which there is room.
    @inline(never)
    private mutating func unescape(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        JSONEscapes.unescape(start, from: 0, to: text.count) { piece in
            guard let start = piece.baseAddress else { return }
            memcpy(at, start, piece.count)
            at += piece.count
        }
    }
}
