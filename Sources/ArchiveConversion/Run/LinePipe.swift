package import NotificationTranslation

/// One line in, one line out, in the same order, for a program that keeps us as a co-process.
///
/// Whatever a line holds, it gets exactly one answer: an event, or an error where there is none to give. The answers to
/// all complete lines that were read are written before the next read that may block, or both sides would wait for
/// ever.
package struct LinePipe {
    /// Where the answer to a line without an event goes.
    package enum ErrorPolicy: String, Sendable, CaseIterable {
        /// Into the output, as `{"error":{"code":…,"message":…,"line":…}}`.
        case inline
        /// The same line, but on standard error.
        case stderr
        /// Nowhere: such a line has no answer.
        case drop
    }

    private var converter: RecordConverter
    private let writesEvidence: Bool
    private let tellsEnds: Bool
    private let errors: ErrorPolicy
    private let longestLine: Int
    private let chunk: Chunk
    private var line = ChunkOutput()
    private let answers = OutputBuffer()
    /// The event of the line being answered, with its number.
    private let numbered = OutputBuffer()
    private let complaints = OutputBuffer(capacity: 1024)
    private var place = RecordConverter.ChunkPlace(input: "-", offset: 0)
    private var lines: Int64 = 0

    /// Prepares a pipe.
    ///
    /// `chunkSize` is the room for what is read at once, which grows for longer lines; with `tellsEnds` an empty line
    /// follows the answers to each line.
    package init(
        _ options: RecordConverter.Options, policy: TrustPolicy, redactionKey: RedactionKey? = nil,
        writesEvidence: Bool = false, tellsEnds: Bool = false, errors: ErrorPolicy, longestLine: Int = 16 << 20,
        chunkSize: Int = 64 * 1024
    ) {
        var options = options
        options.keepsEvidence = writesEvidence
        options.keepsDetails = writesEvidence
        converter = RecordConverter(options: options, policy: policy, redactionKey: redactionKey)
        self.writesEvidence = writesEvidence
        self.tellsEnds = tellsEnds
        self.errors = errors
        self.longestLine = longestLine
        chunk = Chunk(capacity: min(chunkSize, longestLine + 2))
    }

    /// Answers lines until the input ends.
    package mutating func run(from input: Descriptor, to output: Descriptor) throws(ArchiveError) {
        // Bytes of a line that is too long and was thrown away so far.
        var skipped = 0
        while true {
            if chunk.room.isEmpty { makeRoom(&skipped) }
            let count = try input.read(into: chunk.room)
            let known = chunk.count
            chunk.count += count
            let end = count == 0 ? chunk.count : wholeLines(from: known)
            try answer(upTo: end, skipped: &skipped, atEnd: count == 0)
            try write(to: output)
            if count == 0 { return }
        }
    }

    /// Grows the room for a long line, or forgets one that is too long.
    private mutating func makeRoom(_ skipped: inout Int) {
        if chunk.capacity < longestLine + 2 {
            chunk.resize(to: min(longestLine + 2, chunk.capacity * 2))
        } else {
            skipped += chunk.count
            place.offset += Int64(chunk.count)
            chunk.removeAll()
        }
    }

    /// Index after the last line end that came with the last read, 0 when none did.
    private func wholeLines(from start: Int) -> Int {
        lastLineEnd(in: chunk.bytes, from: start).map { $0 + 1 } ?? 0
    }

    private mutating func answer(upTo end: Int, skipped: inout Int, atEnd: Bool) throws(ArchiveError) {
        let whole = UnsafeRawBufferPointer(rebasing: chunk.bytes[..<end])
        var at = 0
        if skipped > 0, end > 0 || atEnd {
            at = whole.place(of: 0x0A).map { $0 + 1 } ?? end
            skipped = 0
            reject("record.too-long", ArchiveFault.tooLong.message)
            if tellsEnds { answers.append(0x0A) }
        }
        while at < end {
            line.removeAll()
            let next = converter.convertLine(of: whole, from: at, place: place, into: &line)
            guard next > at, next <= end else { throw ArchiveError.unconsumed("-") }
            if next - at > longestLine + 2 {
                reject("record.too-long", ArchiveFault.tooLong.message)
            } else {
                answerLine()
            }
            if tellsEnds { answers.append(0x0A) }
            at = next
        }
        // What is left is the beginning of a line; it moves to the front.
        chunk.removeFirst(end)
        place.offset += Int64(end)
    }

    /// Answers the line that was just converted.
    private mutating func answerLine() {
        if let fault = line.rejects.first, fault.code != Reject.ambiguous || line.tally.records == 1 {
            return reject(fault.code, (fault.path.isEmpty ? "" : fault.path + ": ") + fault.message)
        }
        let bytes = line.bytes.bytes
        guard line.rejects.isEmpty else { return rejectSeveral() }
        guard let end = bytes.firstIndex(of: 0x0A) else {
            if line.tally.evidence > 0 {
                return reject("record.answer", "an answer of Apple's API, not a notification")
            }
            return line.tally.records == 0
                ? reject("record.blank", "the line is blank")
                : reject(
                    "record.skipped", (line.tally.skipReasons.last?.reason ?? .noNotification).sentence)
        }
        guard end + 1 == bytes.count || writesEvidence else { return rejectSeveral() }
        lines += 1
        let answer = writesEvidence ? numbered : answers
        numbered.removeAll()
        line.forEachPiece { piece, number in
            answer.append(piece)
            if number != nil { answer.append(decimal: lines) }
        }
        guard writesEvidence else { return }
        // The evidence of each notification, in the same order as the events.
        var (rest, start) = (numbered.bytes[...], 0)
        for mark in line.evidenceMarks {
            guard let end = rest.firstIndex(of: 0x0A) else { return }
            let evidence = UnsafeRawBufferPointer(rebasing: line.evidence.bytes[start..<mark.end])
            KeyedLine.append(UnsafeRawBufferPointer(rebasing: rest[..<end]), evidence: evidence, to: answers)
            (rest, start) = (rest[(end + 1)...], mark.end)
        }
    }

    private mutating func rejectSeveral() {
        reject("record.several", "the record holds several notifications; convert takes such records")
    }

    private mutating func reject(_ code: String, _ message: String) {
        lines += 1
        guard errors != .drop else { return }
        let buffer = errors == .inline ? answers : complaints
        if writesEvidence, errors == .inline { KeyedLine.appendNoKey(to: buffer) }
        buffer.append("{\"error\":{\"code\":")
        buffer.append(jsonString: code)
        buffer.append(",\"message\":")
        buffer.append(jsonString: message)
        buffer.append(",\"line\":")
        buffer.append(decimal: lines)
        buffer.append("}}\n")
    }

    private func write(to output: Descriptor) throws(ArchiveError) {
        defer {
            answers.removeAll()
            complaints.removeAll()
        }
        try output.writeAll(answers.bytes)
        try Descriptor.standardError.writeAll(complaints.bytes)
    }
}
