import NotificationMappings

/// `Mappings/v2-to-event.json`: what each V2 pair is in the event model.
struct EventTable: Sendable {
    /// A V2 pair with what it means.
    struct Pair: Sendable {
        /// `TYPE/SUBTYPE`, or `TYPE/` without one.
        let name: String
        let type: String
        let subtype: String?
        let kind: String
        let entitlement: Entitlement
        /// What it does to access; of a type, what holds for subtypes that this build does not know.
        let effect: AccessEffect
        /// Whether a grace period runs when it is sent, whatever else it says.
        let isOfGrace: Bool
        /// Whether nothing but auto-renewable subscriptions has it.
        let isSubscription: Bool
        /// The name of the pair that Apple sends today in its place, `TYPE/SUBTYPE`; `nil` where it is its own.
        let todayName: String?
        /// The texts for events; `kindWhenOn` is the kind if `autoRenewStatus` is 1, and for most pairs it equals `kind`.
        let texts: (type: KeptText, subtype: KeptText?, kind: KeptText, kindWhenOn: KeptText)
        /// What is raised with it.
        let flags: FlagSet
        /// Whether it happened at `revocationDate`, and not when the payload was signed.
        let isDatedByRevocation: Bool
        let row: JSONTree

        /// A row of the table; an effect is given where it does not follow from the entitlement.
        fileprivate init(_ row: TableRow, subtype: String?, _ kinds: Set<String>, _ access: AccessTable?) throws {
            self.subtype = subtype
            self.row = row.tree
            type = try row.string("type")
            kind = try row.string("kind")
            let kindWhenOn = try row.optional("kindWhenOn") ?? kind
            for kind in [kind, kindWhenOn] where !kinds.contains(kind) {
                throw row.error("kind \"\(kind)\" is not in the list")
            }
            texts = (KeptText(type), subtype.map(KeptText.init), KeptText(kind), KeptText(kindWhenOn))
            entitlement = try row.word("entitlement")
            name = type + "/" + (subtype ?? "")
            effect = access?.effects[name] ?? AccessEffect(entitlement)
            isOfGrace = access?.statusesAfter[name].map { $0 == access?.grace } ?? false
            isSubscription = try row.strings("products") == ["auto-renewable"]
            try row.prose("since", "status", "meaning", "source")
            _ = row["sinceDate"]
            todayName = try row.optional("today")
            isDatedByRevocation = try row.optional("time") != nil
            guard row["time"]?.says("revocationDate") ?? true else { throw row.error("no such time") }
            flags = FlagSet(number: try row.optional("flag").flatMap(FlagTable.current.number))
            guard row["flag"] == nil || !flags.isEmpty else { throw row.error("no such flag") }
        }
    }

    /// The closed list of event kinds, each with what it means.
    let kinds: [(kind: String, meaning: String)]
    let pairs: [Pair]
    /// What holds for subtypes of a type that this build does not know.
    let types: [Pair]
    /// What values of `data.status` say about access, and the effects of pairs.
    let access: AccessTable
    // By their names in upper case.
    private let pairsByName: [String: Int]
    private let typesByName: [String: Int]
    /// For each pair, by index, the index of the one that Apple sends today.
    private let todays: [Int]

    static let current = Tables.required { try EventTable(Array(Mappings.v2ToEvent.bytes)) }

    init(_ bytes: [UInt8]) throws {
        let top = try TableRow(file: "v2-to-event.json", bytes)
        try top.prose("version", "about")
        let kinds = try top.rows("kinds", naming: "kind") { row in
            (kind: try row.string("kind"), meaning: try row.string("meaning"))
        }
        let access = try top.row("access") { try AccessTable($0) }
        let known = Set(kinds.map(\.kind))
        var typesByName: [String: Int] = [:]
        var count = 0
        types = try top.rows("types", naming: "") { row in
            let type = try Pair(row, subtype: nil, known, nil)
            try row.prose("payload")
            for name in [type.type] + (try row.strings("aliases")) {
                let isNew = typesByName.updateValue(count, forKey: name.uppercased()) == nil
                guard isNew else { throw row.error("listed twice") }
            }
            count += 1
            return type
        }
        var pairsByName: [String: Int] = [:]
        pairs = try top.rows("pairs", naming: "") { row in
            let pair = try Pair(row, subtype: try row.optional("subtype"), known, access)
            let isNew = pairsByName.updateValue(pairsByName.count, forKey: pair.name.uppercased()) == nil
            guard isNew else { throw row.error("listed twice") }
            guard typesByName[pair.type] != nil else { throw row.error("its type has no row") }
            return pair
        }
        try top.finish()
        (self.kinds, self.access) = (kinds, access)
        (self.typesByName, self.pairsByName) = (typesByName, pairsByName)
        todays = try pairs.enumerated().map { [pairs] index, pair in
            guard let name = pair.todayName else { return index }
            guard let today = pairsByName[name], pairs[today].todayName == nil else {
                throw TableError(
                    table: top.table, row: pair.name, problem: "`today` does not name a pair that Apple still sends")
            }
            return today
        }
    }

    /// The index of the pair that Apple sends today in place of another; that index itself for nearly all, and for -1.
    func today(_ pair: Int) -> Int { todays.indices.contains(pair) ? todays[pair] : pair }

    /// The index of the pair `TYPE/SUBTYPE` in ``pairs``, whatever the case of its letters.
    func pair(_ name: String) -> Int? { pairsByName[name] ?? pairsByName[name.uppercased()] }

    /// The index of the type (or of one of its other names) in ``types``, whatever the case of its letters.
    func type(_ name: String) -> Int? { typesByName[name.uppercased()] }
}
