/// Translates version 1 notifications into version 2 pairs by the decision table, one by one.
///
/// The first rule of `Mappings/v1-to-v2.json` whose conditions hold decides; what facts that are unknown leave open
/// is among the candidates. Nothing is invented: what V1 never carried stays absent.
public struct Translator: Sendable {
    private let pool = WorkspacePool(.trustingTheSource)

    /// A translator with the rules of this build.
    public init() {}

    /// The version of the rules.
    public var rulesVersion: String { DecisionTable.current.version }

    /// Translates a notification, judged by itself.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - receivedAt: When it was received, if that is known; some facts depend on it where the body has no time of
    ///     its own.
    /// - Returns: The pair with its evidence; of a type this build does not know, one without a pair.
    public func translate(_ notification: V1Notification, receivedAt: EventTime? = nil) -> Translation {
        pool.with { workspace in
            let translation = notification.withMemory { memory in
                workspace.judge.judge(notification.fields, memory, receivedAt: receivedAt?.milliseconds)
                return workspace.judge.translation
            }
            return translation ?? .unknownType
        }
    }

    /// Judges every notification in a body by itself, and says how: what `explain` prints.
    ///
    /// - Parameter body: One record, in any form that an archive may hold.
    /// - Returns: Of each notification its event, and of one of version 1 the translation with its evidence; and what
    ///   the body is if it holds none.
    /// - Throws: ``NotificationError`` where the body cannot be read.
    package func judgements(
        of body: [UInt8]
    ) throws(NotificationError) -> (all: [(event: UnifiedEvent, translation: Translation?)], reason: SkipReason) {
        try pool.with { (workspace) throws(NotificationError) in
            var judgements: [(event: UnifiedEvent, translation: Translation?)] = []
            let reason = try body.withMemory { (memory) throws(NotificationError) in
                try workspace.judge(memory, receivedAt: nil, keepsEvidence: false) { judge, found in
                    judgements.append((judge.unifiedEvent, found.kind == .v1 ? judge.translation : nil))
                }
            }
            return (judgements, reason)
        }
    }
}
