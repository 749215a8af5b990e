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

        /// The numbers of those of these names that have one.
        static func inOrder<Word: RawRepresentable<String> & CaseIterable>(
            of words: Word.Type, _ counts: [String: Int]
        ) -> [Count] {
            words.allCases.compactMap { word in
                counts[word.rawValue].map { Count(name: word.rawValue, count: $0) }
            }
        }
    }

    /// A place of an archive: the input as given, and the line or the record from 1.
    package struct Place: Hashable, Sendable {
        package var input: String
        package var line: Int64

        package init(input: String, line: Int64) {
            self.input = input
            self.line = line
        }

        /// The place of an event in bytes, as a timeline keeps it; `nil` if they are damaged.
        package init?(spilled record: UnsafeRawBufferPointer) {
            var event = EventDraft()
            guard SpilledEvent.read(record, into: &event) else { return nil }
            self.init(input: event.source.input.string ?? "?", line: event.source.line ?? 0)
        }
    }

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
    /// How long after they happened notifications were received, in the order of ``latenessNames``.
    package var lateness: [Count] = []
    package var gaps: [Gap] = []
    /// The first and last day of which there is a notification.
    package var days: (first: String, last: String)?
    package var skips: [Place] = []
    package var rejects: [(code: String, places: [Place])] = []
    /// Whether the archive has more names, or more combinations of them, than are counted separately.
    package var isCapped = false

    package init() {}
}

extension ReportFigures {
    /// Reads them from what was counted.
    package init(_ tally: ReportTally) {
        events = tally.events
        isCapped = tally.names.isCapped || tally.inputs.isCapped
        takeMoments(tally)
        takeFlows(tally)
        takeSources(tally)
        takeFlags(tally)
        takeDays(tally)
        for (name, count) in zip(Self.latenessNames, tally.lateness) where count > 0 {
            lateness.append(Count(name: name, count: count))
        }
        skips = tally.skipExamples.map { place($0, tally) }
        for example in tally.codeExamples {
            let code = tally.names.text(of: example.of) ?? "?"
            let place = place(example.place, tally)
            if let known = rejects.firstIndex(where: { $0.code == code }) {
                rejects[known].places.append(place)
            } else {
                rejects.append((code, [place]))
            }
        }
    }

    /// Names of ``Lateness``, in its order.
    static let latenessNames = [
        "not_known", "timed_by_receipt", "before", "within_1_minute", "within_1_hour", "within_1_day",
        "within_3_days", "within_7_days", "within_30_days", "later",
    ]

    private mutating func takeMoments(_ tally: ReportTally) {
        var certainties: [String: Int] = [:]
        var entitlements: [String: Int] = [:]
        var dispositions: [String: Int] = [:]
        var kinds: [String: Int] = [:]
        var byKind: [String: [String: Int]] = [:]
        var months: [Int: (events: Int, kinds: [String: Int], certainty: [String: Int])] = [:]
        let names = (0..<tally.names.numbers.upperBound).map { tally.names.text(of: $0) ?? "unknown" }
        for entry in tally.moments.entries {
            let key = MomentKey(entry.key)
            let count = entry.count
            let kind = names.indices.contains(key.kind) ? names[key.kind] : "unknown"
            certainties[key.certainty.rawValue, default: 0] += count
            entitlements[key.entitlement.rawValue, default: 0] += count
            dispositions[key.disposition.rawValue, default: 0] += count
            kinds[kind, default: 0] += count
            byKind[kind, default: [:]][key.entitlement.rawValue, default: 0] += count
            guard key.month > 0 else {
                untimed += count
                continue
            }
            guard key.month != MomentKey.beyond else {
                isCapped = true
                otherMonths += count
                continue
            }
            months[key.month, default: (0, [:], [:])].events += count
            months[key.month]?.kinds[kind, default: 0] += count
            months[key.month]?.certainty[key.certainty.rawValue, default: 0] += count
        }
        certainty = Count.inOrder(of: Certainty.self, certainties)
        entitlement = Count.inOrder(of: Entitlement.self, entitlements)
        self.dispositions = Count.inOrder(of: Disposition.self, dispositions)
        self.kinds = Count.largestFirst(kinds)
        for kind in self.kinds {
            for count in Count.inOrder(of: Entitlement.self, byKind[kind.name] ?? [:]) {
                guard let entitlement = Entitlement(rawValue: count.name) else { continue }
                entitlementByKind.append((kind.name, entitlement, count.count))
            }
        }
        self.months = months.sorted { $0.key < $1.key }.map { number, month in
            Month(
                month: Self.name(ofMonth: number), events: month.events, kinds: Count.largestFirst(month.kinds),
                certainty: Count.inOrder(of: Certainty.self, month.certainty))
        }
    }

    private mutating func takeFlows(_ tally: ReportTally) {
        var pairs: [String: Int] = [:]
        var types: [String: Int] = [:]
        var unknown: [String: Int] = [:]
        var flows: [Flow: Int] = [:]
        for entry in tally.flows.entries {
            let key = FlowKey(entry.key)
            let count = entry.count
            if key.pairType == ReportNames.other { isCapped = true }
            let pair = tally.names.text(of: key.pairType).map { type in
                tally.names.text(of: key.subtype).map { "\(type)/\($0)" } ?? type
            }
            if let pair { pairs[pair, default: 0] += count }
            let type = tally.names.text(of: key.type)
            if key.disposition == .unmapped {
                let name = (key.version == .v1 ? type : pair) ?? "(other)"
                unknown["\(key.version == .v1 ? "V1" : "V2") \(name)", default: 0] += count
            }
            guard key.version == .v1 else { continue }
            if let type { types[type, default: 0] += count }
            let flow = Flow(
                type: type, pair: pair, disposition: key.disposition, certainty: key.certainty, count: 0)
            flows[flow, default: 0] += count
        }
        self.pairs = Count.largestFirst(pairs)
        self.types = Count.largestFirst(types)
        unknownTypes = Count.largestFirst(unknown)
        let named = flows.map { flow, count in
            var flow = flow
            flow.count = count
            return (name: flow.name, flow: flow)
        }
        self.flows = named.sorted { ($1.flow.count, $0.name) < ($0.flow.count, $1.name) }.map(\.flow)
    }

    private mutating func takeSources(_ tally: ReportTally) {
        var versions: [String: Int] = [:]
        var environments: [String: Int] = [:]
        var apps: [String: Int] = [:]
        for entry in tally.sources.entries {
            let key = SourceKey(entry.key)
            let count = entry.count
            if key.bundleID == ReportNames.other { isCapped = true }
            versions[key.version.rawValue, default: 0] += count
            environments[tally.names.text(of: key.environment) ?? "(none)", default: 0] += count
            apps[tally.names.text(of: key.bundleID) ?? "(none)", default: 0] += count
        }
        self.versions = Count.inOrder(of: NotificationVersion.self, versions)
        self.environments = Count.largestFirst(environments)
        self.apps = Count.largestFirst(apps)
    }

    private mutating func takeFlags(_ tally: ReportTally) {
        for (number, row) in FlagTable.current.rows.enumerated() where tally.flags[number] > 0 {
            let places = tally.flagExamples.filter { $0.of == number }.map { place($0.place, tally) }
            flags.append(
                Flag(flag: AmbiguityFlag(rawValue: row.flag), count: tally.flags[number], places: places))
        }
        flags.sort { ($1.count, $0.flag.rawValue) < ($0.count, $1.flag.rawValue) }
    }

    private func place(_ place: ReportTally.Place, _ tally: ReportTally) -> Place {
        Place(input: tally.inputs.text(of: place.input) ?? "?", line: place.line)
    }

    /// A month such as `2020-03`.
    static func name(ofMonth month: Int) -> String {
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
