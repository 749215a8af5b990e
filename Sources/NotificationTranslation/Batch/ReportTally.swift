/// What a report says of the event lines of a run, in numbers and a few places; parts add up.
///
/// Its size is bounded whatever an archive holds: names, their combinations and places have limits, what is beyond is
/// counted together, and the report says so. Parts that are added up in the order of the input give
/// the same however the input was cut.
package struct ReportTally: Hashable, Sendable {
    /// A place of an archive.
    struct Place: Hashable {
        /// The number of its name in ``inputs``.
        var input: Int
        var line: Int64
    }

    /// A place and the flag, or the code, that it is an example of.
    struct Example: Hashable {
        var of: Int
        var place: Place
    }

    /// How many examples of each flag, of each code and of skips are kept.
    static let mostExamples = 20
    /// How many combinations are counted separately in each of the tables below.
    private static let mostCombinations = 20_000

    /// Event lines.
    package internal(set) var events = 0
    var names = ReportNames()
    var inputs = ReportNames(longest: 4096)
    /// By ``MomentKey``; of a whole only.
    var moments = ReportCounts()
    /// By ``FlowKey``.
    var flows = ReportCounts()
    /// By ``SourceKey``.
    var sources = ReportCounts()
    /// Notifications by the day on which they were received or, where that is not known, happened; of a whole only.
    var days = ReportCounts()
    /// When the events of a part happened, one by one: most keys occur once in it, so they are counted in the whole
    /// alone.
    private var times: [Time] = []
    /// By the place among ``Lateness``.
    var lateness = [Int](repeating: 0, count: Lateness.allCases.count)
    var flags = [Int](repeating: 0, count: FlagTable.capacity)
    var flagExamples: [Example] = []
    var codeExamples: [Example] = []
    var skipExamples: [Place] = []
    /// How many examples there are, by flag; in a part, those of the parts before it included.
    private var flagExampleCounts = [UInt8](repeating: 0, count: FlagTable.capacity)
    /// The places in ``flows`` and ``sources`` of the events counted last, by the 64 bits of ``hash(_:)``.
    ///
    /// Times are counted by themselves. Two combinations of names with one hash would be counted as one; among a
    /// million combinations that happens once in 36 million archives.
    ///
    /// An event counts under six names in three tables. To look each of them up takes 600 instructions more an event, 2
    /// percent of a small record.
    private var combinations = [Combination](repeating: Combination(), count: 256)

    /// The keys of an event in `moments` and `days`.
    private struct Time: Hashable {
        var moment: UInt64
        var day: UInt64?
    }

    /// Where events of the same names and words are counted.
    private struct Combination: Hashable {
        var hash: UInt64 = 0
        /// The key in `moments`, without a month.
        var moment: UInt64 = 0
        /// The places in `flows` and `sources`.
        var flow = 0
        var source = 0
    }

    package init() {}

    /// Empties it for the next part of the same whole, to which it was added, and keeps its memory.
    ///
    /// Names and combinations that parts share keep their numbers, unless there are many. Once the whole has enough
    /// examples of a flag, no more are taken.
    package mutating func beginNextPart() {
        guard events > 0 || !skipExamples.isEmpty else { return }
        events = 0
        if names.count > 200 || flows.entries.count > 500 {
            names.removeAll()
            flows.removeAll()
            sources.removeAll()
            for place in combinations.indices { combinations[place] = Combination() }
        } else {
            flows.clear()
            sources.clear()
        }
        inputs.removeAll()
        times.removeAll(keepingCapacity: true)
        flagExamples.removeAll(keepingCapacity: true)
        codeExamples.removeAll(keepingCapacity: true)
        skipExamples.removeAll(keepingCapacity: true)
        for place in lateness.indices { lateness[place] = 0 }
        for place in flags.indices { flags[place] = 0 }
    }

    // MARK: Counting

    /// Counts an event whose line is written; `inout` so that it is not copied; it is not changed.
    ///
    /// The line is that of its record, or of the event it follows.
    mutating func count(_ event: inout EventDraft, line: Int64) {
        events += 1
        let hash = Self.hash(&event)
        let slot = Int(truncatingIfNeeded: hash >> 32) & (combinations.count - 1)
        if combinations[slot].hash != hash { combinations[slot] = combination(&event, hash) }
        let combination = combinations[slot]
        let isTold = event.disposition != .inferred
        let day = isTold ? (event.source.receivedAt ?? event.occurredAt).map { UInt64(Self.day($0)) } : nil
        let month = event.occurredAt.map(CivilTime.month) ?? 0
        times.append(Time(moment: MomentKey.packed(combination.moment, month: month), day: day))
        flows.add(at: combination.flow)
        if !event.flags.known.isEmpty { countFlags(&event, line) }
        guard isTold else { return }
        sources.add(at: combination.source)
        lateness[Lateness(&event).rawValue] += 1
    }

    /// A hash of everything that decides where an event is counted but for its times; never 0.
    private static func hash(_ event: inout EventDraft) -> UInt64 {
        let version: UInt64 = event.source.version == .v2 ? 1 << 12 : 0
        let words =
            version | UInt64(event.certainty.place) << 8 | UInt64(event.entitlement.place) << 4
            | UInt64(event.disposition.place)
        var hash = ReportNames.hash(event.type.bytes, after: words)
        hash = ReportNames.hash(event.source.type.bytes, after: hash)
        hash = ReportNames.hash(event.v2.type.bytes, after: hash)
        hash = ReportNames.hash(event.v2.subtype.bytes, after: hash)
        hash = ReportNames.hash(event.environment.bytes, after: hash)
        return ReportNames.hash(event.bundleID.bytes, after: hash) | 1
    }

    @inline(never)
    private mutating func combination(_ event: inout EventDraft, _ hash: UInt64) -> Combination {
        let moment = MomentKey(
            month: 0, kind: names.number(of: event.type.bytes), certainty: event.certainty,
            entitlement: event.entitlement, disposition: event.disposition)
        let isV2 = event.source.version == .v2
        let flow = FlowKey(
            version: event.source.version, type: isV2 ? 0 : names.number(of: event.source.type.bytes),
            pairType: names.number(of: event.v2.type.bytes), subtype: names.number(of: event.v2.subtype.bytes),
            certainty: event.certainty, disposition: event.disposition)
        var found = Combination(hash: hash, moment: moment.packed, flow: flows.place(of: flow.packed))
        if event.disposition != .inferred {
            let source = SourceKey(
                version: event.source.version, environment: names.number(of: event.environment.bytes),
                bundleID: names.number(of: event.bundleID.bytes))
            found.source = sources.place(of: source.packed)
        }
        return found
    }

    private mutating func countFlags(_ event: inout EventDraft, _ line: Int64) {
        for flag in event.flags.known.numbers {
            flags[flag] += 1
            guard flagExampleCounts[flag] < Self.mostExamples else { continue }
            addFlagExample(flag, Place(input: inputs.number(of: event.source.input.bytes), line: line))
        }
    }

    mutating func addFlagExample(_ flag: Int, _ place: Place) {
        guard flags.indices.contains(flag), flagExampleCounts[flag] < Self.mostExamples else { return }
        flagExampleCounts[flag] += 1
        flagExamples.append(Example(of: flag, place: place))
    }

    /// Takes note of a record without a notification.
    mutating func noteSkip(input: EventText, line: Int) {
        guard skipExamples.count < Self.mostExamples else { return }
        skipExamples.append(Place(input: inputs.number(of: input.bytes), line: Int64(line)))
    }

    /// Takes note of a record that could not be converted.
    package mutating func noteReject(code: String, input: String, line: Int64) {
        let number = Self.number(of: code, in: &names)
        guard codeExamples.count(where: { $0.of == number }) < Self.mostExamples else { return }
        let escaped = OutputBuffer(capacity: 1024)
        JSONEscapes.escape(input, into: escaped)
        codeExamples.append(
            Example(of: number, place: Place(input: inputs.number(of: escaped.bytes), line: line)))
    }

    private static func number(of name: String, in names: inout ReportNames) -> Int {
        var name = name
        return name.withUTF8 { names.number(of: UnsafeRawBufferPointer($0)) }
    }

    /// Days since 1970, moved so that none is negative.
    static func day(_ milliseconds: Int64) -> Int64 {
        (min(max(milliseconds, CivilTime.earliest), CivilTime.latest) - CivilTime.earliest) / 86_400_000
    }

    // MARK: Adding up

    /// Adds the counts of the part that comes next, whose line numbers count from `lines`.
    package mutating func add(_ other: ReportTally, after lines: Int64 = 0) {
        events += other.events
        let names = Self.merge(other.names, into: &names)
        let inputs = Self.merge(other.inputs, into: &inputs)
        func moved(_ place: Place) -> Place { Place(input: inputs[place.input], line: place.line + lines) }
        for time in other.times {
            let moment = MomentKey.renumbered(time.moment, names)
            Self.add(moment, 1, to: &moments) { MomentKey($0).folded.packed }
            if let day = time.day { Self.add(day, 1, to: &days) { _ in Self.beyond } }
        }
        Self.merge(other.flows, into: &flows, { FlowKey($0).renumbered(names).packed }) { FlowKey($0).folded.packed }
        Self.merge(other.sources, into: &sources, { SourceKey($0).renumbered(names).packed }) {
            SourceKey($0).folded.packed
        }
        for place in lateness.indices { lateness[place] += other.lateness[place] }
        for flag in flags.indices { flags[flag] += other.flags[flag] }
        for example in other.flagExamples { addFlagExample(example.of, moved(example.place)) }
        for example in other.codeExamples {
            let code = names[example.of]
            guard codeExamples.count(where: { $0.of == code }) < Self.mostExamples else { continue }
            codeExamples.append(Example(of: code, place: moved(example.place)))
        }
        for place in other.skipExamples.prefix(Self.mostExamples - skipExamples.count) {
            skipExamples.append(moved(place))
        }
    }

    /// Adds the names of a part; returns their new numbers by the old ones.
    private static func merge(_ part: ReportNames, into names: inout ReportNames) -> [Int] {
        var numbers = [ReportNames.absent, ReportNames.other]
        numbers.reserveCapacity(part.count + 2)
        for number in part.numbers {
            numbers.append(part.withBytes(of: number) { names.number(of: $0) })
        }
        return numbers
    }

    /// The key of days beyond the limit.
    static let beyond = UInt64.max

    /// Adds counts under their new keys.
    private static func merge(
        _ part: ReportCounts, into all: inout ReportCounts, _ key: (UInt64) -> UInt64, _ fold: (UInt64) -> UInt64
    ) {
        for entry in part.entries where entry.count > 0 {
            add(key(entry.key), entry.count, to: &all, fold)
        }
    }

    /// Adds to a count; beyond the limit to that of what `fold` makes of the key, of which there are few.
    private static func add(_ key: UInt64, _ count: Int, to all: inout ReportCounts, _ fold: (UInt64) -> UInt64) {
        all.add(all.entries.count < mostCombinations || all.contains(key) ? key : fold(key), count)
    }
}
