import NotificationTranslation

/// Goes once more through the events, in the order of the input, and writes their lines as they were settled.
///
/// Workers take blocks of whole events, with the verdicts that refer to them; the blocks are written in their order.
///
/// `merge` and `next` belong to whoever fills, `state` to whoever empties. Hence `@unchecked Sendable`.
final class CorrectionPass: OrderedWork, @unchecked Sendable {
    private let lines: LineStore
    private let records: RecordConverter.Options
    private var verdicts: SortedMerge
    /// The block that is read next.
    private var next = 0
    private let output: OutputFile?
    /// Takes what is to be posted in place of the output; `nil` where nothing is rehearsed.
    private let rehearsal: (plan: Rehearsal, store: RehearsalStore)?
    private let state: RunState
    /// Bytes of the lines that were written.
    private var written: Int64 = 0

    init(
        _ lines: LineStore, _ verdicts: SortedMerge, _ records: RecordConverter.Options, _ output: OutputFile?,
        _ rehearsal: (plan: Rehearsal, store: RehearsalStore)?, _ state: RunState
    ) {
        self.rehearsal = rehearsal
        self.state = state
        self.lines = lines
        self.records = records
        self.output = output
        self.verdicts = verdicts
    }

    func run(jobs: Int) throws(ArchiveError) {
        let pool = OrderedPool(self, jobs: lines.bounds.count > 3 ? jobs : 1) {
            var writer = CorrectedLineWriter(records.shape, rehearsal?.plan)
            writer.rejectsAmbiguous = records.rejectsAmbiguous
            writer.report = state.report.map { _ in ReportTally() }
            return LineBlock(writer)
        }
        try pool.run()
        guard verdicts.top == nil else {
            throw ArchiveError(.accounting, "internal error: a correction refers to an event that does not exist")
        }
    }

    var hasMore: Bool { next + 1 < lines.bounds.count }

    func makeWorker() {}

    func fill(_ block: LineBlock) throws(ArchiveError) -> Bool {
        guard hasMore else { return false }
        try block.read(lines, lines.bounds[next]..<lines.bounds[next + 1])
        next += 1
        var last: UInt64?
        while let cursor = verdicts.top, cursor.first < UInt64(lines.bounds[next]) {
            // If several verdicts are on one line, the first one counts.
            if cursor.first != last { try block.takeVerdict(cursor) }
            last = cursor.first
            try verdicts.advance()
        }
        return true
    }

    func work(on block: LineBlock, by worker: inout Void) throws(ArchiveError) {
        guard block.apply() else {
            throw ArchiveError(.accounting, "internal error: a correction cannot be applied to its event")
        }
    }

    func empty(_ block: LineBlock) throws(ArchiveError) {
        try Interruption.check()
        if let rehearsal {
            try rehearsal.store.add(block.settled)
        } else {
            try output?.append(block.settled)
        }
        written += Int64(block.count)
        state.messages.progress(Progress.line("writing events", written, of: lines.file.length))
        for record in block.writer.rejects {
            try state.add(record.reject, input: record.input)
            state.report?.recountAsReject(of: record.input)
        }
        state.outcome.tally.add(block.tally)
        if let part = block.writer.report { state.report?.add(part) }
    }
}

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
        try lines.file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: start)
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
