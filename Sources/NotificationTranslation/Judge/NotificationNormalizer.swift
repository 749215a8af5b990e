import Synchronization

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
/// synchronous and take microseconds, or 0.3 ms for a V2 body whose signature is verified.
public struct NotificationNormalizer: Sendable {
    private let policy: TrustPolicy
    private let maximumBodySize: Int
    /// Workspaces that wait to be used again, so that tasks that share this value need not make one for each body.
    private let idle = Idle()

    private final class Idle: Sendable {
        let workspaces = Mutex<[Workspace]>([])
    }

    /// A normalizer that believes what the policy lets it believe.
    ///
    /// There is no default: say `.trustingTheSource` where whoever hands the bodies over has checked them, as for an
    /// archive; every event says `unverified` then.
    ///
    /// - Parameters:
    ///   - policy: What makes a notification worth believing; whatever it refuses is thrown as an error.
    ///   - maximumBodySize: Bodies of more bytes are refused with `record.too-long` before anything of them is read.
    public init(policy: TrustPolicy, maximumBodySize: Int = defaultMaximumBodySize) {
        self.policy = policy
        self.maximumBodySize = maximumBodySize
    }

    /// The bytes of the longest body that is read where nothing else is said: 16 MiB, as in the command.
    public static let defaultMaximumBodySize = 16 << 20

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
        let (events, reason) = try collect(from: body, receivedAt: receivedAt) { workspace, _ in
            workspace.judge.unifiedEvent
        }
        guard let first = events.first else {
            throw NotificationError(code: .notANotification, sentence: reason.sentence)
        }
        guard events.count == 1 else {
            let way = "where one is expected; NotificationNormalizer.events(from:) takes them"
            throw NotificationError(code: .severalNotifications, sentence: "\(events.count) notifications \(way)")
        }
        return first
    }

    /// The events of every notification in a body: several for a page of Apple's notification history, none for JSON
    /// that carries no notification.
    ///
    /// - Throws: ``NotificationError`` where a notification cannot be read; none of the others is lost silently, as
    ///   the whole body is refused then.
    public func events(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [UnifiedEvent] {
        try collect(from: body, receivedAt: receivedAt) { workspace, _ in workspace.judge.unifiedEvent }.all
    }

    /// Of every notification in a body its event, and of one of version 1 the translation with its evidence; and what
    /// the body is if it holds none.
    package func judgements(
        of body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> (all: [(event: UnifiedEvent, translation: Translation?)], reason: SkipReason) {
        try collect(from: body, receivedAt: receivedAt) { workspace, found in
            (workspace.judge.unifiedEvent, found.kind == .v1 ? workspace.judge.translation : nil)
        }
    }

    /// Apple's answers in a body.
    func answers(in body: UnsafeRawBufferPointer) throws(NotificationError) -> [StoreAnswer] {
        guard AnswerReader.mayBe(in: body, besidesNotification: false) else { return [] }
        return try AnswerReader.answers(in: body, policy)
    }

    /// Makes something of every notification in a body while a judge holds its event and, where wanted, the bytes of
    /// its evidence are there; says too what the body is if it holds none.
    ///
    /// If the policy refuses any, the first refusal is thrown after the whole body has been read.
    func collect<Result>(
        from body: some Collection<UInt8>, receivedAt: EventTime?, keepsEvidence: Bool = false,
        _ make: (Workspace, FoundNotification) -> Result
    ) throws(NotificationError) -> (all: [Result], reason: SkipReason) {
        // One that a large body has made grow is not kept: a few would hold more memory than all others together.
        let workspace = idle.workspaces.withLock { $0.popLast() } ?? Workspace(policy, longest: maximumBodySize)
        defer {
            if !workspace.isLarge {
                idle.workspaces.withLock { if $0.count < 64 { $0.append(workspace) } }
            }
        }
        let judge = workspace.judge
        var results: [Result] = []
        var refusal: NotificationError?
        let reason = try body.withMemory { (memory) throws(NotificationError) in
            let findings = try workspace.read(memory)
            for var found in findings.found {
                found.received = found.received ?? receivedAt.map { ReceiveTime(milliseconds: $0.milliseconds) }
                if let reason = judge.judge(found) {
                    refusal = refusal ?? reason
                    continue
                }
                if found.kind == .v1 { judge.makeID() }
                workspace.evidence.removeAll()
                if keepsEvidence { judge.writeEvidence(of: found, workspace.evidenceWriter, to: workspace.evidence) }
                results.append(make(workspace, found))
            }
            return findings.explained.reason
        }
        if let refusal { throw refusal }
        return (results, reason)
    }
}

/// The memory that reading and judging one body takes; used again for the next.
///
/// Whoever holds it is its only owner.
final class Workspace: @unchecked Sendable {
    let judge: Judge
    let evidence = OutputBuffer(capacity: 1024)
    let evidenceWriter = EvidenceWriter(keepsDetails: true)
    private let decoder: NotificationDecoder
    private let body = OutputBuffer(capacity: 1024)
    /// Bodies longer than this are refused; at most 1 GiB, so that an offset with its slack fits in 31 bits.
    private let longest: Int

    init(_ policy: TrustPolicy, longest: Int) {
        decoder = NotificationDecoder(policy)
        judge = Judge(policy)
        self.longest = min(max(longest, 0), 1 << 30)
    }

    /// Whether it holds so much memory that a new one is better than keeping this one.
    var isLarge: Bool { body.capacity > 1 << 20 }

    /// What is in a body, valid until the next one is read.
    ///
    /// - Throws: Why a notification in it cannot be read.
    func read(_ bytes: UnsafeRawBufferPointer) throws(NotificationError) -> Findings {
        guard bytes.count <= longest else {
            throw NotificationError(
                code: .tooLong, offset: longest, sentence: "the body is longer than \(longest) bytes")
        }
        body.removeAll()
        body.reserve(bytes.count + JSONScanner.slack)
        body.append(bytes)
        guard let memory = body.bytes.baseAddress, !bytes.isEmpty else {
            throw NotificationError(
                code: .init(rawValue: JSONFault.Code.unexpectedEnd.code), sentence: "the body is empty")
        }
        decoder.scan(memory, from: 0, to: bytes.count, stopsAtLineFeed: false)
        let findings = decoder.findings(in: memory, 0)
        if let failure = findings.failure { throw failure }
        return findings
    }
}
