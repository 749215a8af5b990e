import NotificationTranslation

/// Lines of logs: JSON is somewhere in the line, and perhaps a time before it.
extension RecordConverter {
    /// Converts the line of a log; returns the index after its LF, and `nil` for a line that is blank or JSON itself.
    ///
    /// The objects that hold notifications are taken, and the time before each is the time of arrival unless the object
    /// knows a better one. A line without one is skipped.
    func convertLogLine(of chunk: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let lineFeed = chunk.place(of: 0x0A, from: start)
        var stop = lineFeed ?? chunk.count
        var first = start
        while first < stop, chunk[first] <= 0x20 { first += 1 }
        while stop > first, chunk[stop - 1] <= 0x20 { stop -= 1 }
        guard first < stop, !Self.beginsAsObject(chunk, first, stop), !Self.beginsAsJWS(chunk, first) else {
            return nil
        }
        let line = UnsafeRawBufferPointer(rebasing: chunk[first..<stop])
        let record = Record(
            offset: offset + Int64(start), extent: RecordExtent(length: stop - start, isLine: true))
        if let failure = takeObjects(in: line, record) { reject(OtherForm.explained(failure, line), record) }
        output.line += 1
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
    private func takeObjects(in line: UnsafeRawBufferPointer, _ record: Record) -> NotificationError? {
        let isSQL = SQLRow.isRow(line)
        let escapes = LineEscapes(around: line, isSQL: isSQL)
        var outcome = takeUnescaped(line, without: escapes, isSQL, record)
        if escapes == nil, !outcome.found, let failure = outcome.failure, failure.code.rawValue.hasPrefix("json."),
            line.holds("\\\\")
        {
            let other = takeUnescaped(line, without: .backslashes, isSQL, record)
            if other.found { outcome = other }
        }
        return outcome.failure ?? finish(line, at: 0, nil)
    }

    private func takeUnescaped(
        _ line: UnsafeRawBufferPointer, without escapes: LineEscapes?, _ isSQL: Bool, _ record: Record
    ) -> (found: Bool, failure: NotificationError?) {
        guard let escapes else { return takeParts(of: line, isSQL, record) }
        let plain = OutputBuffer(capacity: line.count + Self.slack)
        escapes.remove(from: line, to: plain)
        plain.reserve(Self.slack)
        defer { withExtendedLifetime(plain) {} }
        var outcome = takeParts(of: plain.bytes, isSQL, record)
        outcome.failure?.offset = 0
        findings.explained.enclose(from: 0, in: 0..<line.count)
        return outcome
    }

    /// Takes every notification of a line.
    ///
    /// What says the same as one before is the same notification kept twice, save in rows of SQL, where each is one of
    /// its own.
    private func takeParts(
        of line: UnsafeRawBufferPointer, _ isSQL: Bool, _ record: Record
    ) -> (found: Bool, failure: NotificationError?) {
        var times = LogTimes(areOfRows: isSQL)
        let findings = decoder.findings(inPartsOf: line, steps, &times, comparing: !isSQL)
        return (!findings.found.isEmpty, take(findings, of: record))
    }
}

/// The times of arrival in a line of a log: what is before a part, else after it where columns follow; in rows of SQL what
/// is in the row beside an object.
private struct LogTimes: PartTimes {
    let areOfRows: Bool
    private var row = 0..<0
    private var partEnd = 0
    private var prefix = PrefixTime()
    private var areTokens = false

    init(areOfRows: Bool) { self.areOfRows = areOfRows }

    mutating func time(of part: LogPart, in line: UnsafeRawBufferPointer) -> ReceiveTime? {
        let end = part.range.upperBound
        if areOfRows, !areTokens {
            row = SQLRow.row(around: part.range, after: row, in: line)
            defer { partEnd = end }
            return PrefixTime.onlyTime(
                beside: part.range, from: max(row.lowerBound, partEnd), to: row.upperBound, in: line)
        }
        if let time = prefix.time(of: part, in: line) { return time }
        let isInQuotes = end + 1 < line.count && line[end] == 0x22 && line[end + 1] == 0x2C
        guard !areTokens, isInQuotes || end < line.count && line[end] == 0x09 else { return nil }
        return PrefixTime.onlyTime(beside: part.range, from: part.range.lowerBound, to: line.count, in: line)
    }

    mutating func beginTokens() {
        if !areOfRows { prefix = PrefixTime() }
        areTokens = true
    }
}

extension PrefixTime {
    /// The time that is in a row beside an object, between two places.
    ///
    /// `nil` where there are two, as columns have no names there. Other objects are not looked into.
    fileprivate static func onlyTime(
        beside range: Range<Int>, from start: Int, to end: Int, in line: UnsafeRawBufferPointer
    ) -> ReceiveTime? {
        let stop = line.place(of: 0x7B, from: range.upperBound) ?? end
        return only(in: [
            UnsafeRawBufferPointer(rebasing: line[min(start, range.lowerBound)..<range.lowerBound]),
            UnsafeRawBufferPointer(rebasing: line[range.upperBound..<max(range.upperBound, min(stop, end))]),
        ])
    }
}

/// A line of SQL that puts rows into a table, `INSERT INTO n VALUES (1,'{…}'),(2,'{…}');`, or a row on a line of its
/// own.
enum SQLRow {
    /// Whether a line is one.
    static func isRow(_ line: UnsafeRawBufferPointer) -> Bool {
        func begins(_ word: StaticString) -> Bool {
            line.count > word.utf8CodeUnitCount
                && (0..<word.utf8CodeUnitCount).allSatisfy { line[$0] & 0xDF == word.utf8Start[$0] & 0xDF }
        }
        if begins("INSERT ") || begins("REPLACE ") || begins("VALUES") { return true }
        guard line.count > 2, line[0] == 0x28, 0x30...0x39 ~= line[1] || line[1] == 0x27, let last = line.last else {
            return false
        }
        let end = last == 0x2C || last == 0x3B ? line[line.count - 2] : last
        return end == 0x29
    }

    /// The row that a part of a line is in, given the row that the part before it is in.
    static func row(around part: Range<Int>, after row: Range<Int>, in line: UnsafeRawBufferPointer) -> Range<Int> {
        if row.contains(part.lowerBound) { return row }
        var inText = part.lowerBound > 0 && line[part.lowerBound - 1] == 0x27
        var end = part.upperBound
        while end < line.count, inText || line[end] != 0x29 {
            if line[end] == 0x27 { inText.toggle() }
            end += 1
        }
        return row.upperBound..<end
    }
}
