/// A V2 type with its subtype; both absent where V2 sends nothing of its own.
public struct NotificationPair: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The type.
    public var type: NotificationType?
    /// The subtype; absent for most types.
    public var subtype: NotificationSubtype?

    /// No event of its own: part of what another notification reports.
    public static let companion = NotificationPair(type: nil)

    /// A pair, or (without a type) no event of its own.
    public init(type: NotificationType?, subtype: NotificationSubtype? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// `TYPE/SUBTYPE`, `TYPE`, or `-` for no event of its own.
    public var description: String {
        guard let type else { return "-" }
        return subtype.map { "\(type)/\($0)" } ?? "\(type)"
    }

    init(_ draft: EventDraft.Pair) {
        type = draft.type.string.map(NotificationType.init(rawValue:))
        subtype = draft.subtype.string.map(NotificationSubtype.init(rawValue:))
    }

    init(_ answer: Rule.Answer) { self.init(EventTable.current.names(answer)) }

    func draft(_ texts: TextArena) -> EventDraft.Pair {
        EventDraft.Pair(type: texts.keep(type?.rawValue), subtype: texts.keep(subtype?.rawValue))
    }
}
