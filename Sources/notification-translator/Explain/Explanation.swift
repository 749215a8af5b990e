import NotificationTranslation

/// Why a notification became what it became, or what a name of the tables means; for people to read.
struct Explanation {
    /// What each line begins with.
    var margin = "  "
    private let normalizer = NotificationNormalizer(policy: .trustingTheSource)

    /// What every notification of a body was taken for: the facts, the rule, the alternatives, and what would settle
    /// it.
    ///
    /// Ids and dates appear, the secret and the receipts do not.
    func body(_ bytes: [UInt8]) throws(NotificationError) -> String {
        let judgements = try normalizer.judgements(of: bytes)
        let text = judgements.all.map { judged in
            judged.translation.map { explain(judged.event, $0) } ?? explain(judged.event)
        }.joined()
        guard !text.isEmpty else {
            let sentence = judgements.reason.sentence
            return sentence.prefix(1).uppercased() + sentence.dropFirst()
                + "; an archive's run counts it as skipped.\n"
        }
        return text
    }

    private func head(_ event: UnifiedEvent) -> String {
        var text = StoryText.name(event)
        if let time = event.occurredAt { text += ", \(time) (\(event.occurredAtBasis ?? "?"))" }
        if let id = event.transaction?.originalTransactionID { text += ", original transaction \(id)" }
        return text + "\n"
    }

    private func explain(_ event: UnifiedEvent) -> String {
        var text = head(event)
        text += line("event", "\(event.type), entitlement \(StoryText.entitlement(event))")
        text += line("result", "\(event.v2) as Apple says it; signatures are not judged here")
        text += line(
            "alone", "judged by itself; in a timeline, its effect on access may change, and V1 may report the same")
        return text + flags(event.flags)
    }

    private func explain(_ event: UnifiedEvent, _ translation: Translation) -> String {
        var text = head(event)
        guard let answer = translation.answer else {
            return text + line("result", "unmapped: this build has no rules for the type") + flags(event.flags)
        }
        text += line("rule", "\(answer.rule.id)  (rules \(MappingTables.version))")
        text += line("source", answer.rule.source)
        for evidence in translation.evidence { text += line("fact", "\(evidence.fact) = \(evidence.value)") }
        for adjustment in translation.adjustments { text += line("adjusted", adjustment) }
        let result = answer.pair == .companion ? "companion: part of another event" : "\(answer.pair)"
        text += line("result", "\(result)  (\(answer.certainty.rawValue))")
        text += line("event", "\(event.type), entitlement \(StoryText.entitlement(event))")
        for other in answer.candidates.dropFirst() {
            text += line("also", other.type == nil ? "companion: no event of its own" : other.description)
        }
        text += line("transaction", translation.transactionCertainty == .exact ? "certain" : "not certain")
        text += alone(translation)
        return text + flags(event.flags)
    }

    /// That it was judged by itself, and what that leaves open.
    private func alone(_ translation: Translation) -> String {
        let open = translation.evidence.filter { $0.value == "unknown" }.map(\.fact)
        let facts = open.isEmpty ? "" : "; of the facts, a body alone leaves open: \(open.joined(separator: ", "))"
        return line("alone", "judged by itself\(facts)")
            + line(
                "context",
                "its subscription may show another pair, a repeat, or that it is part of another event: "
                    + "explain FILE:LINE, or convert, judges with all of it in view")
    }

    /// What flags mean and what would settle each.
    func flags(_ flags: [AmbiguityFlag]) -> String {
        var text = ""
        for flag in flags {
            text += line("flag", "\(flag) (\(flag.severity?.rawValue ?? "?")): \(flag.meaning ?? "")")
            if let settles = flag.settles, settles != "-" { text += line("settle", settles) }
        }
        return text
    }

    /// One line of an explanation: a label, then a text.
    func line(_ label: String, _ text: String) -> String {
        margin + HelpText.padded(label + " ", to: 12) + text + "\n"
    }

    /// Where a rule for V1 notifications comes from; `nil` if there is no such rule.
    func source(ofRule id: String) -> String? {
        MappingTables.decisions.rows("types").lazy.flatMap { $0.rows("rules") }.first { $0.text("id") == id }?
            .text("source")
    }
}
