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
        var types: [String: Score] = [:]
        var certainties: [String: Score] = [:]
        var months: [String: Score] = [:]
        var confusions: [Confusion: Int] = [:]
        for (key, count) in tally.comparisons {
            total.count(key.result, count)
            types[name(key.type), default: Score()].count(key.result, count)
            certainties[key.certainty.rawValue, default: Score()].count(key.result, count)
            let month = key.month == 0 ? "(none)" : ReportFigures.name(ofMonth: key.month)
            months[month, default: Score()].count(key.result, count)
            let confusion = Confusion(
                type: name(key.type), ours: text(key.ours), apple: text(key.apple), result: "\(key.result)", count: 0)
            confusions[confusion, default: 0] += count
        }
        byType = Self.largestFirst(types)
        byCertainty = Certainty.allCases.compactMap { value in
            certainties[value.rawValue].map { (value.rawValue, $0) }
        }
        byMonth = months.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
        takeLonely(tally, name, text)
        answers = tally.answers
        take(tally.confirmations, name)
        timeDiffers = tally.differences.time
        productDiffers = tally.differences.product
        transactionDiffers = tally.differences.transaction
    }

    private static func largestFirst(_ scores: [String: Score]) -> [(name: String, score: Score)] {
        scores.sorted { ($1.value.compared, $0.key) < ($0.value.compared, $1.key) }.map { ($0.key, $0.value) }
    }

    private mutating func take(_ counts: [AgreementTally.Confirmation: Int], _ name: (Int) -> String) {
        var types: [String: Score] = [:]
        var eras: [String: Score] = [:]
        for (key, count) in counts {
            confirmed.total.count(key.result, count)
            types[name(key.type), default: Score()].count(key.result, count)
            eras[key.era, default: Score()].count(key.result, count)
        }
        confirmed.byType = Self.largestFirst(types)
        confirmed.byEra = AgreementTally.eras.compactMap { era in eras[era].map { (era, $0) } }
    }

    private mutating func takeLonely(_ tally: AgreementTally, _ name: (Int) -> String, _ text: (Int) -> String?) {
        var types: [String: Int] = [:]
        var pairs: [String: Int] = [:]
        for (key, count) in tally.lonely {
            if key.type >= 0 {
                v1Only += count
                if key.isInside { v1OnlyInside += count }
                types[name(key.type), default: 0] += count
            } else {
                v2Only += count
                if key.isInside { v2OnlyInside += count }
                if key.isDeduced { v2OnlyDeduced += count }
                pairs[text(key.pair) ?? "(unknown)", default: 0] += count
            }
        }
        v1OnlyTypes = ReportFigures.Count.largestFirst(types)
        v2OnlyPairs = ReportFigures.Count.largestFirst(pairs)
    }
}

extension AgreementFigures.Confusion {
    fileprivate var order: String { "\(type)\u{0}\(ours ?? "")\u{0}\(apple ?? "")\u{0}\(result)" }
}
