@testable import NotificationTranslation

/// A record taken apart as deep as it goes: JSON, the JSON in its strings, and what lies in its signed payloads.
indirect enum CanaryBody {
    case object([CanaryMember])
    case array([CanaryBody])
    case string(String)
    /// A number, a truth value or null, as it is written.
    case scalar(String)
    /// A string that holds JSON.
    case text(CanaryBody)
    /// A string that holds a compact JWS.
    case signed(header: CanaryBody, payload: CanaryBody)
    /// A compact JWS that is no string but the record itself.
    case bare(CanaryBody)

    /// The body that a record is, `nil` if it is not even JSON.
    init?(record: [UInt8]) {
        if let signed = Self.signed(String(decoding: record, as: UTF8.self)) {
            self = .bare(signed)
        } else {
            do throws(JSONFault) { self.init(try JSONTree(record)) } catch { return nil }
        }
    }

    private init(_ tree: JSONTree) {
        switch tree.kind {
        case .object:
            self = .object(
                tree.keys.compactMap { key in tree[key].map { CanaryMember(key: key, value: CanaryBody($0)) } })
        case .array: self = .array(tree.parts.map(CanaryBody.init))
        case .string: self = Self.opened(tree.characters)
        case .number: self = .scalar(tree.characters)
        case .true: self = .scalar("true")
        case .false: self = .scalar("false")
        case .null: self = .scalar("null")
        }
    }

    private static func opened(_ text: String) -> CanaryBody {
        if let signed = signed(text) { return signed }
        guard text.hasPrefix("{") || text.hasPrefix("[") || text.hasPrefix("\"") else { return .string(text) }
        do throws(JSONFault) { return .text(CanaryBody(try JSONTree(Array(text.utf8)))) } catch { return .string(text) }
    }

    private static func signed(_ text: String) -> CanaryBody? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, text.hasPrefix("ey"), let header = decoded(parts[0]), let payload = decoded(parts[1])
        else { return nil }
        return .signed(header: header, payload: payload)
    }

    private static func decoded(_ part: Substring) -> CanaryBody? {
        let padding = String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
        let text = part.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let bytes = StrictBase64.decoded(standard: Array(text.utf8)) else { return nil }
        do throws(JSONFault) { return CanaryBody(try JSONTree(bytes)) } catch { return nil }
    }
}

/// A member of an object.
struct CanaryMember {
    var key: String
    var value: CanaryBody
}
