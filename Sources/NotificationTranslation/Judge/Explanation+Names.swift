/// What a word means: every word that an event, a table or a message of this package can hold.
extension Explanation {
    /// What a V1 type, a V2 type, subtype or pair, a flag, a rule, a fact, an event kind, a field, a word of a field or an
    /// error code means; all meanings of a word that has several, and `nil` for a word that has none.
    package func name(_ name: String) -> String? {
        let name = name.hasSuffix("/") ? String(name.dropLast()) : name
        let parts = [
            explainWords(name), v1Type(name), explainPairs(name), explainSubtype(name), explainTypes(name),
            explainKinds(name), explainFlag(name), explainRules(name), explainFacts(name), explainFields(name),
            explainAppleFields(name), explainError(name),
        ]
        let text = parts.joined()
        return text.isEmpty ? nil : text
    }

    /// The names that ``name(_:)`` knows, each once; for suggestions and completions.
    package var names: [String] {
        var names = table.types.map(\.type) + table.types.flatMap { $0.rules.map(\.id) }
        names += table.types.flatMap { $0.adjustments.map(\.id) } + FlagTable.current.rows.map(\.flag)
        names += document.silent.rules.map(\.id) + table.events.pairs.map(MappingDocument.display)
        names += table.events.types.flatMap { [$0.type] + $0.aliases } + table.events.pairs.compactMap(\.subtype)
        names += Fact.allCases.map(\.name) + SilentFact.list.names + table.events.kinds.map(\.kind)
        names += ErrorCodes.all.map(\.code) + fields.paths.map(\.path) + fields.words.flatMap { $0.words.map(\.word) }
        names += FieldTable.current.fields.map { Self.lastPart($0.v1) }
        names += FieldTable.current.fields.compactMap { $0.v2.map(Self.lastPart) }
        names += FieldTable.current.losses.flatMap { [$0.id, $0.field] }
        var seen: Set<String> = []
        return names.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    private var fields: EventFieldTable { .current }

    /// Whether a word is meant by a name: in any case of letters.
    private func means(_ word: String, _ name: String) -> Bool {
        word == name || word.lowercased() == name.lowercased()
    }

    // MARK: Words and fields of an event

    private func explainWords(_ name: String) -> String {
        var text = ""
        for set in fields.words {
            for row in set.words where means(row.word, name) {
                let (word, meaning) = (row.word, row.meaning)
                text += "\(word): value of \(set.field)\n" + line("meaning", meaning)
                let others = set.words.map(\.word).filter { $0 != word }.joined(separator: ", ")
                text += line("others", set.isClosed ? others : others + " (Apple may add to these)")
            }
        }
        return text
    }

    private func explainFields(_ name: String) -> String {
        var text = ""
        for item in fields.paths
        where means(item.path, name) || means(item.field.key, name) || means(item.field.name, name) {
            let field = item.field
            text += "\(item.path): field of an event\n" + line("meaning", field.meaning)
            text += line("written", "as \(field.kind.rawValue)" + (field.null.map { ", null where \($0)" } ?? ""))
            if let set = fields.words.first(where: { $0.field == item.path }) {
                text += line("values", set.words.map(\.word).joined(separator: ", "))
            }
            if item.path == "type" { text += line("values", table.events.kinds.map(\.kind).joined(separator: ", ")) }
            if item.path == "flags" {
                text += line("values", FlagTable.current.rows.map(\.flag).joined(separator: ", "))
            }
            if let apple = field.apple { text += line("Apple", "\(apple), in the shape v2") }
            text += line("Swift", "\(item.object.name).\(field.name)")
        }
        return text
    }

    /// The last name of a path such as `unified_receipt.latest_receipt_info[].product_id`.
    private static func lastPart(_ path: String) -> String {
        var name = path.split(separator: ".").last.map(String.init) ?? path
        if name.hasSuffix("[]") { name.removeLast(2) }
        return name
    }

    private func explainAppleFields(_ name: String) -> String {
        var text = ""
        for field in FieldTable.current.fields {
            let isV1 = means(Self.lastPart(field.v1), name) || means(field.v1, name)
            let isV2 = field.v2.map { means(Self.lastPart($0), name) || means($0, name) } ?? false
            guard isV1 || isV2 else { continue }
            text += "\(isV1 ? field.v1 : field.v2 ?? ""): field of \(isV1 ? "V1" : "V2")\n"
            text += isV1 ? line("V2", field.v2 ?? "none") : line("V1", field.v1)
            text += line("event", field.event ?? "none") + line("by", field.conversion)
            if !field.note.isEmpty { text += line("note", field.note) }
        }
        for loss in FieldTable.current.losses
        where means(loss.field, name) || means(loss.id, name) || means(V2Details.snakeCase(loss.field), name) {
            text += "\(loss.field): field of V2 (\(loss.object)) that V1 never had (\(loss.id))\n"
            text += line("meaning", loss.meaning) + line("elsewhere", loss.recoverable)
        }
        return text
    }

    // MARK: Version 2

    private func explainPairs(_ name: String) -> String {
        var text = ""
        for pair in table.events.pairs
        where means(pair.name, name) || means(pair.name, name + "/") || means(pair.type, name) {
            text += "\(MappingDocument.display(pair)): V2 pair, since \(pair.since), \(pair.status)\n"
            text += line("meaning", pair.meaning)
            text += line("event", "\(pair.kind), entitlement \(pair.entitlement.rawValue)")
            text += line("source", pair.source)
            for type in table.types {
                for rule in type.rules where rule.answer == table.events.pair(pair.name).map(Rule.Answer.pair) {
                    text += line("from", "V1 \(type.type) by \(rule.id)")
                }
            }
        }
        return text
    }

    private func explainTypes(_ name: String) -> String {
        var text = ""
        for type in table.events.types where means(type.type, name) || type.aliases.contains(where: { means($0, name) })
        {
            let pairs = table.events.pairs.filter { $0.type == type.type }.map(MappingDocument.display)
            text += "\(type.type): V2 type, since \(type.since), \(type.status)\n" + line("meaning", type.meaning)
            text += line("pairs", pairs.joined(separator: ", "))
            if !type.aliases.isEmpty { text += line("read as it", type.aliases.joined(separator: ", ")) }
        }
        return text
    }

    private func explainSubtype(_ name: String) -> String {
        let pairs = table.events.pairs.filter { $0.subtype.map { means($0, name) } ?? false }
        guard let subtype = pairs.first?.subtype else { return "" }
        var text = "\(subtype): V2 subtype of \(pairs.map(\.type).joined(separator: ", "))\n"
        for pair in pairs { text += line("with", "\(pair.type): \(pair.meaning)") }
        return text
    }

    private func explainKinds(_ name: String) -> String {
        var text = ""
        for kind in table.events.kinds where means(kind.kind, name) {
            text += "\(kind.kind): event kind\n" + line("meaning", kind.meaning)
            for pair in table.events.pairs where pair.kind == kind.kind {
                text += line("from", MappingDocument.display(pair))
            }
        }
        return text
    }

    // MARK: Version 1, rules and facts

    private func v1Type(_ name: String) -> String {
        guard let place = table.type(name.uppercased()) else { return "" }
        let type = table.types[place]
        var text = "\(type.type): V1 type, \(type.rules.count) rules\n"
        for rule in type.rules {
            text += line(rule.certainty.rawValue, "\(document.name(rule.answer))  by \(rule.id)")
            if !rule.conditions.isEmpty { text += line("", "when \(document.conditions(rule.conditions))") }
        }
        return text
    }

    private func explainRules(_ name: String) -> String {
        var text = ""
        var adjustments: Set<String> = []
        for type in table.types {
            for rule in type.rules where means(rule.id, name) { text += explainRule(rule, of: type.type) }
            for adjustment in type.adjustments
            where means(adjustment.id, name) && adjustments.insert(adjustment.id).inserted {
                text +=
                    "\(adjustment.id): adjustment\n" + line("when", document.conditions(adjustment.conditions))
                    + line("source", adjustment.source)
            }
        }
        for rule in document.silent.rules where means(rule.id, name) { text += explainRule(rule) }
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

    private func explainRule(_ rule: SilentTable.Row) -> String {
        var text = "\(rule.id): rule for what V1 never sent\n" + line("when", SilentFact.list.words(rule.conditions))
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

    private func explainFacts(_ name: String) -> String {
        var text = ""
        text += explain(Fact.self, name, "fact", table.meaning)
        text += explain(SilentFact.self, name, "fact of the rules for what V1 never sent", document.silent.meaning)
        let having = Fact.list.names(having: { means($0, name) })
        let silent = SilentFact.list.names(having: { means($0, name) })
        guard !having.isEmpty || !silent.isEmpty else { return text }
        return text + "\(name): value of facts\n" + line("of", (having + silent).joined(separator: ", "))
    }

    private func explain<Key: FactKey>(
        _ kind: Key.Type, _ name: String, _ what: String, _ meaning: (Key) -> String
    ) -> String {
        kind.allCases.filter { means($0.name, name) }.map { fact in
            "\(fact.name): \(what)\n" + line("values", fact.values.joined(separator: ", "))
                + line("meaning", meaning(fact))
        }.joined()
    }

    // MARK: Flags and codes

    private func explainFlag(_ name: String) -> String {
        guard let number = FlagTable.current.number(name.uppercased()) else { return "" }
        let row = FlagTable.current.rows[number]
        return "\(row.flag): flag (\(row.severity))\n" + line("meaning", row.meaning) + line("settle", row.settles)
    }

    private func explainError(_ name: String) -> String {
        guard let meaning = ErrorCodes.meaning(name.lowercased()) else { return "" }
        return "\(name.lowercased()): error code\n" + line("meaning", meaning)
    }
}
