/// Values as databases write them with their types, and the plain JSON that they represent.
///
///     {"M":{"notification_type":{"S":"CANCEL"}}}                                     DynamoDB
///     {"mapValue":{"fields":{"notification_type":{"stringValue":"CANCEL"}}}}         Firestore
///     {"expires":{"$numberLong":"1604394764123"}}                                    MongoDB
enum TypedValues {
    /// Names of types, each the only key of its object.
    private static let names: [StaticString] = [
        "N", "integerValue", "doubleValue", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "NULL",
        "S", "BOOL", "M", "L", "SS", "NS", "stringValue", "booleanValue", "nullValue", "timestampValue", "mapValue",
        "arrayValue", "$date", "referenceValue", "bytesValue", "B", "$oid", "$uuid",
    ]
    private static let table = KeyTable(names)
    /// How many of them, at the beginning, hold numbers as texts; the one after them holds no value.
    private static let numbers = 7
    /// Keys of the only member inside a `mapValue` and an `arrayValue`.
    private static let inside = KeyTable(["fields", "values"])

    /// Whether such a value may be in a text.
    static func mayBe(in text: UnsafeRawBufferPointer) -> Bool {
        ["\"S\"", "\"M\"", "stringValue", "mapValue", "$number"].contains { (sign: StaticString) in text.holds(sign) }
    }

    /// Whether a key names a type.
    static func isName(_ key: [UInt8]) -> Bool { table.holds(key) }

    /// Whether an object wraps a value, as far as its first key shows.
    static func isWrapping(_ object: JSONTree) -> Bool {
        object.pairs.first { _ in true }.map { $0.key.slot(in: table) >= 0 } ?? false
    }

    /// An object without the wrappings; `nil` if it has none.
    static func unwrapped(_ object: JSONTree) -> JSONValue? {
        var changed = false
        let plain = unwrapped(object, &changed)
        return changed ? plain : nil
    }

    private static func unwrapped(_ value: JSONTree, _ changed: inout Bool) -> JSONValue {
        switch value.kind {
        case .object:
            guard let (slot, inner) = only(value, table) else {
                return .object(Dictionary(value.members.map { ($0.key, unwrapped($0.value, &changed)) }) { $1 })
            }
            changed = true
            if slot == numbers { return .null }
            if slot < numbers, isNumber(inner) { return .number(inner.characters) }
            return unwrapped(only(inner, inside)?.value ?? inner, &changed)
        case .array: return .array(value.parts.map { unwrapped($0, &changed) })
        case .number: return .number(value.characters)
        default: return JSONValue(value)
        }
    }

    private static func only(_ object: JSONTree, _ keys: KeyTable) -> (slot: Int, value: JSONTree)? {
        var members = object.pairs.makeIterator()
        guard let (key, value) = members.next(), members.next() == nil else { return nil }
        let slot = key.slot(in: keys)
        return slot < 0 ? nil : (slot, value)
    }

    /// Whether a text is a number that can be read.
    private static func isNumber(_ text: JSONTree) -> Bool {
        let (memory, start, end) = (text.memory, text.range.start, text.range.end)
        guard text.kind == .string, (try? JSONNumber.end(memory, from: start, to: end)) == end else { return false }
        return !JSONNumber.overflows(text.bytes)
    }
}
