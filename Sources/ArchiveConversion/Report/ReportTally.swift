package import NotificationTranslation

/// What a report says of the event lines of a run, in numbers and a few places; parts add up.
///
/// Its size is bounded whatever an archive holds: names are cut, and combinations and places have limits; what is
/// beyond is counted together, and the report says so. Parts that are added up in the order of the input give the same
/// however the input was cut.
package struct ReportTally: Sendable {
    /// A place of an archive: the input as given, and the line or the record from 1.
    package struct Place: Equatable, Sendable {
        package var input: String
        package var line: Int64
    }

    /// What kind of event it is, and what it says of access.
    package struct Access: Hashable, Sendable {
        package var kind: String
        package var entitlement: Entitlement
    }

    /// When events of a kind happened.
    package struct Month: CountedKey {
        /// Months since the year 1 began, from 1; 0 for no time, ``beyond`` for months that are counted together.
        package var number: Int
        package var kind: String
        package var certainty: Certainty

        package static let beyond = Int.max
        package var beyondLimit: Self { Self(number: Self.beyond, kind: ReportTally.other, certainty: .unknown) }
    }

    /// What a type became.
    package struct Flow: CountedKey {
        package var version: NotificationVersion
        /// Of version 1 only.
        package var type: String?
        /// `TYPE/SUBTYPE`, or `TYPE`; `nil` for no event of its own.
        package var pair: String?
        package var certainty: Certainty
        package var disposition: Disposition

        package var beyondLimit: Self {
            var key = self
            key.type = type == nil ? nil : ReportTally.other
            key.pair = pair == nil ? nil : ReportTally.other
            return key
        }
    }

    /// Which app's notification it was.
    package struct Source: CountedKey {
        package var version: NotificationVersion
        package var environment: String?
        package var bundleID: String?

        package var beyondLimit: Self {
            Self(version: version, environment: ReportTally.other, bundleID: ReportTally.other)
        }
    }

    /// A day since 1970; `nil` for days that are counted together.
    package struct Day: CountedKey {
        package var number: Int64?
        /// Whether a notification came on it; else it is a date in a body.
        package var isArrival: Bool

        package var beyondLimit: Self { Self(isArrival: isArrival) }
    }

    /// How long after it happened a notification was received.
    package enum Lateness: String, Sendable, ExplainedWord {
        case notKnown = "not_known: not known: no time of arrival"
        case timedByArrival = "timed_by_arrival: not known: nothing but its arrival dates it"
        case before = "before: before it happened"
        case minute = "within_1_minute: within a minute"
        case hour = "within_1_hour: within an hour"
        case day = "within_1_day: within a day"
        case threeDays = "within_3_days: within 3 days"
        case week = "within_7_days: within 7 days"
        case month = "within_30_days: within 30 days"
        case later = "later: later"

        fileprivate init(_ event: inout EventDraft) {
            guard let received = event.source.receivedAt, let occurred = event.occurredAt else {
                self = .notKnown
                return
            }
            guard !event.occurredAtBasis.hasSameBytes(as: EventText(.receivedAt)) else {
                self = .timedByArrival
                return
            }
            switch (received - occurred) / 60_000 {
            case _ where received < occurred: self = .before
            case 0: self = .minute
            case 1..<60: self = .hour
            case 60..<1440: self = .day
            case 1440..<4320: self = .threeDays
            case 4320..<10_080: self = .week
            case 10_080..<43_200: self = .month
            default: self = .later
            }
        }
    }

    /// What stands for names beyond the limit.
    package static let other = "(other)"
    /// How many examples of each flag, of each code and of skips are kept.
    static let mostExamples = 20
    /// How many bytes of a name are kept.
    private static let longestName = 120

    var byAccess: [Access: Int] = [:]
    var byMonth = LimitedCounts<Month>()
    var byFlow = LimitedCounts<Flow>()
    var bySource = LimitedCounts<Source>()
    /// Notifications by the day on which they were received or, where that is not known, happened.
    var byDay = LimitedCounts<Day>()
    var byLateness: [Lateness: Int] = [:]
    var byRepetition: [Repetition: Int] = [:]
    /// By the number of the flag.
    var byFlag: [Int: Example] = [:]
    /// By the code.
    package internal(set) var rejects: [String: Example] = [:]
    package internal(set) var skips: [SkipReason: Example] = [:]
    /// What became of the first ``mostInputs`` inputs, by path.
    package private(set) var inputs: [String: Tally] = [:]
    package static let mostInputs = 1000

    /// How often something was met, and where for example.
    package struct Example: Equatable, Sendable {
        package private(set) var count = 0
        package private(set) var places: [Place] = []

        mutating func add(_ place: @autoclosure () -> Place) {
            count += 1
            if places.count < ReportTally.mostExamples { places.append(place()) }
        }

        /// Both; this one comes first.
        func adding(_ other: Self) -> Self {
            var sum = self
            sum.count += other.count
            sum.places += other.places.prefix(ReportTally.mostExamples - places.count)
            return sum
        }
    }

    /// Counts an event whose line is written; `inout` so that it is not copied; it is not changed.
    ///
    /// The line is that of its record, or of the event it follows.
    mutating func count(_ event: inout EventDraft, line: Int64) {
        let isV1 = event.source.version == .v1
        let kind = Self.name(event.type) ?? "unknown"
        byAccess[Access(kind: kind, entitlement: event.entitlement), default: 0] += 1
        let month = event.occurredAt.map(CivilTime.month) ?? 0
        byMonth.add(Month(number: month, kind: kind, certainty: event.certainty), 1)
        let type = Self.name(event.v2.type)
        let flow = Flow(
            version: event.source.version, type: isV1 ? Self.name(event.source.type) : nil,
            pair: type.map { type in Self.name(event.v2.subtype).map { "\(type)/\($0)" } ?? type },
            certainty: event.certainty, disposition: event.disposition)
        byFlow.add(flow, 1)
        for flag in event.flags.known.numbers {
            byFlag[flag, default: Example()].add(Place(input: event.source.input.string ?? "?", line: line))
        }
        guard event.disposition != .inferred else { return }
        bySource.add(
            Source(
                version: event.source.version, environment: Self.name(event.environment),
                bundleID: Self.name(event.bundleID)), 1)
        if let time = event.source.receivedAt ?? event.occurredAt {
            let day = CivilTime.floorDivide(min(max(time, CivilTime.earliest), CivilTime.latest), 86_400_000)
            byDay.add(Day(number: day, isArrival: event.source.receivedAt != nil), 1)
        }
        byLateness[Lateness(&event), default: 0] += 1
    }

    /// A name as far as it is counted, not cut within a character.
    private static func name(_ text: EventText) -> String? {
        guard let name = text.string, name.utf8.count > longestName else { return text.string }
        let cut = String(decoding: name.utf8.prefix(longestName), as: UTF8.self)
        return cut.last == "\u{FFFD}" ? String(cut.dropLast()) : cut
    }

    /// Counts what became of records of an input.
    package mutating func count(_ tally: Tally, of input: String) {
        guard inputs.count < Self.mostInputs || inputs[input] != nil else { return }
        inputs[input, default: Tally()].add(tally)
    }

    /// Counts a record as rejected that was counted as converted.
    package mutating func recountAsReject(of input: String) {
        inputs[input]?.converted -= 1
        inputs[input]?.rejected += 1
    }

    /// Adds the counts of the part that comes next.
    package mutating func add(_ other: ReportTally) {
        byAccess.merge(other.byAccess, uniquingKeysWith: +)
        byMonth.add(other.byMonth)
        byFlow.add(other.byFlow)
        bySource.add(other.bySource)
        byDay.add(other.byDay)
        byLateness.merge(other.byLateness, uniquingKeysWith: +)
        byRepetition.merge(other.byRepetition, uniquingKeysWith: +)
        byFlag.merge(other.byFlag) { $0.adding($1) }
        rejects.merge(other.rejects) { $0.adding($1) }
        skips.merge(other.skips) { $0.adding($1) }
    }
}

extension ReportTally.Place {
    /// The place of an event in bytes, as a timeline keeps it; `nil` if they are damaged.
    package init?(spilled record: UnsafeRawBufferPointer) {
        var event = EventDraft()
        guard SpilledEvent(record)?.read(into: &event) != nil else { return nil }
        self.init(input: event.source.input.string ?? "?", line: event.source.line ?? 0)
    }
}

/// What things are counted by.
package protocol CountedKey: Hashable, Sendable {
    /// The key under which everything beyond the limit is counted; few of them exist.
    var beyondLimit: Self { get }
}

/// Numbers of things by their keys, in the order in which the keys were seen first: so the same keys are beyond the
/// limit in every run.
package struct LimitedCounts<Key: CountedKey>: Sendable {
    private static var limit: Int { 20_000 }

    private var counts: [Key: Int] = [:]
    private var order: [Key] = []
    /// Whether there were more keys than are counted separately.
    private(set) var isCapped = false

    /// All keys with their numbers.
    package var entries: [(key: Key, value: Int)] { order.map { ($0, counts[$0] ?? 0) } }

    mutating func add(_ key: Key, _ count: Int) {
        if let known = counts.index(forKey: key) {
            counts.values[known] += count
        } else if order.count < Self.limit || key == key.beyondLimit {
            counts[key] = count
            order.append(key)
        } else {
            isCapped = true
            add(key.beyondLimit, count)
        }
    }

    mutating func add(_ other: Self) {
        for (key, count) in other.entries { add(key, count) }
        isCapped = isCapped || other.isCapped
    }
}
