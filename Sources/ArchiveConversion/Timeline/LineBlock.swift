import NotificationTranslation

/// A stretch of whole events and the verdicts on them.
final class LineBlock: @unchecked Sendable {
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start: Int64 = 0
    /// Bytes of the lines.
    private(set) var count = 0
    private var places: [(line: Int, end: Int)] = []
    private let verdicts = OutputBuffer(capacity: 64 * 1024)
    private let output = OutputBuffer(capacity: 64 * 1024)
    private var writer: CorrectedLineWriter
    /// What changed in the counts.
    private(set) var tally = Tally()
    private(set) var isWhole = true

    /// A block.
    ///
    /// - Parameters:
    ///   - shape: The shape of its lines.
    ///   - reports: Whether its lines are counted for a report.
    ///   - rejectsAmbiguous: Whether records are rejected whose events remain ambiguous.
    ///   - rehearsal: What is posted of the events in place of their lines.
    init(_ shape: EventShape, reports: Bool, rejectsAmbiguous: Bool = false, rehearsal: Rehearsal? = nil) {
        writer = CorrectedLineWriter(shape, rehearsal)
        writer.rejectsAmbiguous = rejectsAmbiguous
        writer.report = reports ? ReportTally() : nil
    }

    /// What a report says of the lines; `nil` where none is made.
    var report: ReportTally? { writer.report }

    /// The records that were rejected, in order.
    var rejects: [CorrectedLineWriter.RejectedRecord] { writer.rejects }

    deinit {
        room.deallocate()
    }

    /// The events as they were judged alone.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

    /// The first of them; `nil` if it is damaged.
    var first: UnsafeRawBufferPointer? {
        guard let size = SpilledEvent.size(bytes), size <= count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[..<size])
    }

    /// The lines as they were settled.
    var settled: UnsafeRawBufferPointer { output.bytes }

    /// Reads whole events, about as many bytes as wanted.
    func read(_ lines: LineStore, from position: Int64, size: Int) throws(ArchiveError) {
        start = position
        places.removeAll(keepingCapacity: true)
        verdicts.removeAll()
        count = 0
        var wanted = size
        while true {
            let most = Int(min(Int64(wanted), lines.length - position))
            grow(to: most)
            try lines.read(
                into: UnsafeMutableRawBufferPointer(rebasing: room[count..<most]), at: position + Int64(count))
            count = most
            let end = wholeEvents()
            if end > 0 {
                count = end
                return
            }
            guard position + Int64(most) < lines.length else {
                throw ArchiveError(.accounting, "internal error: a temporary file does not end with a whole event")
            }
            wanted *= 2
        }
    }

    /// Bytes of the events that are there as a whole.
    private func wholeEvents() -> Int {
        var end = 0
        while let size = SpilledEvent.size(UnsafeRawBufferPointer(rebasing: room[end..<count])), size <= count - end {
            end += size
        }
        return end
    }

    private func grow(to size: Int) {
        guard size > room.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<count]))
        room.deallocate()
        room = larger
    }

    /// Takes the verdict a cursor is at.
    func takeVerdict(_ cursor: SortedRunCursor) throws(ArchiveError) {
        try cursor.take(into: verdicts)
        places.append((Int(Int64(cursor.first) - start), verdicts.count))
    }

    /// Writes the lines of the events, with the verdicts on them.
    func apply() {
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
            guard let size = SpilledEvent.size(rest), size <= rest.count else { break }
            var verdict = UnsafeRawBufferPointer(start: nil, count: 0)
            if next < places.endIndex, places[next].line == at {
                verdict = UnsafeRawBufferPointer(rebasing: verdicts.bytes[verdictStart..<places[next].end])
                verdictStart = places[next].end
                next += 1
            }
            let event = UnsafeRawBufferPointer(rebasing: rest[..<size])
            guard writer.write(spilled: event, verdict, into: output, tally: &tally) else { break }
            at += size
        }
        isWhole = at == count && next == places.endIndex
    }
}
