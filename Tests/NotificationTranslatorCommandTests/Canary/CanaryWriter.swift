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

/// Writes a record as one line, with other bytes at one place.
///
/// It is taken apart as deep as it goes: JSON, the JSON in its strings, and what lies in its signed payloads.
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
    mutating func write(_ record: [UInt8]) throws(JSONFault) -> [UInt8] {
        places = []
        output = []
        let text = String(decoding: record, as: UTF8.self)
        if let parts = Self.signed(text) {
            write(signed: parts)
        } else {
            write(try JSONTree(record), "", "")
        }
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
        for byte in bytes {
            if byte < 0x20 {
                output += Array("\\u00".utf8) + [0x30 + byte >> 4, Array("0123456789abcdef".utf8)[Int(byte & 15)]]
            } else {
                output += byte == 0x22 || byte == 0x5C ? [0x5C, byte] : [byte]
            }
        }
        output.append(0x22)
    }

    private mutating func write(_ tree: JSONTree, _ path: String, _ key: String) {
        switch tree.kind {
        case .object:
            output.append(0x7B)
            for (place, name) in tree.keys.enumerated() {
                if place > 0 { output.append(0x2C) }
                let inner = path + "." + name
                string(name, inner, name, isKey: true)
                output.append(0x3A)
                // What a database has wrapped is the value of the key outside.
                let isWrapping = tree.keys.count == 1 && Self.wrappings.contains(name)
                if let value = tree[name] { write(value, inner, isWrapping ? key : name) }
            }
            output.append(0x7D)
        case .array:
            output.append(0x5B)
            for (place, element) in tree.parts.enumerated() {
                if place > 0 { output.append(0x2C) }
                write(element, path + "[]", key)
            }
            output.append(0x5D)
        case .string:
            if let parts = Self.signed(tree.characters) {
                output.append(0x22)
                write(signed: parts)
                output.append(0x22)
            } else if let inner = JSONTree.parsed(Array(tree.characters.utf8)),
                [.object, .array, .string].contains(inner.kind)
            {
                quote(part { $0.write(inner, "\"", key) })
            } else {
                string(tree.characters, path, key)
            }
        case .number, .true, .false, .null: output += Array((tree.scalarText ?? "null").utf8)
        }
    }

    private mutating func write(signed parts: (header: JSONTree, payload: JSONTree)) {
        let encoded = [
            part { $0.write(parts.header, "#header", "") }, part { $0.write(parts.payload, "#", "") },
            part { $0.string(String(repeating: "s", count: 64), "#signature", "signature") },
        ]
        output += Array(encoded.map { StrictBase64.encoded(url: $0) }.joined(separator: ".").utf8)
    }

    /// What a compact JWS says.
    private static func signed(_ text: String) -> (header: JSONTree, payload: JSONTree)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, text.hasPrefix("ey"), let header = StrictBase64.decoded(url: parts[0].utf8),
            let payload = StrictBase64.decoded(url: parts[1].utf8)
        else { return nil }
        return JSONTree.parsed(header).flatMap { header in JSONTree.parsed(payload).map { (header, $0) } }
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
}
