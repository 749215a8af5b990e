/// Turns notifications of either version into ``UnifiedEvent``s, each judged by itself.
///
///     let normalizer = NotificationNormalizer(policy: .verify(verifier, sharedSecrets: secrets, expecting: app))
///     let event = try normalizer.event(from: body)      // V1 or V2, bare or in an envelope
///     event.type                                        // subscription.renewed
///     event.certainty                                   // exact, or candidates and flags say why not
///
/// A value that any number of tasks may use at once; it keeps no state of the notifications it saw. Calls are
/// synchronous and take microseconds.
public struct NotificationNormalizer: Sendable {
    private let table: DecisionTable
    private let names = EventNames.current
    private let pool: WorkspacePool
    private let policy: TrustPolicy
    private let receipts: ReceiptJudge?

    /// A normalizer that believes what the policy lets it believe.
    ///
    /// There is no default: say `.trustingTheSource` where whoever hands the bodies over has checked them, as for an
    /// archive; every event says `unverified` then.
    ///
    /// - Parameters:
    ///   - policy: What makes a notification worth believing; whatever it refuses is thrown as an error.
    ///   - catalogue: What is known of the products beside what notifications say; `nil` for nothing.
    public init(policy: TrustPolicy, catalogue: ProductCatalogue? = nil) {
        self.policy = policy
        table = DecisionTable.current.knowing(catalogue)
        pool = WorkspacePool(policy, catalogue)
        receipts = ReceiptJudge(policy)
    }

    /// The event of the notification in a body.
    ///
    /// - Parameters:
    ///   - body: The bytes of a request, or a record of an archive: V1, `{"signedPayload":…}`, a JWS, a decoded
    ///     payload, or one of them in an envelope. An array, a `Data`, a view of a `ByteBuffer`: bytes that lie in one
    ///     piece are read where they are.
    ///   - receivedAt: When it was received, if the envelope does not say so itself.
    /// - Returns: The event.
    /// - Throws: ``NotificationError`` where the bytes are not strict JSON, or carry no notification or several, as a
    ///   page of Apple's notification history does; with the place and never with a value.
    public func event(
        from body: some Collection<UInt8>, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> UnifiedEvent {
        try body.withMemory { (memory) throws(NotificationError) in try event(in: memory, receivedAt) }
    }

    /// The event of the notification in a body, the same of bytes that somebody else keeps, read where they are.
    ///
    ///     try normalizer.event(fromBytes: buffer.span.bytes)
    ///
    /// - Throws: ``NotificationError`` where the bytes are not strict JSON, or carry no notification or several.
    public func event(
        fromBytes body: RawSpan, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> UnifiedEvent {
        try body.withUnsafeBytes { (memory) throws(NotificationError) in try event(in: memory, receivedAt) }
    }

    private func event(
        in body: UnsafeRawBufferPointer, _ receivedAt: EventTime?
    ) throws(NotificationError) -> UnifiedEvent {
        var first: UnifiedEvent?
        var count = 0
        try forEachEvent(in: body, receivedAt: receivedAt, evidence: false) { draft, _ in
            count += 1
            if first == nil { first = UnifiedEvent(draft, names) }
        }
        guard let first = first.take() else {
            throw NotificationError(
                code: .notANotification, path: "", offset: 0, sentence: "valid JSON that carries no notification")
        }
        guard count == 1 else {
            throw NotificationError(
                code: .severalNotifications, path: "", offset: 0,
                sentence: "\(count) notifications where one is expected; events(from:) takes them")
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
        try body.withMemory { (memory) throws(NotificationError) in try events(in: memory, receivedAt) }
    }

    /// The events of every notification in a body, read in place.
    ///
    /// - Throws: ``NotificationError`` where a notification cannot be read.
    public func events(
        fromBytes body: RawSpan, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> [UnifiedEvent] {
        try body.withUnsafeBytes { (memory) throws(NotificationError) in try events(in: memory, receivedAt) }
    }

    private func events(
        in body: UnsafeRawBufferPointer, _ receivedAt: EventTime?
    ) throws(NotificationError) -> [UnifiedEvent] {
        try collect(from: body, receivedAt: receivedAt, evidence: false) { draft, _ in UnifiedEvent(draft, names) }
    }

    /// Makes something of the event of every notification in a body and, where wanted, of the bytes of its evidence;
    /// both live during the call.
    func collect<Result>(
        from body: UnsafeRawBufferPointer, receivedAt: EventTime?, evidence isWanted: Bool = true,
        _ make: (EventDraft, OutputBuffer) -> Result
    ) throws(NotificationError) -> [Result] {
        var results: [Result] = []
        try forEachEvent(in: body, receivedAt: receivedAt, evidence: isWanted) { draft, evidence in
            results.append(make(draft, evidence))
        }
        return results
    }

    private func forEachEvent(
        in body: UnsafeRawBufferPointer, receivedAt: EventTime?, evidence isWanted: Bool,
        _ visit: (EventDraft, OutputBuffer) -> Void
    ) throws(NotificationError) {
        try pool.with { workspace throws(NotificationError) in
            var refusal: NotificationError?
            try workspace.reader.forEachNotification(in: body) { found in
                var found = found
                if found.received == nil {
                    found.received = receivedAt.map { ReceiveTime(milliseconds: $0.milliseconds) }
                }
                workspace.evidence.removeAll()
                var draft = EventDraft()
                guard fill(&draft, found, workspace, writesEvidence: isWanted, &refusal) else { return }
                visit(draft, workspace.evidence)
            }
            if let refusal { throw refusal }
        }
    }

    /// The event of a version 1 notification, which no longer carries its secret.
    ///
    /// - Parameters:
    ///   - notification: The notification, read before.
    ///   - receivedAt: When it was received, if that is known.
    /// - Returns: The event, `unverified`.
    /// - Throws: ``NotificationError`` where the policy takes nothing without a proof.
    public func event(
        from notification: V1Notification, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> UnifiedEvent {
        do throws(VerificationError) {
            _ =
                try policy.checksNothing
                ? .unverified
                : policy.authenticity(
                    ofPassword: nil, bundleID: notification.bundleID,
                    environment: notification.environment?.rawValue)
        } catch {
            throw NotificationError(error)
        }
        // Its receipt is gone with the secret.
        if policy.needsReceipt { throw NotificationError(VerificationError(.noProof)) }
        return pool.with { workspace in
            let event = notification.withMemory { memory in
                let drafting = V1Drafting(
                    table, names, notification.fields, memory, receivedAt: receivedAt?.milliseconds)
                var draft = EventDraft()
                var reading = V1Reading()
                drafting.draft(&draft, &reading, &workspace.cache, idText: workspace.idText)
                if receipts != nil { draft.source.receiptPresence = .nothing }
                return UnifiedEvent(draft, names)
            }
            return event ?? UnifiedEvent(EventDraft(), names)
        }
    }

    /// The event of a version 2 notification, which no longer carries its signature.
    ///
    /// - Parameters:
    ///   - notification: The notification, read before.
    ///   - receivedAt: When it was received, if that is known.
    /// - Returns: The event, `unverified`.
    /// - Throws: ``NotificationError`` where the policy takes nothing without a proof.
    public func event(
        from notification: V2Notification, receivedAt: EventTime? = nil
    ) throws(NotificationError) -> UnifiedEvent {
        do throws(VerificationError) {
            _ =
                try policy.checksNothing
                ? .unverified
                : policy.authenticity(
                    ofUnsignedPayloadOf: notification.bundleID, appAppleID: nil,
                    environment: notification.environment?.rawValue)
        } catch {
            throw NotificationError(error)
        }
        return pool.with { workspace in
            let event = notification.withMemory { memory in
                let found = NotificationDecoder.Found(
                    .v2, memory, workspace.reader.decoder, receivedAt.map { ReceiveTime(milliseconds: $0.milliseconds) }
                )
                let drafting = V2Drafting(names: names, fields: notification.fields, found: found)
                var draft = drafting.draft(idText: workspace.idText)
                receipts?.judgeVersion2(&draft)
                return UnifiedEvent(draft, names)
            }
            return event ?? UnifiedEvent(EventDraft(), names)
        }
    }

    /// Fills in an event that is as new; returns false for what is no notification, or is refused.
    private func fill(
        _ draft: inout EventDraft, _ found: NotificationDecoder.Found, _ workspace: Workspace, writesEvidence: Bool,
        _ refusal: inout NotificationError?
    ) -> Bool {
        switch found.finding {
        case .v1:
            let fields = found.holder.v1
            var reading = V1Reading()
            let drafting = V1Drafting(table, names, fields, found.memory, receivedAt: found.receivedAt)
            drafting.draft(&draft, &reading, &workspace.cache, idText: workspace.idText)
            if let receipts, let reason = receipts.judge(&draft, fields, found.memory, found.authenticity, names) {
                refusal = refusal ?? reason
                return false
            }
            drafting.takeReceiptDate(&draft, &reading)
            if writesEvidence {
                workspace.evidenceWriter.write(
                    draft, reading, fields, TextView(memory: found.memory),
                    type: reading.type.map(table.name(ofType:)) ?? draft.source.type, to: workspace.evidence)
            }
        case .v2:
            draft = V2Drafting(names: names, fields: found.holder.v2, found: found).draft(idText: workspace.idText)
            receipts?.judgeVersion2(&draft)
            if writesEvidence { workspace.evidenceWriter.write(draft, to: workspace.evidence) }
        case .foreign:
            return false
        }
        draft.source.authenticity = found.authenticity
        return true
    }
}
