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
        try collect(from: body, receivedAt: receivedAt, keepsEvidence: true) { workspace, _ in
            TimelineEntry(
                event: workspace.judge.unifiedEvent, evidence: Evidence(bytes: Array(workspace.evidence.bytes)))
        }.all
    }

    /// The evidence of Apple's answers in a body, one for each subscription that they show: of its App Store Server API
    /// (transaction history, subscription statuses, refund history, one transaction, an order) and of verifyReceipt.
    ///
    /// Append each to the timeline of its ``Evidence/key``:
    ///
    /// ```swift
    /// var timeline = SubscriptionTimeline(inferring: .safe)
    /// for answer in try normalizer.answers(from: body) { timeline.append(answer: answer) }
    /// ```
    ///
    /// - Parameters:
    ///   - body: The JSON of an answer, alone or in an envelope.
    ///   - receivedAt: When it was received, for what has no date in it.
    /// - Returns: None for JSON that carries no answer.
    /// - Throws: ``NotificationError`` where the policy refuses what is signed in it.
    public func answers(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [Evidence] {
        let found = try body.withMemory { (memory) throws(NotificationError) in try answers(in: memory) }
        return found.flatMap { answer in
            Self.pieces {
                EvidenceWriter(keepsDetails: true).write(answer, receivedAt: receivedAt?.milliseconds, to: $0, $1)
            }
        }
    }

    /// The evidence of what version 1 notifications in a body list beside their own purchase: one for each other subscription
    /// or purchase of the customer.
    ///
    /// Append each as an answer to the timeline of its ``Evidence/key``. Events are the same without it; states and
    /// transactions then also know what these lists show.
    ///
    /// - Parameters:
    ///   - body: The bytes of a request, or a record of an archive.
    ///   - receivedAt: When it was received, if the envelope does not say so itself.
    /// - Returns: None for a body that lists nothing else, and none if the policy requires proof and only a receipt proves
    ///   the notification.
    /// - Throws: ``NotificationError`` where a notification cannot be read.
    public func otherPurchases(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [Evidence] {
        try collect(from: body, receivedAt: receivedAt) { workspace, found in
            Self.pieces { workspace.judge.writeLists(of: found, workspace.evidenceWriter, to: $0, $1) }
        }.all.flatMap(\.self)
    }

    /// What is written piece by piece, each as evidence of its own.
    private static func pieces(_ write: (OutputBuffer, (Int64?) -> Void) -> Void) -> [Evidence] {
        let output = OutputBuffer(capacity: 1024)
        var (pieces, start): ([Evidence], Int) = ([], 0)
        write(output) { _ in
            pieces.append(Evidence(bytes: Array(output.bytes[start...])))
            start = output.count
        }
        return pieces
    }
}
