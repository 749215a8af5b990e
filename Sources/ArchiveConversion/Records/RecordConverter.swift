package import NotificationTranslation

/// Turns records of an archive into event lines; used again and again.
///
/// For each record, the decoder finds the notifications, ``Judge`` makes the event of each, and its line is written.
/// A class, so that a record costs no counting of references to what never changes.
package final class RecordConverter {
    /// How records are read and what is written.
    package struct Options: Sendable, Hashable {
        /// JSON pointer of the place of the notification in each record; `nil` finds it, empty means the record itself
        /// is the body.
        package var envelope: String?
        /// Whether the evidence that a timeline needs is kept beside each event.
        package var keepsEvidence = false
        /// Whether it holds what only `state` and `transactions` tell.
        package var keepsDetails = false
        /// Whether events are written as ``SpilledEvent``s and not as lines.
        package var spillsEvents = false
        /// Whether events are written at all; a table is made of the evidence alone.
        package var writesEvents = true
        /// The shape of the lines.
        package var shape = EventShape()
        /// Whether the lines of companions are left out; they are counted all the same.
        package var dropsCompanions = false
        /// Whether a record whose event is ambiguous is rejected; where events are settled later, this is decided then.
        package var rejectsAmbiguous = false
        /// Whether a report is made: events are counted in ``ChunkOutput/report`` unless they are settled later, and
        /// records without a notification are noted there.
        package var reports = false
        /// Where times of arrival come from.
        package var receivedAt = ReceivedAt.auto

        package init() {}
    }

    /// How many bytes after the end of a chunk must be readable (their values do not matter).
    package static var slack: Int { NotificationDecoder.slack }

    /// Where a record is in its input; its text may be elsewhere, where it was made of the row of a table.
    struct Record {
        var offset: Int64
        var extent: RecordExtent
    }

    let steps: [String]?
    let decoder: NotificationDecoder
    private let judge: Judge
    private let policy: TrustPolicy
    private let evidence: EvidenceWriter?
    private let redaction: Redaction?
    private let options: Options
    /// Whether ambiguous events are rejected here; false where a timeline decides that later.
    private let rejectsAmbiguous: Bool
    private let writer: ShapeWriter
    private let inputText = OutputBuffer(capacity: 256)
    private var inputHasEscapes = false
    /// The input, and when it was last changed.
    private var (input, modifiedAt): (String, Int64?) = ("", nil)
    /// Offset of the chunk's first byte in the uncompressed input.
    private(set) var offset: Int64 = 0
    /// What was found in the record that was taken last.
    var findings = Findings.nothing
    /// What the records became: event lines, rejects and counts; emptied by the caller.
    package var output = ChunkOutput()

    /// A converter.
    ///
    /// - Parameters:
    ///   - options: How records are read and what is written.
    ///   - policy: What is believed.
    ///   - redactionKey: The key of the pseudonyms that replace what points to a person; `nil` leaves it as it is.
    package init(options: Options, policy: TrustPolicy, redactionKey: RedactionKey? = nil) {
        decoder = NotificationDecoder(policy, keepsPayload: options.shape.kind == .v2)
        steps = options.envelope.map(Self.steps)
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

    /// Begins a chunk.
    ///
    /// - Parameters:
    ///   - input: The input's name as given by the caller (`-` for standard input).
    ///   - offset: Byte offset of the chunk's first byte in the uncompressed input.
    ///   - modifiedAt: When the input was last changed, in milliseconds since 1970.
    ///   - line: The number of the chunk's first line, or record.
    package func begin(input: String, offset: Int64, modifiedAt: Int64? = nil, line: Int64 = 1) {
        inputText.removeAll()
        Array(input.utf8).withUnsafeBytes { inputText.append(inString: $0) }
        inputHasEscapes = inputText.bytes.contains(0x5C)
        (self.input, self.offset, self.modifiedAt, output.line) = (input, offset, modifiedAt, line)
    }

    /// The reference tokens of a JSON pointer.
    package static func steps(_ pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
        }
    }

    /// Converts the line that begins at `start`, whatever it holds.
    ///
    /// A line ends with LF, CRLF or the end of the chunk. Blank lines are not records. Exactly one line is counted in
    /// `output.line`. In a line of a log, JSON may be anywhere. ``slack`` readable bytes follow the chunk's whole lines.
    ///
    /// - Returns: The index after its LF.
    package func convertLine(of chunk: UnsafeRawBufferPointer, from start: Int, isLog: Bool = false) -> Int {
        guard let memory = chunk.baseAddress, start < chunk.count else { return chunk.count }
        if isLog, let next = convertLogLine(of: chunk, from: start) { return next }
        decoder.scan(memory, from: start, to: chunk.count, stopsAtLineFeed: true)
        let end = decoder.end
        convert(memory, start, end, isLine: true)
        return min(end + 1, chunk.count)
    }

    /// Converts one record that may hold line ends: an element of a JSON array or one of several documents in a row.
    ///
    /// Exactly one line is counted in `output.line`.
    package func convertDocument(in chunk: UnsafeRawBufferPointer, range: Range<Int>) {
        guard let memory = chunk.baseAddress else { return }
        decoder.scan(memory, from: range.lowerBound, to: range.upperBound, stopsAtLineFeed: false)
        convert(memory, range.lowerBound, range.upperBound, isLine: false)
    }

    /// Converts the record that was scanned last.
    private func convert(_ memory: UnsafeRawPointer, _ start: Int, _ end: Int, isLine: Bool) {
        defer { output.line += 1 }
        let bytes = UnsafeRawBufferPointer(start: memory, count: end)
        var (first, stop) = (start, end)
        while stop > start, isSpace(bytes[stop - 1]) { stop -= 1 }
        while first < stop, isSpace(bytes[first]) { first += 1 }
        guard first < stop else { return }
        let record = Record(offset: offset + Int64(start), extent: (stop - start, isLine))
        if let failure = take(record, memory, start, end, nil) {
            reject(OtherForm.explained(failure, UnsafeRawBufferPointer(rebasing: bytes[first..<stop])), record)
        }
    }

    func reject(_ failure: NotificationError, _ record: Record) {
        output.reject(
            failure.code.rawValue, failure.sentence, path: failure.path, column: failure.offset,
            offset: record.offset, length: record.extent.length, isLine: record.extent.isLine)
    }

    /// Takes the text that was scanned last as a record, with a time of arrival that is not in the text.
    ///
    /// - Returns: Why it failed; nothing is counted then.
    private func take(
        _ record: Record, _ memory: UnsafeRawPointer, _ start: Int, _ end: Int, _ outside: ReceiveTime?
    ) -> NotificationError? {
        // The decoder knows the record it read last: ask before it reads the notification.
        var pointed: ReceiveTime??
        if case .pointer(let steps) = options.receivedAt { pointed = .some(decoder.time(at: steps, memory, start)) }
        var findings = decoder.findings(in: memory, start, at: steps, receivedAt: outside)
        if let pointed { findings.setReceived(pointed) }
        let text = UnsafeRawBufferPointer(start: memory + start, count: end - start)
        return take(consume findings, of: record) ?? finish(text, at: start, outside)
    }

    /// Counts the line that was rejected last as a skip that shows signs of a notification.
    package func skipRejected() {
        output.takeBackReject()
        noteSkip(of: UnsafeRawBufferPointer(start: nil, count: 0))
        output.noteSigns()
        output.line += 1
    }

    /// Converts JSON text that was made of a record, such as a row of a table.
    ///
    /// Exactly one line is counted in `output.line`, unless nothing was taken.
    ///
    /// - Parameters:
    ///   - text: The text; grows by ``slack``.
    ///   - record: What it was made of, as a range of the chunk.
    ///   - times: Texts in one of which the time of arrival may be, where the text itself does not name it.
    ///   - isLast: Whether the text is the last that can be made of the record: a text that is not JSON is a reject
    ///     then, and nothing is taken of it otherwise.
    ///
    /// - Returns: Whether it was taken.
    package func convert(
        made text: OutputBuffer, of record: Range<Int>, times: UnsafeRawBufferPointer?, isLast: Bool
    ) -> Bool {
        let length = text.count
        text.reserve(Self.slack)
        guard let memory = text.bytes.baseAddress, length > 0 else { return false }
        decoder.scan(memory, from: 0, to: length, stopsAtLineFeed: false)
        let origin = Record(offset: offset + Int64(record.lowerBound), extent: (record.count, isLine: false))
        if var failure = take(origin, memory, 0, length, times.flatMap(Self.time)) {
            // A text that is not JSON fails before anything of it is taken.
            if !isLast, failure.code.rawValue.hasPrefix("json.") { return false }
            failure.offset = 0
            reject(failure, origin)
        }
        output.line += 1
        return true
    }

    /// The time in a row without names, before the JSON in it or after.
    private static func time(_ row: UnsafeRawBufferPointer) -> ReceiveTime? {
        guard let first = row.firstIndex(of: 0x7B), let last = row.lastIndex(of: 0x7D), first < last else {
            return PrefixTime.search(row)
        }
        return PrefixTime.search(UnsafeRawBufferPointer(rebasing: row[..<first]))
            ?? PrefixTime.only(in: [UnsafeRawBufferPointer(rebasing: row[(last + 1)...])])
    }

    // MARK: Writing

    /// Writes the events of what was found in a record.
    ///
    /// - Returns: Why the record fails, or the first refusal of a notification in it.
    func take(_ found: consuming Findings, of record: Record) -> NotificationError? {
        findings = found
        switch options.receivedAt {
        case .none: findings.setReceived(nil)
        case .modificationTime: findings.setReceived(modifiedAt.map { ReceiveTime(milliseconds: $0) })
        case .auto, .pointer: break
        }
        var refusal: NotificationError?
        for found in findings.found {
            if found.hasZonelessDates { output.tally.zoneless += 1 }
            refusal = refusal ?? take(found, record)
        }
        return findings.failure ?? refusal
    }

    /// Takes Apple's answers in the last record, and counts the record as skipped if nothing in it was used, or if the
    /// rest of it shows signs of a notification.
    ///
    /// - Returns: Why the record must be rejected; `nil` if it need not be.
    func finish(_ text: UnsafeRawBufferPointer, at start: Int, _ receivedAt: ReceiveTime?) -> NotificationError? {
        do throws(NotificationError) {
            let hasAnswer = try takeAnswers(in: text, receivedAt)
            let isAlone = hasAnswer && findings.found.isEmpty
            if findings.leavesSigns || isAlone && NotificationSigns.nameType(in: text) {
                noteSkip(of: text)
                output.noteSigns()
            }
            if hasAnswer || !findings.found.isEmpty { return nil }
        } catch {
            return error
        }
        noteSkip(of: text)
        if findings.missedPointer { output.tally.missedPointers += 1 }
        if findings.explained.leaveSigns(in: text, at: start) { output.noteSigns() }
        return nil
    }

    /// Writes the event of one notification; returns why it must not be used.
    private func take(_ found: FoundNotification, _ record: Record) -> NotificationError? {
        if let refusal = judge.judge(found) { return refusal }
        if found.kind == .v1 { judge.makeID() }
        let start = output.evidence.count
        if let evidence {
            judge.writeEvidence(of: found, evidence, to: output.evidence)
            if options.keepsDetails {
                judge.writeLists(of: found, evidence, to: output.answers) { output.markAnswer(time: $0) }
            }
        }
        write(&judge.event, record, found.received, evidenceStart: start)
        return nil
    }

    /// Takes Apple's answers in a record; returns whether it holds any.
    ///
    /// - Throws: Why they must not be used, where the record holds nothing else.
    private func takeAnswers(
        in text: UnsafeRawBufferPointer, _ receivedAt: ReceiveTime?
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
        if isAlone { output.countEvidence() }
        let inside = findings.found.last.map(\.received) ?? findings.receivedAt
        let received = (inside ?? receivedAt)?.milliseconds
        for answer in answers {
            output.tally.unprovenAnswers += answer.unproven
            guard let evidence else { continue }
            evidence.write(answer, receivedAt: received, to: output.answers) { output.markAnswer(time: $0) }
        }
        return true
    }

    /// Writes the event; `inout`, so that a field is not looked up in the judge each time.
    private func write(_ event: inout EventDraft, _ record: Record, _ received: ReceiveTime?, evidenceStart: Int) {
        if rejectsAmbiguous || options.dropsCompanions, leaveOut(&event, record) { return }
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
    private func leaveOut(_ event: inout EventDraft, _ record: Record) -> Bool {
        let isRejected = rejectsAmbiguous && event.certainty == .ambiguous
        guard isRejected || options.dropsCompanions && event.disposition == .companion else { return false }
        output.tally.count(&event)
        if isRejected {
            output.tally.recountAsAmbiguousReject(&event)
            output.rejects.append(Reject(ambiguousAt: record.offset, record.extent, line: output.line))
        }
        return true
    }

    /// Counts that a record holds no notification, and notes why.
    private func noteSkip(of text: UnsafeRawBufferPointer) {
        let isEmptyPost = findings.explained.reason == .noNotification && NotificationSigns.holdsEmptyBody(text)
        let reason = isEmptyPost ? .emptyPost : findings.explained.reason
        output.countSkip(reason)
        if options.reports {
            let place = ReportTally.Place(input: input, line: output.line)
            output.report.skips[reason, default: .init()].add(place)
        }
    }
}

extension Findings {
    /// Replaces every time of arrival, also one that the envelope gives.
    fileprivate mutating func setReceived(_ time: ReceiveTime?) {
        for place in found.indices { found[place].received = time }
        receivedAt = time
    }
}

/// Whether a byte is whitespace of JSON.
func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
