import NotificationTranslation

/// Takes the notifications that the decoder finds in a record, has each judged, and writes the events; one for each
/// worker.
///
/// It holds everything that is used again from record to record.
final class RecordVisitor {
    /// What was found in the record.
    private(set) lazy var found = FoundVisitor { [unowned self] in take($0) }
    private let judge: Judge
    private let policy: TrustPolicy
    private let evidence: EvidenceWriter?
    private let redaction: Redaction?
    private let options: RecordConverter.Options
    /// Not where events are settled later: that decides.
    private let rejectsAmbiguous: Bool
    private let writer: ShapeWriter
    private let inputText = OutputBuffer(capacity: 256)
    /// Where events go while a record is read.
    private var output: UnsafeMutablePointer<ChunkOutput>?
    private var input = ""
    private var inputHasEscapes = false
    private var offset: Int64 = 0
    private var extent = RecordExtent(length: 0, isLine: true)
    /// Whether the record may hold more than notifications and scalars.
    private var hasNeighbors = false
    /// Why a notification of the record must not be used, though it was found; the first one.
    private(set) var refusal: NotificationError?

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

    /// Calls `read` while the events of a record go to `output`, which it must not touch.
    func withRecord<Result>(
        _ input: String, _ offset: Int64, _ extent: RecordExtent, _ output: inout ChunkOutput, _ read: () -> Result
    ) -> Result {
        found.reset()
        hasNeighbors = false
        refusal = nil
        if input != self.input || inputText.count == 0 { rename(input) }
        self.offset = offset
        self.extent = extent
        return withUnsafeMutablePointer(to: &output) { output in
            self.output = output
            defer { self.output = nil }
            let result = read()
            output.pointee.tally.zoneless += found.zonelessPayloads
            return result
        }
    }

    private func rename(_ name: String) {
        input = name
        inputText.removeAll()
        Array(name.utf8).withUnsafeBytes { inputText.append(inString: $0) }
        inputHasEscapes = inputText.bytes.contains(0x5C)
    }

    /// Writes the event of one notification.
    private func take(_ notification: FoundNotification) {
        guard let output else { return }
        hasNeighbors = hasNeighbors || notification.mayHaveNeighbors
        switch judge.judge(notification) {
        case .event:
            if notification.kind == .v1 { judge.makeID() }
            let start = output.pointee.evidence.count
            if let evidence { judge.writeEvidence(of: notification, evidence, to: output.pointee.evidence) }
            write(&judge.event, notification.received, evidenceStart: start, to: &output.pointee)
        case .refused: refusal = refusal ?? judge.refusal
        case .foreign: break
        }
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
        guard found.notifications == 0 || hasNeighbors,
            AnswerReader.mayBe(in: record, besidesNotification: found.notifications > 0)
        else { return false }
        let answers: [StoreAnswer]
        do throws(NotificationError) {
            answers = try AnswerReader.answers(in: record, policy)
        } catch {
            if found.notifications == 0 { throw error }
            output.tally.unprovenAnswers += 1
            return false
        }
        guard !answers.isEmpty else { return false }
        if found.notifications == 0 { output.tally.countEvidence() }
        let received = (found.receivedLast ?? receivedAt)?.milliseconds
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
        let isEmptyPost = found.explained.reason == .noNotification && NotificationSigns.holdsEmptyBody(text)
        let reason = isEmptyPost ? .emptyPost : found.explained.reason
        output.tally.countSkip(reason)
        if options.notesSkips { output.noteSkip(reason) }
        if options.reports { output.report.noteSkip(reason, .init(input: input, line: output.line)) }
    }
}
