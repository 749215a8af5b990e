extension DecisionTable {
    private static let file = "v1-to-v2.json"

    /// Reads the table, refusing unknown keys, facts, values, flags and pairs, ids used twice, rules that an earlier
    /// rule leaves nothing for, and types without a last rule that always holds.
    convenience init(_ bytes: [UInt8], events: EventTable, flags: FlagTable) throws(TableError) {
        let top = try TableRow(
            try Tables.tree(bytes, Self.file), table: Self.file, name: "",
            keys: ["version", "about", "parameters", "facts", "timeline", "types", "adjustments"])
        let meanings = try Self.facts(try top.trees("facts"))
        var reader = Reader(events: events, flags: flags)
        var adjustments: [Adjustment] = []
        for tree in try top.trees("adjustments") { adjustments.append(try reader.adjustment(tree)) }
        var types: [TypeRules] = []
        for tree in try top.trees("types") { types.append(try reader.type(tree, adjustments)) }
        var places: [String: Int] = [:]
        for (place, type) in types.enumerated() {
            for name in [type.type] + type.aliases {
                guard places.updateValue(place, forKey: name.uppercased()) == nil else {
                    throw TableError(table: Self.file, row: name, problem: "twice")
                }
            }
        }
        for adjustment in adjustments {
            for type in adjustment.types.sorted() where places[type] == nil {
                throw TableError(table: Self.file, row: adjustment.id, problem: "no such type \"\(type)\"")
            }
        }
        let timeline = try TimelineRules(top["timeline"] ?? .null, events: events, flags: flags, types: places)
        guard let parameters = top["parameters"] else { throw top.error("no parameters") }
        self.init(
            version: try top.string("version"), parameters: try Parameters(parameters, table: Self.file),
            types: types, timeline: timeline, events: events, meanings: meanings, typesByName: places)
    }

    /// The meanings of the facts; makes sure that the facts the table explains are those the code computes.
    private static func facts(_ trees: [JSONTree]) throws(TableError) -> [String: String] {
        var meanings: [String: String] = [:]
        for tree in trees {
            let row = try TableRow(
                tree, table: file, name: tree["fact"]?.string ?? "?", keys: ["fact", "values", "meaning"])
            let name = try row.string("fact")
            guard let fact = Fact.named(name) else { throw row.error("no such fact") }
            guard try row.strings("values") == fact.values else { throw row.error("its values are \(fact.values)") }
            guard meanings.updateValue(try row.string("meaning"), forKey: name) == nil else {
                throw row.error("twice")
            }
        }
        for fact in Fact.allCases where meanings[fact.name] == nil {
            throw TableError(table: file, row: fact.name, problem: "the fact is not explained")
        }
        return meanings
    }

    /// Reads rows and keeps the ids it has met.
    private struct Reader {
        let events: EventTable
        let flags: FlagTable
        var ids: Set<String> = []

        mutating func type(_ tree: JSONTree, _ adjustments: [Adjustment]) throws(TableError) -> TypeRules {
            let row = try TableRow(
                tree, table: DecisionTable.file, name: tree["type"]?.string ?? "?",
                keys: ["type", "aliases", "time", "subject", "transaction", "rules"])
            var time: TypeRules.Time?
            if let name = try row.optionalString("time") {
                guard let known = TypeRules.Time(rawValue: name) else { throw row.error("no such time \"\(name)\"") }
                time = known
            }
            guard let subject = TypeRules.Subject(rawValue: try row.string("subject")),
                let transaction = TypeRules.Transaction(rawValue: try row.string("transaction"))
            else { throw row.error("no such subject or transaction") }
            var rules: [Rule] = []
            for tree in try row.trees("rules") {
                let rule = try self.rule(tree)
                if let before = rules.first(where: { Self.covers($0.conditions, rule.conditions) }) {
                    throw TableError(
                        table: DecisionTable.file, row: rule.id, problem: "\(before.id) leaves nothing for it")
                }
                rules.append(rule)
            }
            guard rules.last?.conditions.isEmpty == true else { throw row.error("no last rule without conditions") }
            let name = try row.string("type")
            return TypeRules(
                type: name, aliases: try row.strings("aliases"),
                shape: TypeRules.Shape(time: time, subject: subject, transaction: transaction), rules: rules,
                adjustments: adjustments.filter { $0.types.isEmpty || $0.types.contains(name) })
        }

        /// Whether everything that meets the later conditions meets the earlier ones.
        private static func covers(_ earlier: [Rule.Condition], _ later: [Rule.Condition]) -> Bool {
            earlier.allSatisfy { wanted in
                later.contains { $0.fact == wanted.fact && $0.allowed & ~wanted.allowed == 0 }
            }
        }

        private mutating func rule(_ tree: JSONTree) throws(TableError) -> Rule {
            let row = try TableRow(
                tree, table: DecisionTable.file, name: tree["id"]?.string ?? "?",
                keys: ["id", "when", "then", "certainty", "flags", "candidates", "source"], optional: ["time"])
            try take(row)
            guard let certainty = Certainty(rawValue: try row.string("certainty")), certainty != .unknown else {
                throw row.error("no such certainty")
            }
            guard let then = row["then"] else { throw row.error("\"then\" is missing") }
            let candidates = try row.strings("candidates").map { name throws(TableError) in
                try answer(name, row)
            }
            let chosen: Rule.Answer
            switch (then.keys, then["companion"], then["pair"]?.string) {
            case (["companion"], .bool(true)?, _): chosen = .companion
            case (["pair"], _, let name?): chosen = try answer(name, row)
            default: throw row.error("\"then\" is neither a pair nor a companion")
            }
            guard row["time"] == nil || row["time"] == .null else { throw row.error("\"time\" can only be null") }
            guard certainty != .exact || candidates.isEmpty else { throw row.error("exact, and yet with candidates") }
            return Rule(
                id: try row.string("id"), conditions: try Rule.Condition.all(of: row), answer: chosen,
                certainty: certainty, flags: try flagSet(row), candidates: candidates, isTimeless: row["time"] != nil,
                source: try source(row)
            )
        }

        mutating func adjustment(_ tree: JSONTree) throws(TableError) -> Adjustment {
            let row = try TableRow(
                tree, table: DecisionTable.file, name: tree["id"]?.string ?? "?",
                keys: ["id", "types", "when", "flags", "atMost", "source"])
            try take(row)
            var limit: Certainty?
            if let name = try row.optionalString("atMost") {
                guard let known = Certainty(rawValue: name) else { throw row.error("no such certainty") }
                limit = known
            }
            return Adjustment(
                id: try row.string("id"), types: Set(try row.strings("types")),
                conditions: try Rule.Condition.all(of: row),
                flags: try flagSet(row), atMost: limit, source: try source(row))
        }

        private mutating func take(_ row: TableRow) throws(TableError) {
            let id = try row.string("id")
            guard ids.insert(id).inserted else { throw row.error("the id is used twice") }
            guard !id.isEmpty, id.utf8.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }) else {
                throw row.error("the id is not in kebab-case")
            }
        }

        private func source(_ row: TableRow) throws(TableError) -> String {
            let source = try row.string("source")
            guard !source.isEmpty else { throw row.error("no source") }
            return source
        }

        private func answer(_ name: String, _ row: TableRow) throws(TableError) -> Rule.Answer {
            if name == "companion" { return .companion }
            guard let pair = events.pair(name) else { throw row.error("no such pair \"\(name)\"") }
            return .pair(pair)
        }

        private func flagSet(_ row: TableRow) throws(TableError) -> FlagSet {
            var set = FlagSet(rawValue: 0)
            for name in try row.strings("flags") {
                guard let number = flags.number(name) else { throw row.error("no such flag \"\(name)\"") }
                set.formUnion(FlagSet(rawValue: 1 << UInt64(number)))
            }
            return set
        }
    }
}

extension Rule.Condition {
    /// The conditions of a row's `when`.
    static func all(of row: TableRow) throws(TableError) -> [Rule.Condition] {
        guard let when = row["when"], case .object(let members) = when else {
            throw row.error("\"when\" is not an object")
        }
        var conditions: [Rule.Condition] = []
        for fact in Fact.allCases {
            guard let wanted = members[fact.name] else { continue }
            let names = wanted.string.map { [$0] } ?? (wanted.elements ?? []).compactMap(\.string)
            var allowed: UInt16 = 0
            for name in names {
                guard let value = fact.values.firstIndex(of: name) else {
                    throw row.error("\(fact.name) is never \"\(name)\"")
                }
                allowed |= 1 << UInt16(value)
            }
            guard allowed != 0 else { throw row.error("\(fact.name) is nothing") }
            conditions.append(Rule.Condition(fact: fact.index, allowed: allowed))
        }
        for name in members.keys.sorted() where Fact.named(name) == nil {
            throw row.error("no such fact \"\(name)\"")
        }
        return conditions
    }
}
