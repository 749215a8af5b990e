import NotificationMappings
import NotificationTranslation

/// The files of `Mappings/`, row by row: what `mapping` and `explain` print of them.
///
/// The library interprets the same files. Here they are not interpreted: a row is shown as its file has it.
enum MappingTables {
    static let decisions = JSONTree(embedded: Mappings.v1ToV2)
    static let events = JSONTree(embedded: Mappings.v2ToEvent)
    static let flags = JSONTree(embedded: Mappings.flags)
    static let fields = JSONTree(embedded: Mappings.fields)
    static let silent = JSONTree(embedded: Mappings.silentEvents)

    /// The two files of rules, each with what its facts are called.
    static let ruleFiles = [(decisions, "fact"), (silent, "fact of the rules for what V1 never sent")]

    static var version: String { decisions.text("version") }
}

extension JSONTree {
    /// A member that is a string; empty where there is none.
    func text(_ key: String) -> String { self[key]?.string ?? "" }

    /// The strings of a member.
    func list(_ key: String) -> [String] { self[key]?.elements?.compactMap(\.string) ?? [] }

    func rows(_ key: String) -> [JSONTree] { self[key]?.elements ?? [] }

    /// The conditions of a rule in words: `gap = lapse or long-lapse; autoRenew = on`.
    var conditions: String {
        guard let when = self["when"] else { return "" }
        return when.keys.map { fact in
            "\(fact) = \((when[fact]?.string.map { [$0] } ?? when.list(fact)).joined(separator: " or "))"
        }.joined(separator: "; ")
    }

    /// The pair that a rule chooses, or that it is a companion; `nil` for nothing.
    var answer: String? {
        guard let then = self["then"] else { return nil }
        if then["companion"] != nil { return Self.companion }
        return (then.string ?? then["pair"]?.string).map(JSONTree.pairName)
    }

    /// The answers that remain possible beside that of a rule.
    var candidates: [String] { list("candidates").map { $0 == "companion" ? Self.companion : JSONTree.pairName($0) } }

    private static let companion = "(companion)"

    /// A pair as people read it: `EXPIRED/VOLUNTARY` as it is in the tables, `REFUND` for `REFUND/`.
    static func pairName(_ name: String) -> String { name.hasSuffix("/") ? String(name.dropLast()) : name }

    /// The name of the pair that a row of `v2-to-event.json` is about.
    var pairName: String { text("type") + (self["subtype"]?.string.map { "/\($0)" } ?? "") }

    /// What a fact means, and what Apple writes for its values.
    var factMeaning: String {
        guard let codes = self["codes"], !codes.keys.isEmpty else { return text("meaning") }
        let words = codes.keys.map { code in
            (code == "*" ? "any other" : "`\(code)`") + " is \(codes.text(code))"
        }
        return text("meaning") + " In a body \(words.joined(separator: ", "))."
    }
}
