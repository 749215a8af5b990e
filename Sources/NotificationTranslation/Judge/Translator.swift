/// Translates version 1 notifications into version 2 pairs by the decision table, one by one.
///
/// The first rule of `Mappings/v1-to-v2.json` whose conditions hold decides; what facts that are unknown leave open
/// stands among the candidates. Nothing is invented: what V1 never carried is listed in ``Translation/losses``.
public struct Translator: Sendable {
    private let table = DecisionTable.current
    private let names = EventNames.current

    /// A translator with the rules of this build.
    public init() {}

    /// The version of the rules.
    public var rulesVersion: String { table.version }

    /// Translates a notification, judged by itself.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - receivedAt: When it was received, if that is known; some facts depend on it where the body has no time of
    ///     its own.
    /// - Returns: The pair with its evidence; of a type this build does not know, one without a pair.
    public func translate(_ notification: V1Notification, receivedAt: EventTime? = nil) -> Translation {
        let reading = notification.withMemory { memory in
            FactFinder(
                table: table, fields: notification.fields, view: TextView(memory: memory),
                receivedAt: receivedAt?.milliseconds
            ).read()
        }
        guard let reading, let type = reading.type else { return unknown }
        let decision = table.decision(type: type, facts: reading.facts)
        let asked = Set(decision.type.rules.flatMap { $0.conditions.map(\.fact) })
        return Translation(
            pair: NotificationPair(names.pair(decision.answer)),
            isCompanion: decision.answer == .companion,
            certainty: decision.certainty,
            transactionCertainty: transactionCertainty(reading, decision),
            candidates: decision.candidates.map { NotificationPair(names.pair($0)) },
            flags: decision.flags.numbers.map { AmbiguityFlag(rawValue: names.flags[$0].text.string ?? "") },
            rule: decision.rule.id,
            source: decision.rule.source,
            adjustments: decision.adjustments,
            evidence: Fact.allCases.filter { asked.contains($0.index) }.map { fact in
                Translation.Evidence(
                    fact: fact.name, value: reading.facts[fact], meaning: table.meaning(of: fact))
            },
            losses: FieldTable.current.losses)
    }

    /// The row is certain if the subscription is and the body points at it.
    private func transactionCertainty(_ reading: V1Reading, _ decision: Decision) -> Certainty {
        guard reading.notified != nil else { return .unknown }
        let isUncertain = !reading.subject.isCertain || decision.flags.contains(FlagSet("TRANSACTION_UNCERTAIN"))
        return isUncertain ? .ambiguous : .exact
    }

    private var unknown: Translation {
        Translation(
            pair: nil, isCompanion: false, certainty: .unknown, transactionCertainty: .unknown, candidates: [],
            flags: [AmbiguityFlag(rawValue: "UNKNOWN_V1_TYPE")], rule: nil, source: nil, adjustments: [],
            evidence: [], losses: FieldTable.current.losses)
    }
}
