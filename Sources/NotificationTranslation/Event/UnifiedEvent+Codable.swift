/// The line of an event, as any coder has it: what ``LineWriter`` and ``LineReader`` know of it is all there is to know.
extension UnifiedEvent {
    /// Reads the form of the contract; a key that is missing counts as `null`.
    public init(from decoder: any Decoder) throws {
        let line = OutputBuffer(capacity: 2048)
        try Self.append(EventFieldTable.current.event, try decoder.container(keyedBy: EventKey.self), to: line)
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
    private static func append(
        _ object: EventFieldTable.Object, _ container: KeyedDecodingContainer<EventKey>, to line: OutputBuffer
    ) throws {
        for (place, field) in object.fields.enumerated() {
            let key = EventKey(stringValue: field.key)
            if field.kind == .option, !container.contains(key) { continue }
            line.append(place == 0 ? "{" : ",")
            line.append(jsonString: field.key)
            line.append(":")
            guard container.contains(key), try !container.decodeNil(forKey: key) else {
                line.append("null")
                continue
            }
            switch field.kind {
            case .object, .option:
                guard let part = EventFieldTable.current.object(field) else { continue }
                try append(part, try container.nestedContainer(keyedBy: EventKey.self, forKey: key), to: line)
            case .pair: append([try container.decode(NotificationPair.self, forKey: key)], to: line)
            case .pairs:
                line.append("[")
                append(try container.decode([NotificationPair].self, forKey: key), to: line)
                line.append("]")
            case .number, .milliseconds: line.append(decimal: try container.decode(Int64.self, forKey: key))
            case .truth: line.append(try container.decode(Bool.self, forKey: key) ? "true" : "false")
            case .document, .flags, .texts: try container.decode(JSONValue.self, forKey: key).append(to: line)
            case .text, .id, .word, .time, .appID:
                line.append(jsonString: try container.decode(String.self, forKey: key))
            }
        }
        line.append("}")
    }

    private static func append(_ pairs: [NotificationPair], to line: OutputBuffer) {
        for (place, pair) in pairs.enumerated() {
            line.append(place == 0 ? "{\"type\":" : ",{\"type\":")
            pair.type.map { JSONValue.string($0.rawValue) }.append(to: line)
            line.append(",\"subtype\":")
            pair.subtype.map { JSONValue.string($0.rawValue) }.append(to: line)
            line.append("}")
        }
    }
}

/// A key of the contract.
private struct EventKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension JSONValue? {
    fileprivate func append(to line: OutputBuffer) { (self ?? .null).append(to: line) }
}
