import NotificationMappings
import NotificationTranslation

/// The tables of this build as documents: for people (Markdown), programs (JSON) and spreadsheets (CSV).
enum MappingDocument {
    /// Everything a reviewer needs, as Markdown: `Mappings/README.md`.
    static var markdown: String {
        """
        # Mappings

        Generated from the JSON files in this folder; change those and run `RECORD=1 swift test --filter Generated`.
        Rules version \(MappingTables.version).

        ## V1 to V2

        The first rule of a type whose conditions all hold decides. A condition on an unknown fact does not hold unless
        `unknown` is named; what unknown facts leave open joins the candidates.

        """ + types + adjustments + constants + "\n## Facts\n" + facts(of: MappingTables.decisions) + silentEvents
            + pairs + flags
            + fields
    }

    private static var types: String {
        MappingTables.decisions.rows("types").map { type in
            let aliases = type.list("aliases").map { "`\($0)`" }.joined(separator: ", ")
            let head = "\n### \(type.text("type"))\n\n\(type.text("meaning"))\n\n"
            return head + (aliases.isEmpty ? "" : "Also written \(aliases).\n\n")
                + table(
                    ["rule", "when", "then", "certainty", "also possible", "flags", "source"],
                    type.rows("rules").map { rule in
                        [
                            "`\(rule.text("id"))`", rule.conditions, rule.answer ?? "-", rule.text("certainty"),
                            rule.candidates.joined(separator: ", "), quoted(rule.list("flags")), rule.text("source"),
                        ]
                    })
        }.joined()
    }

    private static var adjustments: String {
        "\n### Adjustments\n\nApplied after the rule: every adjustment whose conditions hold. One that settles flags applies only where the rule has one of them.\n\n"
            + table(
                ["adjustment", "types", "when", "flags", "settles", "certainty at most", "candidates", "source"],
                MappingTables.decisions.rows("adjustments").sorted { $0.text("id") < $1.text("id") }.map { row in
                    [
                        "`\(row.text("id"))`",
                        row.list("types").isEmpty ? "all" : row.list("types").sorted().joined(separator: ", "),
                        row.conditions, quoted(row.list("flags")), quoted(row.list("settles")), row.text("atMost"),
                        row.candidates.joined(separator: ", "), row.text("source"),
                    ]
                })
    }

    /// The constants of both files of rules, and the eras.
    private static var constants: String {
        let parameters = MappingTables.decisions["parameters"]
        let rows = (parameters?.keys ?? []).compactMap { name -> [String]? in
            guard let row = parameters?[name], let value = row["value"] else { return nil }
            let values = value.elements.map { $0.map(\.characters) } ?? [value.characters]
            return ["`\(name)`", values.joined(separator: ", "), row.text("meaning"), row.text("source")]
        }
        let eras = parameters?.rows("eras").map { ["`\($0.text("era"))`", $0.text("from"), $0.text("source")] }
        return "\n## Constants\n\nOf both V1 rules and silent events.\n\n"
            + table(["constant", "value", "meaning", "source"], rows)
            + "\n" + table(["era", "from", "source"], eras ?? [])
    }

    private static func facts(of file: JSONTree) -> String {
        "\n"
            + table(
                ["fact", "values", "meaning"],
                file.rows("facts").map { row in
                    ["`\(row.text("fact"))`", row.list("values").joined(separator: ", "), row.factMeaning]
                })
    }

    private static var silentEvents: String {
        let rules = MappingTables.silent.rows("rules").map { rule in
            let inferredWith = rule.text("proof") == "safe" ? "`safe`, `all`" : "`all`"
            return [
                "`\(rule.text("id"))`", rule.conditions, rule.answer ?? "-",
                rule.candidates.joined(separator: ", "), rule.answer == nil ? "-" : rule.text("time"),
                rule.answer == nil ? "-" : inferredWith, quoted(rule.list("flags")), rule.text("source"),
            ]
        }
        let gaps = MappingTables.silent.rows("gaps").map { gap in
            ["`\(gap.text("id"))`", gap.conditions, quoted(gap.list("flags")), gap.text("source")]
        }
        let states = MappingTables.silent.rows("states").map { rule in
            let numbers = rule.keys.compactMap { key in Int64(rule[key]?.characters ?? "").map { "\(key) = \($0)" } }
            let when =
                numbers.isEmpty
                ? "one of " + rule.list("pairs").map(JSONTree.pairName).joined(separator: ", ")
                : numbers.joined(separator: " and ")
            return ["`\(rule.text("id"))`", when] + ["meaning", "source"].map(rule.text)
        }
        return "\n## Silent events\n\nWhat V2 would have sent and V1 never did, deduced from what a timeline shows. "
            + "The first rule whose conditions all hold decides.\n\n"
            + table(["rule", "when", "then", "also possible", "time", "inferred with", "flags", "source"], rules)
            + "\nAn end that is only likely has \"nothing happened\" among its candidates where one of these holds:\n\n"
            + table(["gap", "when", "flags", "source"], gaps)
            + "\nRules that deduce the state of a subscription when no notification reports it:\n\n"
            + table(["rule", "when", "meaning", "source"], states) + facts(of: MappingTables.silent)
    }

    private static var pairs: String {
        let access = MappingTables.events["access"]
        return "\n## V2 to events\n\n"
            + table(
                ["V2", "event", "entitlement", "since", "status", "meaning"],
                MappingTables.events.rows("pairs").map { pair in
                    [
                        pair.pairName, "`\(pair.text("kind"))`", pair.text("entitlement"), pair.text("since"),
                        pair.text("status"), pair.text("meaning"),
                    ]
                }) + "\n### What pairs do to access\n\n\(access?.text("about") ?? "")\n\n"
            + table(
                ["effect", "pairs", "meaning"],
                (access?.rows("effects") ?? []).map { row in
                    let pairs = row.list("pairs").map(JSONTree.pairName).joined(separator: ", ")
                    return [row.text("effect"), pairs, row.text("meaning")]
                }) + "\n\(access?["partial"]?.text("meaning") ?? "")\n"
    }

    private static var flags: String {
        "\n## Flags\n\n"
            + table(
                ["flag", "severity", "meaning", "what would settle it"],
                MappingTables.flags.rows("flags").map { row in
                    ["`\(row.text("flag"))`", row.text("severity"), row.text("meaning"), row.text("settles")]
                })
    }

    private static var fields: String {
        "\n## Fields\n\n"
            + table(
                ["V1", "V2", "event", "conversion", "note"],
                MappingTables.fields.rows("fields").map { field in
                    let constant = field["constant"]?.string.map { " (\($0))" } ?? ""
                    return [
                        field.text("v1"), field["v2"]?.string ?? "-", field["event"]?.string ?? "-",
                        field.text("conversion") + constant, field.text("note"),
                    ]
                }) + "\n### What V1 never had\n\n"
            + table(
                ["V2 field", "of", "why", "recoverable"],
                MappingTables.fields.rows("losses").map { loss in
                    [loss.text("field"), loss.text("object"), loss.text("meaning"), loss.text("recoverable")]
                }) + "\n### Names that do not show whose a body is\n\n"
            + table(
                ["sign", "names", "meaning", "source"],
                MappingTables.fields.rows("signs").map { sign in
                    [sign.text("sign"), quoted(sign.list("names")), sign.text("meaning"), sign.text("source")]
                })
    }

    /// The JSON files of this build as one JSON object, by their names.
    static var json: String {
        let files: [(String, StaticString)] = [
            ("v1-to-v2", Mappings.v1ToV2), ("v2-to-event", Mappings.v2ToEvent), ("flags", Mappings.flags),
            ("fields", Mappings.fields), ("silent-events", Mappings.silentEvents), ("event", Mappings.event),
        ]
        return "{\n" + files.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ",\n") + "\n}\n"
    }

    /// One row for each rule, separated by commas, quoted as RFC 4180 says.
    static var csv: String {
        var text = "v1_type,rule,when,then,certainty,candidates,flags,source\r\n"
        for type in MappingTables.decisions.rows("types") {
            for rule in type.rows("rules") {
                let cells = [
                    type.text("type"), rule.text("id"), rule.conditions, rule.answer ?? "", rule.text("certainty"),
                    rule.candidates.joined(separator: " "), rule.list("flags").joined(separator: " "),
                    rule.text("source"),
                ]
                text += cells.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\r\n"
            }
        }
        return text
    }

    private static func quoted(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " ") }

    private static func table(_ heads: [String], _ rows: [[String]]) -> String {
        line(heads) + "|" + String(repeating: "---|", count: heads.count) + "\n" + rows.map(line).joined()
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
}
