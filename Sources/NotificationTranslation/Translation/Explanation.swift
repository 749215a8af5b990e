/// Why a notification became what it became, or what a name of the tables means; for people to read.
package struct Explanation {
    private let table = DecisionTable.current
    private let document = MappingDocument()

    package init() {}

    /// What every notification of a body was taken for: the facts, the rule, the alternatives, and what would settle
    /// it.
    ///
    /// Ids and dates appear, the secret and the receipts do not.
    package func body(_ bytes: [UInt8]) throws(NotificationError) -> String {
        let events = try NotificationNormalizer(policy: .trustingTheSource).events(from: bytes)
        guard !events.isEmpty else {
            return "Valid JSON that carries no Apple notification; an archive's run counts it as skipped.\n"
        }
        var translations: [Translation] = []
        try Workspace(.trustingTheSource).forEachNotification(in: bytes) { found in
            guard found.finding == .v1 else { return }
            translations.append(
                Translator().translate(
                    V1Notification(found.holder.v1, found.memory),
                    receivedAt: found.receivedAt.map(EventTime.init(milliseconds:))))
        }
        var text = ""
        var place = 0
        for event in events {
            if event.source.version == .v1, place < translations.count {
                text += explain(event, translations[place])
                place += 1
            } else {
                text += explain(event)
            }
        }
        return text
    }

    private func head(_ event: UnifiedEvent) -> String {
        let name = [event.source.type, event.source.subtype].compactMap { $0 }.joined(separator: "/")
        var text = "\(event.source.version == .v1 ? "V1" : "V2") \(name)"
        if let time = event.occurredAt { text += ", \(time) (\(event.occurredAtBasis ?? "?"))" }
        if let id = event.transaction?.originalTransactionID { text += ", original transaction \(id)" }
        return text + "\n"
    }

    private func explain(_ event: UnifiedEvent) -> String {
        var text = head(event)
        text += line("event", "\(event.type), entitlement \(event.entitlement.rawValue)")
        text += line("result", "\(event.v2) as Apple says it; signatures are not judged here")
        return text + flags(event.flags)
    }

    private func explain(_ event: UnifiedEvent, _ translation: Translation) -> String {
        var text = head(event)
        guard let rule = translation.rule else {
            return text + line("result", "unmapped: this build has no rules for the type") + flags(event.flags)
        }
        text += line("rule", "\(rule)  (rules \(table.version))")
        text += line("source", translation.source ?? "")
        for evidence in translation.evidence { text += line("fact", "\(evidence.fact) = \(evidence.value)") }
        for adjustment in translation.adjustments { text += line("adjusted", adjustment) }
        let result = translation.isCompanion ? "companion: part of another event" : "\(translation.pair ?? event.v2)"
        text += line("result", "\(result)  (\(translation.certainty.rawValue))")
        text += line("event", "\(event.type), entitlement \(event.entitlement.rawValue)")
        for other in translation.candidates.dropFirst() {
            text += line("also", other.type == nil ? "companion: no event of its own" : other.description)
        }
        text += line("transaction", translation.transactionCertainty == .exact ? "certain" : "not certain")
        return text + flags(event.flags)
    }

    /// What flags mean and what would settle each.
    package func flags(_ flags: [AmbiguityFlag], margin: String = "  ") -> String {
        var text = ""
        for flag in flags {
            text += line("flag", "\(flag) (\(flag.severity ?? "?")): \(flag.meaning ?? "")", margin: margin)
            if let settles = flag.settles, settles != "-" { text += line("settle", settles, margin: margin) }
        }
        return text
    }

    /// One line of an explanation: a label, then a text.
    package func line(_ label: String, _ text: String, margin: String = "  ") -> String {
        let padding = String(repeating: " ", count: max(1, 12 - label.utf8.count))
        return margin + label + padding + text + "\n"
    }

    /// Where a rule for V1 notifications comes from; `nil` if there is no such rule.
    package func source(ofRule id: String) -> String? {
        for type in table.types { for rule in type.rules where rule.id == id { return rule.source } }
        return nil
    }

    /// What one event says that was judged by itself.
    package func alone(_ event: UnifiedEvent) -> String {
        var text = head(event)
        if let rule = event.source.rule { text += line("rule", "\(rule)  (rules \(table.version))") }
        if let source = event.source.rule.flatMap(source(ofRule:)) { text += line("source", source) }
        let result = event.v2.type == nil ? "no pair of its own" : "\(event.v2)"
        text += line("result", "\(result)  (\(event.disposition.rawValue), \(event.certainty.rawValue))")
        text += line("event", "\(event.type), entitlement \(event.entitlement.rawValue)")
        return text + flags(event.flags)
    }

    // MARK: Names

    /// What a V1 type, a V2 type or pair, a flag, a rule, a fact, an event kind or an error code means; `nil` if the
    /// tables hold no such name.
    package func name(_ name: String) -> String? {
        var text = ""
        if let place = table.type(name) { text += explainType(table.types[place]) }
        text += explainPairs(name)
        if let number = FlagTable.current.number(name.uppercased()) {
            let row = FlagTable.current.rows[number]
            text += "\(row.flag): flag (\(row.severity))\n" + line("meaning", row.meaning) + line("settle", row.settles)
        }
        for type in table.types {
            for rule in type.rules where rule.id == name { text += explainRule(rule, of: type.type) }
            for adjustment in type.adjustments where adjustment.id == name && text.isEmpty {
                text +=
                    "\(name): adjustment\n" + line("when", document.conditions(adjustment.conditions))
                    + line("source", adjustment.source)
            }
        }
        for rule in document.silent.rules where rule.id == name { text += explainRule(rule) }
        if let fact = Fact.named(name) {
            text +=
                "\(name): fact\n" + line("values", fact.values.joined(separator: ", "))
                + line("meaning", table.meaning(of: fact))
        }
        for kind in table.events.kinds where kind.kind == name {
            text += "\(name): event kind\n" + line("meaning", kind.meaning)
            for pair in table.events.pairs where pair.kind == name {
                text += line("from", MappingDocument.display(pair))
            }
        }
        if let meaning = ErrorCodes.meaning(name) { text += "\(name): error code\n" + line("meaning", meaning) }
        return text.isEmpty ? nil : text
    }

    private func explainType(_ type: TypeRules) -> String {
        var text = "\(type.type): V1 type, \(type.rules.count) rules\n"
        for rule in type.rules {
            text += line(rule.certainty.rawValue, "\(document.name(rule.answer))  by \(rule.id)")
            if !rule.conditions.isEmpty { text += line("", "when \(document.conditions(rule.conditions))") }
        }
        return text
    }

    private func explainPairs(_ name: String) -> String {
        var text = ""
        for pair in table.events.pairs
        where pair.name.uppercased() == name.uppercased() || pair.name.uppercased() == name.uppercased() + "/"
            || pair.type == name.uppercased()
        {
            text += "\(MappingDocument.display(pair)): V2 pair, since \(pair.since), \(pair.status)\n"
            text +=
                line("meaning", pair.meaning) + line("event", "\(pair.kind), entitlement \(pair.entitlement.rawValue)")
            text += line("source", pair.source)
            for type in table.types {
                for rule in type.rules where rule.answer == table.events.pair(pair.name).map(Rule.Answer.pair) {
                    text += line("from", "V1 \(type.type) by \(rule.id)")
                }
            }
        }
        return text
    }

    private func explainRule(_ rule: Rule, of type: String) -> String {
        var text = "\(rule.id): rule of V1 \(type)\n"
        let conditions = document.conditions(rule.conditions)
        text += line("when", conditions.isEmpty ? "nothing above it holds" : conditions)
        text += line("then", "\(document.name(rule.answer))  (\(rule.certainty.rawValue))")
        for candidate in rule.candidates { text += line("also", document.name(candidate)) }
        for number in rule.flags.numbers { text += line("flag", FlagTable.current.rows[number].flag) }
        return text + line("source", rule.source)
    }

    private func explainRule(_ rule: SilentTable.Rule) -> String {
        var text = "\(rule.id): rule for what V1 never sent\n" + line("when", document.conditions(rule))
        guard let pair = rule.pair else {
            return text + line("then", "nothing") + line("source", rule.source)
        }
        let inferred = rule.isProven ? "with --infer safe and all" : "with --infer all"
        text += line("then", "\(MappingDocument.display(table.events.pairs[pair]))  (\(inferred))")
        for candidate in rule.candidates {
            text += line("also", MappingDocument.display(table.events.pairs[candidate]))
        }
        text += line("time", rule.time.rawValue)
        return text + line("source", rule.source)
    }

    /// The names that ``name(_:)`` knows, for suggestions.
    package var names: [String] {
        table.types.map(\.type) + table.types.flatMap { $0.rules.map(\.id) } + FlagTable.current.rows.map(\.flag)
            + document.silent.rules.map(\.id) + table.events.pairs.map(MappingDocument.display)
            + Fact.allCases.map(\.name) + table.events.kinds.map(\.kind) + ErrorCodes.all.map(\.code)
    }
}
