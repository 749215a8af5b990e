/// A row of a table of rules: it holds where all its conditions hold.
protocol ConditionalRow {
    /// The row as the file has it, for what is read of it only now and then.
    var row: JSONTree { get }
    var conditions: [Rule.Condition] { get }
}

extension ConditionalRow {
    var id: String { row.prose("id") }
    var source: String { row.prose("source") }

    /// Whether every condition holds; a fact that is unknown holds only where the rule names `unknown`.
    func holds<Key>(for facts: FactValues<Key>) -> Bool { conditions.hold(for: facts) }
}

extension Array where Element: ConditionalRow {
    /// The place of the first rule that holds; `nil` where none does.
    func firstMatch<Key>(_ facts: FactValues<Key>) -> Int? { firstIndex { $0.holds(for: facts) } }
}

extension [Rule.Condition] {
    /// Whether all of them hold.
    func hold<Key>(for facts: FactValues<Key>) -> Bool {
        allSatisfy { $0.allows(facts[$0.fact]) }
    }
}

/// One row of `Mappings/v1-to-v2.json`: conditions on facts, and what follows when all hold.
struct Rule: ConditionalRow, Sendable {
    /// A fact and the values of it that are allowed, one bit each.
    struct Condition: Hashable, Sendable {
        var fact: Int
        var allowed: UInt16

        /// Whether it holds where the fact has a value.
        func allows(_ value: Int) -> Bool { allowed >> UInt16(value) & 1 == 1 }
    }

    /// What a notification represents.
    enum Answer: Hashable, Sendable {
        /// A pair, by its place in ``EventTable/pairs``.
        case pair(Int)
        /// Part of another notification's event; V2 sends nothing of its own.
        case companion
    }

    let row: JSONTree
    /// Its place among the rules of all types.
    let number: Int
    var conditions: [Condition]
    var answer: Answer
    var certainty: Certainty
    var flags: FlagSet
    /// Answers that remain possible when the rule has fired.
    var candidates: [Answer]
    /// Whether the time its type takes from the receipt is not the time of what this rule says.
    var isTimeless: Bool
}

/// A remark that holds beside whatever rule has fired: flags, a ceiling for the certainty, and what else is possible.
struct Adjustment: ConditionalRow, Sendable {
    let row: JSONTree
    /// The types it is for; empty means all.
    var types: [String]
    var conditions: [Rule.Condition]
    var flags: FlagSet
    /// Flags of the rule that are answered; if there are any, it applies only where the rule has one of them.
    var settles: FlagSet
    var atMost: Certainty?
    /// Answers that are possible beside those of the rule.
    var candidates: [Rule.Answer]
}

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
    struct Shape: Hashable, Sendable {
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
        /// It has nothing to do with it.
        case none
    }

    var type: String
    /// What it reports, in a sentence.
    var meaning: String
    var aliases: [String]
    var shape: Shape
    /// When the date of ``time`` is only the earliest time that is possible; `nil`: never.
    var since: [Rule.Condition]?
    var time: Time? { shape.time }
    var subject: Subject { shape.subject }
    var transaction: Transaction { shape.transaction }
    var rules: [Rule]
    /// The adjustments that are for this type.
    var adjustments: [Adjustment]

    /// The pairs that some rule of it can answer or leaves possible.
    var meanings: Set<Int> {
        var meanings: Set<Int> = []
        for rule in rules {
            for case .pair(let place) in [rule.answer] + rule.candidates { meanings.insert(place) }
        }
        return meanings
    }

    /// The facts that any of its rules or adjustments asks for: no other can change its decision.
    var asked: FactSet {
        var asked = FactSet()
        for rule in rules { for condition in rule.conditions { asked.insert(condition.fact) } }
        for adjustment in adjustments { for condition in adjustment.conditions { asked.insert(condition.fact) } }
        for condition in since ?? [] { asked.insert(condition.fact) }
        return asked
    }
}
