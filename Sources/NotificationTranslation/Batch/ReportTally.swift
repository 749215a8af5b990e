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
    package static let mostExamples = 20
    /// How many combinations are told apart in each of the tables below.
    private static let mostCombinations = 20_000

    /// Event lines.
    package internal(set) var events = 0
    var names = ReportNames()
    var inputs = ReportNames(longest: 4096)
    /// By ``MomentKey``.
    var moments = ReportCounts()
    /// By ``FlowKey``.
    var flows = ReportCounts()
    /// By ``SourceKey``.
    var sources = ReportCounts()
    /// Notifications by the day on which they were received or, where that is not known, happened.
    var days = ReportCounts()
    /// By the place among ``Lateness``.
    var lateness = ReportCounts()
    var flags = [Int](repeating: 0, count: FlagTable.capacity)
    var flagExamples: [Example] = []
    var codeExamples: [Example] = []
    var skipExamples: [Place] = []
    /// How many examples there are, by flag.
    private var flagExampleCounts = [UInt8](repeating: 0, count: FlagTable.capacity)

    package init() {}

    /// Empties it and keeps its memory.
    package mutating func removeAll() {
        guard events > 0 || !skipExamples.isEmpty else { return }
        events = 0
        names.removeAll()
        inputs.removeAll()
        moments.removeAll()
        flows.removeAll()
        sources.removeAll()
        days.removeAll()
        lateness.removeAll()
        flagExamples.removeAll(keepingCapacity: true)
        codeExamples.removeAll(keepingCapacity: true)
        skipExamples.removeAll(keepingCapacity: true)
        for place in flags.indices {
            flags[place] = 0
            flagExampleCounts[place] = 0
        }
    }

    // MARK: Counting

    /// Counts an event whose line is written; `inout` so that it is not copied; it is not changed.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - line: The number of the line of its record, or of that of the event it stands behind.
    mutating func count(_ event: inout EventDraft, line: Int64) {
        events += 1
        moments.add(
            MomentKey(
                month: event.occurredAt.map(CivilTime.month) ?? 0, kind: names.number(of: event.type.bytes),
                certainty: event.certainty, entitlement: event.entitlement, disposition: event.disposition
            ).packed)
        let isV2 = event.source.version == .v2
        flows.add(
            FlowKey(
                version: event.source.version, type: isV2 ? 0 : names.number(of: event.source.type.bytes),
                pairType: names.number(of: event.v2.type.bytes), subtype: names.number(of: event.v2.subtype.bytes),
                certainty: event.certainty, disposition: event.disposition
            ).packed)
        if !event.flags.known.isEmpty { countFlags(&event, line) }
        guard event.disposition != .inferred else { return }
        sources.add(
            SourceKey(
                version: event.source.version, environment: names.number(of: event.environment.bytes),
                bundleID: names.number(of: event.bundleID.bytes)
            ).packed)
        if let told = event.source.receivedAt ?? event.occurredAt { days.add(UInt64(Self.day(told))) }
        lateness.add(UInt64(Lateness(&event).rawValue))
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
        var input = input
        input.withUTF8 { JSONEscapes.escape(UnsafeRawBufferPointer($0), into: escaped) }
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

    /// Adds the counts of the part that comes next.
    ///
    /// - Parameters:
    ///   - other: The part.
    ///   - lines: What its line numbers count from.
    package mutating func add(_ other: ReportTally, after lines: Int64 = 0) {
        events += other.events
        let names = Self.merge(other.names, into: &names)
        let inputs = Self.merge(other.inputs, into: &inputs)
        func moved(_ place: Place) -> Place { Place(input: inputs[place.input], line: place.line + lines) }
        Self.merge(other.moments, into: &moments, { MomentKey($0).renumbered(names).packed }) {
            MomentKey($0).folded.packed
        }
        Self.merge(other.flows, into: &flows, { FlowKey($0).renumbered(names).packed }) { FlowKey($0).folded.packed }
        Self.merge(other.sources, into: &sources, { SourceKey($0).renumbered(names).packed }) {
            SourceKey($0).folded.packed
        }
        Self.merge(other.days, into: &days, { $0 }) { _ in Self.beyond }
        Self.merge(other.lateness, into: &lateness, { $0 }) { $0 }
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

    /// Adds counts under their new keys; those beyond the limit under what `fold` makes of the key, of which there are
    /// few.
    private static func merge(
        _ part: ReportCounts, into all: inout ReportCounts, _ key: (UInt64) -> UInt64, _ fold: (UInt64) -> UInt64
    ) {
        for (old, count) in zip(part.keys, part.counts) {
            let new = key(old)
            all.add(all.keys.count < mostCombinations || all.contains(new) ? new : fold(new), count)
        }
    }
}
