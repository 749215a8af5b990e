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

    var bytes: [UInt8] {
        var result: [UInt8] = []
        append(to: &result)
        return result
    }

    private func append(to result: inout [UInt8]) {
        switch self {
        case .string(let text): JSONText.append(text, to: &result)
        case .number(let number): result += Array(String(number).utf8)
        case .bool(let value): result += Array((value ? "true" : "false").utf8)
        case .null: result += Array("null".utf8)
        case .array(let values):
            result.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { result.append(UInt8(ascii: ",")) }
                value.append(to: &result)
            }
            result.append(UInt8(ascii: "]"))
        case .object(let members):
            result.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { result.append(UInt8(ascii: ",")) }
                JSONText.append(member.key, to: &result)
                result.append(UInt8(ascii: ":"))
                member.value.append(to: &result)
            }
            result.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        result.append(UInt8(ascii: "\""))
    }
}

/// Members of an object in the making: absent values leave no key.
struct JSONMembers: Sendable {
    private(set) var members: [(key: String, value: JSONText)] = []

    var value: JSONText { .object(members) }

    mutating func set(_ key: String, _ value: JSONText) {
        members.append((key, value))
    }

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

    mutating func shuffle(with random: inout SeededGenerator) {
        members = random.shuffled(members)
    }
}

extension JSONText {
    /// The bytes as base64url without padding.
    var base64URL: String {
        let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
        return text.replacing("+", with: "-").replacing("/", with: "_")
    }
}
