extension MappingDocument {
    /// The rules for what V1 never sent, as Markdown.
    var silentEvents: String {
        var text =
            "\n## Silent events\n\nWhat V2 would have sent and V1 never did, deduced from what a timeline shows. "
            + "The first rule whose conditions all hold decides.\n\n"
        text += "| rule | when | then | also possible | time | inferred with | flags | source |\n"
        text += "|---|---|---|---|---|---|---|---|\n"
        for rule in silent.rules {
            text += Self.row([
                "`\(rule.id)`", SilentFact.list.words(rule.conditions),
                rule.pair.map { Self.display(table.events.pairs[$0]) } ?? "-",
                rule.candidates.map { Self.display(table.events.pairs[$0]) }.joined(separator: ", "),
                rule.pair == nil ? "-" : rule.time.rawValue,
                rule.pair == nil ? "-" : rule.isProven ? "`safe`, `all`" : "`all`", names(rule.flags), rule.source,
            ])
        }
        text += "\n| constant | value | meaning | source |\n|---|---|---|---|\n"
        for row in silent.parameters.rows {
            text += Self.row(["`\(row.name)`", "\(row.value)", row.meaning, row.source])
        }
        return text + Self.facts(SilentFact.self, silent.meaning)
    }
}
