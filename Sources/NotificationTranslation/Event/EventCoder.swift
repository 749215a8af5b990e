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
