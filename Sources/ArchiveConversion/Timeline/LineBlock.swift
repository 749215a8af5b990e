import NotificationTranslation

/// A stretch of whole events and the verdicts on them; one thread at a time owns it, hence `@unchecked Sendable`.
final class LineBlock: @unchecked Sendable {
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start: Int64 = 0
    /// Bytes of the lines.
    private(set) var count = 0
    private var places: [(line: Int, end: Int)] = []
    private let verdicts = OutputBuffer(capacity: 64 * 1024)
    private let output = OutputBuffer(capacity: 64 * 1024)
    private(set) var writer: CorrectedLineWriter
    /// What changed in the counts.
    private(set) var tally = Tally()

    /// A block that `writer` writes.
    init(_ writer: CorrectedLineWriter) {
        self.writer = writer
    }

    deinit {
        room.deallocate()
    }

    /// The lines as they were settled.
    var settled: UnsafeRawBufferPointer { output.bytes }

    /// Reads the events between two positions.
    func read(_ lines: LineStore, _ part: Range<Int64>) throws(ArchiveError) {
        start = part.lowerBound
        count = part.count
        places.removeAll(keepingCapacity: true)
        verdicts.removeAll()
        if count > room.count {
            room.deallocate()
            room = .allocate(byteCount: count, alignment: 16)
        }
        try lines.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: start)
    }

    /// Takes the verdict a cursor is at.
    func takeVerdict(_ cursor: SortedCursor) throws(ArchiveError) {
        try cursor.take(into: verdicts)
        places.append((Int(Int64(cursor.first) - start), verdicts.count))
    }

    /// Writes the lines of the events, with the verdicts on them; false if one of these is damaged.
    func apply() -> Bool {
        output.removeAll()
        tally = Tally()
        if writer.report != nil { writer.report = ReportTally() }
        writer.rejects.removeAll(keepingCapacity: true)
        let events = UnsafeRawBufferPointer(rebasing: room[..<count])
        var at = 0
        var verdictStart = 0
        var next = places.startIndex
        while at < count {
            let rest = UnsafeRawBufferPointer(rebasing: events[at...])
            guard let size = SpilledEvent.size(rest), size <= rest.count else { return false }
            var verdict = UnsafeRawBufferPointer(start: nil, count: 0)
            if next < places.endIndex, places[next].line == at {
                verdict = UnsafeRawBufferPointer(rebasing: verdicts.bytes[verdictStart..<places[next].end])
                verdictStart = places[next].end
                next += 1
            }
            let event = UnsafeRawBufferPointer(rebasing: rest[..<size])
            guard writer.write(spilled: event, verdict, into: output, tally: &tally) else { return false }
            at += size
        }
        return next == places.endIndex
    }
}
