package import NotificationTranslation

/// The second half of a cluster's work: lines that ``LinePipe`` gave keys to, sorted by key and time, are settled key
/// by key.
///
/// The events of a key are written when the key changes, and nothing of it is kept. Every line has its answer here too:
/// an error of the first half is passed on, and a line that is none of its lines is answered with an error and costs
/// only itself.
package struct GroupedPipe {
    /// Bytes of one key that are held at most.
    ///
    /// What is beyond is settled in parts, so that memory stays bounded whatever has the same key;
    /// ``SubscriptionJudge/most`` lines of usual length are half of it.
    private static let mostBytes = 256 << 20

    private let subscriptionJudge: SubscriptionJudge
    private var writer = CorrectedLineWriter()
    private let longestLine: Int
    private let chunk: Chunk
    /// The lines of the key that is being read, with their ends, and where each ends.
    private let held = OutputBuffer()
    private var ends: [Int] = []
    private var key: [UInt8] = []
    private let answers = OutputBuffer()
    private var tally = Tally()

    /// Prepares a pipe.
    ///
    /// - Parameters:
    ///   - options: How timelines are settled.
    ///   - rejectsAmbiguous: Whether an event that remains ambiguous is answered with an error.
    ///   - longestLine: A longer line is none of the first half's: key, event and evidence of a record of 16 MiB
    ///     that is one string have up to five times its length.
    ///   - chunkSize: The room for what is read at once, which grows for longer lines.
    package init(
        _ options: SubscriptionJudge.Options, rejectsAmbiguous: Bool = false, longestLine: Int = 128 << 20,
        chunkSize: Int = 256 * 1024
    ) {
        writer.rejectsAmbiguous = rejectsAmbiguous
        writer.rejectAnswer = Self.error(Reject.ambiguous, Reject.ambiguousMessage)
        subscriptionJudge = SubscriptionJudge(options)
        self.longestLine = longestLine
        chunk = Chunk(capacity: chunkSize)
    }

    /// Settles lines until the input ends.
    package mutating func run(from input: Descriptor, to output: Descriptor) throws(ArchiveError) {
        // Whether the beginning of a line that is too long was thrown away.
        var isSkipping = false
        while true {
            if chunk.room.isEmpty { makeRoom(&isSkipping) }
            let count = try input.read(into: chunk.room)
            let known = chunk.count
            chunk.count += count
            let end = count == 0 ? chunk.count : lastLineEnd(in: chunk.bytes, from: known).map { $0 + 1 } ?? 0
            var lines = UnsafeRawBufferPointer(rebasing: chunk.bytes[..<end])
            if isSkipping, end > 0 || count == 0 {
                take(UnsafeRawBufferPointer(start: nil, count: 0))
                lines = UnsafeRawBufferPointer(rebasing: lines[(lines.place(of: 0x0A).map { $0 + 1 } ?? end)...])
                isSkipping = false
            }
            try take(lines, output)
            chunk.removeFirst(end)
            if count == 0 { break }
            try write(to: output)
        }
        settle()
        try write(to: output)
    }

    /// Grows the room for a long line, or forgets one that is too long.
    private func makeRoom(_ isSkipping: inout Bool) {
        if chunk.capacity <= longestLine {
            chunk.resize(to: min(longestLine + 1, chunk.capacity * 2))
        } else {
            chunk.removeAll()
            isSkipping = true
        }
    }

    private mutating func take(_ lines: UnsafeRawBufferPointer, _ output: Descriptor) throws(ArchiveError) {
        var at = 0
        while at < lines.count {
            let rest = UnsafeRawBufferPointer(rebasing: lines[at...])
            let end = rest.place(of: 0x0A) ?? rest.count
            take(UnsafeRawBufferPointer(rebasing: rest[..<(end > longestLine ? 0 : end)]))
            at += end + 1
            if answers.count >= 1 << 20 { try write(to: output) }
        }
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) {
        // What has no tab has no key, and parts no lines of one.
        let found = line.firstIndex(of: 0x09).map { line[..<$0] }
        let isSame = found?.elementsEqual(key) ?? true
        if !isSame || ends.count == SubscriptionJudge.most || held.count >= Self.mostBytes { settle() }
        if !isSame, let found { key = Array(found) }
        // Windows ends lines with CR LF; a value ends with a brace.
        held.append(line.last == 0x0D ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line)
        ends.append(held.count)
    }

    /// Settles the lines that are held, and lets them go.
    private mutating func settle() {
        defer {
            held.removeAll()
            ends.removeAll(keepingCapacity: true)
        }
        let lines = parsed()
        let verdicts = verdicts(lines)
        for (place, line) in lines.enumerated() {
            switch line {
            case .answer(let answer): answers.append(answer)
            case .refused(let error): answers.append(error)
            case .line(let line):
                guard let verdict = verdicts[place] ?? (writer.rejectsAmbiguous ? [] : nil) else {
                    answers.append(line.event)
                    break
                }
                let isWritten = verdict.withUnsafeBytes {
                    writer.write(line: line.event, $0, into: answers, tally: &tally)
                }
                writer.rejects.removeAll(keepingCapacity: true)
                if isWritten { continue }
                answers.append(Self.notKeyed)
            }
            answers.append(0x0A)
        }
    }

    /// What a line is that is held.
    private enum Held {
        case line(KeyedLine)
        /// An error of the first half, which is passed on.
        case answer(UnsafeRawBufferPointer)
        /// None that can be settled here; with its answer.
        case refused(String)
    }

    private func parsed() -> [Held] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            guard let line = KeyedLine(UnsafeRawBufferPointer(rebasing: held.bytes[start..<end])) else {
                return .refused(Self.notKeyed)
            }
            if line.evidence == nil { return .answer(line.event) }
            return .line(line)
        }
    }

    /// What settling makes of the lines, by their places; a key other than the subscription may bring several together.
    private func verdicts(_ lines: [Held]) -> [Int: [UInt8]] {
        var groups: [UInt64: [(place: Int, evidence: [UInt8])]] = [:]
        for (place, line) in lines.enumerated() {
            if case .line(let line) = line, let evidence = line.evidence {
                groups[line.keyNumber, default: []].append((place, evidence))
            }
        }
        var verdicts: [Int: [UInt8]] = [:]
        for group in groups.values {
            group.map(\.evidence).withBuffers { evidence in
                subscriptionJudge.settle(evidence) { verdicts[group[$0].place] = Array($1) }
            }
        }
        return verdicts
    }

    private static let notKeyed = error("record.not-keyed", "not a line that evidence wrote")

    /// The answer to a line without an event; code and message need no escapes.
    private static func error(_ code: String, _ message: String) -> String {
        #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#
    }

    private func write(to output: Descriptor) throws(ArchiveError) {
        defer { answers.removeAll() }
        try output.writeAll(answers.bytes)
    }
}
