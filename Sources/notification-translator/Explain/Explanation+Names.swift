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
            explainAppleFields(name), explainCodes(name),
        ]
        let text = parts.joined()
        return text.isEmpty ? nil : text
    }

    /// The names that ``name(_:)`` knows, each once; for suggestions and completions.
    var names: [String] {
        var names = v1Types.flatMap { type in [type.text("type")] + type.rows("rules").map { $0.text("id") } }
        names += otherRules.map { $0.row.text("id") } + flags.map { $0.text("flag") }
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

    private var v1Types: [JSONTree] { MappingTables.decisions.rows("types") }
    private var silentRules: [JSONTree] { MappingTables.silent.rows("rules") }
    /// Rules that decide no pair, each with what it is.
    private var otherRules: [(row: JSONTree, what: String)] {
        MappingTables.decisions.rows("adjustments").map { ($0, "adjustment") }
            + MappingTables.silent.rows("gaps").map { ($0, "doubt of an event that was deduced") }
            + MappingTables.silent.rows("states").map { ($0, "rule for states") }
    }
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

    /// A paragraph: what a word is, and lines with a label each; those that are `nil` are left out.
    private func entry(_ head: String, _ lines: (label: String, text: String?)...) -> String { entry(head, lines) }

    private func entry(_ head: String, _ lines: [(label: String, text: String?)]) -> String {
        head + "\n" + lines.map { label, text in text.map { line(label, $0) } ?? "" }.joined()
    }

    private func list(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }

    private func explainWords(_ name: String) -> String {
        eventFields.words.flatMap { set in
            set.words.filter { means($0.word, name) }.map { row in
                let others = set.words.map(\.word).filter { $0 != row.word }.joined(separator: ", ")
                return entry(
                    "\(row.word): value of \(set.field)", ("meaning", row.meaning),
                    ("others", set.isClosed ? others : others + " (Apple may add to these)"), ("source", set.source))
            }
        }.joined()
    }

    private func explainFields(_ name: String) -> String {
        eventFields.paths.filter { item in
            means(item.path, name) || means(item.field.key, name) || means(item.field.name, name)
        }.map { item in
            let field = item.field
            let words =
                switch item.path {
                case "type": kinds.map { $0.text("kind") }
                case "flags": flags.map { $0.text("flag") }
                default: eventFields.words.first { $0.field == item.path }?.words.map(\.word) ?? []
                }
            return entry(
                "\(item.path): field of an event", ("meaning", field.meaning),
                ("written", "as \(field.kind.code)" + (field.null.map { ", null where \($0)" } ?? "")),
                ("values", list(words)), ("Apple", field.apple.map { "\($0), in the shape v2" }),
                ("Swift", "\(item.object.name).\(field.name)"))
        }.joined()
    }

    private func explainAppleFields(_ name: String) -> String {
        var text = ""
        for field in appleFields {
            let (v1, v2) = (field.text("v1"), field["v2"]?.string)
            let isV1 = means(lastPart(v1), name) || means(v1, name)
            let isV2 = v2.map { means(lastPart($0), name) || means($0, name) } ?? false
            guard isV1 || isV2 else { continue }
            text += entry(
                "\(isV1 ? v1 : v2 ?? ""): field of \(isV1 ? "V1" : "V2")",
                isV1 ? ("V2", v2 ?? "none") : ("V1", v1), ("event", field["event"]?.string ?? "none"),
                ("by", field.text("conversion")), ("note", field.text("note").isEmpty ? nil : field.text("note")))
        }
        let compact = name.filter { $0 != "_" }
        for loss in losses {
            let (field, id, members) = (loss.text("field"), loss.text("id"), loss.list("members"))
            let member = members.first { means($0, name) || means($0, compact) }
            guard member != nil || means(field, name) || means(id, name) || means(field, compact) else { continue }
            let path = member.map { "\(field).\($0)" } ?? field
            let set = eventFields.words.first { means(lastPart($0.field).filter { $0 != "_" }, member ?? field) }
            text += entry(
                "\(path): field of V2 (\(loss.text("object"))) that V1 never had (\(id))",
                ("meaning", loss.text("meaning")), ("elsewhere", loss.text("recoverable")), ("members", list(members)),
                ("values", set.flatMap { list($0.words.map(\.word)) }), ("source", loss["source"]?.string))
        }
        return text
    }

    private func explainPairs(_ name: String) -> String {
        pairs.filter { means($0.pairName, name) || means($0.text("type"), name) }.map { pair in
            let rules = v1Types.flatMap { type in
                type.rows("rules").filter { $0.answer == pair.pairName }
                    .map { (label: "from", text: Optional("V1 \(type.text("type")) by \($0.text("id"))")) }
            }
            return entry(
                "\(pair.pairName): V2 pair, since \(pair.text("since")), \(pair.text("status"))",
                [
                    ("meaning", pair.text("meaning")),
                    ("event", "\(pair.text("kind")), entitlement \(pair.text("entitlement"))"),
                    ("source", pair.text("source")),
                ] + rules)
        }.joined()
    }

    private func explainTypes(_ name: String) -> String {
        v2Types.filter { ([$0.text("type")] + $0.list("aliases")).contains { means($0, name) } }.map { row in
            entry(
                "\(row.text("type")): V2 type, since \(row.text("since")), \(row.text("status"))",
                ("meaning", row.text("meaning")),
                (
                    "pairs",
                    pairs.filter { $0.text("type") == row.text("type") }.map(\.pairName).joined(separator: ", ")
                ), ("read as it", list(row.list("aliases"))))
        }.joined()
    }

    private func explainSubtype(_ name: String) -> String {
        let having = pairs.filter { $0["subtype"]?.string.map { means($0, name) } ?? false }
        guard let subtype = having.first?.text("subtype") else { return "" }
        return entry(
            "\(subtype): V2 subtype of \(having.map { $0.text("type") }.joined(separator: ", "))",
            having.map { ("with", "\($0.text("type")): \($0.text("meaning"))") })
    }

    private func explainKinds(_ name: String) -> String {
        kinds.filter { means($0.text("kind"), name) }.map { row in
            let from = pairs.filter { $0.text("kind") == row.text("kind") }
            return entry(
                "\(row.text("kind")): event kind",
                [("meaning", row.text("meaning"))] + from.map { ("from", $0.pairName) })
        }.joined()
    }

    private func explainV1Type(_ name: String) -> String {
        let named = v1Types.first { ([$0.text("type")] + $0.list("aliases")).contains { means($0, name) } }
        guard let type = named else { return "" }
        let rules = type.rows("rules")
        return entry(
            "\(type.text("type")): V1 type, \(count(rules.count, "rule"))",
            [("meaning", type.text("meaning"))]
                + rules.flatMap { rule -> [(label: String, text: String?)] in
                    [
                        (rule.text("certainty"), "\(rule.answer ?? "nothing")  by \(rule.text("id"))"),
                        ("", rule.conditions.isEmpty ? nil : "when \(rule.conditions)"),
                    ]
                })
    }

    private func explainRules(_ name: String) -> String {
        var text = ""
        for type in v1Types {
            for rule in type.rows("rules") where means(rule.text("id"), name) {
                text += explain(rule, "rule of V1 \(type.text("type"))", sure: rule.text("certainty"))
            }
        }
        for (row, what) in otherRules where means(row.text("id"), name) {
            text += entry(
                "\(row.text("id")): \(what)", ("meaning", row["meaning"]?.string), ("of", list(row.list("pairs"))),
                ("when", row["when"] == nil ? nil : row.conditions), ("source", row.text("source")))
        }
        for rule in silentRules where means(rule.text("id"), name) {
            let inferred = rule.text("proof") == "safe" ? "with --infer safe and all" : "with --infer all"
            text += explain(rule, "rule for what V1 never sent", sure: inferred)
        }
        return text
    }

    /// What a rule says; one without an answer says that nothing follows.
    private func explain(_ rule: JSONTree, _ what: String, sure: String) -> String {
        var lines: [(label: String, text: String?)] = [
            ("when", rule.conditions.isEmpty ? "no rule above it holds" : rule.conditions),
            ("then", rule.answer.map { "\($0)  (\(sure))" } ?? "nothing"),
        ]
        if rule.answer != nil {
            lines += rule.candidates.map { ("also", $0) } + [("time", rule["time"]?.string)]
            lines += rule.list("flags").map { ("flag", $0) }
        }
        return entry("\(rule.text("id")): \(what)", lines + [("source", rule.text("source"))])
    }

    private func explainFacts(_ name: String) -> String {
        let rows = MappingTables.ruleFiles.flatMap { file, what in file.rows("facts").map { ($0, what) } }
        let having = rows.filter { $0.0.list("values").contains { means($0, name) } }.map { $0.0.text("fact") }
        return rows.filter { means($0.0.text("fact"), name) }.map { row, what in
            entry(
                "\(row.text("fact")): \(what)", ("values", row.list("values").joined(separator: ", ")),
                ("meaning", row.factMeaning))
        }.joined() + (having.isEmpty ? "" : entry("\(name): value of facts", ("of", list(having))))
    }

    private func explainFlag(_ name: String) -> String {
        flags.filter { means($0.text("flag"), name) }.map { row in
            entry(
                "\(row.text("flag")): flag (\(row.text("severity")))", ("meaning", row.text("meaning")),
                ("settle", row.text("settles")))
        }.joined()
    }

    private func explainCodes(_ name: String) -> String {
        let error = ErrorCodes.all.first { $0.code == name.lowercased() }
        return (error.map { entry("\($0.code): error code", ("meaning", $0.meaning)) } ?? "")
            + ErrorCodes.summaryWords.filter { means($0.word, name) }
            .map { entry("\($0.word): word of the summary", ("meaning", $0.meaning)) }.joined()
    }
}
