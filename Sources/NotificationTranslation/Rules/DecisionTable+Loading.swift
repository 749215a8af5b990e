extension DecisionTable {
    private static let file = "v1-to-v2.json"

    /// Reads the table, refusing unknown keys, facts, values, flags and pairs, ids used twice, rules that an earlier
    /// rule leaves nothing for, and types without a last rule that always holds.
    convenience init(_ bytes: [UInt8], events: EventTable, flags: FlagTable) throws(TableError) {
        let top = try TableRow(
            try Tables.tree(bytes, Self.file), table: Self.file, named: .fixed(""),
            keys: ["version", "about", "parameters", "facts", "timeline", "types", "adjustments"])
        let facts = try Self.facts(try top.trees("facts"))
        var reader = Reader(events: events, flags: flags)
        var adjustments: [Adjustment] = []
        for tree in try top.trees("adjustments") { adjustments.append(try reader.adjustment(tree)) }
        var types: [TypeRules] = []
        for tree in try top.trees("types") { types.append(try reader.type(tree, adjustments)) }
        var places = NameIndex(count: 64, ignoresCase: true)
        for (place, type) in types.enumerated() {
            for name in [type.type] + type.aliases {
                guard places.insert(name, place) else {
                    throw TableError(table: Self.file, row: name, problem: "twice")
                }
            }
        }
        for adjustment in adjustments {
            for type in adjustment.types.sorted() where places.number(of: type, exactly: true) == nil {
                throw TableError(table: Self.file, row: adjustment.id, problem: "no such type \"\(type)\"")
            }
        }
        guard let timelineBlock = top["timeline"] else { throw top.error("no timeline") }
        let timeline = try TimelineRules(timelineBlock, events: events, flags: flags, types: places)
        guard let parameters = top["parameters"] else { throw top.error("no parameters") }
        self.init(
            version: try top.string("version"), parameters: try Parameters(parameters, table: Self.file),
            types: types, timeline: timeline, events: events, facts: facts, typesByName: places)
    }

    /// The rows of the facts, in their order; makes sure that the facts the table explains are those the code computes.
    private static func facts(_ trees: JSONTree.Parts) throws(TableError) -> [JSONTree] {
        var rows = [JSONTree?](repeating: nil, count: Fact.allCases.count)
        for tree in trees {
            let row = try TableRow(
                tree, table: file, named: .member("fact"), keys: ["fact", "values", "meaning"])
            guard let fact = Fact.named(try row.text("fact")) else { throw row.error("no such fact") }
            guard try row.texts("values").elementsEqual(fact.values, by: { $0.says($1) }) else {
                throw row.error("its values are \(fact.values)")
            }
            try row.checkStrings("meaning")
            guard rows[fact.index] == nil else { throw row.error("twice") }
            rows[fact.index] = tree
        }
        for fact in Fact.allCases where rows[fact.index] == nil {
            throw TableError(table: file, row: fact.name, problem: "the fact is not explained")
        }
        return rows.compactMap { $0 }
    }

    /// Reads rows and keeps the ids it has met.
    private struct Reader {
        let events: EventTable
        let flags: FlagTable
        private var ids = NameIndex(count: 256)
        private var rules = 0

        init(events: EventTable, flags: FlagTable) {
            self.events = events
            self.flags = flags
        }

        mutating func type(_ tree: JSONTree, _ adjustments: [Adjustment]) throws(TableError) -> TypeRules {
            let row = try TableRow(
                tree, table: DecisionTable.file, named: .member("type"),
                keys: ["type", "aliases", "time", "subject", "transaction", "rules"], optional: ["since"])
            var time: TypeRules.Time?
            if let name = try row.optionalString("time") {
                guard let known = TypeRules.Time(rawValue: name) else { throw row.error("no such time \"\(name)\"") }
                time = known
            }
            let since = row["since"] == nil ? nil : try Rule.Condition.all(of: row, "since")
            guard let subject = TypeRules.Subject(rawValue: try row.string("subject")),
                let transaction = TypeRules.Transaction(rawValue: try row.string("transaction"))
            else { throw row.error("no such subject or transaction") }
            var rules: [Rule] = []
            for tree in try row.trees("rules") {
                let rule = try self.rule(tree)
                if let before = rules.indices.first(where: { Self.covers(rules[$0].conditions, rule.conditions) }) {
                    throw TableError(
                        table: DecisionTable.file, row: rule.id, problem: "\(rules[before].id) leaves nothing for it")
                }
                rules.append(rule)
            }
            guard rules.last?.conditions.isEmpty == true else { throw row.error("no last rule without conditions") }
            let name = try row.string("type")
            return TypeRules(
                type: name, aliases: try row.strings("aliases"),
                shape: TypeRules.Shape(time: time, subject: subject, transaction: transaction), since: since,
                rules: rules,
                adjustments: adjustments.filter { $0.types.isEmpty || $0.types.contains(name) })
        }

        /// Whether everything that meets the later conditions meets the earlier ones.
        private static func covers(_ earlier: [Rule.Condition], _ later: [Rule.Condition]) -> Bool {
            earlier.allSatisfy { wanted in
                later.contains { $0.fact == wanted.fact && $0.allowed & ~wanted.allowed == 0 }
            }
        }

        private static let ruleKeys: [StaticString] = [
            "id", "when", "then", "certainty", "flags", "candidates", "source",
        ]

        private mutating func rule(_ tree: JSONTree) throws(TableError) -> Rule {
            let row = try TableRow(
                tree, table: DecisionTable.file, named: .member("id"), keys: Self.ruleKeys, optional: ["time"])
            try take(row)
            guard let certainty = Certainty(rawValue: try row.string("certainty")), certainty != .unknown else {
                throw row.error("no such certainty")
            }
            guard let then = row["then"] else { throw row.error("\"then\" is missing") }
            var candidates: [Rule.Answer] = []
            for name in try row.texts("candidates") { candidates.append(try answer(name, row)) }
            let chosen: Rule.Answer
            switch (then.parts.count, then.member("companion")?.kind, then.member("pair")) {
            case (2, .true?, _): chosen = .companion
            case (2, _, let name?) where name.kind == .string: chosen = try answer(name, row)
            default: throw row.error("\"then\" is neither a pair nor a companion")
            }
            let time = row["time"]
            guard time == nil || time?.kind == .null else { throw row.error("\"time\" can only be null") }
            guard certainty != .exact || candidates.isEmpty else { throw row.error("exact, and yet with candidates") }
            let conditions = try Rule.Condition.all(of: row)
            let flags = try flagSet(row)
            try checkSource(row)
            rules += 1
            return Rule(
                row: tree, number: rules - 1, conditions: conditions, answer: chosen, certainty: certainty,
                flags: flags, candidates: candidates, isTimeless: time != nil)
        }

        mutating func adjustment(_ tree: JSONTree) throws(TableError) -> Adjustment {
            let row = try TableRow(
                tree, table: DecisionTable.file, named: .member("id"),
                keys: ["id", "types", "when", "flags", "atMost", "source"], optional: ["candidates", "settles"])
            try take(row)
            var limit: Certainty?
            if let name = try row.optionalString("atMost") {
                guard let known = Certainty(rawValue: name) else { throw row.error("no such certainty") }
                limit = known
            }
            let types = try row.strings("types")
            let conditions = try Rule.Condition.all(of: row)
            let flags = try flagSet(row)
            try checkSource(row)
            var candidates: [Rule.Answer] = []
            if row["candidates"] != nil {
                for name in try row.texts("candidates") { candidates.append(try answer(name, row)) }
                guard limit != nil, limit != .exact else { throw row.error("candidates beside what may be exact") }
            }
            return Adjustment(
                row: tree, types: types, conditions: conditions, flags: flags,
                settles: row["settles"] == nil ? FlagSet() : try flagSet(row, "settles"), atMost: limit,
                candidates: candidates)
        }

        private mutating func take(_ row: TableRow) throws(TableError) {
            let id = try row.text("id")
            let problem: String? = id.withCharacters { id in
                guard ids.insert(id, 0) else { return "the id is used twice" }
                let isKebabCase =
                    !id.isEmpty && id.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
                return isKebabCase ? nil : "the id is not in kebab-case"
            }
            if let problem { throw row.error(problem) }
        }

        private func checkSource(_ row: TableRow) throws(TableError) {
            let isEmpty = try row.text("source").withCharacters(\.isEmpty)
            guard !isEmpty else { throw row.error("no source") }
        }

        private func answer(_ name: JSONTree, _ row: TableRow) throws(TableError) -> Rule.Answer {
            if name.says("companion") { return .companion }
            guard let pair = events.pair(name) else { throw row.error("no such pair \"\(name.characters)\"") }
            return .pair(pair)
        }

        private func flagSet(_ row: TableRow, _ key: StaticString = "flags") throws(TableError) -> FlagSet {
            var set = FlagSet()
            for name in try row.texts(key) {
                guard let number = flags.number(name) else {
                    throw row.error("no such flag \"\(name.characters)\"")
                }
                set.formUnion(FlagSet(number: number))
            }
            return set
        }
    }
}

extension Rule.Condition {
    /// The conditions of a row, in the order of the facts.
    static func all(of row: TableRow, _ key: StaticString = "when") throws(TableError) -> [Rule.Condition] {
        guard let when = row[key], when.kind == .object else {
            throw row.error("\"\(key)\" is not an object")
        }
        var conditions: [Rule.Condition] = []
        // What is wrong is told of the first fact first, and of names that are none last, however they stand.
        var problem: (fact: Int, text: String)?
        var unknown: String?
        var parts = when.parts
        while let key = parts.next(), let wanted = parts.next() {
            guard let fact = Fact.named(key) else {
                unknown = min(unknown ?? key.characters, key.characters)
                continue
            }
            var allowed: UInt16 = 0
            var text: String?
            for name in wanted.kind == .array ? wanted.parts : wanted.alone where name.kind == .string && text == nil {
                if let value = fact.values.firstIndex(where: name.says) {
                    allowed |= 1 << UInt16(value)
                } else {
                    text = "\(fact.name) is never \"\(name.characters)\""
                }
            }
            if text == nil, allowed == 0 { text = "\(fact.name) is nothing" }
            if let text, problem.map({ $0.fact > fact.index }) ?? true { problem = (fact.index, text) }
            let condition = Rule.Condition(fact: fact.index, allowed: allowed)
            if let place = conditions.firstIndex(where: { $0.fact > fact.index }) {
                conditions.insert(condition, at: place)
            } else {
                conditions.append(condition)
            }
        }
        if let problem { throw row.error(problem.text) }
        if let unknown { throw row.error("no such fact \"\(unknown)\"") }
        return conditions
    }
}
