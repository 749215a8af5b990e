package import NotificationTranslation

/// What a report says of a run, in texts and numbers ready to be shown; everything in an order of its own.
package struct ReportFigures: Sendable {
    /// Something that was counted.
    package struct Count: Hashable, Sendable {
        package var name: String
        package var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }

        /// The numbers of names, the largest first.
        package static func largestFirst(_ counts: [String: Int]) -> [Count] {
            counts.map { Count(name: $0.key, count: $0.value) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        }

        /// The numbers of those of some words that have one.
        static func inOrder<Word: RawRepresentable<String> & CaseIterable & Hashable>(
            _ counts: [Word: Int]
        ) -> [Count] {
            Word.allCases.compactMap { word in counts[word].map { Count(name: word.rawValue, count: $0) } }
        }
    }

    package typealias Place = ReportTally.Place

    /// What became of a V1 type.
    package struct Flow: Hashable, Sendable {
        /// `nil` for inferred events.
        package var type: String?
        /// `TYPE/SUBTYPE`, or `TYPE`; `nil` for no event of its own.
        package var pair: String?
        package var disposition: Disposition
        package var certainty: Certainty
        package var count: Int
    }

    /// A month such as `2020-03`, with what happened in it.
    package struct Month: Hashable, Sendable {
        package var month: String
        package var events: Int
        /// The largest first.
        package var kinds: [Count]
        package var certainty: [Count]

        package init(month: String, events: Int, kinds: [Count], certainty: [Count]) {
            self.month = month
            self.events = events
            self.kinds = kinds
            self.certainty = certainty
        }
    }

    /// A flag, how often it was raised and where for example.
    package struct Flag: Hashable, Sendable {
        package var flag: AmbiguityFlag
        package var count: Int
        package var places: [Place]
    }

    /// Days without any notification, where there usually are some.
    package struct Gap: Hashable, Sendable {
        /// The first and last day without any, such as `2020-03-14`.
        package var from: String
        package var to: String
        package var days: Int
        /// Notifications in the four weeks before it and the four weeks after it.
        package var around: Int
    }

    /// Subscriptions and one-time purchases, at the time that counts as now.
    package struct Subscriptions: Hashable, Sendable {
        package var count: Int
        /// Those that give access, and those of which that is not known; `nil` where no state was computed.
        package var active: Int?
        package var notKnown: Int?
        /// Those that would stand otherwise without Apple's answers; `nil` where no state was computed.
        package var answered: Int?
        /// Those to which the table that was given denies access wrongly, and those to which it gives it wrongly; `nil`
        /// where none was given.
        package var shutOut: Int?
        package var letIn: Int?

        package init(count: Int) { self.count = count }
    }

    /// Event lines.
    package var events = 0
    package var dispositions: [Count] = []
    package var certainty: [Count] = []
    package var entitlement: [Count] = []
    /// Events by kind, the largest first; and of each entitlement.
    package var kinds: [Count] = []
    package var entitlementByKind: [(kind: String, entitlement: Entitlement, count: Int)] = []
    package var pairs: [Count] = []
    package var types: [Count] = []
    package var versions: [Count] = []
    package var environments: [Count] = []
    package var apps: [Count] = []
    package var flows: [Flow] = []
    /// Types that this build does not know, with the version before the name.
    package var unknownTypes: [Count] = []
    package var months: [Month] = []
    /// Event lines without a time.
    package var untimed = 0
    /// Event lines of further months, where there are more than are counted separately.
    package var otherMonths = 0
    package var flags: [Flag] = []
    /// How long after they happened notifications were received, the soonest first.
    package var lateness: [Count] = []
    package var gaps: [Gap] = []
    /// The first and last day of which there is a notification, by arrival where that is known of any.
    package var days: (first: String, last: String)?
    package var daysAreArrivals = false
    /// Examples of each reason.
    package var skips: [(reason: SkipReason, places: [Place])] = []
    /// Duplicates by why they are there; none in record context, where nothing is compared.
    package var repetitions: [Count] = []
    /// What became of the first inputs, by path.
    package var inputs: [String: Tally] = [:]
    /// `nil` in record context.
    package var subscriptions: Subscriptions?
    package var rejects: [(code: String, places: [Place])] = []
    /// Whether the archive has more names, or more combinations of them, than are counted separately.
    package var isCapped = false

    package init() {}
}

extension ReportFigures {
    /// Reads them from what was counted.
    package init(_ tally: ReportTally) {
        events = tally.events
        takeWords(tally.words)
        takeMonths(tally.months)
        takeFlows(tally.flows)
        takeSources(tally.sources)
        takeDays(tally.days)
        for (number, flag) in AmbiguityFlag.allKnown.enumerated() {
            guard let example = tally.flags[number] else { continue }
            flags.append(Flag(flag: flag, count: example.count, places: example.places))
        }
        flags.sort { ($1.count, $0.flag.rawValue) < ($0.count, $1.flag.rawValue) }
        lateness = Count.inOrder(tally.lateness)
        skips = SkipReason.allCases.compactMap { reason in tally.skips[reason].map { (reason, $0.places) } }
        repetitions = Repetition.allCases.map {
            Count(name: $0.rawValue, count: tally.repetitions[$0] ?? 0)
        }
        inputs = tally.inputs
        rejects = tally.rejects.sorted { $0.key < $1.key }.map { ($0.key, $0.value.places) }
    }

    /// The counts by a name of their keys; keys without one are left out.
    private static func sums<Key, Name: Hashable>(
        _ counts: some Sequence<(key: Key, value: Int)>, by name: (Key) -> Name?
    ) -> [Name: Int] {
        counts.reduce(into: [:]) { if let name = name($1.key) { $0[name, default: 0] += $1.value } }
    }

    /// The same in the order of the numbers, the largest first.
    static func largestFirst<Key>(
        _ counts: some Sequence<(key: Key, value: Int)>, by name: (Key) -> String?
    ) -> [Count] {
        Count.largestFirst(sums(counts, by: name))
    }

    private mutating func takeWords(_ words: [ReportTally.Words: Int]) {
        certainty = Count.inOrder(Self.sums(words, by: \.certainty))
        entitlement = Count.inOrder(Self.sums(words, by: \.entitlement))
        dispositions = Count.inOrder(Self.sums(words, by: \.disposition))
        kinds = Self.largestFirst(words, by: \.kind)
        for kind in kinds {
            let counts = Self.sums(words) { $0.kind == kind.name ? $0.entitlement : nil }
            for entitlement in Entitlement.allCases {
                if let count = counts[entitlement] { entitlementByKind.append((kind.name, entitlement, count)) }
            }
        }
    }

    private mutating func takeMonths(_ counts: LimitedCounts<ReportTally.Month>) {
        var months: [Int: [(key: ReportTally.Month, value: Int)]] = [:]
        for entry in counts.entries { months[entry.key.number, default: []].append(entry) }
        func events(_ number: Int) -> Int { (months[number] ?? []).reduce(0) { $0 + $1.value } }
        untimed = events(0)
        isCapped = isCapped || months[ReportTally.Month.beyond] != nil
        otherMonths = events(ReportTally.Month.beyond)
        self.months = months.keys.filter { $0 != 0 && $0 != ReportTally.Month.beyond }.sorted().map { number in
            let counts = months[number] ?? []
            return Month(
                month: Self.name(ofMonth: number), events: events(number), kinds: Self.largestFirst(counts, by: \.kind),
                certainty: Count.inOrder(Self.sums(counts, by: \.certainty)))
        }
    }

    private mutating func takeFlows(_ counts: LimitedCounts<ReportTally.Flow>) {
        let entries = counts.entries
        isCapped = isCapped || entries.contains { [$0.key.pair, $0.key.type].contains(ReportTally.other) }
        pairs = Self.largestFirst(entries, by: \.pair)
        types = Self.largestFirst(entries) { $0.version == .v1 ? $0.type : nil }
        unknownTypes = Self.largestFirst(entries) { key in
            guard key.disposition == .unmapped else { return nil }
            return key.version == .v1 ? "V1 \(key.type ?? "?")" : "V2 \(key.pair ?? "?")"
        }
        flows = entries.filter { $0.key.version == .v1 }.map { key, count in
            Flow(type: key.type, pair: key.pair, disposition: key.disposition, certainty: key.certainty, count: count)
        }
        flows.sort { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    private mutating func takeSources(_ counts: LimitedCounts<ReportTally.Source>) {
        let entries = counts.entries
        isCapped = isCapped || entries.contains { $0.key.bundleID == ReportTally.other }
        versions = Count.inOrder(Self.sums(entries, by: \.version))
        environments = Self.largestFirst(entries) { $0.environment ?? "(none)" }
        apps = Self.largestFirst(entries) { $0.bundleID ?? "(none)" }
    }

    /// Finds the days without any notification where some were to be expected.
    ///
    /// A run of empty days is a gap if in the four weeks before and the four weeks after it one came every other day
    /// or more, and ten or more would have come at that pace: by chance that happens once in 20,000 times.
    private mutating func takeDays(_ tally: LimitedCounts<ReportTally.Day>) {
        // A late delivery tells dates of years in which nothing was received yet.
        daysAreArrivals = tally.entries.contains { $0.key.isArrival }
        let counts = tally.entries.filter { $0.key.isArrival == daysAreArrivals }
            .compactMap { key, count in key.number.map { (day: $0, count: count) } }.sorted { $0.day < $1.day }
        isCapped = isCapped || tally.entries.contains { $0.key.number == nil }
        guard let first = counts.first, let last = counts.last else { return }
        days = (Self.name(ofDay: first.day), Self.name(ofDay: last.day))
        for (before, after) in zip(counts, counts.dropFirst()) where after.day > before.day + 1 {
            let (from, to) = (before.day + 1, after.day - 1)
            let around = counts.reduce(0) { $1.day >= from - 28 && $1.day <= to + 28 ? $0 + $1.count : $0 }
            guard around >= 28, Int64(around) * (to - from + 1) >= 10 * 56 else { continue }
            gaps.append(
                Gap(from: Self.name(ofDay: from), to: Self.name(ofDay: to), days: Int(to - from + 1), around: around))
        }
    }

    /// A day such as `2020-03-14`.
    private static func name(ofDay day: Int64) -> String {
        EventTime(milliseconds: day * 86_400_000).description.prefix(10).description
    }

    /// A month such as `2020-03`.
    package static func name(ofMonth month: Int) -> String {
        let (year, month) = ((month - 1) / 12 + 1, (month - 1) % 12 + 1)
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (month < 10 ? "-0" : "-") + "\(month)"
    }
}

extension ReportFigures.Flow {
    /// What orders flows of one size.
    fileprivate var name: String {
        "\(type ?? "")\u{0}\(pair ?? "")\u{0}\(disposition.rawValue)\u{0}\(certainty.rawValue)"
    }
}
