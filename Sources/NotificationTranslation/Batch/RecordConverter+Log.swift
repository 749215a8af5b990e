#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Lines of logs: JSON stands somewhere in the line, and perhaps a time before it.
extension RecordConverter {
    /// Converts the line of a log that begins at `start`, whatever it holds.
    ///
    /// A line that is JSON itself is read as ``convertLine(of:from:place:into:)`` reads it. In another the objects that
    /// hold notifications are taken, and the time before each is the time of receipt unless the object knows a better
    /// one. A line without one is skipped. Exactly one line is counted in `output.lines`.
    ///
    /// - Parameters:
    ///   - chunk: Whole lines, followed by ``slack`` readable bytes.
    ///   - start: Where the line begins in it.
    ///   - place: Where the chunk stands in its input.
    ///   - output: What the event line, or the reject, is added to.
    /// - Returns: The index after its LF.
    package mutating func convertLogLine(
        of chunk: UnsafeRawBufferPointer, from start: Int, place: ChunkPlace, into output: inout ChunkOutput
    ) -> Int {
        guard let memory = chunk.baseAddress, start < chunk.count else { return chunk.count }
        let lineFeed = memchr(memory + start, 0x0A, chunk.count - start).map { UnsafeRawPointer($0) - memory }
        var stop = lineFeed ?? chunk.count
        var first = start
        while first < stop, chunk[first] <= 0x20 { first += 1 }
        while stop > first, chunk[stop - 1] <= 0x20 { stop -= 1 }
        guard first < stop, !Self.beginsAsObject(chunk, first, stop), !Self.beginsAsJWS(chunk, first) else {
            return convertLine(of: chunk, from: start, place: place, into: &output)
        }
        let line = UnsafeRawBufferPointer(rebasing: chunk[first..<stop])
        let record = Record(offset: place.offset + Int64(start), length: stop - start, place: place)
        if let failure = takeObjects(in: line, record, &output) {
            output.reject(OtherForm.explained(failure, line), offset: record.offset, length: record.length)
        }
        output.lines += 1
        return min((lineFeed ?? chunk.count) + 1, chunk.count)
    }

    private static func beginsAsObject(_ chunk: UnsafeRawBufferPointer, _ first: Int, _ stop: Int) -> Bool {
        guard chunk[first] == 0x7B else { return false }
        var next = first + 1
        while next < stop, chunk[next] <= 0x20 { next += 1 }
        return next == stop || chunk[next] == 0x22 || chunk[next] == 0x7D
    }

    private static func beginsAsJWS(_ chunk: UnsafeRawBufferPointer, _ first: Int) -> Bool {
        chunk.count - first > 1 && chunk[first] == 0x65 && chunk[first + 1] == 0x79
    }

    /// Tries the objects of a line; returns why the line fails, if it does.
    ///
    /// What was escaped around the JSON is read without these escapes: by a web server, in statements of SQL, and,
    /// where the line fails as it is, in a row of `COPY`.
    private mutating func takeObjects(
        in line: UnsafeRawBufferPointer, _ record: Record, _ output: inout ChunkOutput
    ) -> NotificationError? {
        let isSQL = SQLRow.isRow(line)
        let escapes = LineEscapes(around: line, isSQL: isSQL)
        var outcome = takeUnescaped(line, without: escapes, isSQL, record, &output)
        if escapes == nil, !outcome.found, let failure = outcome.failure, failure.code.rawValue.hasPrefix("json."),
            line.holds("\\\\")
        {
            let other = takeUnescaped(line, without: .backslashes, isSQL, record, &output)
            if other.found { outcome = other }
        }
        if !outcome.found, outcome.failure == nil { skip(line, &output) }
        return outcome.failure
    }

    private mutating func takeUnescaped(
        _ line: UnsafeRawBufferPointer, without escapes: LineEscapes?, _ isSQL: Bool, _ record: Record,
        _ output: inout ChunkOutput
    ) -> (found: Bool, failure: NotificationError?) {
        guard let escapes else { return takeParts(of: line, isSQL, record, &output) }
        let plain = OutputBuffer(capacity: line.count + Self.slack)
        escapes.remove(from: line, to: plain)
        plain.reserve(Self.slack)
        defer { withExtendedLifetime(plain) {} }
        var outcome = takeParts(of: plain.bytes, isSQL, record, &output)
        outcome.failure?.offset = 0
        return outcome
    }

    /// Takes every object of a line that holds a notification.
    ///
    /// What says the same as one before is the same notification kept twice, save in rows of SQL, where each is one of
    /// its own. Where there is none, a signed payload is looked for, which needs no JSON around it.
    private mutating func takeParts(
        of line: UnsafeRawBufferPointer, _ isSQL: Bool, _ record: Record, _ output: inout ChunkOutput
    ) -> (found: Bool, failure: NotificationError?) {
        guard let memory = line.baseAddress else { return (false, nil) }
        prepare(record)
        var failure: NotificationError?
        visitor.withRecord(record.place.input, record.offset, &output) {
            visitor.passesOverForeign += 1
            visitor.comparesPrints = !isSQL
            var (row, partEnd) = (0..<0, 0)
            var times = PrefixTime()
            var parts = LogPart.Search(line)
            while !visitor.wasRefused, let part = parts.next() {
                var time: ReceiveTime?
                if isSQL {
                    row = SQLRow.row(around: part.range, after: row, in: line)
                    time = Self.time(around: part, from: max(row.lowerBound, partEnd), to: row.upperBound, in: line)
                } else {
                    time = times.time(before: part, in: line)
                    let isTabbed = part.range.upperBound < line.count && line[part.range.upperBound] == 0x09
                    if time == nil, isTabbed {
                        time = Self.time(around: part, from: part.range.lowerBound, to: line.count, in: line)
                    }
                }
                partEnd = part.range.upperBound
                decoder.scan(memory, from: part.range.lowerBound, to: part.range.upperBound, stopsAtLineFeed: false)
                let before = visitor.notifications
                visitor.seenPrints = []
                if let error = decoder.outcome(memory, part.range.lowerBound, steps, time, visitor),
                    visitor.wasRefused || visitor.notifications > before
                        || NotificationSigns.stand(in: UnsafeRawBufferPointer(rebasing: line[part.range]))
                {
                    failure = failure ?? error
                }
                // A refused row does not stop the rows after it.
                if isSQL { visitor.wasRefused = false }
                visitor.knownPrints.formUnion(visitor.seenPrints)
            }
            // Malformed JSON is reported as malformed. In other forms a signed payload is searched, which is complete in
            // itself.
            guard visitor.notifications == 0, !visitor.wasRefused, failure.map(OtherForm.mayBe) ?? true else { return }
            var at = 0
            times = PrefixTime()
            while !visitor.wasRefused, let token = CompactToken.range(in: line, from: at) {
                at = token.upperBound
                guard NotificationDecoder.mayBeNotification(UnsafeRawBufferPointer(rebasing: line[token])) else {
                    continue
                }
                decoder.scan(memory, from: token.lowerBound, to: token.upperBound, stopsAtLineFeed: false)
                let time = times.time(before: token, in: line)
                if visitor.notifications == 0 { failure = nil }
                visitor.seenPrints = []
                failure = decoder.outcome(memory, token.lowerBound, steps, time, visitor) ?? failure
                visitor.knownPrints.formUnion(visitor.seenPrints)
            }
        }
        return (visitor.notifications > 0, failure)
    }

    /// The time of receipt that stands in a row beside an object, between two places.
    ///
    /// `nil` where there are two, as columns have no names there. Other objects are not looked into.
    private static func time(
        around part: LogPart, from start: Int, to end: Int, in line: UnsafeRawBufferPointer
    ) -> ReceiveTime? {
        let range = part.range
        let stop = LogPart.place(of: 0x7B, line, range.upperBound) ?? end
        return PrefixTime.only(in: [
            UnsafeRawBufferPointer(rebasing: line[min(start, range.lowerBound)..<range.lowerBound]),
            UnsafeRawBufferPointer(rebasing: line[range.upperBound..<max(range.upperBound, min(stop, end))]),
        ])
    }
}
