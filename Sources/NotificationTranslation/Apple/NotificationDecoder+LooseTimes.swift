/// Times of receipt under less usual names and in less usual places: any case and separators, Apple's attempts to send,
/// and rows that are arrays.
extension NotificationDecoder {
    // MARK: Names

    /// Takes a time under a name in any case and with anything between its words; see ``Envelope/looseTimes``.
    func takeLooseTime(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ met: inout Met
    ) throws(JSONFault) -> Bool {
        guard member.value.kind != .array, !member.key.hasEscapes, 3...40 ~= member.key.count,
            member.value.kind != .string || member.value.text.count <= Self.longestTime
        else { return false }
        let name = LooseName(member.key, walker.memory)
        if Envelope.periodPrefixes.contains(where: name.begins) { met.namesEnd = true }
        var rank = name.slot(in: Envelope.looseTimeKeys)
        if rank < 0, name.ends(with: Envelope.looseEnding) { rank = Envelope.looseTimes.count }
        guard rank >= 0 || name.slot(in: Envelope.looseStartKeys) >= 0 else { return false }
        guard let time = try receiveTime(member.value, &walker) else { return false }
        if rank < 0 {
            met.startedAt = met.startedAt ?? time
        } else if 2 * Envelope.times.count + rank < met.timeRank {
            met.timeRank = 2 * Envelope.times.count + rank
            met.receivedAt = time
        }
        return true
    }

    /// Takes the time of the attempt to send a notification that succeeded.
    func takeAttempts(_ value: JSONWalker.Value, _ walker: inout JSONWalker, _ met: inout Met) throws(JSONFault) {
        guard value.kind == .array else { return }
        var array = try walker.enterArray()
        while let element = try walker.nextElement(of: &array) {
            guard element.kind == .object else {
                try walker.skip(element)
                continue
            }
            var time: ReceiveTime?
            var succeeded = false
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: Self.attemptKeys) {
                if member.slot == 0, member.value.kind.isScalar {
                    time = try receiveTime(member.value, &walker)
                } else if member.slot == 1, member.value.kind == .string {
                    succeeded = plain(member.value.text, walker.memory).elementsEqual("SUCCESS".utf8)
                } else {
                    try walker.skip(member.value)
                }
            }
            // The first success is the delivery. Every other name but that of a beginning leads.
            if succeeded, let time, met.timeRank == Int.max {
                met.receivedAt = time
                met.timeRank = Int.max - 1
            }
        }
    }

    private static let attemptKeys = KeyTable(["attemptDate", "sendAttemptResult"])

    // MARK: Rows

    /// The time that is in an array beside what may hold a notification, as in `["2020-11-03 09:12:44","{…}"]`;
    /// `nil` if there is none, or more than one, as it has no name.
    func rowTime(
        _ elements: [(value: JSONWalker.Value, place: JSONWalker.Place)], _ walker: inout JSONWalker
    ) throws(JSONFault) -> ReceiveTime? {
        guard 2...64 ~= elements.count else { return nil }
        if elements[0].value.kind == .object { return try pairTime(elements, &walker) }
        var found: ReceiveTime?
        for element in elements where element.value.kind == .string || element.value.kind == .number {
            guard 10...40 ~= element.value.text.count, let time = unnamedTime(element.value, walker.memory) else {
                continue
            }
            if found != nil { return nil }
            found = time
        }
        return found
    }

    /// The time that a value is without a name that says so: a date, or a number that is hardly anything else, as
    /// transactions have ids of ten digits, and of fourteen and more.
    private func unnamedTime(_ value: JSONWalker.Value, _ memory: UnsafeRawPointer) -> ReceiveTime? {
        var bytes = plain(value.text, memory)
        if value.kind == .string, let dash = bytes.firstIndex(of: 0x2D), dash == 13 {
            // An entry of a Redis stream: 1604394764123-0.
            guard bytes[14...].allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[..<13])
        }
        let digits = bytes.prefix { 0x30...0x39 ~= $0 }.count
        if digits == bytes.count || digits < bytes.count && digits > 4 && bytes[digits] == 0x2E {
            guard digits == 13 || digits == 19 || digits == 10 && digits < bytes.count else { return nil }
        }
        guard let time = AppleDate.received(bytes) ?? WrittenTime.read(bytes),
            AppleDate.opening..<PrefixTime.latest ~= time.milliseconds
        else { return nil }
        return time
    }

    /// The time of receipt in an array of names and values, as in `[{"field":"@timestamp","value":"2020-…"},…]`.
    private func pairTime(
        _ elements: [(value: JSONWalker.Value, place: JSONWalker.Place)], _ walker: inout JSONWalker
    ) throws(JSONFault) -> ReceiveTime? {
        guard elements.allSatisfy({ $0.value.kind == .object }) else { return nil }
        var best: (rank: Int, time: ReceiveTime)?
        for element in elements {
            walker.go(to: element.place)
            var object = try walker.enterObject()
            guard let name = try walker.nextMember(of: &object, known: Self.pairKeys), 0..<6 ~= name.slot,
                name.value.kind == .string, !walker.settled(name.value.text).hasEscapes,
                let value = try walker.nextMember(of: &object, known: Self.pairKeys), value.slot >= 6
            else { return best?.time }
            var rank = Self.slot(of: name.value.text, in: Envelope.timeKeys, walker.memory)
            if rank < 0, name.value.text.count <= 40 {
                let loose = LooseName(name.value.text, walker.memory).slot(in: Envelope.looseTimeKeys)
                rank = loose < 0 ? loose : Envelope.times.count + loose
            }
            guard rank >= 0, rank < best?.rank ?? Int.max, value.value.kind.isScalar,
                let time = try receiveTime(value.value, &walker)
            else { continue }
            best = (rank, time)
        }
        return best?.time
    }

    /// Six keys of names, and those of values.
    private static let pairKeys = KeyTable(["field", "name", "key", "Name", "Key", "column", "value", "Value"])

    // MARK: Values

    /// The time of receipt that a value says: a text, a number, or one of them as databases wrap it, such as MongoDB's
    /// `{"$date":…}` and DynamoDB's `{"N":…}`; `nil` leaves the walker after the value.
    func receiveTime(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker
    ) throws(JSONFault) -> ReceiveTime? {
        if value.kind == .string || value.kind == .number {
            guard value.text.count <= Self.longestTime else { return nil }
            let bytes = plain(value.text, walker.memory)
            let time =
                AppleDate.received(bytes) ?? WrittenTime.read(bytes)
                ?? (value.kind == .number ? JSONNumber.rounded(bytes).flatMap { AppleDate.received(epoch: $0) } : nil)
            // The zero value of a typed language is not a time of receipt.
            return time.flatMap { $0.milliseconds < AppleDate.opening ? nil : $0 }
        }
        guard value.kind == .object else {
            try walker.skip(value)
            return nil
        }
        var time: ReceiveTime?
        var nanoseconds: Int64 = 0
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: Self.wrappedTimes) {
            if member.slot >= Self.nanoseconds.count {
                time = try receiveTime(member.value, &walker) ?? time
            } else if member.slot >= 0, member.value.kind.isScalar {
                nanoseconds = JSONNumber.integer(plain(member.value.text, walker.memory)) ?? 0
            } else {
                try walker.skip(member.value)
            }
        }
        if let whole = time, 0..<1_000_000_000 ~= nanoseconds, whole.milliseconds.isMultiple(of: 1000) {
            time?.milliseconds = whole.milliseconds + nanoseconds / 1_000_000
        }
        return time
    }

    /// The longest text that is read as a time.
    private static let longestTime = 64
    /// Keys of the part of a second that is beside whole ones.
    private static let nanoseconds: [StaticString] = ["_nanoseconds", "nanoseconds", "nanos", "nanoOfSecond"]
    private static let wrappedTimes = KeyTable(
        nanoseconds + [
            "$date", "$numberLong", "$numberInt", "N", "S", "timestampValue", "integerValue", "stringValue",
            "_seconds", "seconds", "epochSecond", "value", "iso",
        ])
}

/// A name in lower case, without anything but letters and digits.
private struct LooseName {
    private var bytes = SIMD64<UInt8>.zero
    private var count = 0

    /// Of a text of at most 40 bytes without escapes.
    init(_ text: JSONText, _ memory: UnsafeRawPointer) {
        for place in text.start..<min(text.end, text.start + 40) {
            var byte = memory.load(fromByteOffset: place, as: UInt8.self)
            if 0x41...0x5A ~= byte { byte |= 0x20 }
            guard 0x61...0x7A ~= byte || 0x30...0x39 ~= byte else { continue }
            bytes[count] = byte
            count += 1
        }
    }

    func slot(in table: KeyTable) -> Int {
        withUnsafeBytes(of: bytes) { raw in
            raw.baseAddress.map { table.slot($0.assumingMemoryBound(to: UInt8.self), count) } ?? -1
        }
    }

    func begins(with word: StaticString) -> Bool { holds(word, at: 0) }

    func ends(with word: StaticString) -> Bool { holds(word, at: count - word.utf8CodeUnitCount) }

    private func holds(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start >= 0, start + length <= count else { return false }
        return (0..<length).allSatisfy { bytes[start + $0] == word.utf8Start[$0] }
    }
}
