/// The memory that reading and judging one body takes; used again for the next.
final class Workspace {
    let reader: BodyReader
    let judge: Judge
    let evidence = OutputBuffer(capacity: 1024)
    let evidenceWriter: EvidenceWriter

    init(
        _ policy: TrustPolicy,
        longest: Int = BodyReader.usualLongest
    ) {
        reader = BodyReader(policy, longest: longest)
        judge = Judge(policy)
        evidenceWriter = EvidenceWriter(keepsDetails: true)
    }

    /// Judges every notification in a body.
    ///
    /// If the policy refuses any, the first refusal is thrown after the whole body has been read; `visit` has then been
    /// called for the others.
    ///
    /// - Parameters:
    ///   - body: The bytes of a request, or a record of an archive.
    ///   - receivedAt: When it was received, if the envelope does not say so itself.
    ///   - keepsEvidence: Whether ``evidence`` then holds what a timeline needs of the notification.
    ///   - visit: Called after each, while ``Judge/event`` is its event.
    /// - Returns: What the body is if no notification is in it.
    /// - Throws: ``NotificationError`` where the body cannot be read, or the policy refuses a notification of it.
    @discardableResult func judge(
        _ body: UnsafeRawBufferPointer, receivedAt: EventTime?, keepsEvidence: Bool,
        _ visit: (Judge, FoundNotification) -> Void
    ) throws(NotificationError) -> SkipReason {
        var refusal: NotificationError?
        let reason = try reader.forEachNotification(in: body) { found in
            var found = found
            if found.received == nil {
                found.received = receivedAt.map { ReceiveTime(milliseconds: $0.milliseconds) }
            }
            switch judge.judge(found) {
            case .foreign: return
            case .refused: refusal = refusal ?? judge.refusal
            case .event:
                if found.kind == .v1 { judge.makeID() }
                evidence.removeAll()
                if keepsEvidence { judge.writeEvidence(of: found, evidenceWriter, to: evidence) }
                visit(judge, found)
            }
        }
        if let refusal { throw refusal }
        return reason
    }
}
