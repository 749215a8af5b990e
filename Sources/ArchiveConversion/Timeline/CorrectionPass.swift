import NotificationTranslation

/// Goes once more through the events, in the order of the input, and writes their lines as they were settled.
///
/// Workers take blocks of whole events, with the verdicts that refer to them; the blocks are written in their order.
///
/// `merge` and `position` belong to whoever fills, what is counted to whoever empties. Hence `@unchecked Sendable`.
final class CorrectionPass: OrderedWork, @unchecked Sendable {
    private let lines: LineStore
    private let blockSize: Int
    private let shape: EventShape
    private var merge: SortedRunMerge
    /// Where the next block begins.
    private var position: Int64 = 0
    private let output: OutputFile?
    private let messages: Messages
    /// Bytes of the lines that were written.
    private var written: Int64 = 0
    /// The counts of the events as they have become.
    private(set) var tally: Tally
    /// What a report says of the lines; `nil` where none is made.
    private(set) var report: ReportTally?
    /// What the lines are compared in; `nil` where they are not.
    var comparison: EventComparison?
    /// Tests only: after how many blocks the run ends as by SIGTERM.
    var stopsAfterBlocks: Int?

    init(
        _ lines: LineStore, verdicts: [SortedRunCursor], blockSize: Int, shape: EventShape, output: OutputFile?,
        tally: Tally, report: ReportTally?, messages: Messages
    ) {
        self.report = report
        self.messages = messages
        self.lines = lines
        self.blockSize = blockSize
        self.shape = shape
        self.output = output
        self.tally = tally
        merge = SortedRunMerge(verdicts)
    }

    /// Writes everything.
    func run(jobs: Int) throws(ArchiveError) {
        let workers = lines.length > Int64(2 * blockSize) ? jobs : 1
        let blocks = (0..<OrderedPool<CorrectionPass>.itemCount(jobs: workers)).map { _ in
            LineBlock(shape, reports: report != nil)
        }
        try OrderedPool(self, blocks).run(jobs: workers)
        guard merge.top == nil else {
            throw ArchiveError(.accounting, "internal error: a correction refers to an event that does not exist")
        }
    }

    var hasMore: Bool { position < lines.length }

    func makeWorker() {}

    /// Reads the next block.
    func fill(_ block: LineBlock, by worker: inout Void) throws(ArchiveError) -> Bool {
        guard hasMore else { return false }
        try block.read(lines, from: position, size: blockSize)
        position += Int64(block.count)
        var last: UInt64?
        while let cursor = merge.top, cursor.first < UInt64(position) {
            // If several verdicts are on one line, the first one counts.
            if cursor.first != last { try block.takeVerdict(cursor) }
            last = cursor.first
            try merge.advance()
        }
        return true
    }

    func work(on block: LineBlock, by worker: inout Void, _ turn: OrderedPool<CorrectionPass>.Turn) {
        block.apply()
    }

    /// Writes a block.
    func empty(_ block: LineBlock) throws(ArchiveError) -> Bool {
        try Interruption.check()
        if stopsAfterBlocks == 0 { throw ArchiveError(.interrupted, "stopped", systemCode: 15) }
        stopsAfterBlocks = stopsAfterBlocks.map { $0 - 1 }
        guard block.isWhole else {
            throw ArchiveError(.accounting, "internal error: a correction cannot be applied to its event")
        }
        try output?.append(block.settled)
        try comparison?.append(block.settled)
        written += Int64(block.count)
        messages.progress(Progress.writingLine(written, of: lines.length))
        tally.add(block.tally)
        if let part = block.report { report?.add(part) }
        return true
    }
}

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
    init(_ shape: EventShape, reports: Bool) {
        writer = CorrectedLineWriter(shape)
        writer.report = reports ? ReportTally() : nil
    }

    /// What a report says of the lines; `nil` where none is made.
    var report: ReportTally? { writer.report }

    deinit {
        room.deallocate()
    }

    /// The events as they were judged alone.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

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
        writer.report?.beginNextPart()
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
