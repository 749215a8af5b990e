/// The rules of one V1 type, and where its notifications carry their time.
struct TypeRules: Sendable {
    /// Which field says when a notification of a type happened.
    enum Time: String, Sendable {
        case purchase, cancellation, expiry
        case statusChange = "status-change"
    }

    /// What a type is about.
    enum Subject: String, Sendable {
        case subscription, shared
        case oneTime = "one-time"
    }

    /// Which row of the receipt a type is about.
    enum Transaction: String, Sendable {
        case newest, first, cancelled
        case atTime = "at-time"
    }

    /// Which of several entries of `pending_renewal_info` a type is about, where all agree with the top level.
    enum Pending: String, Sendable {
        /// The only one in billing retry.
        case inRetry = "in-retry"
        /// The only one whose subscription has a transaction that was bought within the delivery horizon.
        case justBought = "just-bought"
        /// The only one whose subscription has a transaction that was bought when renewal was switched on.
        case boughtThen = "bought-then"
    }

    /// How a body of a type is read before any rule is asked.
    struct Shape: Equatable, Sendable {
        /// `nil`: the type has no time of its own.
        var time: Time?
        var subject: Subject
        /// `nil`: the type does not distinguish the entries.
        var pending: Pending?
        var transaction: Transaction
    }

    /// How the date that a type takes its time from relates to the time of the event.
    enum Timing: Hashable, Sendable {
        /// It is the time.
        case own
        /// The time is that date or later, up to the receipt of the notification.
        case since
        /// The date is not that of the event.
        case none
    }

    let type: String
    /// The same as events have it.
    let text: KeptText
    /// What it reports, in a sentence.
    let meaning: String
    let aliases: [String]
    let shape: Shape
    /// When the date of ``time`` is only the earliest time that is possible; `nil`: never.
    let since: [Rule.Condition]?
    var time: Time? { shape.time }
    let rules: [Rule]
    /// The pairs that some rule of it can answer or leaves possible.
    let meanings: Set<Int>
    let adjustments: [Adjustment]

    init(_ row: TableRow, _ reader: RuleReader, _ all: [Adjustment]) throws {
        let type = try row.string("type")
        (self.type, text) = (type, KeptText(type))
        meaning = try row.string("meaning")
        aliases = try row.strings("aliases")
        shape = Shape(
            time: try row.optionalWord("time"), subject: try row.word("subject"),
            pending: try row.optionalWord("pending"), transaction: try row.word("transaction"))
        since = try row["since"].map { _ in try reader.conditions(row, "since") }
        rules = try reader.rules(row, "rules") { try Rule($0, reader) }
        guard rules.last?.conditions.isEmpty == true else {
            throw row.error("the last rule of a type must have no conditions")
        }
        meanings = rules.reduce(into: []) { meanings, rule in
            for case .pair(let index) in [rule.answer] + rule.candidates { meanings.insert(index) }
        }
        adjustments = all.filter { $0.types.isEmpty || $0.types.contains(type) }
    }

    /// All bits of the facts that any of its rules or adjustments asks for: no other can change its decision.
    var asked: Facts {
        let conditions = rules.flatMap(\.conditions) + adjustments.flatMap(\.conditions) + (since ?? [])
        return conditions.reduce(into: Facts()) { $0[$1.fact] = 15 }
    }
}
