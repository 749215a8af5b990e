extension DecisionTable {
    private static let file = "v1-to-v2.json"

    /// Reads the table, refusing unknown keys, facts, values, flags and pairs, ids used twice, rules that an earlier
    /// rule leaves nothing for, and types without a last rule that always holds.
    convenience init(_ bytes: [UInt8], events: EventTable, flags: FlagTable) throws(TableError) {
        let top = try TableRow(
            try Tables.tree(bytes, Self.file), table: Self.file, named: .fixed(""),
            keys: ["version", "about", "parameters", "facts", "timeline", "types", "adjustments"])
        let facts = try Fact.list.rows(try top.trees("facts"), table: Self.file)
        let codes = try FactCodes(facts, Fact.list, table: Self.file)
        var reader = Reader(RuleReader(Self.file, Fact.list, events: events, flags: flags))
        var adjustments: [Adjustment] = []
        for tree in try top.trees("adjustments") { adjustments.append(try reader.adjustment(tree)) }
        var types: [TypeRules] = []
        for tree in try top.trees("types") { types.append(try reader.type(tree, adjustments)) }
        var places = NameIndex(ignoresCase: true)
        for (place, type) in types.enumerated() {
            for name in [type.type] + type.aliases {
                guard places.insert(name, place) else {
                    throw TableError(table: Self.file, row: name, problem: "the name is used twice")
                }
            }
        }
        for adjustment in adjustments {
            for type in adjustment.types.sorted() where places.number(of: type, exactly: true) == nil {
                throw TableError(table: Self.file, row: adjustment.id, problem: "no such type \"\(type)\"")
            }
        }
        guard let timelineBlock = top["timeline"] else { throw top.error("no timeline") }
        let timeline = try TimelineRules(timelineBlock, reader.rules, types: places)
        self.init(
            version: try top.string("version"), parameters: try Parameters(top["parameters"], table: Self.file),
            types: types, timeline: timeline, events: events, facts: facts, codes: codes,
            typesByName: places)
    }

    /// Reads types, rules and adjustments; counts the rules.
    private struct Reader {
        let rules: RuleReader
        /// How many rules it has read.
        private var count = 0

        init(_ rules: RuleReader) {
            self.rules = rules
        }

        mutating func type(_ tree: JSONTree, _ adjustments: [Adjustment]) throws(TableError) -> TypeRules {
            let row = try TableRow(
                tree, table: DecisionTable.file, named: .member("type"),
                keys: ["type", "meaning", "aliases", "time", "subject", "transaction", "rules"],
                optional: ["since", "pending"])
            var time: TypeRules.Time?
            if let name = try row.optionalString("time") {
                guard let known = TypeRules.Time(rawValue: name) else { throw row.error("no such time \"\(name)\"") }
                time = known
            }
            let since = row["since"] == nil ? nil : try self.rules.conditions(row, "since")
            guard let subject = TypeRules.Subject(rawValue: try row.string("subject")),
                let transaction = TypeRules.Transaction(rawValue: try row.string("transaction"))
            else { throw row.error("no such subject or transaction") }
            var pending: TypeRules.Pending?
            if let name = row["pending"] == nil ? nil : try row.string("pending") {
                guard let known = TypeRules.Pending(rawValue: name) else {
                    throw row.error("no such pending \"\(name)\"")
                }
                pending = known
            }
            let rules = try self.rules.rules(
                try row.trees("rules"), keys: Self.ruleKeys, optional: ["time"]
            ) { (row, head) throws(TableError) in try rule(row, head) }
            guard rules.last?.conditions.isEmpty == true else {
                throw row.error("the last rule of a type must have no conditions")
            }
            let name = try row.string("type")
            return TypeRules(
                type: name, meaning: try row.string("meaning"), aliases: try row.strings("aliases"),
                shape: TypeRules.Shape(time: time, subject: subject, pending: pending, transaction: transaction),
                since: since, rules: rules,
                adjustments: adjustments.filter { $0.types.isEmpty || $0.types.contains(name) })
        }

        private static let ruleKeys: [StaticString] = [
            "id", "when", "then", "certainty", "flags", "candidates", "source",
        ]

        private mutating func rule(_ row: TableRow, _ head: RuleReader.Head) throws(TableError) -> Rule {
            guard let certainty = Certainty(rawValue: try row.string("certainty")), certainty != .unknown else {
                throw row.error("no such certainty")
            }
            guard let then = row["then"] else { throw row.error("\"then\" is missing") }
            let chosen: Rule.Answer
            switch (then.parts.count, then.member("companion")?.kind, then.member("pair")) {
            case (2, .true?, _): chosen = .companion
            case (2, _, let name?) where name.kind == .string: chosen = try answer(name, row)
            default: throw row.error("\"then\" is neither a pair nor a companion")
            }
            let time = row["time"]
            guard time == nil || time?.kind == .null else { throw row.error("\"time\" can only be null") }
            let candidates = try answers(row)
            guard certainty != .exact || candidates.isEmpty else {
                throw row.error("an exact rule must not have candidates")
            }
            count += 1
            return Rule(
                row: head.row, number: count - 1, conditions: head.conditions, answer: chosen, certainty: certainty,
                flags: head.flags, candidates: candidates, isTimeless: time != nil)
        }

        func adjustment(_ tree: JSONTree) throws(TableError) -> Adjustment {
            try rules.row(
                tree, keys: ["id", "types", "when", "flags", "atMost", "source"], optional: ["candidates"]
            ) { (row, head) throws(TableError) in
                var limit: Certainty?
                if let name = try row.optionalString("atMost") {
                    guard let known = Certainty(rawValue: name) else { throw row.error("no such certainty") }
                    limit = known
                }
                let candidates = row["candidates"] == nil ? nil : try answers(row)
                guard candidates == nil || limit != nil && limit != .exact else {
                    throw row.error("an adjustment with candidates must limit the certainty (`atMost`)")
                }
                return Adjustment(
                    row: head.row, types: try row.strings("types"), conditions: head.conditions, flags: head.flags,
                    atMost: limit,
                    candidates: candidates ?? [])
            }
        }

        /// The answers that a row leaves possible.
        private func answers(_ row: TableRow) throws(TableError) -> [Rule.Answer] {
            var answers: [Rule.Answer] = []
            for name in try row.texts("candidates") { answers.append(try answer(name, row)) }
            return answers
        }

        private func answer(_ name: JSONTree, _ row: TableRow) throws(TableError) -> Rule.Answer {
            if name.says("companion") { return .companion }
            return .pair(try self.rules.pair(name, row))
        }
    }
}
