import NotificationTranslation

/// Takes what the decoder finds in a record, has each notification judged, and writes the events; one for each worker.
///
/// It holds everything that is used again from record to record. A class, so that a record costs no counting of references
/// to what never changes.
final class RecordWriter {
    /// Where a record is in its input; its text may be elsewhere, where it was made of the row of a table.
    struct Record {
        var offset: Int64
        var extent: RecordExtent
        var place: RecordConverter.ChunkPlace
    }

    private let judge: Judge
    private let policy: TrustPolicy
    private let evidence: EvidenceWriter?
    private let redaction: Redaction?
    private let options: RecordConverter.Options
    /// Not where events are settled later: that decides.
    private let rejectsAmbiguous: Bool
    private let writer: ShapeWriter
    private let inputText = OutputBuffer(capacity: 256)
    private var inputHasEscapes = false
    /// The record that was taken last.
    private var record = Record(
        offset: 0, extent: RecordExtent(length: 0, isLine: true), place: .init(input: "", offset: 0))
    /// What was found in it.
    var findings = Findings.nothing

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
    func take(_ findings: Findings, of record: Record, _ output: inout ChunkOutput) -> NotificationError? {
        if record.place.input != self.record.place.input || inputText.count == 0 {
            inputText.removeAll()
            Array(record.place.input.utf8).withUnsafeBytes { inputText.append(inString: $0) }
            inputHasEscapes = inputText.bytes.contains(0x5C)
        }
        self.record = record
        self.findings = findings
        var refusal: NotificationError?
        for found in findings.found {
            if found.hasZonelessDates { output.tally.zoneless += 1 }
            refusal = refusal ?? take(found, &output)
        }
        return findings.failure ?? refusal
    }

    /// Takes Apple's answers in the record that was taken last, and counts it as a skip if it holds neither them nor a
    /// notification.
    ///
    /// - Returns: Why it must not be used.
    func finish(
        _ text: UnsafeRawBufferPointer, at start: Int, _ receivedAt: ReceiveTime?, _ output: inout ChunkOutput
    ) -> NotificationError? {
        do throws(NotificationError) {
            let hasAnswer = try takeAnswers(in: text, findings, receivedAt, &output)
            if hasAnswer || !findings.found.isEmpty { return nil }
        } catch {
            return error
        }
        noteSkip(of: text, in: &output)
        if findings.missedPointer { output.tally.missedPointers += 1 }
        if findings.explained.leaveSigns(in: text, at: start) { output.noteSigns() }
        return nil
    }

    /// Writes the event of one notification; returns why it must not be used.
    private func take(_ found: FoundNotification, _ output: inout ChunkOutput) -> NotificationError? {
        if let refusal = judge.judge(found) { return refusal }
        if found.kind == .v1 { judge.makeID() }
        let start = output.evidence.count
        if let evidence { judge.writeEvidence(of: found, evidence, to: output.evidence) }
        write(&judge.event, found.received, evidenceStart: start, to: &output)
        return nil
    }

    /// Takes Apple's answers in a record; returns whether it holds any.
    ///
    /// - Throws: Why they must not be used, where the record holds nothing else.
    private func takeAnswers(
        in text: UnsafeRawBufferPointer, _ findings: Findings, _ receivedAt: ReceiveTime?, _ output: inout ChunkOutput
    ) throws(NotificationError) -> Bool {
        let isAlone = findings.found.isEmpty
        guard isAlone || findings.found.contains(where: \.mayHaveNeighbors),
            AnswerReader.mayBe(in: text, besidesNotification: !isAlone)
        else { return false }
        let answers: [StoreAnswer]
        do throws(NotificationError) {
            answers = try AnswerReader.answers(in: text, policy)
        } catch {
            if isAlone { throw error }
            output.tally.unprovenAnswers += 1
            return false
        }
        guard !answers.isEmpty else { return false }
        if isAlone { output.tally.countEvidence() }
        let inside = findings.found.last.map(\.received) ?? findings.receivedAt
        let received = (inside ?? receivedAt)?.milliseconds
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
        event.source.offset = record.offset
        event.source.line = output.line
        if !options.writesEvents {
            // Counted below.
        } else if options.spillsEvents {
            SpilledEvent.append(&event, to: output.bytes, record.extent)
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
            output.rejectAmbiguous(&event, offset: record.offset, record.extent)
            return true
        }
        guard options.dropsCompanions, event.disposition == .companion else { return false }
        output.tally.count(&event)
        return true
    }

    /// Counts that a record holds no notification, and notes why.
    func noteSkip(of text: UnsafeRawBufferPointer, in output: inout ChunkOutput) {
        let isEmptyPost = findings.explained.reason == .noNotification && NotificationSigns.holdsEmptyBody(text)
        let reason = isEmptyPost ? .emptyPost : findings.explained.reason
        output.tally.countSkip(reason)
        output.noteSkip(reason)
        if options.reports { output.report.noteSkip(reason, .init(input: record.place.input, line: output.line)) }
    }
}
