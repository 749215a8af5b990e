/// What happened, in one word for both versions: `subscription.renewed`, `refund.issued` and so on.
///
/// The list is `kinds` in `Mappings/v2-to-event.json`; open, as it grows with Apple's.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind as it is in the event.
    public var rawValue: String

    /// The kind of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The kind as it is in the event.
    public var description: String { rawValue }

    /// A type this build does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// The kinds this build knows, in the order of the table.
    public static var allKnown: [EventKind] {
        EventTable.current.kinds.map { EventKind(rawValue: $0.kind) }
    }
}

/// Why a translation is ambiguous or on weak footing; `Mappings/flags.json` says what each means.
public struct AmbiguityFlag: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The flag as it is in the event.
    public var rawValue: String

    /// The flag of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The flag as it is in the event.
    public var description: String { rawValue }

    /// The flags this build knows, in the order of the table.
    public static var allKnown: [AmbiguityFlag] {
        FlagTable.current.rows.map { AmbiguityFlag(rawValue: $0.flag) }
    }

    /// How much a flag weighs.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// It leaves more than one pair possible.
        case ambiguous
        /// The answer is on weak footing, or something in the body is wrong.
        case warning
        /// It says how the answer was found.
        case info
    }

    /// How much it weighs; `nil` for a flag this build does not know.
    public var severity: Severity? { row.flatMap { Severity(rawValue: $0.severity) } }

    /// What it means, in a sentence.
    public var meaning: String? { row?.meaning }

    /// What would settle it, in a sentence.
    public var settles: String? { row?.settles }

    private var row: FlagTable.Row? {
        FlagTable.current.number(rawValue).map { FlagTable.current.rows[$0] }
    }
}

/// A V2 type with its subtype; both absent where V2 sends nothing of its own.
public struct NotificationPair: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The type.
    public var type: NotificationType?
    /// The subtype; absent for most types.
    public var subtype: Subtype?

    /// A pair, or (without a type) no event of its own.
    public init(type: NotificationType?, subtype: Subtype? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// `TYPE/SUBTYPE`, `TYPE`, or `-` for no event of its own.
    public var description: String {
        guard let type else { return "-" }
        return subtype.map { "\(type)/\($0)" } ?? "\(type)"
    }

    /// Writes both keys, `null` where absent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(subtype, forKey: .subtype)
    }

    private enum CodingKeys: String, CodingKey {
        case type, subtype
    }
}

extension NotificationPair {
    init(_ draft: EventDraft.Pair) {
        type = draft.type.string.map(NotificationType.init(rawValue:))
        subtype = draft.subtype.string.map(Subtype.init(rawValue:))
    }

    func draft(_ texts: TextArena) -> EventDraft.Pair {
        EventDraft.Pair(type: texts.keep(type?.rawValue), subtype: texts.keep(subtype?.rawValue))
    }
}
