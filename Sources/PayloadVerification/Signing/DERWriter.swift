import NotificationTranslation

/// Writes the DER that certificates are made of; nothing stops it from writing wrong ones.
enum DERWriter {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: content.count).bigEndian
        let size = withUnsafeBytes(of: count) { Array($0.drop { $0 == 0 }) }
        let length = content.count < 0x80 ? [UInt8(content.count)] : [0x80 | UInt8(size.count)] + size
        return [tag] + length + content
    }

    static func element(_ tag: DERReader.Tag, _ content: [UInt8]) -> [UInt8] { element(tag.rawValue, content) }
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(.sequence, parts.flatMap { $0 }) }
    static func octets(_ content: [UInt8]) -> [UInt8] { element(.octetString, content) }
    static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] {
        element(.bitString, [unused] + content)
    }
    static func integer(_ value: UInt8) -> [UInt8] { element(.integer, [value]) }

    static let null: [UInt8] = [0x05, 0x00]
    static let yes: [UInt8] = [0x01, 0x01, 0xFF]

    static func identifier(_ dotted: String) -> [UInt8] { identifier(ObjectID.identifier(dotted)) }
    static func identifier(_ content: [UInt8]) -> [UInt8] { element(.identifier, content) }

    /// A name of one common name.
    static func name(_ common: String) -> [UInt8] {
        sequence(element(0x31, sequence(identifier("2.5.4.3"), element(0x0C, Array(common.utf8)))))
    }

    /// A time as RFC 5280 writes it: two digits of the year until 2049, four from 2050 on.
    static func time(_ text: String) -> [UInt8] {
        let isShort = 1950..<2050 ~= Int(text.prefix(4)) ?? 0
        return element(isShort ? 0x17 : 0x18, Array((isShort ? text.dropFirst(2) : text[...]).utf8))
    }
}
