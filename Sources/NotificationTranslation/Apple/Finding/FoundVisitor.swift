/// Receives the notifications of a record one after the other, and what else was found in it.
class FoundVisitor {
    /// Steps of the JSON pointer to the time of arrival; `nil` where the envelope says it.
    final var timeSteps: [String]?
    /// The time of arrival that holds whatever the envelope says; `nil` where the envelope says it.
    final var received: ReceiveTime??

    /// Notifications received so far.
    private(set) final var notifications = 0
    /// When the record was received, as far as its envelope said at what was visited last.
    private(set) final var receivedLast: ReceiveTime?
    /// Whether a JSON pointer to the body points to nothing in the record.
    final var missedPointer = false
    /// Texts that were opened in the record; see ``Findings/openedTexts``.
    final var openedTexts = 0
    /// What was recognized in the record without being a notification.
    final var explained: [ExplainedSkip] = []
    /// Payloads of version 2 in the record that hold dates without a zone, which were read as UTC.
    final var zonelessPayloads = 0

    /// Takes what was found; nothing does so here.
    func take(_ found: FoundNotification) {}

    /// Resets it for the next record.
    final func reset() {
        notifications = 0
        missedPointer = false
        receivedLast = nil
        zonelessPayloads = 0
        openedTexts = 0
        if !explained.isEmpty { explained = [] }
    }

    final func visit(_ found: FoundNotification) {
        receivedLast = received ?? found.received
        if found.kind != .foreign { notifications += 1 }
        if found.hasZonelessDates { zonelessPayloads += 1 }
        guard let received else { return take(found) }
        var found = found
        found.received = received
        take(found)
    }
}

/// Hands what was found to a closure.
final class ClosureVisitor: FoundVisitor {
    private let closure: (FoundNotification) -> Void

    init(_ closure: @escaping (FoundNotification) -> Void) {
        self.closure = closure
    }

    override func take(_ found: FoundNotification) {
        closure(found)
    }
}
