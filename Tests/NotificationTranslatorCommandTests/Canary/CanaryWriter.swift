@testable import NotificationTranslation

/// A key or a string of a body, where a canary can sit.
struct CanaryPlace: Hashable {
    /// Keys down to it, without indexes, within the JSON text it is part of: places that are read alike have one path.
    var path: String
    /// Where it stands in the record, quotes included; `nil` if it lies inside a string.
    var range: Range<Int>?
    /// The key that it is, or that it is the value of.
    var key: String
    var isKey: Bool
}

/// Writes a body as one line, with other bytes at one place.
struct CanaryWriter {
    /// Keys of the only member of an object in which databases keep a value with its type.
    private static let wrappings: Set<String> = [
        "S", "N", "M", "L", "stringValue", "integerValue", "arrayValue", "values",
    ]

    /// What stands for "the text of this level ends here"; no byte of UTF-8.
    static let cut: UInt8 = 0xF8

    /// The number of the place and the bytes that stand there, quotes included.
    var replacement: (place: Int, bytes: [UInt8])?
    /// The places met, in order.
    private(set) var places: [CanaryPlace] = []
    private var output: [UInt8] = []
    private var depth = 0

    /// The record, up to its cut.
    mutating func write(_ body: CanaryBody) -> [UInt8] {
        places = []
        output = []
        if case .bare(let signed) = body {
            write(signed, "", "")
            return Array(output.dropFirst().dropLast())
        }
        write(body, "", "")
        return Array(output.prefix { $0 != Self.cut })
    }

    private mutating func string(_ text: String, _ path: String, _ key: String, isKey: Bool = false) {
        let start = output.count
        if replacement?.place == places.count, let bytes = replacement?.bytes {
            output += bytes
        } else {
            quote(Array(text.utf8))
        }
        places.append(
            CanaryPlace(path: path, range: depth == 0 ? start..<output.count : nil, key: key, isKey: isKey))
    }

    private mutating func quote(_ bytes: [UInt8]) {
        output.append(0x22)
        guard bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
            output += bytes
            output.append(0x22)
            return
        }
        for byte in bytes {
            switch byte {
            case 0x22, 0x5C: output += [0x5C, byte]
            case 0x0A: output += Array("\\n".utf8)
            case ..<0x20:
                output += Array("\\u00".utf8) + [0x30 + byte >> 4, Array("0123456789abcdef".utf8)[Int(byte & 15)]]
            default: output.append(byte)
            }
        }
        output.append(0x22)
    }

    private mutating func write(_ body: CanaryBody, _ path: String, _ key: String) {
        switch body {
        case .object(let members):
            output.append(0x7B)
            for (place, member) in members.enumerated() {
                if place > 0 { output.append(0x2C) }
                let inner = path + "." + member.key
                string(member.key, inner, member.key, isKey: true)
                output.append(0x3A)
                // What a database has wrapped is the value of the key outside.
                let isWrapping = members.count == 1 && Self.wrappings.contains(member.key)
                write(member.value, inner, isWrapping ? key : member.key)
            }
            output.append(0x7D)
        case .array(let elements):
            output.append(0x5B)
            for (place, element) in elements.enumerated() {
                if place > 0 { output.append(0x2C) }
                write(element, path + "[]", key)
            }
            output.append(0x5D)
        case .string(let text): string(text, path, key)
        case .scalar(let text): output += Array(text.utf8)
        case .text(let inner): quote(part { $0.write(inner, "\"", key) })
        case .signed(let header, let payload):
            let encoded = [
                part { $0.write(header, "#header", "") }, part { $0.write(payload, "#", "") },
                part { $0.string(String(repeating: "s", count: 64), "#signature", "signature") },
            ]
            output.append(0x22)
            output += Array(encoded.map(Self.base64URL).joined(separator: [0x2E]))
            output.append(0x22)
        case .bare(let signed): write(signed, path, key)
        }
    }

    /// What `write` writes, apart from what stands before it.
    private mutating func part(_ write: (inout CanaryWriter) -> Void) -> [UInt8] {
        let outer = output
        output = []
        depth += 1
        defer {
            output = outer
            depth -= 1
        }
        write(&self)
        return Array(output.prefix { $0 != Self.cut })
    }

    private static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
        CanarySearch.base64(bytes).filter { $0 != 0x3D }.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
    }
}
