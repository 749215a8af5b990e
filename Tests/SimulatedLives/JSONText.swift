#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON value whose members keep the order they were given in.
indirect enum JSONText: Sendable {
    case string(String)
    case number(Int64)
    case bool(Bool)
    case null
    case array([JSONText])
    case object([(key: String, value: JSONText)])

    var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .number(let number): String(number)
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = !text.utf8.contains { $0 == 0x22 || $0 == 0x5C }
        return "\"" + (isPlain ? text : text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")) + "\""
    }
}

/// Members of an object in the making: absent values leave no key.
struct JSONMembers: Sendable {
    private(set) var members: [(key: String, value: JSONText)] = []

    var value: JSONText { .object(members) }

    mutating func set(_ key: String, _ value: JSONText) { members.append((key, value)) }

    mutating func set(_ key: String, _ text: String?) {
        if let text { members.append((key, .string(text))) }
    }

    /// Apple's three forms of one date: `key`, `key_ms`, `key_pst`.
    mutating func setDate(_ key: String, _ instant: Instant?) {
        guard let instant else { return }
        set(key, instant.greenwichText)
        set(key + "_ms", String(instant))
        set(key + "_pst", instant.californiaText)
    }

    mutating func shuffle(with random: inout SeededGenerator) { members = random.shuffled(members) }
}

extension JSONText {
    /// The bytes as base64url without padding.
    var base64URL: String {
        let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
        return text.replacing("+", with: "-").replacing("/", with: "_")
    }
}
