/// Receives the notifications of a record one after the other, and what else was found in it.
///
/// A class, so that what never changes can be passed on without counting references to it.
package final class FoundVisitor {
    /// Steps of the JSON pointer to the time of arrival; `nil` where the envelope says it.
    package var timeSteps: [String]?
    /// The time of arrival that holds whatever the envelope says; `nil` where the envelope says it.
    package var received: ReceiveTime??

    /// Notifications received so far.
    package private(set) var notifications = 0
    /// When the record was received, as far as its envelope said at what was visited last.
    package private(set) var receivedLast: ReceiveTime?
    /// Whether a JSON pointer to the body points to nothing in the record.
    package var missedPointer = false
    /// Texts that were opened in the record; see ``Findings/openedTexts``.
    var openedTexts = 0
    /// What was recognized in the record without being a notification.
    package var explained: [ExplainedSkip] = []
    /// Payloads of version 2 in the record that hold dates without a zone, which were read as UTC.
    package private(set) var zonelessPayloads = 0
    private let take: (FoundNotification) -> Void

    /// A visitor that hands each notification to a closure; what that gets is valid only while it runs.
    package init(_ take: @escaping (FoundNotification) -> Void) { self.take = take }

    /// Resets it for the next record.
    package func reset() {
        notifications = 0
        missedPointer = false
        receivedLast = nil
        zonelessPayloads = 0
        openedTexts = 0
        if !explained.isEmpty { explained = [] }
    }

    func visit(_ found: FoundNotification) {
        receivedLast = received ?? found.received
        if found.kind != .foreign { notifications += 1 }
        if found.hasZonelessDates { zonelessPayloads += 1 }
        guard let received else { return take(found) }
        var found = found
        found.received = received
        take(found)
    }
}
