package import NotificationTranslation

/// What a report says of the agreement with Apple, in texts and numbers ready to be shown.
package struct AgreementFigures: Sendable {
    /// How many answers were compared, and how.
    package struct Score: Hashable, Sendable {
        package var same = 0
        package var candidate = 0
        package var contradicted = 0

        package var compared: Int { same + candidate + contradicted }

        package init(same: Int = 0, candidate: Int = 0, contradicted: Int = 0) {
            (self.same, self.candidate, self.contradicted) = (same, candidate, contradicted)
        }

        fileprivate mutating func count(_ result: AgreementTally.Result, _ number: Int) {
            switch result {
            case .same: same += number
            case .candidate: candidate += number
            case .contradicted: contradicted += number
            }
        }
    }

    /// A V1 type, what we said and what Apple said; `nil` for no event of its own.
    package struct Confusion: Hashable, Sendable {
        package var type: String
        package var ours: String?
        package var apple: String?
        package var result: String
        package var count: Int
    }

    /// Where an answer and Apple contradict each other.
    package struct Contradiction: Hashable, Sendable {
        package var v1: ReportFigures.Place
        package var v2: ReportFigures.Place
        package var type: String
        package var ours: NotificationPair
        package var apple: NotificationPair
        package var certainty: Certainty
    }

    /// What Apple's history confirms of what was said without it.
    package struct Confirmed: Sendable {
        package var total = Score()
        package var byType: [(name: String, score: Score)] = []
        package var byEra: [(name: String, score: Score)] = []
    }

    package var answers = AnswerCounts()
    package var confirmed = Confirmed()
    /// Whether records were compared at all; they are not in record context.
    package var isJudged = false
    /// Subscriptions and one-time purchases; `nil` in record context.
    package var subscriptions: Int?
    package var total = Score()
    package var byType: [(name: String, score: Score)] = []
    package var byCertainty: [(name: String, score: Score)] = []
    package var byMonth: [(name: String, score: Score)] = []
    package var confusion: [Confusion] = []
    package var contradictions: [Contradiction] = []
    package var contradictedExact = 0
    /// Told by one version only, in subscriptions that have both.
    package var v1Only = 0
    package var v2Only = 0
    /// Of those, between the first and the last notification of the other version.
    package var v1OnlyInside = 0
    package var v2OnlyInside = 0
    /// Of what V2 alone reports, what `--infer all` deduces from the V1 records.
    package var v2OnlyDeduced = 0
    /// What V2 alone reports, by pair.
    package var v2OnlyPairs: [ReportFigures.Count] = []
    package var v1OnlyTypes: [ReportFigures.Count] = []
    package var timeDiffers = 0
    package var productDiffers = 0
    package var transactionDiffers = 0

    package init() {}
}

extension AgreementFigures {
    /// Reads them from what was counted; `place` is where the notification is that ``AgreementTally`` names so.
    package init(_ tally: AgreementTally, place: (UInt64) -> ReportFigures.Place) {
        isJudged = true
        subscriptions = tally.subscriptions
        let (name, pair) = (AgreementTally.type, AgreementTally.pair)
        func text(_ place: Int) -> String? { place < 0 ? nil : pair(place).description }
        let compared = tally.comparisons.map { (key: $0.key, result: $0.key.result, count: $0.value) }
        total = Self.scores(compared) { _ in true }[true] ?? Score()
        byType = Self.largestFirst(Self.scores(compared) { name($0.type) })
        let certainties = Self.scores(compared, by: \.certainty)
        byCertainty = Certainty.allCases.compactMap { value in certainties[value].map { (value.rawValue, $0) } }
        byMonth = Self.scores(compared) { $0.month == 0 ? "(none)" : ReportFigures.name(ofMonth: $0.month) }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        var confusions: [Confusion: Int] = [:]
        for (key, _, count) in compared {
            let confusion = Confusion(
                type: name(key.type), ours: text(key.ours), apple: text(key.apple), result: "\(key.result)", count: 0)
            confusions[confusion, default: 0] += count
        }
        confusion = confusions.map { key, count in
            var confusion = key
            confusion.count = count
            return confusion
        }.sorted { ($1.count, $0.order) < ($0.count, $1.order) }
        contradictions = tally.contradictions.map { found in
            Contradiction(
                v1: place(found.v1), v2: place(found.v2), type: name(found.comparison.type),
                ours: pair(found.comparison.ours), apple: pair(found.comparison.apple),
                certainty: found.comparison.certainty)
        }
        contradictedExact = tally.contradictedExact
        for (key, count) in tally.unmatched {
            let (alone, inside) = key.type >= 0 ? (\Self.v1Only, \Self.v1OnlyInside) : (\.v2Only, \.v2OnlyInside)
            self[keyPath: alone] += count
            if key.isInside { self[keyPath: inside] += count }
            if key.type < 0, key.isDeduced { v2OnlyDeduced += count }
        }
        v1OnlyTypes = ReportFigures.largestFirst(tally.unmatched) { $0.type >= 0 ? name($0.type) : nil }
        v2OnlyPairs = ReportFigures.largestFirst(tally.unmatched) { $0.type < 0 ? text($0.pair) ?? "(unknown)" : nil }
        answers = tally.answers
        let judged = tally.confirmations.map { (key: $0.key, result: $0.key.result, count: $0.value) }
        confirmed.total = Self.scores(judged) { _ in true }[true] ?? Score()
        confirmed.byType = Self.largestFirst(Self.scores(judged) { name($0.type) })
        let eras = Self.scores(judged, by: \.era)
        confirmed.byEra = AgreementTally.eras.compactMap { era in eras[era].map { (era, $0) } }
        timeDiffers = tally.differences.time
        productDiffers = tally.differences.product
        transactionDiffers = tally.differences.transaction
    }

    private static func largestFirst(_ scores: [String: Score]) -> [(name: String, score: Score)] {
        scores.sorted { ($1.value.compared, $0.key) < ($0.value.compared, $1.key) }.map { ($0.key, $0.value) }
    }

    private static func scores<Key, Name: Hashable>(
        _ counts: [(key: Key, result: AgreementTally.Result, count: Int)], by name: (Key) -> Name
    ) -> [Name: Score] {
        counts.reduce(into: [:]) { $0[name($1.key), default: Score()].count($1.result, $1.count) }
    }
}

extension AgreementFigures.Confusion {
    fileprivate var order: String { "\(type)\u{0}\(ours ?? "")\u{0}\(apple ?? "")\u{0}\(result)" }
}
