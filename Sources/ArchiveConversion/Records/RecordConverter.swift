package import NotificationTranslation

/// Turns records of an archive into event lines; one for each worker, used again and again.
///
/// For each record, the decoder finds the notifications, and ``RecordWriter`` has ``Judge`` make the event and writes
/// its line.
package struct RecordConverter {
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

    /// Where a chunk is in its input.
    package struct ChunkPlace: Sendable {
        /// The input's name as given by the caller (`-` for standard input).
        package var input: String
        /// Byte offset of the chunk's first byte in the uncompressed input.
        package var offset: Int64
        /// When the input was last changed, in milliseconds since 1970; asked for by ``ReceivedAt/modificationTime``.
        package var modifiedAt: Int64?

        package init(input: String, offset: Int64, modifiedAt: Int64? = nil) {
            self.input = input
            self.offset = offset
            self.modifiedAt = modifiedAt
        }
    }

    /// How many bytes after the end of a chunk must be readable (their values do not matter).
    package static var slack: Int { NotificationDecoder.slack }

    let steps: [String]?
    let decoder: NotificationDecoder
    let writer: RecordWriter
    private let receivedAt: ReceivedAt

    /// A converter.
    ///
    /// - Parameters:
    ///   - options: How records are read and what is written.
    ///   - policy: What is believed.
    ///   - redactionKey: The key of the pseudonyms that replace what points to a person; `nil` leaves it as it is.
    package init(options: Options, policy: TrustPolicy, redactionKey: RedactionKey? = nil) {
        decoder = NotificationDecoder(policy, keepsPayload: options.shape.kind == .v2)
        writer = RecordWriter(options, policy, redactionKey)
        steps = options.envelope.map(Self.steps)
        receivedAt = options.receivedAt
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
    /// `output.line`.
    ///
    /// - Parameters:
    ///   - chunk: Whole lines, followed by ``slack`` readable bytes.
    ///   - start: Where the line begins in it.
    ///   - place: Where the chunk is in its input.
    ///   - output: What the event line, or the reject, is added to.
    /// - Returns: The index after its LF.
    package mutating func convertLine(
        of chunk: UnsafeRawBufferPointer, from start: Int, place: ChunkPlace, into output: inout ChunkOutput
    ) -> Int {
        guard let memory = chunk.baseAddress, start < chunk.count else { return chunk.count }
        decoder.scan(memory, from: start, to: chunk.count, stopsAtLineFeed: true)
        let end = decoder.end
        convert(memory, start, end, place, isLine: true, &output)
        return min(end + 1, chunk.count)
    }

    /// Converts one record that may hold line ends: an element of a JSON array or one of several documents in a row.
    ///
    /// Exactly one line is counted in `output.line`.
    package mutating func convertDocument(
        in chunk: UnsafeRawBufferPointer, range: Range<Int>, place: ChunkPlace, into output: inout ChunkOutput
    ) {
        guard let memory = chunk.baseAddress else { return }
        decoder.scan(memory, from: range.lowerBound, to: range.upperBound, stopsAtLineFeed: false)
        convert(memory, range.lowerBound, range.upperBound, place, isLine: false, &output)
    }

    /// Converts the record that was scanned last.
    private mutating func convert(
        _ memory: UnsafeRawPointer, _ start: Int, _ end: Int, _ place: ChunkPlace, isLine: Bool,
        _ output: inout ChunkOutput
    ) {
        defer { output.line += 1 }
        let bytes = UnsafeRawBufferPointer(start: memory, count: end)
        var (first, stop) = (start, end)
        while stop > start, isSpace(bytes[stop - 1]) { stop -= 1 }
        while first < stop, isSpace(bytes[first]) { first += 1 }
        guard first < stop else { return }
        let extent = RecordExtent(length: stop - start, isLine: isLine)
        let record = RecordWriter.Record(offset: place.offset + Int64(start), extent: extent, place: place)
        if let failure = take(record, memory, start, end, nil, &output) {
            let text = UnsafeRawBufferPointer(rebasing: bytes[first..<stop])
            output.reject(OtherForm.explained(failure, text), offset: record.offset, extent)
        }
    }

    /// Takes the text that was scanned last as a record.
    ///
    /// - Parameters:
    ///   - record: Where the record is.
    ///   - memory: What was scanned.
    ///   - start: Where the text begins in it.
    ///   - end: Where it ends.
    ///   - outside: The time of arrival that is outside of the text.
    ///   - output: What the event lines are added to.
    /// - Returns: Why it failed; nothing is counted then.
    private mutating func take(
        _ record: RecordWriter.Record, _ memory: UnsafeRawPointer, _ start: Int, _ end: Int, _ outside: ReceiveTime?,
        _ output: inout ChunkOutput
    ) -> NotificationError? {
        let pointed: ReceiveTime?? =
            if case .pointer(let steps) = receivedAt { .some(decoder.time(at: steps, memory, start)) } else { nil }
        var findings = decoder.findings(in: memory, start, at: steps, receivedAt: outside)
        if let pointed { findings.setReceived(pointed) }
        let text = UnsafeRawBufferPointer(start: memory + start, count: end - start)
        return visit(record, findings, &output) ?? writer.finish(text, at: start, outside, &output)
    }

    /// Has the writer take what was found in a record; returns why that failed.
    func visit(
        _ record: RecordWriter.Record, _ found: consuming Findings, _ output: inout ChunkOutput
    ) -> NotificationError? {
        var findings = found
        switch receivedAt {
        case .none: findings.setReceived(nil)
        case .modificationTime:
            findings.setReceived(record.place.modifiedAt.map { ReceiveTime(milliseconds: $0) })
        case .auto, .pointer: break
        }
        return writer.take(findings, of: record, &output)
    }

    /// Counts the line that was rejected last as a skip that shows signs of a notification.
    package func skipRejected(_ output: inout ChunkOutput) {
        output.takeBackReject()
        writer.noteSkip(of: UnsafeRawBufferPointer(start: nil, count: 0), in: &output)
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
    ///   - place: Where the chunk is in its input.
    ///   - isLast: Whether the text is the last that can be made of the record: a text that is not JSON is a reject
    ///     then, and nothing is taken of it otherwise.
    ///   - output: What the event line, or the reject, is added to.
    /// - Returns: Whether it was taken.
    package mutating func convert(
        made text: OutputBuffer, of record: Range<Int>, times: UnsafeRawBufferPointer?, place: ChunkPlace, isLast: Bool,
        into output: inout ChunkOutput
    ) -> Bool {
        let length = text.count
        text.reserve(Self.slack)
        guard let memory = text.bytes.baseAddress, length > 0 else { return false }
        decoder.scan(memory, from: 0, to: length, stopsAtLineFeed: false)
        let origin = RecordWriter.Record(
            offset: place.offset + Int64(record.lowerBound), extent: RecordExtent(length: record.count, isLine: false),
            place: place)
        if var failure = take(origin, memory, 0, length, times.flatMap(Self.time), &output) {
            // A text that is not JSON fails before anything of it is taken.
            if !isLast, failure.code.rawValue.hasPrefix("json.") { return false }
            failure.offset = 0
            output.reject(failure, offset: origin.offset, origin.extent)
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
