/// The line of an event, as any coder has it: what ``LineWriter`` and ``LineReader`` know of it is all there is to know.
extension UnifiedEvent {
    /// Reads the form of the contract; a key that is missing counts as `null`.
    public init(from decoder: any Decoder) throws {
        let line = OutputBuffer(capacity: 2048)
        Self.append(EventFieldTable.current.event, try JSONValue(from: decoder), to: line)
        do throws(NotificationError) {
            try self.init(line: line.bytes)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not an event of this package"))
        }
    }

    /// Writes every key of the contract, `null` where nothing is known.
    public func encode(to encoder: any Encoder) throws {
        try JSONTree.parsed(line()).map { JSONValue($0) }.encode(to: encoder)
    }

    /// Appends an object as a line has it, with its keys in order.
    private static func append(_ object: EventFieldTable.Object, _ value: JSONValue, to line: OutputBuffer) {
        for (place, field) in object.fields.enumerated() {
            let member = value[field.key] ?? .null
            if field.kind == .option, value[field.key] == nil { continue }
            line.append(place == 0 ? "{" : ",")
            line.append(jsonString: field.key)
            line.append(":")
            switch (field.kind, member) {
            case (.object, .object), (.option, .object):
                if let part = EventFieldTable.current.object(field) { append(part, member, to: line) }
            case (.pair, .object): append(pair: member, to: line)
            case (.pairs, .array(let pairs)):
                line.append("[")
                for (place, pair) in pairs.enumerated() {
                    if place > 0 { line.append(",") }
                    append(pair: pair, to: line)
                }
                line.append("]")
            default: member.append(to: line)
            }
        }
        line.append("}")
    }

    private static func append(pair: JSONValue, to line: OutputBuffer) {
        line.append("{\"type\":")
        (pair["type"] ?? .null).append(to: line)
        line.append(",\"subtype\":")
        (pair["subtype"] ?? .null).append(to: line)
        line.append("}")
    }
}
