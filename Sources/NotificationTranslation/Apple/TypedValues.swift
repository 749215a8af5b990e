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
    static func mayBe(in memory: UnsafeRawPointer, from start: Int, to end: Int) -> Bool {
        let text = UnsafeRawBufferPointer(start: memory + start, count: max(0, end - start))
        return ["\"S\"", "\"M\"", "stringValue", "mapValue", "$number"].contains { (sign: StaticString) in
            text.holds(sign)
        }
    }

    /// Whether a key names a type.
    static func isName(_ key: [UInt8]) -> Bool { table.holds(key) }

    /// Whether the object that `walker` is before wraps a value, as far as its first key shows; the walker is then in it.
    static func isWrapping(_ walker: inout JSONWalker) throws(JSONFault) -> Bool {
        var object = try walker.enterObject()
        return try walker.nextMember(of: &object, known: table).map { $0.slot >= 0 } ?? false
    }

    /// Appends the object that `walker` is before, without the wrappings; false if it has none.
    static func unwrapObject(_ walker: inout JSONWalker, into output: OutputBuffer) throws(JSONFault) -> Bool {
        var changed = false
        try object(&walker, output, &changed)
        return changed
    }

    private static func write(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ output: OutputBuffer, _ changed: inout Bool
    ) throws(JSONFault) {
        switch value.kind {
        case .object: try object(&walker, output, &changed)
        case .array:
            output.append(0x5B)
            var array = try walker.enterArray()
            var isFirst = true
            while let element = try walker.nextElement(of: &array) {
                if !isFirst { output.append(0x2C) }
                isFirst = false
                try write(element, &walker, output, &changed)
            }
            output.append(0x5D)
        case .string: copy(walker.memory, value.text.start - 1, value.text.end + 1, output)
        default: copy(walker.memory, value.text.start, value.text.end, output)
        }
    }

    private static func object(
        _ walker: inout JSONWalker, _ output: OutputBuffer, _ changed: inout Bool
    ) throws(JSONFault) {
        if try wrapped(&walker, output, &changed) { return }
        output.append(0x7B)
        var object = try walker.enterObject()
        var isFirst = true
        while let member = try walker.nextMember(of: &object, known: inside) {
            if !isFirst { output.append(0x2C) }
            isFirst = false
            copy(walker.memory, member.key.start - 1, member.key.end + 1, output)
            output.append(0x3A)
            try write(member.value, &walker, output, &changed)
        }
        output.append(0x7D)
    }

    /// Writes what a wrapping holds; false, with the walker where it was, if the object is none.
    private static func wrapped(
        _ walker: inout JSONWalker, _ output: OutputBuffer, _ changed: inout Bool
    ) throws(JSONFault) -> Bool {
        let start = walker.place
        var object = try walker.enterObject()
        guard let member = try walker.nextMember(of: &object, known: table), member.slot >= 0 else {
            walker.go(to: start)
            return false
        }
        let place = walker.place
        guard let end = try endOfOnly(member.value, of: &object, table, &walker) else {
            walker.go(to: start)
            return false
        }
        changed = true
        walker.go(to: place)
        if member.slot == numbers {
            output.append("null")
        } else if member.slot < numbers, let number = number(member.value, walker.memory) {
            output.append(number)
        } else if member.value.kind == .object, let only = try onlyMember(&walker) {
            try write(only, &walker, output, &changed)
        } else {
            walker.go(to: place)
            try write(member.value, &walker, output, &changed)
        }
        walker.go(to: end)
        return true
    }

    /// The number that a text is; `nil` for one that is none, or too large to be read.
    private static func number(_ value: JSONWalker.Value, _ memory: UnsafeRawPointer) -> UnsafeRawBufferPointer? {
        let (start, end) = (value.text.start, value.text.end)
        guard value.kind == .string, (try? JSONNumber.end(memory, from: start, to: end)) == end else { return nil }
        let number = UnsafeRawBufferPointer(start: memory + start, count: end - start)
        return JSONNumber.overflows(number) ? nil : number
    }

    /// The value of `fields` or `values`, if the object has no other member; the walker then is before it.
    private static func onlyMember(_ walker: inout JSONWalker) throws(JSONFault) -> JSONWalker.Value? {
        var object = try walker.enterObject()
        guard let member = try walker.nextMember(of: &object, known: inside), member.slot >= 0 else { return nil }
        let place = walker.place
        guard try endOfOnly(member.value, of: &object, inside, &walker) != nil else { return nil }
        walker.go(to: place)
        return member.value
    }

    /// The place after an object whose only value `walker` is before; `nil` if there are more, or the grammar is
    /// broken, which whoever walks it as a whole then reports.
    ///
    /// An object or array is passed by its brackets alone, as it is walked when it is written; otherwise each would be
    /// walked as often as values are around it.
    private static func endOfOnly(
        _ value: JSONWalker.Value, of object: inout JSONWalker.Object, _ keys: KeyTable, _ walker: inout JSONWalker
    ) throws(JSONFault) -> JSONWalker.Place? {
        guard value.kind == .object || value.kind == .array, walker.pass() else {
            try walker.skip(value)
            return try walker.nextMember(of: &object, known: keys) == nil ? walker.place : nil
        }
        do throws(JSONFault) {
            return try walker.nextMember(of: &object, known: keys) == nil ? walker.place : nil
        } catch {
            return nil
        }
    }

    private static func copy(_ memory: UnsafeRawPointer, _ start: Int, _ end: Int, _ output: OutputBuffer) {
        output.append(UnsafeRawBufferPointer(start: memory + start, count: end - start))
    }
}
