package import NotificationTranslation

/// What a report says of the agreement with Apple, in texts and numbers ready to be shown.
package struct AgreementFigures: Sendable {
    /// How many answers were compared, and how.
    package struct Score: Equatable, Sendable {
        fileprivate var counts: [AgreementTally.Result: Int] = [:]

        package init() {}

        package var same: Int { counts[.same] ?? 0 }
        package var candidate: Int { counts[.candidate] ?? 0 }
        package var contradicted: Int { counts[.contradicted] ?? 0 }
        package var compared: Int { counts.values.reduce(0, +) }

        package static func += (one: inout Self, other: Self) { one.counts.merge(other.counts, uniquingKeysWith: +) }
    }

    /// Scores by name.
    package typealias Scores = [(name: String, score: Score)]

    /// A V1 type, what we said and what Apple said; `nil` for no event of its own.
    package struct Confusion: Hashable, Sendable {
        package var type: String
        package var ours: String?
        package var apple: String?
        package var result: String

        fileprivate var order: String { "\(type)\u{0}\(ours ?? "")\u{0}\(apple ?? "")\u{0}\(result)" }
    }

    /// What was counted; `nil` where nothing was compared, as in record context.
    private let counts: AgreementTally?
    package var tally: AgreementTally { counts ?? AgreementTally() }
    /// Where the notifications of contradictions are.
    private let places: [UInt64: ReportTally.Place]

    /// The figures of what was counted, with the places of the notifications that it names.
    package init(_ tally: AgreementTally? = nil, _ places: [UInt64: ReportTally.Place] = [:]) {
        counts = tally
        self.places = places
    }

    /// Whether records were compared at all.
    package var isJudged: Bool { counts != nil }
    /// Subscriptions and one-time purchases; `nil` in record context.
    package var subscriptions: Int? { counts?.subscriptions }

    /// Input and line of a notification, by its position in ``AgreementTally``.
    package func place(_ position: UInt64) -> ReportTally.Place { places[position] ?? .init(input: "?", line: 0) }

    // MARK: What version 2 says

    package var total: Score { Self.total(tally.comparisons, \.result) }
    package var byType: Scores { Self.byType(tally.comparisons, \.type, \.result) }
    package var byCertainty: Scores {
        let scores = Self.scores(tally.comparisons, \.result) { $0.certainty.rawValue }
        return Certainty.allCases.compactMap { value in scores[value.rawValue].map { (value.rawValue, $0) } }
    }
    package var byMonth: Scores {
        Self.scores(tally.comparisons, \.result) { $0.month == 0 ? "(none)" : ReportTally.name(ofMonth: $0.month) }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The largest first.
    package var confusion: [(key: Confusion, value: Int)] {
        tally.comparisons.reduce(into: [Confusion: Int]()) { sums, entry in
            let key = entry.key
            let confusion = Confusion(
                type: AgreementTally.type(key.type), ours: Self.text(key.ours), apple: Self.text(key.apple),
                result: "\(key.result)")
            sums[confusion, default: 0] += entry.value
        }.sorted { ($1.value, $0.key.order) < ($0.value, $1.key.order) }
    }

    // MARK: What one version alone reports

    /// How many V1 records or, with `isV1` false, V2 notifications the other version does not report, in subscriptions
    /// that have both; `isCounted` may leave some out.
    package func unmatched(isV1: Bool, where isCounted: (AgreementTally.Unmatched) -> Bool = { _ in true }) -> Int {
        tally.unmatched.reduce(0) { ($1.key.type >= 0) == isV1 && isCounted($1.key) ? $0 + $1.value : $0 }
    }

    package var v1OnlyTypes: [ReportTally.Count] {
        ReportTally.largestFirst(tally.unmatched) { $0.type >= 0 ? AgreementTally.type($0.type) : nil }
    }
    package var v2OnlyPairs: [ReportTally.Count] {
        ReportTally.largestFirst(tally.unmatched) { $0.type < 0 ? Self.text($0.pair) ?? "(unknown)" : nil }
    }

    // MARK: What Apple's history confirms of what was said without it

    package var confirmed: Score { Self.total(tally.confirmations, \.result) }
    package var confirmedByType: Scores { Self.byType(tally.confirmations, \.type, \.result) }
    package var confirmedByEra: Scores {
        let scores = Self.scores(tally.confirmations, \.result, by: \.era)
        return AgreementTally.eras.compactMap { era in scores[era].map { (era, $0) } }
    }

    // MARK: Sums

    private static func text(_ pair: Int) -> String? { pair < 0 ? nil : AgreementTally.pair(pair).description }

    private static func total<Key>(_ counts: [Key: Int], _ result: (Key) -> AgreementTally.Result) -> Score {
        scores(counts, result) { _ in "" }[""] ?? Score()
    }

    /// Of each V1 type, the largest first.
    private static func byType<Key>(
        _ counts: [Key: Int], _ type: (Key) -> Int, _ result: (Key) -> AgreementTally.Result
    ) -> Scores {
        scores(counts, result) { AgreementTally.type(type($0)) }
            .sorted { ($1.value.compared, $0.key) < ($0.value.compared, $1.key) }.map { ($0.key, $0.value) }
    }

    private static func scores<Key>(
        _ counts: [Key: Int], _ result: (Key) -> AgreementTally.Result, by name: (Key) -> String
    ) -> [String: Score] {
        counts.reduce(into: [:]) { scores, entry in
            scores[name(entry.key), default: Score()].counts[result(entry.key), default: 0] += entry.value
        }
    }
}
