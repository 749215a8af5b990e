/// How often Apple tried to send a notification, by a page of its notification history.
struct SendAttempts {
    var count = 0
    /// Whether one of them succeeded.
    var areSuccessful = false
}

/// When a server received a notification, as far as the members of the objects around it say.
///
/// Usual names come first, then names in any case and with any separators, then Apple's attempts to send.
struct EnvelopeTimes {
    /// The time of arrival, as far as it is known.
    private(set) var time: ReceiveTime?
    /// The rank of the name that it was read from; the least is the surest.
    private var rank = Int.max
    /// How often Apple tried to send the notification beside; `nil` where nothing says that.
    private(set) var attempts: SendAttempts?

    /// Begins with what the object around says.
    init(_ receivedAt: ReceiveTime?) { time = receivedAt }

    private mutating func take(_ time: ReceiveTime, _ rank: Int) {
        guard rank < self.rank else { return }
        self.rank = rank
        self.time = time
    }

    /// Takes a member whose value is of a kind, and of `count` bytes as a string or number, and is read by `time`;
    /// false if its name is not that of a time, or its value is none.
    mutating func take(
        _ key: JSONText, _ kind: JSONWalker.Kind, _ count: Int, _ memory: UnsafeRawPointer, time: () -> ReceiveTime?
    ) -> Bool {
        let rank = Envelope.timeKeys.slot(of: key, memory)
        guard rank < 0 else {
            guard let time = time() else { return kind.isScalar }
            take(time, rank)
            return true
        }
        guard kind != .array, !key.hasEscapes, 3...40 ~= key.count, kind != .string || count <= Self.longest else {
            return false
        }
        let name = Self.looseName(key, memory)
        var loose = Envelope.looseTimeKeys.slot(of: name)
        if loose < 0, name.suffix(Envelope.looseEnding.utf8CodeUnitCount).elementsEqual(Envelope.looseEnding.bytes) {
            loose = Envelope.looseTimes.count
        }
        guard loose >= 0, let time = time() else { return false }
        take(time, 2 * Envelope.times.count + loose)
        return true
    }

    /// A name without escapes in lower case, and of it only letters and digits.
    private static func looseName(_ text: JSONText, _ memory: UnsafeRawPointer) -> [UInt8] {
        TextView(memory: memory).bytes(text).compactMap { byte in
            switch byte {
            case 0x41...0x5A: byte | 0x20
            case 0x61...0x7A, 0x30...0x39: byte
            default: nil
            }
        }
    }

    /// Takes a member of an object on the way that a JSON pointer leads.
    mutating func takeEnvelope(_ key: JSONTree, _ value: JSONTree) {
        if key.slot(in: Envelope.keys) >= Envelope.bodies.count {
            if value.kind == .object { take(inside: value) }
        } else {
            _ = take(key.range, value.kind, value.range.count, value.memory) { Self.time(value) }
        }
    }

    /// Takes the times that are in an object beside the body.
    mutating func take(inside object: JSONTree) {
        for (key, value) in object.pairs {
            let slot = key.slot(in: Envelope.timeKeys)
            guard slot >= 0, let time = Self.time(value) else { continue }
            take(time, Envelope.times.count + slot)
        }
    }

    /// Takes the time of the first attempt to send a notification that succeeded: that was the delivery.
    ///
    /// A named time of arrival takes precedence.
    mutating func takeAttempts(_ attempts: JSONTree) {
        guard attempts.kind == .array else { return }
        let successes = attempts.parts.filter { $0.member("sendAttemptResult")?.says("SUCCESS") == true }
        self.attempts = SendAttempts(count: attempts.parts.count, areSuccessful: !successes.isEmpty)
        let dates = successes.lazy.compactMap { $0.member("attemptDate") }.filter(\.kind.isScalar)
        if let time = dates.compactMap(Self.time).first { take(time, Int.max - 1) }
    }

    // MARK: Values

    /// The longest text that is read as a time.
    private static let longest = 80

    /// The time that a text or a number says.
    static func time(_ text: JSONText, _ kind: JSONWalker.Kind, _ memory: UnsafeRawPointer) -> ReceiveTime? {
        guard kind == .string || kind == .number, text.count <= longest else { return nil }
        return text.withCharacters(in: memory) { bytes in
            let time =
                AppleDate.received(bytes) ?? WrittenTime.read(bytes)
                ?? (kind == .number ? JSONNumber.rounded(bytes).flatMap { AppleDate.received(epoch: $0) } : nil)
            // The zero value of a typed language is not a time of arrival.
            return time.flatMap { $0.milliseconds < AppleDate.opening ? nil : $0 }
        }
    }

    /// The time that a value says: a text, a number, or one of them as databases wrap it, such as MongoDB's
    /// `{"$date":…}` and DynamoDB's `{"N":…}`.
    static func time(_ value: JSONTree) -> ReceiveTime? {
        guard value.kind == .object else { return time(value.range, value.kind, value.memory) }
        var time: ReceiveTime?
        var nanoseconds: Int64 = 0
        for (key, value) in value.pairs {
            let slot = key.slot(in: wrappedTimes)
            if slot >= Self.nanoseconds.count {
                time = Self.time(value) ?? time
            } else if slot >= 0, value.kind.isScalar {
                nanoseconds = value.withCharacters { JSONNumber.integer($0) } ?? 0
            }
        }
        if let whole = time, 0..<1_000_000_000 ~= nanoseconds, whole.milliseconds.isMultiple(of: 1000) {
            time?.milliseconds = whole.milliseconds + nanoseconds / 1_000_000
        }
        return time
    }

    /// Keys of the part of a second that is beside whole ones.
    private static let nanoseconds: [StaticString] = ["_nanoseconds", "nanoseconds", "nanos", "nanoOfSecond"]
    private static let wrappedTimes = KeyTable(
        nanoseconds + [
            "$date", "$numberLong", "$numberInt", "N", "S", "timestampValue", "integerValue", "stringValue",
            "_seconds", "seconds", "epochSecond", "value", "iso",
        ])

    /// The time that is in an array beside what may hold a notification, as in `["2020-11-03 09:12:44","{…}"]`;
    /// `nil` if there is none, or more than one, as it has no name.
    static func time(inRow elements: [JSONTree]) -> ReceiveTime? {
        guard 2...64 ~= elements.count else { return nil }
        if elements[0].kind == .object { return time(inPairs: elements) }
        let times = elements.compactMap { element in
            10...40 ~= element.range.count && (element.kind == .string || element.kind == .number)
                ? unnamed(element) : nil
        }
        return times.count == 1 ? times[0] : nil
    }

    /// The time that a value is without a name that says so: a date, or a number that is hardly anything else, as
    /// transactions have ids of ten digits, and of fourteen and more.
    private static func unnamed(_ value: JSONTree) -> ReceiveTime? {
        value.withCharacters { bytes in
            let digits = bytes.prefix { 0x30...0x39 ~= $0 }.count
            if digits == bytes.count || digits < bytes.count && digits > 4 && bytes[digits] == 0x2E {
                guard digits == 13 || digits == 19 || digits == 10 && digits < bytes.count else { return nil }
            }
            guard let time = AppleDate.received(bytes) ?? WrittenTime.read(bytes),
                AppleDate.opening..<WrittenTime.latest ~= time.milliseconds
            else { return nil }
            return time
        }
    }

    /// The time of arrival in an array of names and values, as in `[{"field":"@timestamp","value":"2020-…"},…]`.
    private static func time(inPairs elements: [JSONTree]) -> ReceiveTime? {
        guard elements.allSatisfy({ $0.kind == .object }) else { return nil }
        var times = EnvelopeTimes(nil)
        for element in elements {
            let members = element.pairs.prefix(2).map { $0 }
            guard members.count == 2, members[0].key.slot(in: pairNames) >= 0, members[0].value.kind == .string,
                members[1].key.slot(in: pairValues) >= 0
            else { break }
            times.takeEnvelope(members[0].value, members[1].value)
        }
        return times.time
    }

    private static let pairNames = KeyTable(["field", "name", "key", "Name", "Key", "column"])
    private static let pairValues = KeyTable(["value", "Value"])
}
