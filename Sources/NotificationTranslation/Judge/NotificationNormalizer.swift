/// Turns notifications of either version into ``UnifiedEvent``s, each judged by itself.
///
/// ```swift
/// let secrets = try SharedSecrets([secret])
/// let policy = TrustPolicy.verify(try AppStoreVerifier(), sharedSecrets: secrets, expecting: app)
/// let normalizer = NotificationNormalizer(policy: policy)
/// let event = try normalizer.event(from: body)      // V1 or V2, bare or in an envelope
/// event.type            // subscription.renewed
/// event.certainty       // exact, or candidates and flags say why not
/// ```
///
/// A value that any number of tasks may use at once; it keeps no state of the notifications it saw. Calls are
/// synchronous and take microseconds.
public struct NotificationNormalizer: Sendable {
    private let pool: WorkspacePool
    private let policy: TrustPolicy

    /// A normalizer that believes what the policy lets it believe.
    ///
    /// There is no default: say `.trustingTheSource` where whoever hands the bodies over has checked them, as for an
    /// archive; every event says `unverified` then.
    ///
    /// - Parameters:
    ///   - policy: What makes a notification worth believing; whatever it refuses is thrown as an error.
    ///   - maximumBodySize: Bodies of more bytes are refused with `record.too-long` before anything of them is read.
    public init(
        policy: TrustPolicy, maximumBodySize: Int = defaultMaximumBodySize
    ) {
        self.policy = policy
        pool = WorkspacePool(policy, longest: maximumBodySize)
    }

    /// The bytes of the longest body that is read where nothing else is said: 16 MiB, as in the command.
    public static let defaultMaximumBodySize = BodyReader.usualLongest

    /// The event of the notification in a body.
    ///
    /// - Parameters:
    ///   - body: The bytes of a request, or a record of an archive: V1, `{"signedPayload":…}`, a JWS, a decoded
    ///     payload, or one of them in an envelope. An array, a `Data`, a view of a `ByteBuffer`: no array is made of the
    ///     bytes, but they are copied once, into memory that is used again.
    ///   - receivedAt: When it was received, if the envelope does not say so itself.
    /// - Returns: The event.
    /// - Throws: ``NotificationError`` where the bytes are not strict JSON, or carry no notification or several, as a
    ///   page of Apple's notification history does; with the place and never with a value.
    public func event(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> UnifiedEvent {
        try pool.with { workspace throws(NotificationError) in
            var events: [UnifiedEvent] = []
            let reason = try body.withMemory { (memory) throws(NotificationError) in
                try workspace.judge(memory, receivedAt: receivedAt, keepsEvidence: false) { judge, _ in
                    events.append(judge.unifiedEvent)
                }
            }
            guard let first = events.first else { throw .notFound(reason.sentence) }
            guard events.count == 1 else { throw .several(events.count) }
            return first
        }
    }

    /// The events of every notification in a body: several for a page of Apple's notification history, none for JSON
    /// that carries no notification.
    ///
    /// - Throws: ``NotificationError`` where a notification cannot be read; none of the others is lost silently, as
    ///   the whole body is refused then.
    public func events(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [UnifiedEvent] {
        try body.withMemory { (memory) throws(NotificationError) in
            try collect(from: memory, receivedAt: receivedAt, evidence: false) { judge, _ in judge.unifiedEvent }
        }
    }

    /// Apple's answers in a body.
    func answers(in body: UnsafeRawBufferPointer) throws(NotificationError) -> [StoreAnswer] {
        guard AnswerReader.mayBe(in: body, besidesNotification: false) else { return [] }
        return try AnswerReader.answers(in: body, policy)
    }

    /// Makes something of every notification in a body while a judge holds its event and, where wanted, the bytes of
    /// its evidence are there.
    func collect<Result>(
        from body: UnsafeRawBufferPointer, receivedAt: EventTime?, evidence isWanted: Bool = true,
        _ make: (Judge, OutputBuffer) -> Result
    ) throws(NotificationError) -> [Result] {
        try pool.with { workspace throws(NotificationError) in
            var results: [Result] = []
            try workspace.judge(body, receivedAt: receivedAt, keepsEvidence: isWanted) { judge, _ in
                results.append(make(judge, workspace.evidence))
            }
            return results
        }
    }
}
