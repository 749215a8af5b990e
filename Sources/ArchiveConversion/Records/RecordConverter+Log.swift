import NotificationTranslation

/// Lines of logs: JSON is somewhere in the line, and perhaps a time before it.
extension RecordConverter {
    /// Converts the line of a log; returns the index after its LF, and `nil` for a line that is blank or JSON itself.
    ///
    /// The objects that hold notifications are taken, and the time before each is the time of arrival unless the object
    /// knows a better one. A line without one is skipped.
    func convertLogLine(of chunk: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let lineFeed = chunk.offset(of: 0x0A, from: start)
        var stop = lineFeed ?? chunk.count
        var first = start
        while first < stop, chunk[first] <= 0x20 { first += 1 }
        while stop > first, chunk[stop - 1] <= 0x20 { stop -= 1 }
        let line = UnsafeRawBufferPointer(rebasing: chunk[first..<stop])
        guard first < stop, !Self.beginsAsObject(line) || Self.goesOn(line),
            !chunk[first...].starts(with: "ey".utf8)
        else { return nil }
        let record = Record(offset: offset + Int64(start), extent: (stop - start, isLine: true))
        if let failure = takeObjects(in: line, record) { reject(OtherForm.explained(failure, line), record) }
        output.line += 1
        return min((lineFeed ?? chunk.count) + 1, chunk.count)
    }

    /// Whether a line begins as an object of JSON, which may continue in the next line.
    static func beginsAsObject(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line[0] == UInt8(ascii: "{") else { return false }
        let next = line.dropFirst().first { $0 > 0x20 }
        return next == nil || next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
    }

    /// Whether a line that begins with an object goes on after it, or has the escapes of escapes of a row of `COPY`.
    private static func goesOn(_ line: UnsafeRawBufferPointer) -> Bool {
        if let end = LogPart.objectEnd(line), end < line.count { return true }
        return LineEscapes.areOfColumns(in: line)
            && (line.holds(#"\\/"#) || line.holds(#"\\u"#) || line.holds(#"\\""#))
    }

    /// Tries the objects of a line; returns why the line fails, if it does.
    ///
    /// Escapes that a web server, an SQL statement or a row of `COPY` added around the JSON are removed first. Equal
    /// notifications in one line count as one, except in SQL rows, where each counts.
    private func takeObjects(in line: UnsafeRawBufferPointer, _ record: Record) -> NotificationError? {
        let isSQL = SQLRow.isRow(line)
        var best = Findings.nothing
        var texts: [OutputBuffer] = []
        for (number, escapes) in LineEscapes.readings(of: line, isSQL: isSQL).enumerated() {
            var text = line
            if let escapes {
                let plain = OutputBuffer(capacity: line.count + Self.slack)
                escapes.remove(from: line, to: plain)
                plain.reserve(Self.slack)
                texts.append(plain)
                text = plain.bytes
            }
            var times = LogTimes(areOfRows: isSQL)
            var findings = decoder.findings(inPartsOf: text, steps, &times, comparing: !isSQL)
            if escapes != nil {
                findings.failure?.offset = 0
                findings.explained.enclose(from: 0, in: 0..<line.count)
            }
            let isRead = !findings.found.isEmpty
            if number == 0 || isRead && findings.failure == nil || best.found.isEmpty && (isRead || escapes == nil) {
                best = findings
            }
            guard let failure = best.failure, failure.code.rawValue.hasPrefix("json.") else { break }
        }
        defer { withExtendedLifetime(texts) {} }
        return take(best, of: record) ?? finish(line, at: 0, nil)
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
        if areOfRows {
            row = SQLRow.row(around: part.range, after: row, in: line)
            defer { partEnd = end }
            return PrefixTime.onlyTime(
                beside: part.range, from: max(row.lowerBound, partEnd), to: row.upperBound, in: line)
        }
        if let time = prefix.time(of: part, in: line) { return time }
        let isInQuotes = end + 1 < line.count && line[end] == 0x22 && line[end + 1] == 0x2C
        guard !areTokens && isInQuotes || end < line.count && line[end] == 0x09 else { return nil }
        return PrefixTime.onlyTime(beside: part.range, from: part.range.lowerBound, to: line.count, in: line)
    }

    mutating func beginTokens() {
        self = LogTimes(areOfRows: areOfRows)
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
        let stop = line.offset(of: 0x7B, from: range.upperBound) ?? end
        return only(in: [
            UnsafeRawBufferPointer(rebasing: line[min(start, range.lowerBound)..<range.lowerBound]),
            UnsafeRawBufferPointer(rebasing: line[range.upperBound..<max(range.upperBound, min(stop, end))]),
        ])
    }
}

/// A line of SQL that puts rows into a table, `INSERT INTO n VALUES (1,'{…}'),(2,'{…}');`, or a row on a line of its
/// own.
enum SQLRow {
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
        // Rows without an object may be between the two.
        let gap = UnsafeRawBufferPointer(rebasing: line[row.upperBound..<max(row.upperBound, part.lowerBound)])
        var start = row.upperBound
        while let place = gap.offset(of: "),(", from: start - row.upperBound) { start = row.upperBound + place + 1 }
        return start..<max(start, end)
    }
}
