import Mappings

/// The tables of this build as documents: for people (Markdown), programs (JSON) and spreadsheets (CSV).
package struct MappingDocument {
    let table: DecisionTable
    private let flags: FlagTable
    private let fields: FieldTable
    let silent: SilentTable

    /// A document of this build's tables.
    package init() {
        self.init(.current, .current, .current, .current)
    }

    init(_ table: DecisionTable, _ flags: FlagTable, _ fields: FieldTable, _ silent: SilentTable) {
        self.table = table
        self.flags = flags
        self.fields = fields
        self.silent = silent
    }

    /// Everything a reviewer needs, as Markdown: `Mappings/README.md`.
    package var markdown: String {
        var text = """
            # Mappings

            Generated from the JSON files in this folder; change those and run `RECORD=1 swift test --filter Generated`.
            Rules version \(table.version).

            ## V1 to V2

            The first rule of a type whose conditions all hold decides. A condition on an unknown fact does not hold unless
            `unknown` is named; what unknown facts leave open joins the candidates.

            """
        for type in table.types { text += section(type) }
        text += adjustments + facts + silentEvents + pairs + flagSection + losses
        return text
    }

    private func section(_ type: TypeRules) -> String {
        var text = "\n### \(type.type)\n\n"
        if !type.aliases.isEmpty {
            text += "Also written \(type.aliases.map { "`\($0)`" }.joined(separator: ", ")).\n\n"
        }
        text += "| rule | when | then | certainty | also possible | flags | source |\n|---|---|---|---|---|---|---|\n"
        for rule in type.rules {
            text += Self.row([
                "`\(rule.id)`", conditions(rule.conditions), name(rule.answer), rule.certainty.rawValue,
                rule.candidates.map(name).joined(separator: ", "), names(rule.flags), rule.source,
            ])
        }
        return text
    }

    private var adjustments: String {
        var text =
            "\n### Adjustments\n\nApplied after the rule: every adjustment whose conditions hold. One that settles flags applies only where the rule has one of them.\n\n"
        text += "| adjustment | types | when | flags | settles | certainty at most | candidates | source |\n"
        text += "|---|---|---|---|---|---|---|---|\n"
        for adjustment in allAdjustments {
            text += Self.row([
                "`\(adjustment.id)`",
                adjustment.types.isEmpty ? "all" : adjustment.types.sorted().joined(separator: ", "),
                conditions(adjustment.conditions), names(adjustment.flags), names(adjustment.settles),
                adjustment.atMost?.rawValue ?? "",
                adjustment.candidates.map(name).joined(separator: ", "),
                adjustment.source,
            ])
        }
        return text
    }

    private var allAdjustments: [Adjustment] {
        var seen: Set<String> = []
        return table.types.flatMap(\.adjustments).filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }
    }

    private var facts: String {
        "\n## Facts\n" + Self.facts(Fact.self, table.meaning)
    }

    /// The facts of a kind as a table.
    static func facts<Key: FactKey>(_ kind: Key.Type, _ meaning: (Key) -> String) -> String {
        var text = "\n| fact | values | meaning |\n|---|---|---|\n"
        for fact in kind.allCases {
            text += row(["`\(fact.name)`", fact.values.joined(separator: ", "), meaning(fact)])
        }
        return text
    }

    private var pairs: String {
        var text =
            "\n## V2 to events\n\n| V2 | event | entitlement | since | status | meaning |\n|---|---|---|---|---|---|\n"
        for pair in table.events.pairs {
            text += Self.row([
                Self.display(pair), "`\(pair.kind)`", pair.entitlement.rawValue, pair.since, pair.status, pair.meaning,
            ])
        }
        text += "\n### What pairs do to access\n\n\(table.events.access.about)\n\n"
        text += "| effect | pairs | meaning |\n|---|---|---|\n"
        for row in table.events.access.rows {
            let names = row.pairs.compactMap { table.events.pair($0) }.map { Self.display(table.events.pairs[$0]) }
            text += Self.row([row.name, names.joined(separator: ", "), row.meaning])
        }
        return text
    }

    private var flagSection: String {
        var text = "\n## Flags\n\n| flag | severity | meaning | what would settle it |\n|---|---|---|---|\n"
        for row in flags.rows { text += Self.row(["`\(row.flag)`", row.severity, row.meaning, row.settles]) }
        return text
    }

    private var losses: String {
        var text = "\n## Fields\n\n| V1 | V2 | event | conversion | note |\n|---|---|---|---|---|\n"
        for field in fields.fields {
            let conversion = field.constant.map { "\(field.conversion) (\($0))" } ?? field.conversion
            text += Self.row([field.v1, field.v2 ?? "-", field.event ?? "-", conversion, field.note])
        }
        text += "\n### What V1 never had\n\n| V2 field | of | why | recoverable |\n|---|---|---|---|\n"
        for loss in fields.losses { text += Self.row([loss.field, loss.object, loss.meaning, loss.recoverable]) }
        return text
    }

    /// The short table for a reader who wants to know what to expect: of each V1 type, the pairs and how sure they are.
    package var summary: String {
        var text = "| V1 | V2, exact | V2, inferred or ambiguous |\n|---|---|---|\n"
        for type in table.types {
            var exact: [String] = []
            var other: [String] = []
            for rule in type.rules {
                let name = name(rule.answer)
                if rule.certainty == .exact {
                    if !exact.contains(name) { exact.append(name) }
                } else if !other.contains(name) {
                    other.append(name)
                }
            }
            text += Self.row(["`\(type.type)`", exact.joined(separator: ", "), other.joined(separator: ", ")])
        }
        return text
    }

    /// The JSON files of this build as one JSON object, by their names.
    package var json: String {
        let files: [(String, StaticString)] = [
            ("v1-to-v2", Mappings.v1ToV2), ("v2-to-event", Mappings.v2ToEvent), ("flags", Mappings.flags),
            ("fields", Mappings.fields), ("silent-events", Mappings.silentEvents),
        ]
        return "{\n" + files.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ",\n") + "\n}\n"
    }

    /// One row for each rule, separated by commas, quoted as RFC 4180 says.
    package var csv: String {
        var text = "v1_type,rule,when,then,certainty,candidates,flags,source\r\n"
        for type in table.types {
            for rule in type.rules {
                let cells = [
                    type.type, rule.id, conditions(rule.conditions), name(rule.answer), rule.certainty.rawValue,
                    rule.candidates.map(name).joined(separator: " "), names(rule.flags).replacing("`", with: ""),
                    rule.source,
                ]
                text += cells.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\r\n"
            }
        }
        return text
    }

    // MARK: Words

    func name(_ answer: Rule.Answer) -> String {
        switch answer {
        case .companion: "(companion)"
        case .pair(let place): Self.display(table.events.pairs[place])
        }
    }

    static func display(_ pair: EventTable.Pair) -> String {
        pair.subtype.map { "\(pair.type)/\($0)" } ?? pair.type
    }

    func conditions(_ conditions: [Rule.Condition]) -> String { Fact.list.words(conditions) }

    func names(_ set: FlagSet) -> String {
        set.numbers.map { "`\(flags.rows[$0].flag)`" }.joined(separator: " ")
    }

    static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
}

extension String {
    /// Every `old` replaced by `new`; without Foundation and without regular expressions.
    func replacing(_ old: Character, with new: String) -> String {
        var text = ""
        for character in self {
            if character == old { text += new } else { text.append(character) }
        }
        return text
    }
}
