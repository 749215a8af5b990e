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
    /// The number of the catalogue, which is that of the first half; 0 for none.
    private let catalogue: UInt64
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
    ///   - longestLine: A longer line is none of the first half's: key, event and evidence of a record of 16 MiB that is
    ///     one string have up to five times its length.
    ///   - chunkSize: The room for what is read at once, which grows for longer lines.
    package init(
        _ options: SubscriptionJudge.Options, rejectsAmbiguous: Bool = false, longestLine: Int = 128 << 20,
        chunkSize: Int = 256 * 1024
    ) {
        writer.rejectsAmbiguous = rejectsAmbiguous
        writer.rejectAnswer = Self.error(Reject.ambiguous, Reject.ambiguousMessage)
        subscriptionJudge = SubscriptionJudge(options)
        catalogue = options.catalogue?.fingerprint ?? 0
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
        let (lines, errors, ofOther) = parsed()
        let verdicts = verdicts(lines)
        for place in ends.indices {
            guard let line = lines[place] else {
                answers.append(errors[place] ?? UnsafeRawBufferPointer(start: nil, count: 0))
                if errors[place] != nil {
                    answers.append(0x0A)
                } else {
                    appendError(isOfOther: ofOther.contains(place))
                }
                continue
            }
            guard let verdict = verdicts[place] ?? (writer.rejectsAmbiguous ? [] : nil) else {
                answers.append(line.event)
                answers.append(0x0A)
                continue
            }
            let isWritten = verdict.withUnsafeBytes { writer.write(line: line.event, $0, into: answers, tally: &tally) }
            writer.rejects.removeAll(keepingCapacity: true)
            if !isWritten { appendError() }
        }
    }

    /// The lines that are held, read; `nil` for those that are errors of the first half, or none of its lines.
    private func parsed() -> (lines: [KeyedLine?], errors: [Int: UnsafeRawBufferPointer], ofOther: Set<Int>) {
        var lines: [KeyedLine?] = []
        // Judged with another catalogue than this half has.
        var ofOther: Set<Int> = []
        var errors: [Int: UnsafeRawBufferPointer] = [:]
        var start = 0
        for (place, end) in ends.enumerated() {
            let line = KeyedLine(UnsafeRawBufferPointer(rebasing: held.bytes[start..<end]))
            start = end
            if let line, line.evidence == nil {
                errors[place] = line.event
                lines.append(nil)
            } else if let line, let number = line.catalogue, number != catalogue {
                ofOther.insert(place)
                lines.append(nil)
            } else {
                lines.append(line)
            }
        }
        return (lines, errors, ofOther)
    }

    /// What settling makes of the lines, by their places; a key other than the subscription may bring several together.
    private func verdicts(_ lines: [KeyedLine?]) -> [Int: [UInt8]] {
        var groups: [UInt64: [Int]] = [:]
        for (place, line) in lines.enumerated() {
            if let line { groups[line.keyNumber, default: []].append(place) }
        }
        var verdicts: [Int: [UInt8]] = [:]
        for places in groups.values {
            places.compactMap { lines[$0]?.evidence }.withBuffers { evidence in
                subscriptionJudge.settle(evidence) { verdicts[places[$0]] = Array($1) }
            }
        }
        return verdicts
    }

    private func appendError(isOfOther: Bool = false) {
        answers.append(
            isOfOther
                ? Self.error(
                    "record.other-catalogue",
                    "pipe --key judged it with another --catalogue, or with none; both halves need the same one")
                : Self.error("record.not-keyed", "not a line that pipe --key wrote"))
        answers.append(0x0A)
    }

    /// The answer to a line without an event; code and message need no escapes.
    private static func error(_ code: String, _ message: String) -> String {
        #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#
    }

    private func write(to output: Descriptor) throws(ArchiveError) {
        defer { answers.removeAll() }
        try output.writeAll(answers.bytes)
    }
}
