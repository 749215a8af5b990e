/// A value whose fields a coder visits in the order of the contract.
protocol EventCodable {
    mutating func visit(_ coder: inout some EventCoder) throws
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
