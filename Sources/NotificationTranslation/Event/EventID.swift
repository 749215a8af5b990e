/// A name-based UUID (RFC 9562, version 5) of what a version 1 notification says about itself.
///
/// V1 sends no id, so one is made of a canonical text that leaves out the receipt blobs and the secret: a notification
/// delivered again, or converted again, has the same id, and anyone can recompute it:
///
///     uuid5(namespace, "bid=com.example.app\nenvironment=Production\ntype=DID_RENEW\n"
///         + "original_transaction_id=1000\ntransaction_id=1001\ntime=1604394764000\n"
///         + "auto_renew_status=true\nauto_renew_product_id=com.example.monthly")
///
/// Eight lines, LF between them, always in this order; what the body does not say stands empty. `environment` is as in
/// the event (`PROD` is `Production`), `type` Apple's current name of the type, `time` the milliseconds since 1970 of
/// the event if its type has a time of its own and the body gives it (empty where the event says `received_at` or
/// carries `TIME_LOWER_BOUND`), `auto_renew_status` `true` or `false`.
struct EventID: Hashable, Sendable {
    /// The namespace: `uuid5(NAMESPACE_URL, "urn:apple:app-store-server-notifications:v1")`.
    static let namespace = EventID(high: 0xB3F7_0574_D35E_55B8, low: 0x84F1_1027_9EED_6F8D)

    var high: UInt64
    var low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The version 5 UUID of a text whose first 16 bytes are the namespace.
    init(namespaced message: UnsafeRawBufferPointer) {
        let digest = SHA1.prefix(of: message)
        high = digest.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x5000
        low = digest.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Appends the 36 characters, in lower case.
    func append(to output: OutputBuffer) {
        withText { output.append($0) }
    }

    /// Calls `body` with the 36 characters.
    func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { text in
            var at = 0
            for place in 0..<16 {
                if place == 4 || place == 6 || place == 8 || place == 10 {
                    text[at] = 0x2D
                    at += 1
                }
                let word = place < 8 ? high : low
                let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (place & 7)))
                text[at] = Self.digit(byte >> 4)
                text[at + 1] = Self.digit(byte & 15)
                at += 2
            }
            return body(UnsafeRawBufferPointer(text))
        }
    }

    /// The 36 characters, in lower case.
    var string: String {
        withText { String(decoding: $0, as: UTF8.self) }
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x57 + value
    }
}
