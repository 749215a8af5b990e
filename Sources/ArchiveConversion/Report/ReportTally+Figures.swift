package import NotificationTranslation

/// What a report says of its counts, in texts and numbers ready to be shown; each list in a fixed order.
extension ReportTally {
    /// Something that was counted.
    package struct Count: Equatable, Sendable {
        package var name: String
        package var count: Int
    }

    /// Event lines.
    package var events: Int { byAccess.values.reduce(0, +) }
    package var dispositions: [Count] { Self.inOrder(byFlow.entries, by: \.disposition) }
    package var certainty: [Count] { Self.inOrder(byFlow.entries, by: \.certainty) }
    package var entitlement: [Count] { Self.inOrder(byAccess, by: \.entitlement) }
    /// Events by kind, the largest first; and of each entitlement.
    package var kinds: [Count] { Self.largestFirst(byAccess, by: \.kind) }
    package var entitlementByKind: [(kind: String, entitlement: Entitlement, count: Int)] {
        kinds.flatMap { kind in
            Entitlement.allCases.compactMap { entitlement in
                byAccess[Access(kind: kind.name, entitlement: entitlement)].map { (kind.name, entitlement, $0) }
            }
        }
    }

    package var pairs: [Count] { Self.largestFirst(byFlow.entries, by: \.pair) }
    package var types: [Count] { Self.largestFirst(byFlow.entries) { $0.version == .v1 ? $0.type : nil } }
    /// Types that this build does not know, with the version before the name.
    package var unknownTypes: [Count] {
        Self.largestFirst(byFlow.entries) { key in
            guard key.disposition == .unmapped else { return nil }
            return key.version == .v1 ? "V1 \(key.type ?? "?")" : "V2 \(key.pair ?? "?")"
        }
    }

    /// What became of V1 types.
    package var flows: [(key: Flow, value: Int)] {
        byFlow.entries.filter { $0.key.version == .v1 }.map { entry in
            let key = entry.key
            let parts = [key.type ?? "", key.pair ?? "", key.disposition.rawValue, key.certainty.rawValue]
            return (entry: entry, name: parts.joined(separator: "\u{0}"))
        }.sorted { ($1.entry.value, $0.name) < ($0.entry.value, $1.name) }.map(\.entry)
    }

    package var versions: [Count] { Self.inOrder(bySource.entries, by: \.version) }
    package var environments: [Count] { Self.largestFirst(bySource.entries) { $0.environment ?? "(none)" } }
    package var apps: [Count] { Self.largestFirst(bySource.entries) { $0.bundleID ?? "(none)" } }

    /// Months such as `2020-03`, with what happened in them; kinds the largest first.
    package var months: [(month: String, events: Int, kinds: [Count], certainty: [Count])] {
        let months = Dictionary(grouping: byMonth.entries, by: \.key.number)
        return months.filter { $0.key != 0 && $0.key != Month.beyond }.sorted { $0.key < $1.key }.map {
            number, counts in
            (
                Self.name(ofMonth: number), counts.reduce(0) { $0 + $1.value }, Self.largestFirst(counts, by: \.kind),
                Self.inOrder(counts, by: \.certainty)
            )
        }
    }

    /// Event lines without a time.
    package var untimed: Int { events(ofMonth: 0) }
    /// Event lines of further months, where there are more than are counted separately.
    package var otherMonths: Int { events(ofMonth: Month.beyond) }

    private func events(ofMonth number: Int) -> Int {
        byMonth.entries.reduce(0) { $1.key.number == number ? $0 + $1.value : $0 }
    }

    package var flags: [(flag: AmbiguityFlag, example: Example)] {
        AmbiguityFlag.allKnown.enumerated().compactMap { number, flag in byFlag[number].map { (flag, $0) } }
            .sorted { ($1.1.count, $0.0.rawValue) < ($0.1.count, $1.0.rawValue) }
    }

    /// How long after they happened notifications were received, the soonest first, each with a name.
    package func lateness(_ name: (Lateness) -> String) -> [Count] {
        Lateness.allCases.compactMap { late in byLateness[late].map { Count(name: name(late), count: $0) } }
    }

    /// Duplicates by why they are there; none in record context, where nothing is compared.
    package var repetitions: [Count] {
        Repetition.allCases.map { Count(name: $0.rawValue, count: byRepetition[$0] ?? 0) }
    }

    /// Whether the archive has more names, or more combinations of them, than are counted separately.
    package var isCapped: Bool { byMonth.isCapped || byFlow.isCapped || bySource.isCapped || byDay.isCapped }

    package var daysAreArrivals: Bool { byDay.entries.contains { $0.key.isArrival } }

    /// The first and last day of which there is a notification, by arrival where that is known of any.
    package var days: (first: String, last: String)? {
        guard let first = countedDays.first, let last = countedDays.last else { return nil }
        return (Self.name(ofDay: first.day), Self.name(ofDay: last.day))
    }

    /// The days without any notification where some were to be expected: the first and the last of each stretch, such as
    /// `2020-03-14`, and the notifications in the four weeks before it and the four weeks after it.
    ///
    /// A run of empty days is a gap if in the four weeks before and the four weeks after it one came every other day
    /// or more, and ten or more would have come at that pace: by chance that happens once in 20,000 times.
    package var gaps: [(from: String, to: String, days: Int, around: Int)] {
        let counts = countedDays
        return zip(counts, counts.dropFirst()).compactMap { before, after in
            let (from, to) = (before.day + 1, after.day - 1)
            guard from <= to else { return nil }
            let around = counts.reduce(0) { $1.day >= from - 28 && $1.day <= to + 28 ? $0 + $1.count : $0 }
            guard around >= 28, Int64(around) * (to - from + 1) >= 10 * 56 else { return nil }
            return (Self.name(ofDay: from), Self.name(ofDay: to), Int(to - from + 1), around)
        }
    }

    private var countedDays: [(day: Int64, count: Int)] {
        // A late delivery has dates of years in which nothing was received yet.
        let areArrivals = daysAreArrivals
        return byDay.entries.filter { $0.key.isArrival == areArrivals }
            .compactMap { key, count in key.number.map { (day: $0, count: count) } }.sorted { $0.day < $1.day }
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

    // MARK: Sums

    /// The counts by a name of their keys, the largest first; keys without one are left out.
    package static func largestFirst<Key>(
        _ counts: some Sequence<(key: Key, value: Int)>, by name: (Key) -> String?
    ) -> [Count] {
        sums(counts, by: name).map { Count(name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// The counts grouped by a part of their keys, in the order of the closed set.
    private static func inOrder<Key, Word: RawRepresentable<String> & CaseIterable>(
        _ counts: some Sequence<(key: Key, value: Int)>, by word: (Key) -> Word
    ) -> [Count] {
        let sums = sums(counts) { word($0).rawValue }
        return Word.allCases.compactMap { word in sums[word.rawValue].map { Count(name: word.rawValue, count: $0) } }
    }

    private static func sums<Key>(
        _ counts: some Sequence<(key: Key, value: Int)>, by name: (Key) -> String?
    ) -> [String: Int] {
        counts.reduce(into: [:]) { if let name = name($1.key) { $0[name, default: 0] += $1.value } }
    }
}
