import NotificationMappings

/// `Mappings/v2-to-event.json`: what each V2 pair is in the event model.
struct EventTable: Sendable {
    /// A V2 pair with what it means.
    struct Pair: Sendable {
        let type: String
        let subtype: String?
        let kind: String
        let entitlement: Entitlement
        /// What it does to access; of a type, what holds for subtypes that this build does not know.
        let effect: AccessEffect
        /// Whether nothing but auto-renewable subscriptions has it.
        let isSubscription: Bool
        /// The kind where `autoRenewStatus` is 1; the same as ``kind`` for nearly all.
        let kindWhenOn: String
        /// The name of the pair that Apple sends today in its place, `TYPE/SUBTYPE`; `nil` where it is its own.
        let todayName: String?
        /// What is raised with it.
        let flags: FlagSet
        /// Whether it happened at `revocationDate`, and not when the payload was signed.
        let isDatedByRevocation: Bool
        fileprivate let row: JSONTree
        var meaning: String { row.prose("meaning") }
        var status: String { row.prose("status") }
        /// Of a type, other spellings that are read as it.
        var aliases: [String] { row.member("aliases")?.parts.map(\.characters) ?? [] }

        /// `TYPE/SUBTYPE`, or `TYPE/` without one.
        var name: String { type + "/" + (subtype ?? "") }
    }

    /// An event kind with what it means.
    struct Kind: Sendable {
        let kind: String
        fileprivate let row: JSONTree
        var meaning: String { row.prose("meaning") }
    }

    let version: String
    /// The closed list of event kinds.
    let kinds: [Kind]
    let pairs: [Pair]
    /// What holds for subtypes of a type that this build does not know.
    let types: [Pair]
    /// What values of `data.status` say about access, and the effects of pairs.
    let access: AccessTable
    private let pairsByName: NameIndex
    private let typesByName: NameIndex
    /// By the place of a pair the place of the one that Apple sends today in its place.
    private let todays: [Int]

    /// The table of this build.
    static let current: EventTable = Tables.required(Mappings.v2ToEvent) { bytes throws(TableError) in
        try EventTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "v2-to-event.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, named: .fixed(""),
            keys: ["version", "about", "kinds", "access", "types", "pairs"])
        version = try top.string("version")
        var kinds: [Kind] = []
        var kindsByName = NameIndex()
        for tree in try top.trees("kinds") {
            let row = try TableRow(tree, table: file, named: .fixed("kinds"), keys: ["kind", "meaning"])
            let kind = Kind(kind: try row.string("kind"), row: tree)
            try row.checkStrings("meaning")
            _ = kindsByName.insert(kind.kind, kinds.count)
            kinds.append(kind)
        }
        self.kinds = kinds
        access = try AccessTable(top["access"], file)
        let reader = Reader(file: file, kinds: kinds, kindsByName: kindsByName, access: access)
        var types: [Pair] = []
        var typesByName = NameIndex(ignoresCase: true)
        for tree in try top.trees("types") {
            let (pair, row) = try reader.pair(tree, isType: true)
            for name in [pair.type] + (try row.strings("aliases")) {
                guard typesByName.insert(name, types.count) else { throw row.error("listed twice") }
            }
            types.append(pair)
        }
        self.types = types
        self.typesByName = typesByName
        var pairs: [Pair] = []
        var pairsByName = NameIndex(ignoresCase: true)
        for tree in try top.trees("pairs") {
            let (pair, row) = try reader.pair(tree, isType: false)
            guard pairsByName.insert(pair.name, pairs.count) else { throw row.error("listed twice") }
            guard typesByName.number(of: pair.type, exactly: true) != nil else {
                throw row.error("its type has no row")
            }
            pairs.append(pair)
        }
        self.pairs = pairs
        self.pairsByName = pairsByName
        var todays = Array(pairs.indices)
        for (place, pair) in pairs.enumerated() {
            guard let name = pair.todayName else { continue }
            guard let today = pairsByName.number(of: name), pairs[today].todayName == nil else {
                throw TableError(
                    table: file, row: pair.name, problem: "`today` does not name a pair that Apple still sends")
            }
            todays[place] = today
        }
        self.todays = todays
    }

    private struct Reader {
        let file: String
        let kinds: [Kind]
        let kindsByName: NameIndex
        let access: AccessTable

        private static let pairKeys: [StaticString] = [
            "type", "subtype", "kind", "entitlement", "products", "since", "sinceDate", "status", "meaning", "source",
        ]
        private static let typeKeys: [StaticString] = [
            "type", "kind", "entitlement", "payload", "products", "since", "sinceDate", "status", "aliases", "meaning",
            "source",
        ]

        func pair(_ tree: JSONTree, isType: Bool) throws(TableError) -> (Pair, TableRow) {
            let row = try TableRow(
                tree, table: file, named: .pair, keys: isType ? Self.typeKeys : Self.pairKeys,
                optional: ["kindWhenOn", "time", "today", "flag"])
            guard let entitlement = Entitlement(rawValue: try row.string("entitlement")) else {
                throw row.error("no such entitlement")
            }
            let kind = try row.text("kind")
            guard let known = kindsByName.number(of: kind) else {
                throw row.error("kind \"\(kind.characters)\" is not in the list")
            }
            let type = try row.string("type")
            let subtype = isType ? nil : try row.optionalString("subtype")
            let named = isType ? nil : access.effect(ofPair: type + "/" + (subtype ?? ""))
            var knownWhenOn = known
            if row["kindWhenOn"] != nil {
                let kind = try row.text("kindWhenOn")
                guard let other = kindsByName.number(of: kind) else {
                    throw row.error("kind \"\(kind.characters)\" is not in the list")
                }
                knownWhenOn = other
            }
            if row["time"] != nil, !(try row.text("time").says("revocationDate")) { throw row.error("no such time") }
            var flags: FlagSet = []
            if row["flag"] != nil {
                guard let number = FlagTable.current.number(try row.text("flag")) else {
                    throw row.error("no such flag")
                }
                flags = FlagSet(number: number)
            }
            let pair = Pair(
                type: type,
                subtype: subtype,
                kind: kinds[known].kind,
                entitlement: entitlement,
                effect: named ?? AccessEffect(entitlement),
                isSubscription: try row.strings("products") == ["auto-renewable"],
                kindWhenOn: kinds[knownWhenOn].kind,
                todayName: row["today"] == nil ? nil : try row.string("today"),
                flags: flags,
                isDatedByRevocation: row["time"] != nil,
                row: tree)
            try row.checkStrings("meaning", "since", "status", "source")
            return (pair, row)
        }
    }

    /// The place of the pair that Apple sends today in place of another; that place itself for nearly all, and for -1.
    func today(_ pair: Int) -> Int {
        todays.indices.contains(pair) ? todays[pair] : pair
    }

    /// The place of the pair `TYPE/SUBTYPE` in ``pairs``, whatever the case of its letters.
    func pair(_ name: String) -> Int? {
        pairsByName.number(of: name)
    }

    /// The place of the pair that another table names.
    func pair(_ name: JSONTree) -> Int? {
        pairsByName.number(of: name)
    }

    /// The place of the type (or of one of its other names) in ``types``, whatever the case of its letters.
    func type(_ name: String) -> Int? {
        typesByName.number(of: name)
    }
}
