import NotificationArchives
import NotificationTranslation

/// What a word means: every word that an event, a table or a message of this package can hold.
extension Explanation {
    /// What a V1 type, a V2 type, subtype or pair, a flag, a rule, a fact, an event kind, a field, a word of a field or an
    /// error code means; all meanings of a word that has several, and `nil` for a word that has none.
    func name(_ name: String) -> String? {
        let name = JSONTree.pairName(name)
        let parts = [
            explainWords(name), explainV1Type(name), explainPairs(name), explainSubtype(name), explainTypes(name),
            explainKinds(name), explainFlag(name), explainRules(name), explainFacts(name), explainFields(name),
            explainAppleFields(name), explainError(name), explainSummary(name),
        ]
        let text = parts.joined()
        return text.isEmpty ? nil : text
    }

    /// The names that ``name(_:)`` knows, each once; for suggestions and completions.
    var names: [String] {
        var names = v1Types.flatMap { type in [type.text("type")] + type.rows("rules").map { $0.text("id") } }
        names += adjustments.map { $0.text("id") } + flags.map { $0.text("flag") }
        names += silentRules.map { $0.text("id") } + pairs.map(\.pairName)
        names += v2Types.flatMap { [$0.text("type")] + $0.list("aliases") } + pairs.map { $0.text("subtype") }
        names += MappingTables.ruleFiles.flatMap { $0.0.rows("facts") }.map { $0.text("fact") }
        names += kinds.map { $0.text("kind") } + ErrorCodes.all.map(\.code) + ErrorCodes.summaryWords.map(\.word)
        names += eventFields.paths.map(\.path) + eventFields.words.flatMap { $0.words.map(\.word) }
        names += appleFields.flatMap { [lastPart($0.text("v1")), lastPart($0.text("v2"))] }
        names += losses.flatMap { [$0.text("id"), $0.text("field")] + $0.list("members") }
        var seen: Set<String> = []
        return names.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    // MARK: Rows

    private var v1Types: [JSONTree] { MappingTables.decisions.rows("types") }
    private var adjustments: [JSONTree] { MappingTables.decisions.rows("adjustments") }
    private var silentRules: [JSONTree] { MappingTables.silent.rows("rules") }
    private var v2Types: [JSONTree] { MappingTables.events.rows("types") }
    private var pairs: [JSONTree] { MappingTables.events.rows("pairs") }
    private var kinds: [JSONTree] { MappingTables.events.rows("kinds") }
    private var flags: [JSONTree] { MappingTables.flags.rows("flags") }
    private var appleFields: [JSONTree] { MappingTables.fields.rows("fields") }
    private var losses: [JSONTree] { MappingTables.fields.rows("losses") }
    private var eventFields: EventFieldTable { .current }

    /// Whether a word is meant by a name: in any case of letters.
    private func means(_ word: String, _ name: String) -> Bool {
        word == name || word.lowercased() == name.lowercased()
    }

    /// The last name of a path such as `unified_receipt.latest_receipt_info[].product_id`.
    private func lastPart(_ path: String) -> String {
        var name = path.split(separator: ".").last.map(String.init) ?? path
        if name.hasSuffix("[]") { name.removeLast(2) }
        return name
    }

    // MARK: Words and fields of an event

    private func explainWords(_ name: String) -> String {
        var text = ""
        for set in eventFields.words {
            for row in set.words where means(row.word, name) {
                let (word, meaning) = (row.word, row.meaning)
                text += "\(word): value of \(set.field)\n" + line("meaning", meaning)
                let others = set.words.map(\.word).filter { $0 != word }.joined(separator: ", ")
                text += line("others", set.isClosed ? others : others + " (Apple may add to these)")
                if let source = set.source { text += line("source", source) }
            }
        }
        return text
    }

    private func explainFields(_ name: String) -> String {
        var text = ""
        for item in eventFields.paths
        where means(item.path, name) || means(item.field.key, name) || means(item.field.name, name) {
            let field = item.field
            text += "\(item.path): field of an event\n" + line("meaning", field.meaning)
            text += line("written", "as \(field.kind.rawValue)" + (field.null.map { ", null where \($0)" } ?? ""))
            if let set = eventFields.words.first(where: { $0.field == item.path }) {
                text += line("values", set.words.map(\.word).joined(separator: ", "))
            }
            if item.path == "type" { text += line("values", kinds.map { $0.text("kind") }.joined(separator: ", ")) }
            if item.path == "flags" { text += line("values", flags.map { $0.text("flag") }.joined(separator: ", ")) }
            if let apple = field.apple { text += line("Apple", "\(apple), in the shape v2") }
            text += line("Swift", "\(item.object.name).\(field.name)")
        }
        return text
    }

    private func explainAppleFields(_ name: String) -> String {
        var text = ""
        for field in appleFields {
            let (v1, v2) = (field.text("v1"), field["v2"]?.string)
            let isV1 = means(lastPart(v1), name) || means(v1, name)
            let isV2 = v2.map { means(lastPart($0), name) || means($0, name) } ?? false
            guard isV1 || isV2 else { continue }
            text += "\(isV1 ? v1 : v2 ?? ""): field of \(isV1 ? "V1" : "V2")\n"
            text += isV1 ? line("V2", v2 ?? "none") : line("V1", v1)
            text += line("event", field["event"]?.string ?? "none") + line("by", field.text("conversion"))
            if !field.text("note").isEmpty { text += line("note", field.text("note")) }
        }
        let compact = name.filter { $0 != "_" }
        for loss in losses {
            let (field, id) = (loss.text("field"), loss.text("id"))
            let members = loss.list("members")
            let member = members.first { means($0, name) || means($0, compact) }
            guard member != nil || means(field, name) || means(id, name) || means(field, compact) else { continue }
            let path = member.map { "\(field).\($0)" } ?? field
            text += "\(path): field of V2 (\(loss.text("object"))) that V1 never had (\(id))\n"
            text += line("meaning", loss.text("meaning")) + line("elsewhere", loss.text("recoverable"))
            if !members.isEmpty { text += line("members", members.joined(separator: ", ")) }
            let set = eventFields.words.first { means(lastPart($0.field).filter { $0 != "_" }, member ?? field) }
            if let set { text += line("values", set.words.map(\.word).joined(separator: ", ")) }
            if let source = loss["source"]?.string { text += line("source", source) }
        }
        return text
    }

    // MARK: Version 2

    private func explainPairs(_ name: String) -> String {
        var text = ""
        for pair in pairs where means(pair.pairName, name) || means(pair.text("type"), name) {
            text += "\(pair.pairName): V2 pair, since \(pair.text("since")), \(pair.text("status"))\n"
            text += line("meaning", pair.text("meaning"))
            text += line("event", "\(pair.text("kind")), entitlement \(pair.text("entitlement"))")
            text += line("source", pair.text("source"))
            for type in v1Types {
                for rule in type.rows("rules") where rule.answer == pair.pairName {
                    text += line("from", "V1 \(type.text("type")) by \(rule.text("id"))")
                }
            }
        }
        return text
    }

    private func explainTypes(_ name: String) -> String {
        var text = ""
        for row in v2Types {
            let (type, aliases) = (row.text("type"), row.list("aliases"))
            guard means(type, name) || aliases.contains(where: { means($0, name) }) else { continue }
            let names = pairs.filter { $0.text("type") == type }.map(\.pairName)
            text += "\(type): V2 type, since \(row.text("since")), \(row.text("status"))\n"
            text += line("meaning", row.text("meaning")) + line("pairs", names.joined(separator: ", "))
            if !aliases.isEmpty { text += line("read as it", aliases.joined(separator: ", ")) }
        }
        return text
    }

    private func explainSubtype(_ name: String) -> String {
        let having = pairs.filter { $0["subtype"]?.string.map { means($0, name) } ?? false }
        guard let subtype = having.first?.text("subtype") else { return "" }
        let types = having.map { $0.text("type") }.joined(separator: ", ")
        return "\(subtype): V2 subtype of \(types)\n"
            + having.map { line("with", "\($0.text("type")): \($0.text("meaning"))") }.joined()
    }

    private func explainKinds(_ name: String) -> String {
        var text = ""
        for row in kinds where means(row.text("kind"), name) {
            let kind = row.text("kind")
            text += "\(kind): event kind\n" + line("meaning", row.text("meaning"))
            for pair in pairs where pair.text("kind") == kind { text += line("from", pair.pairName) }
        }
        return text
    }

    // MARK: Version 1, rules and facts

    private func explainV1Type(_ name: String) -> String {
        let named = v1Types.first { type in
            ([type.text("type")] + type.list("aliases")).contains { means($0, name) }
        }
        guard let type = named else { return "" }
        let rules = type.rows("rules")
        var text =
            "\(type.text("type")): V1 type, \(count(rules.count, "rule"))\n" + line("meaning", type.text("meaning"))
        for rule in rules {
            text += line(rule.text("certainty"), "\(rule.answer ?? "nothing")  by \(rule.text("id"))")
            if !rule.conditions.isEmpty { text += line("", "when \(rule.conditions)") }
        }
        return text
    }

    private func explainRules(_ name: String) -> String {
        var text = ""
        for type in v1Types {
            for rule in type.rows("rules") where means(rule.text("id"), name) {
                text += "\(rule.text("id")): rule of V1 \(type.text("type"))\n"
                text += explainRule(rule, sure: rule.text("certainty"))
            }
        }
        for row in adjustments where means(row.text("id"), name) {
            text += "\(row.text("id")): adjustment\n" + line("when", row.conditions)
            text += line("source", row.text("source"))
        }
        for rule in silentRules where means(rule.text("id"), name) {
            text += "\(rule.text("id")): rule for what V1 never sent\n"
            let inferred = rule.text("proof") == "safe" ? "with --infer safe and all" : "with --infer all"
            text += explainRule(rule, sure: inferred)
        }
        return text
    }

    /// What a rule says; one without an answer says that nothing follows.
    private func explainRule(_ rule: JSONTree, sure: String) -> String {
        var text = line("when", rule.conditions.isEmpty ? "no rule above it holds" : rule.conditions)
        guard let answer = rule.answer else {
            return text + line("then", "nothing") + line("source", rule.text("source"))
        }
        text += line("then", "\(answer)  (\(sure))")
        for candidate in rule.candidates { text += line("also", candidate) }
        if let time = rule["time"]?.string { text += line("time", time) }
        for flag in rule.list("flags") { text += line("flag", flag) }
        return text + line("source", rule.text("source"))
    }

    private func explainFacts(_ name: String) -> String {
        var text = ""
        var having: [String] = []
        for (file, what) in MappingTables.ruleFiles {
            for row in file.rows("facts") {
                let values = row.list("values")
                if values.contains(where: { means($0, name) }) { having.append(row.text("fact")) }
                guard means(row.text("fact"), name) else { continue }
                text += "\(row.text("fact")): \(what)\n" + line("values", values.joined(separator: ", "))
                text += line("meaning", row.factMeaning)
            }
        }
        guard !having.isEmpty else { return text }
        return text + "\(name): value of facts\n" + line("of", having.joined(separator: ", "))
    }

    // MARK: Flags and codes

    private func explainFlag(_ name: String) -> String {
        flags.filter { means($0.text("flag"), name) }.map { row in
            "\(row.text("flag")): flag (\(row.text("severity")))\n" + line("meaning", row.text("meaning"))
                + line("settle", row.text("settles"))
        }.joined()
    }

    private func explainSummary(_ name: String) -> String {
        ErrorCodes.summaryWords.filter { means($0.word, name) }.map {
            "\($0.word): word of the summary\n" + line("meaning", $0.meaning)
        }.joined()
    }

    private func explainError(_ name: String) -> String {
        guard let meaning = ErrorCodes.meaning(name.lowercased()) else { return "" }
        return "\(name.lowercased()): error code\n" + line("meaning", meaning)
    }
}
