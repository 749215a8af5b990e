/// An event that V1 never sent, deduced from what it did send.
struct SilentEvent {
    /// The place of the notification it stands behind.
    var after: Int

    func event(behind: UnifiedEvent) -> UnifiedEvent { behind }
}

extension Settlement {
    /// The latest time of any notification.
    var latestTime: Int64 { statements.map(\.order).max() ?? .min }

    func silentEvents(_ inference: SilentInference, asOf: Int64) -> [SilentEvent] { [] }
}
