/// Writes the DER that certificates are made of; nothing stops it from writing wrong ones.
enum DERWriter {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        var length: [UInt8] = []
        if count < 0x80 {
            length = [UInt8(count)]
        } else if count < 0x100 {
            length = [0x81, UInt8(count)]
        } else if count < 0x10000 {
            length = [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        } else {
            length = [0x83, UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        }
        return [tag] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
    static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + content) }
    static func integer(_ value: UInt8) -> [UInt8] { element(0x02, [value]) }
    static func set(_ parts: [[UInt8]]) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
    static func utf8(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }

    /// An INTEGER in its shortest form.
    static func number(_ value: Int64) -> [UInt8] {
        var bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }
        while bytes.count > 1, bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80 {
            bytes.removeFirst()
        }
        return element(0x02, bytes)
    }

    static let null: [UInt8] = [0x05, 0x00]
    static let yes: [UInt8] = [0x01, 0x01, 0xFF]

    /// An object identifier from its dotted text.
    static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { Int($0) }
        var content = [UInt8(numbers[0] * 40 + numbers[1])]
        for number in numbers.dropFirst(2) {
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            content += groups
        }
        return element(0x06, content)
    }

    /// A name of one common name.
    static func name(_ common: String) -> [UInt8] {
        sequence(element(0x31, sequence(identifier("2.5.4.3"), element(0x0C, Array(common.utf8)))))
    }

    /// A time as RFC 5280 writes it: two digits of the year until 2049, four from 2050 on.
    static func time(_ text: String) -> [UInt8] {
        let year = Int(text.prefix(4)) ?? 0
        let isShort = 1950..<2050 ~= year
        return element(isShort ? 0x17 : 0x18, Array((isShort ? text.dropFirst(2) : text[...]).utf8))
    }
}
