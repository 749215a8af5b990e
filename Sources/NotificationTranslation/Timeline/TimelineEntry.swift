/// One notification of a timeline: its event, judged alone, and the evidence that its neighbours are judged by.
///
/// What a server stores for each notification, in two columns.
public struct TimelineEntry: Hashable, Sendable, Codable {
    /// The event; what a timeline makes of it is another value.
    public var event: UnifiedEvent
    /// What a timeline needs beyond the event.
    public var evidence: Evidence

    /// What it is stored and settled by: the subscription or purchase, ``Evidence/key``; where it names none, the id
    /// that it shares with those that say the same.
    public var key: String { evidence.key ?? event.id }

    /// An entry of both parts.
    public init(event: UnifiedEvent, evidence: Evidence) {
        self.event = event
        self.evidence = evidence
    }
}

extension NotificationNormalizer {
    /// The entries of every notification in a body: what ``events(from:receivedAt:)`` gives, with the evidence.
    ///
    /// - Parameters:
    ///   - body: The bytes of a request, or a record of an archive.
    ///   - receivedAt: When it was received, if the envelope does not say so itself.
    /// - Returns: Several for a page of Apple's notification history, none for JSON that carries no notification.
    /// - Throws: ``NotificationError`` where a notification cannot be read.
    public func timelineEntries(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [TimelineEntry] {
        try body.withMemory { (memory) throws(NotificationError) in try timelineEntries(in: memory, receivedAt) }
    }

    /// The entries of every notification in a body, read in place.
    ///
    /// - Throws: ``NotificationError`` where a notification cannot be read.
    public func timelineEntries(
        fromBytes body: RawSpan, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [TimelineEntry] {
        try body.withUnsafeBytes { (memory) throws(NotificationError) in try timelineEntries(in: memory, receivedAt) }
    }

    private func timelineEntries(
        in body: UnsafeRawBufferPointer, _ receivedAt: EventTime?
    ) throws(NotificationError) -> [TimelineEntry] {
        try collect(from: body, receivedAt: receivedAt) { judge, evidence in
            TimelineEntry(event: judge.unifiedEvent, evidence: Evidence(bytes: Array(evidence.bytes)))
        }
    }
}
