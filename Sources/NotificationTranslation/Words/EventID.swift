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
/// or `false`. The transaction is the one that the body alone points at, whatever else shows that it is about another one.
package struct EventID: Hashable, Sendable {
    /// The namespace: `uuid5(NAMESPACE_URL, "urn:apple:app-store-server-notifications:v1")`.
    static let namespace = EventID(high: 0xB3F7_0574_D35E_55B8, low: 0x84F1_1027_9EED_6F8D)
    /// How many bytes it has.
    static let namespaceSize = 16

    var high: UInt64
    var low: UInt64
}

extension EventID {
    /// The version 5 UUID of a text whose first 16 bytes are the namespace; padding is appended to it.
    init(namespaced text: OutputBuffer) {
        let digest = SHA1.prefix(padding: text)
        high = digest.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x5000
        low = digest.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// The 36 characters, in lower case.
    var characters: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<16 {
            let byte = UInt8(truncatingIfNeeded: (index < 8 ? high : low) &>> UInt64(56 - index % 8 * 8))
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(0x2D) }
            text.append(Hexadecimal.digit(byte >> 4))
            text.append(Hexadecimal.digit(byte))
        }
        return text
    }

    /// The same as a text.
    var string: String { String(decoding: characters, as: UTF8.self) }
}
