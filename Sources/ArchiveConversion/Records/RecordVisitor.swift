import NotificationTranslation

/// Takes what the decoder finds in a record, has each notification judged, and writes the events; one for each worker.
///
/// It holds everything that is used again from record to record. A class, so that what never changes can be passed on
/// without counting references to it.
final class RecordVisitor {
    private let judge: Judge
    private let policy: TrustPolicy
    private let evidence: EvidenceWriter?
    private let redaction: Redaction?
    private let options: RecordConverter.Options
    /// Not where events are settled later: that decides.
    private let rejectsAmbiguous: Bool
    private let writer: ShapeWriter
    private let inputText = OutputBuffer(capacity: 256)
    /// The time of arrival that holds whatever the envelope says; `nil` where the envelope says it.
    var received: ReceiveTime??
    private var input = ""
    private var inputHasEscapes = false
    private var offset: Int64 = 0
    private var extent = RecordExtent(length: 0, isLine: true)
    /// Whether the record may hold more than notifications and scalars.
    private var hasNeighbors = false
    /// Notifications in the record that was taken last.
    private(set) var notifications = 0
    /// Time of arrival of the last notification in that record, or of its envelope; `nil` if unknown.
    private var receivedLast: ReceiveTime?
    /// Whether a JSON pointer to the body points to nothing in it.
    private(set) var missedPointer = false
    /// What was recognized in it without being a notification.
    var explained: [ExplainedSkip] = []

    init(_ options: RecordConverter.Options, _ policy: TrustPolicy, _ redactionKey: RedactionKey?) {
        judge = Judge(policy)
        self.policy = policy
        evidence =
            options.keepsEvidence
            ? EvidenceWriter(keepsDetails: options.keepsDetails, redactionKey: redactionKey) : nil
        self.options = options
        rejectsAmbiguous = options.rejectsAmbiguous && !options.spillsEvents
        writer = ShapeWriter(options.shape)
        redaction = redactionKey.map(Redaction.init)
    }

    /// Writes the events of what was found in a record.
    ///
    /// - Returns: Why the record fails, or the first refusal of a notification in it.
    func take(
        _ findings: Findings, _ input: String, _ offset: Int64, _ extent: RecordExtent, _ output: inout ChunkOutput
    ) -> NotificationError? {
        hasNeighbors = false
        if input != self.input || inputText.count == 0 { rename(input) }
        self.offset = offset
        self.extent = extent
        notifications = findings.found.count
        receivedLast = received ?? findings.found.last.map(\.received) ?? findings.receivedAt
        missedPointer = findings.missedPointer
        explained = findings.explained
        var refusal: NotificationError?
        for var found in findings.found {
            if let received { found.received = received }
            if found.hasZonelessDates { output.tally.zoneless += 1 }
            refusal = refusal ?? take(found, &output)
        }
        return findings.failure ?? refusal
    }

    private func rename(_ name: String) {
        input = name
        inputText.removeAll()
        Array(name.utf8).withUnsafeBytes { inputText.append(inString: $0) }
        inputHasEscapes = inputText.bytes.contains(0x5C)
    }

    /// Writes the event of one notification; returns why it must not be used.
    private func take(_ found: FoundNotification, _ output: inout ChunkOutput) -> NotificationError? {
        hasNeighbors = hasNeighbors || found.mayHaveNeighbors
        if let refusal = judge.judge(found) { return refusal }
        if found.kind == .v1 { judge.makeID() }
        let start = output.evidence.count
        if let evidence { judge.writeEvidence(of: found, evidence, to: output.evidence) }
        write(&judge.event, found.received, evidenceStart: start, to: &output)
        return nil
    }

    /// Takes Apple's answers in the record that was read last.
    ///
    /// - Parameters:
    ///   - record: Its text.
    ///   - receivedAt: The time of arrival that is outside of the text.
    ///   - output: What they are added to.
    /// - Returns: Whether it holds any.
    /// - Throws: Why they must not be used, where the record holds nothing else.
    func takeAnswers(
        in record: UnsafeRawBufferPointer, _ receivedAt: ReceiveTime?, _ output: inout ChunkOutput
    ) throws(NotificationError) -> Bool {
        guard notifications == 0 || hasNeighbors,
            AnswerReader.mayBe(in: record, besidesNotification: notifications > 0)
        else { return false }
        let answers: [StoreAnswer]
        do throws(NotificationError) {
            answers = try AnswerReader.answers(in: record, policy)
        } catch {
            if notifications == 0 { throw error }
            output.tally.unprovenAnswers += 1
            return false
        }
        guard !answers.isEmpty else { return false }
        if notifications == 0 { output.tally.countEvidence() }
        let received = (receivedLast ?? receivedAt)?.milliseconds
        for answer in answers {
            output.tally.unprovenAnswers += answer.unproven
            guard let evidence else { continue }
            let bytes = output.answers
            evidence.write(answer, receivedAt: received, to: bytes) { output.markAnswer(time: $0) }
        }
        return true
    }

    /// Writes the event; `inout`, so that a field is not looked up in the judge each time.
    private func write(
        _ event: inout EventDraft, _ received: ReceiveTime?, evidenceStart: Int, to output: inout ChunkOutput
    ) {
        if rejectsAmbiguous || options.dropsCompanions, leaveOut(&event, in: &output) { return }
        redaction?.redact(&event)
        if let received {
            output.tally.received += 1
            if !received.hasZone { output.tally.zoneless += 1 }
            if event.isOverdue { output.tally.overdue += 1 }
            if event.isPremature { output.tally.premature += 1 }
        }
        event.source.input = EventText(inputText.bytes, hasEscapes: inputHasEscapes)
        event.source.offset = offset
        event.source.line = output.line
        if !options.writesEvents {
            // Counted below.
        } else if options.spillsEvents {
            SpilledEvent.append(&event, to: output.bytes, extent)
        } else {
            writer.write(&event, to: output.bytes)
        }
        if evidence != nil {
            output.markEvidence(from: evidenceStart, &event)
        } else if options.reports {
            output.report.count(&event, line: output.line)
        }
        output.tally.count(&event)
    }

    /// Counts an event that is not to be written; false for any other.
    private func leaveOut(_ event: inout EventDraft, in output: inout ChunkOutput) -> Bool {
        if rejectsAmbiguous, event.certainty == .ambiguous {
            output.rejectAmbiguous(&event, offset: offset, extent)
            return true
        }
        guard options.dropsCompanions, event.disposition == .companion else { return false }
        output.tally.count(&event)
        return true
    }

    /// Counts that a record holds no notification, and takes note of it where a report or a list is made.
    func noteSkip(of text: UnsafeRawBufferPointer, in output: inout ChunkOutput) {
        let isEmptyPost = explained.reason == .noNotification && NotificationSigns.holdsEmptyBody(text)
        let reason = isEmptyPost ? .emptyPost : explained.reason
        output.tally.countSkip(reason)
        if options.notesSkips { output.noteSkip(reason) }
        if options.reports { output.report.noteSkip(reason, .init(input: input, line: output.line)) }
    }
}
