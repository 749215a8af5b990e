import Mappings

/// `Mappings/v2-to-event.json`: what each V2 pair is in the event model.
struct EventTable: Sendable {
    /// A V2 pair with what it means.
    struct Pair: Hashable, Sendable {
        var type: String
        var subtype: String?
        var kind: String
        var entitlement: Entitlement
        var meaning: String
        var since: String
        var status: String
        var source: String

        /// `TYPE/SUBTYPE`, or `TYPE/` without one.
        var name: String { type + "/" + (subtype ?? "") }
    }

    let version: String
    /// The closed list of event kinds, with what each means.
    let kinds: [(kind: String, meaning: String)]
    let pairs: [Pair]
    /// What holds for subtypes of a type that this build does not know.
    let types: [Pair]
    private let pairsByName: [String: Int]
    private let typesByName: [String: Int]

    /// The table of this build.
    static let current: EventTable = Tables.required(Mappings.v2ToEvent) { bytes throws(TableError) in
        try EventTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "v2-to-event.json"
        let tree = try Tables.tree(bytes, file)
        let top = try TableRow(
            tree, table: file, name: "", keys: ["version", "about", "kinds", "types", "pairs"])
        version = try top.string("version")
        var kinds: [(kind: String, meaning: String)] = []
        for tree in try top.trees("kinds") {
            let row = try TableRow(tree, table: file, name: "kinds", keys: ["kind", "meaning"])
            kinds.append((try row.string("kind"), try row.string("meaning")))
        }
        self.kinds = kinds
        let known = Set(kinds.map(\.kind))
        var types: [Pair] = []
        var typesByName: [String: Int] = [:]
        for tree in try top.trees("types") {
            let (pair, row) = try Self.pair(tree, file, subtype: false, known)
            for name in [pair.type] + (try row.strings("aliases")) {
                guard typesByName.updateValue(types.count, forKey: name.uppercased()) == nil else {
                    throw row.error("twice")
                }
            }
            types.append(pair)
        }
        self.types = types
        self.typesByName = typesByName
        var pairs: [Pair] = []
        var pairsByName: [String: Int] = [:]
        for tree in try top.trees("pairs") {
            let (pair, row) = try Self.pair(tree, file, subtype: true, known)
            guard pairsByName.updateValue(pairs.count, forKey: pair.name.uppercased()) == nil else {
                throw row.error("twice")
            }
            guard typesByName[pair.type] != nil else { throw row.error("its type has no row") }
            pairs.append(pair)
        }
        self.pairs = pairs
        self.pairsByName = pairsByName
    }

    private static func pair(
        _ tree: JSONTree, _ file: String, subtype hasSubtype: Bool, _ kinds: Set<String>
    ) throws(TableError) -> (Pair, TableRow) {
        let name = (tree["type"]?.string ?? "?") + "/" + (tree["subtype"]?.string ?? "")
        let row = try TableRow(
            tree, table: file, name: name,
            keys: ["type", "kind", "entitlement", "products", "since", "sinceDate", "status", "meaning", "source"]
                + (hasSubtype ? ["subtype"] : ["payload", "aliases"]))
        guard let entitlement = Entitlement(rawValue: try row.string("entitlement")) else {
            throw row.error("no such entitlement")
        }
        let kind = try row.string("kind")
        guard kinds.contains(kind) else { throw row.error("kind \"\(kind)\" is not in the list") }
        let pair = Pair(
            type: try row.string("type"),
            subtype: hasSubtype ? try row.optionalString("subtype") : nil,
            kind: kind,
            entitlement: entitlement,
            meaning: try row.string("meaning"),
            since: try row.string("since"),
            status: try row.string("status"),
            source: try row.string("source"))
        return (pair, row)
    }

    /// The place of the pair `TYPE/SUBTYPE` in ``pairs``, whatever the case of its letters.
    func pair(_ name: String) -> Int? {
        pairsByName[name.uppercased()]
    }

    /// The place of the type (or of one of its other names) in ``types``, whatever the case of its letters.
    func type(_ name: String) -> Int? {
        typesByName[name.uppercased()]
    }
}
