/// A name-based UUID (RFC 9562, version 5) of what a version 1 notification says about itself.
///
/// V1 sends no id, so one is made of a canonical text that leaves out the receipt blobs and the secret: a notification
/// delivered again, or converted again, has the same id, and anyone can recompute it:
///
///     uuid5(namespace, "bid=com.example.app\nenvironment=Production\ntype=DID_RENEW\n"
///         + "original_transaction_id=1000\ntransaction_id=1001\ntime=1604394764000\n"
///         + "auto_renew_status=true\nauto_renew_product_id=com.example.monthly")
///
/// Eight lines, LF between them, always in this order; missing values are left empty. `environment` is as in
/// the event (`PROD` is `Production`), `type` Apple's current name of the type, `time` the milliseconds since 1970 of
/// the date that the type takes its time from (empty where it has none or the body lacks it), `auto_renew_status` `true`
/// or `false`.
struct EventID: Hashable, Sendable {
    /// The namespace: `uuid5(NAMESPACE_URL, "urn:apple:app-store-server-notifications:v1")`.
    static let namespace = EventID(high: 0xB3F7_0574_D35E_55B8, low: 0x84F1_1027_9EED_6F8D)

    /// The placeholder of an id until it is made.
    static let pending = EventID(high: 0, low: 0)

    var high: UInt64
    var low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The version 5 UUID of a text whose first 16 bytes are the namespace; padding is appended to it.
    init(namespaced text: OutputBuffer) {
        let blocks = HashMessage.pad(text, from: 0)
        guard let start = text.bytes.baseAddress else {
            self = .namespace
            return
        }
        let message = HashMessage(start: start, blocks: blocks)
        self.init(digest: SHA1(message, message, message, message).prefix(0))
    }

    /// The version 5 UUID of a digest by its first 16 bytes.
    init(digest: (UInt64, UInt64)) {
        high = digest.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x5000
        low = digest.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Writes the 36 characters, in lower case.
    func write(to target: UnsafeMutableRawPointer) {
        let middle = Self.digits(UInt32(truncatingIfNeeded: high))
        let rest = Self.digits(UInt32(truncatingIfNeeded: low >> 32))
        Self.put(Self.digits(UInt32(truncatingIfNeeded: high >> 32)), to: target)
        Self.put(middle << 8 | 0x2D, to: target + 8)
        Self.put(middle >> 24 & ~0xFF | 0x2D, to: target + 13)
        Self.put(rest << 8 | 0x2D, to: target + 18)
        Self.put(rest >> 24 & ~0xFF | 0x2D, to: target + 23)
        Self.put(Self.digits(UInt32(truncatingIfNeeded: low)), to: target + 28)
    }

    /// The 36 characters, in lower case.
    var string: String {
        withUnsafeTemporaryAllocation(byteCount: 36, alignment: 8) { text in
            if let start = text.baseAddress { write(to: start) }
            return String(decoding: UnsafeRawBufferPointer(text), as: UTF8.self)
        }
    }

    private static func put(_ digits: UInt64, to target: UnsafeMutableRawPointer) {
        target.storeBytes(of: digits.littleEndian, as: UInt64.self)
    }

    /// The eight hexadecimal digits of a number, the first one lowest; one digit at a time costs 3 % more instructions
    /// for a small record.
    ///
    /// Each half byte goes to a byte of its own; those above nine, which adding six makes overflow into the next four
    /// bits, are moved on to the letters.
    private static func digits(_ value: UInt32) -> UInt64 {
        var bytes = UInt64(value.byteSwapped)
        bytes = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
        bytes = (bytes | bytes << 8) & 0x00FF_00FF_00FF_00FF
        let halves = bytes >> 4 & 0x000F_000F_000F_000F | (bytes & 0x000F_000F_000F_000F) << 8
        let letters = (halves &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return halves &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }
}
