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
        object.pairs.first.map { $0.key.slot(in: table) >= 0 } ?? false
    }

    /// Appends an object without the wrappings; false if it has none.
    static func unwrap(_ object: JSONTree, into output: OutputBuffer) -> Bool {
        var changed = false
        write(object, output, &changed)
        return changed
    }

    private static func write(_ value: JSONTree, _ output: OutputBuffer, _ changed: inout Bool) {
        switch value.kind {
        case .object:
            if let (slot, inner) = only(value, table) {
                changed = true
                return write(inner, ofType: slot, output, &changed)
            }
            output.append(0x7B)
            for (place, member) in value.pairs.enumerated() {
                if place > 0 { output.append(0x2C) }
                output.append(member.key.quotedBytes)
                output.append(0x3A)
                write(member.value, output, &changed)
            }
            output.append(0x7D)
        case .array:
            output.append(0x5B)
            for (place, element) in value.parts.enumerated() {
                if place > 0 { output.append(0x2C) }
                write(element, output, &changed)
            }
            output.append(0x5D)
        default: output.append(value.quotedBytes)
        }
    }

    private static func write(_ value: JSONTree, ofType slot: Int, _ output: OutputBuffer, _ changed: inout Bool) {
        if slot == numbers {
            output.append("null")
        } else if slot < numbers, isNumber(value) {
            output.append(value.bytes)
        } else {
            write(only(value, inside)?.value ?? value, output, &changed)
        }
    }

    /// The only member of an object, if its key is in a table.
    private static func only(_ object: JSONTree, _ keys: KeyTable) -> (slot: Int, value: JSONTree)? {
        let members = object.pairs
        guard let (key, value) = members.first, members.count == 1 else { return nil }
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
