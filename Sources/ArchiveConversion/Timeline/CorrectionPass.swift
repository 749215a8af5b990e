import NotificationTranslation

/// Goes once more through the events, in the order of the input, and writes their lines as they were settled.
///
/// Workers take blocks of whole events, with the verdicts that refer to them; the blocks are written in their order.
///
/// `merge` and `position` belong to whoever fills, what is counted to whoever empties. Hence `@unchecked Sendable`.
final class CorrectionPass: OrderedWork, @unchecked Sendable {
    private let lines: LineStore
    private let blockSize: Int
    private let records: RecordConverter.Options
    private var merge: SortedRunMerge
    /// Where the next block begins.
    private var position: Int64 = 0
    private let output: OutputFile?
    /// Takes what is to be posted in place of the output; `nil` where nothing is rehearsed.
    private let rehearsal: (plan: Rehearsal, store: RehearsalStore)?
    private let messages: Messages
    /// Bytes of the lines that were written.
    private var written: Int64 = 0
    /// The counts of the events after they were corrected.
    private(set) var tally: Tally
    /// What a report says of the lines; `nil` where none is made.
    private(set) var report: ReportTally?
    /// Where rejects go.
    private(set) var rejects: RejectLog

    init(
        _ lines: LineStore, verdicts: [SortedRunCursor], blockSize: Int, records: RecordConverter.Options,
        output: OutputFile?, rehearsal: (plan: Rehearsal, store: RehearsalStore)?, rejects: RejectLog, tally: Tally,
        report: ReportTally?, messages: Messages
    ) {
        self.rehearsal = rehearsal
        self.report = report
        self.rejects = rejects
        self.messages = messages
        self.lines = lines
        self.blockSize = blockSize
        self.records = records
        self.output = output
        self.tally = tally
        merge = SortedRunMerge(verdicts)
    }

    func run(jobs: Int) throws(ArchiveError) {
        let workers = lines.length > Int64(2 * blockSize) ? jobs : 1
        let blocks = (0..<OrderedPool<CorrectionPass>.itemCount(jobs: workers)).map { _ in
            LineBlock(
                records.shape, reports: report != nil, rejectsAmbiguous: records.rejectsAmbiguous,
                rehearsal: rehearsal?.plan)
        }
        try OrderedPool(self, blocks).run(jobs: workers)
        guard merge.top == nil else {
            throw ArchiveError(.accounting, "internal error: a correction refers to an event that does not exist")
        }
    }

    var hasMore: Bool { position < lines.length }

    func makeWorker() {}

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

    func empty(_ block: LineBlock) throws(ArchiveError) -> Bool {
        try Interruption.check()
        guard block.isWhole else {
            throw ArchiveError(.accounting, "internal error: a correction cannot be applied to its event")
        }
        if let rehearsal {
            try rehearsal.store.add(block.settled)
        } else {
            try output?.append(block.settled)
        }
        written += Int64(block.count)
        messages.progress(Progress.writingLine(written, of: lines.length))
        for record in block.rejects {
            try rejects.add(record.reject, input: record.input, content: nil)
            report?.noteReject(code: record.reject.code, .init(input: record.input, line: record.reject.line))
            report?.recountAsReject(of: record.input)
        }
        tally.add(block.tally)
        if let part = block.report { report?.add(part) }
        return true
    }
}
