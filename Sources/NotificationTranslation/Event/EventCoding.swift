/// A value whose fields a coder visits in the order of the contract.
protocol EventCodable: Codable {
    /// A value of which nothing is known.
    init()
    mutating func visit(_ coder: inout some EventCoder) throws
}

extension EventCodable {
    /// Reads the form of the contract.
    public init(from decoder: any Decoder) throws {
        self.init()
        var coder = EventDecoding(try decoder.container(keyedBy: EventKey.self))
        try visit(&coder)
    }

    /// Writes every key in the order of the contract, `null` where nothing is known.
    public func encode(to encoder: any Encoder) throws {
        var coder = EventEncoding(encoder.container(keyedBy: EventKey.self))
        var copy = self
        try copy.visit(&coder)
    }
}

/// Encodes or decodes the fields of an event, one after the other.
protocol EventCoder {
    mutating func value<Value: Codable>(_ key: StaticString, _ value: inout Value) throws
    mutating func value<Value: Codable>(_ key: StaticString, _ value: inout Value?) throws
    /// The time of the field before, as a number.
    mutating func milliseconds(_ key: StaticString, _ time: inout EventTime?) throws
    /// A field whose key is there only on request.
    mutating func option<Value: Codable>(_ key: StaticString, _ value: inout Requested<Value>) throws
}

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
