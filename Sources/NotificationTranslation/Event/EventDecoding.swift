/// Reads every key; one that is missing counts as `null` where the field may be null.
struct EventDecoding: EventCoder {
    private let container: KeyedDecodingContainer<EventKey>

    init(_ container: KeyedDecodingContainer<EventKey>) { self.container = container }

    mutating func value<Value: Codable>(_ key: StaticString, _ value: inout Value) throws {
        value = try container.decode(Value.self, forKey: EventKey(key))
    }

    mutating func value<Value: Codable>(_ key: StaticString, _ value: inout Value?) throws {
        value = try container.decodeIfPresent(Value.self, forKey: EventKey(key))
    }

    mutating func milliseconds(_ key: StaticString, _ time: inout EventTime?) throws {
        time = try container.decodeIfPresent(Int64.self, forKey: EventKey(key)).map(EventTime.init(milliseconds:))
    }

    mutating func option<Value: Codable>(_ key: StaticString, _ value: inout Requested<Value>) throws {
        let key = EventKey(key)
        guard container.contains(key) else { return value = .notRequested }
        value = try container.decodeIfPresent(Value.self, forKey: key).map { .found($0) } ?? .nothing
    }
}
