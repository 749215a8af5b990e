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

    private let converter: RecordConverter
    private let writesEvidence: Bool
    private let tellsEnds: Bool
    private let errors: ErrorPolicy
    private let longestLine: Int
    private let feed: LineFeed
    private let answers = OutputBuffer()
    private let complaints = OutputBuffer(capacity: 1024)
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
        feed = LineFeed(longestLine: longestLine + 2, chunkSize: chunkSize)
    }

    /// Answers lines until the input ends.
    package mutating func run(from input: Descriptor, to output: Descriptor) throws(ArchiveError) {
        while let part = try feed.next(from: input) {
            try part.forEachLine(longest: longestLine) { (line, offset) throws(ArchiveError) in
                lines += 1
                if let line { answer(line, at: offset) } else { reject(.tooLong) }
                if tellsEnds { answers.append(0x0A) }
            }
            try write(to: output)
        }
    }

    private mutating func answer(_ line: UnsafeRawBufferPointer, at offset: Int64) {
        // Skip a byte order mark at the beginning of the input.
        let mark = offset == 0 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        converter.output.removeAll()
        converter.begin(input: "-", offset: offset + Int64(mark), line: lines)
        _ = converter.convertLine(of: UnsafeRawBufferPointer(rebasing: line[mark...]), from: 0)
        let bytes = converter.output.bytes.bytes
        if let fault = converter.output.rejects.first, bytes.isEmpty || !writesEvidence {
            guard fault.code != ArchiveFault.ambiguous.code || converter.output.tally.records == 1 else {
                return reject(.several)
            }
            return reject(fault)
        }
        guard let end = bytes.firstIndex(of: 0x0A) else {
            // Without a subscription there is nothing to store; an unproven answer gets the error that pipe gives.
            if writesEvidence, converter.output.tally.unprovenAnswers == 0, !converter.output.answerMarks.isEmpty {
                return answerWithAnswers()
            }
            if converter.output.tally.evidence > 0 { return reject(.answer) }
            guard let reason = converter.output.tally.skipReasons.last?.reason else { return reject(.blank) }
            return reject(ArchiveFault.skipped.code, reason.sentence)
        }
        guard end + 1 == bytes.count || writesEvidence else { return reject(.several) }
        guard writesEvidence else { return answers.append(bytes) }
        // The evidence of each notification, in the same order as the events.
        let events = bytes.split(separator: 0x0A)
        for (event, (_, evidence)) in zip(
            events, ChunkOutput.parts(converter.output.evidence, converter.output.evidenceMarks))
        {
            KeyedLine.append(UnsafeRawBufferPointer(rebasing: event), evidence: evidence, to: answers)
        }
        answerWithAnswers()
        for fault in converter.output.rejects { reject(fault) }
    }

    /// Writes the evidence of Apple's answers and of lists: a line for each subscription that they show.
    private func answerWithAnswers() {
        for (mark, evidence) in ChunkOutput.parts(converter.output.answers, converter.output.answerMarks) {
            KeyedLine.append(answer: evidence, time: mark.time, to: answers)
        }
    }

    private mutating func reject(_ fault: ArchiveFault) { reject(fault.code, fault.sentence) }

    private mutating func reject(_ fault: Reject) {
        reject(fault.code, (fault.path.isEmpty ? "" : fault.path + ": ") + fault.message)
    }

    private mutating func reject(_ code: String, _ message: String) {
        guard errors != .drop else { return }
        let buffer = errors == .inline ? answers : complaints
        if writesEvidence, errors == .inline { buffer.append("\t\t") }
        buffer.append(errorAnswer(code, message, line: Int(lines)) + "\n")
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

/// Lines of a pipe, read in memory that is used again: whole lines are handed over before the next read, which may block.
final class LineFeed {
    /// A longer line is thrown away.
    private let longestLine: Int
    private let chunk: Chunk
    /// Bytes of the chunk that were handed over.
    private var used = 0
    /// Whether the beginning of a line that is too long was thrown away.
    private var isSkipping = false
    private var isAtEnd = false

    /// A feed of lines, line ends included, of at most `longestLine` bytes; `chunkSize` is the room for what is read at
    /// once, which grows for longer lines.
    init(longestLine: Int, chunkSize: Int) {
        self.longestLine = longestLine
        chunk = Chunk(capacity: min(chunkSize, longestLine))
    }

    /// The whole lines that came with one read, valid until the next.
    struct Part {
        fileprivate let lines: UnsafeRawBufferPointer
        fileprivate let offset: Int64
        /// Whether a line that was thrown away came before them.
        fileprivate let followsLongLine: Bool

        /// Hands over each line without its end, and where it is; `nil` for one that has more bytes than `longest`.
        func forEachLine(
            longest: Int, _ body: (UnsafeRawBufferPointer?, Int64) throws(ArchiveError) -> Void
        ) throws(ArchiveError) {
            if followsLongLine { try body(nil, offset) }
            var at = 0
            while at < lines.count {
                let end = lines.offset(of: 0x0A, from: at) ?? lines.count
                // Windows ends lines with CR LF.
                let line = lines[at..<end].last == 0x0D ? lines[at..<end - 1] : lines[at..<end]
                let text = line.count > longest ? nil : UnsafeRawBufferPointer(rebasing: line)
                try body(text, offset + Int64(at))
                at = end + 1
            }
        }
    }

    /// Reads once; `nil` at the end.
    func next(from input: Descriptor) throws(ArchiveError) -> Part? {
        if isAtEnd { return nil }
        chunk.removeFirst(used)
        if chunk.room.isEmpty {
            if chunk.capacity < longestLine {
                chunk.resize(to: min(longestLine, chunk.capacity * 2))
            } else {
                // The line is too long.
                chunk.removeFirst(chunk.count)
                isSkipping = true
            }
        }
        let count = try input.read(into: chunk.room)
        let known = chunk.count
        chunk.count += count
        isAtEnd = count == 0
        used = isAtEnd ? chunk.count : chunk.bytes.lastLineEnd(from: known).map { $0 + 1 } ?? 0
        var start = 0
        let followsLongLine = isSkipping && (used > 0 || isAtEnd)
        if followsLongLine {
            start = chunk.bytes.offset(of: 0x0A, from: 0, to: used).map { $0 + 1 } ?? used
            isSkipping = false
        }
        return Part(
            lines: UnsafeRawBufferPointer(rebasing: chunk.bytes[start..<used]), offset: chunk.offset + Int64(start),
            followsLongLine: followsLongLine)
    }
}
