/// An event that V1 never sent, deduced from what it did send.
struct SilentEvent {
    /// The place of the notification it stands behind.
    var after: Int

    func event(behind: UnifiedEvent) -> UnifiedEvent { behind }

    init?(_ bytes: UnsafeRawBufferPointer) { nil }
    func append(to output: OutputBuffer) {}
    func write(behind line: EventLine, _ names: EventNames, _ cache: inout DecisionCache, to output: OutputBuffer) {}
}

extension Settlement {
    /// The latest time of any notification.
    var latestTime: Int64 { statements.map(\.order).max() ?? .min }

    func silentEvents(_ inference: SilentInference, asOf: Int64) -> [SilentEvent] { [] }
}
