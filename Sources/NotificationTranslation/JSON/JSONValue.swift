/// A JSON value of any shape, for what Apple adds and this package has no field for.
///
/// Numbers keep the digits they came with. Members of objects are written sorted by key, so that equal values are
/// equal bytes.
public enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    /// The literal of a number, as it was in the text.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The member of an object; `nil` if it is absent or this is another kind of value.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The characters of a string; `nil` for another kind of value.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a whole number; `nil` for another kind of value, and for a number with a fraction.
    public var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }

    /// The compact text.
    var bytes: [UInt8] {
        let output = OutputBuffer(capacity: 1024)
        append(to: output)
        return Array(output.bytes)
    }

    /// Appends the compact text.
    func append(to output: OutputBuffer) {
        switch self {
        case .null: output.append("null")
        case .bool(let value): output.append(value ? "true" : "false")
        case .number(let text): output.append(text)
        case .string(let text): output.append(jsonString: text)
        case .array(let elements): output.append(list: elements) { $0.append(to: output) }
        case .object(let members):
            output.append(list: members.sorted { $0.key < $1.key }, (0x7B, 0x7D)) { key, value in
                output.append(jsonString: key)
                output.append(":")
                value.append(to: output)
            }
        }
    }

    /// Reads a value of any shape.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(String(value))
        } else if let value = try? container.decode(Double.self) {
            self = .number("\(value)")
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let text):
            if let value = Int64(text) {
                try container.encode(value)
            } else {
                try container.encode(Double(text) ?? 0)
            }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    init(_ tree: JSONTree) {
        switch tree.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number:
            // What no reader of JSON can hold as a number keeps its digits as a text.
            let overflows = tree.withCharacters(JSONNumber.overflows)
            self = overflows ? .string(tree.characters) : .number(tree.characters)
        case .string: self = .string(tree.characters)
        case .array: self = .array(tree.parts.map { JSONValue($0) })
        case .object:
            self = .object(Dictionary(tree.members.map { ($0.key, JSONValue($0.value)) }) { _, last in last })
        }
    }
}
