/// Writes every key, `null` where nothing is known.
struct EventEncoding: EventCoder {
    private var container: KeyedEncodingContainer<EventKey>

    init(_ container: KeyedEncodingContainer<EventKey>) { self.container = container }

    mutating func value<Value: Codable>(_ key: StaticString, _ value: inout Value) throws {
        try container.encode(value, forKey: EventKey(key))
    }

    mutating func value<Value: Codable>(_ key: StaticString, _ value: inout Value?) throws {
        try container.encode(value, forKey: EventKey(key))
    }

    mutating func milliseconds(_ key: StaticString, _ time: inout EventTime?) throws {
        try container.encode(time?.milliseconds, forKey: EventKey(key))
    }

    mutating func option<Value: Codable>(_ key: StaticString, _ value: inout Requested<Value>) throws {
        switch value {
        case .notRequested: break
        case .nothing: try container.encodeNil(forKey: EventKey(key))
        case .found(let found): try container.encode(found, forKey: EventKey(key))
        }
    }
}
