import NotificationTranslation

/// Goes once more through the events, in the order of the input, and writes their lines as they were settled.
///
/// Workers take blocks of whole events, with the verdicts that refer to them; the blocks are written in their order.
struct CorrectionPass {
    let lines: LineStore
    let records: RecordConverter.Options
    let output: OutputFile?
    /// Takes what is to be posted in place of the output; `nil` where nothing is rehearsed.
    let rehearsal: (plan: Rehearsal, store: RehearsalStore)?
    let state: RunState

    /// Writes all lines; the verdicts are in the order of these.
    func run(_ verdicts: SortedMerge, jobs: Int) throws(ArchiveError) {
        var verdicts = verdicts
        var bounds = lines.bounds[...]
        // Bytes of the lines that were written.
        var written: Int64 = 0
        let pool = OrderedPool(jobs: bounds.count > 3 ? jobs : 1) {
            var writer = CorrectedLineWriter(records.shape, rehearsal?.plan)
            writer.rejectsAmbiguous = records.rejectsAmbiguous
            writer.report = state.report.map { _ in ReportTally() }
            return LineBlock(writer)
        } fill: { (block) throws(ArchiveError) in
            guard let start = bounds.popFirst(), let end = bounds.first else { return false }
            try block.read(lines, start..<end, &verdicts)
            return true
        } work: { (block) throws(ArchiveError) in
            guard block.apply() else {
                throw ArchiveError(.system, "internal error: a correction cannot be applied to its event")
            }
        } empty: { (block) throws(ArchiveError) in
            try Interruption.check()
            written += Int64(block.events.count)
            state.messages.progress(Progress.line("writing events", written, of: lines.file.length))
            try write(block)
        }
        try pool.run { bounds.count > 1 }
        guard verdicts.top == nil else {
            throw ArchiveError(.system, "internal error: a correction refers to an event that does not exist")
        }
    }

    private func write(_ block: LineBlock) throws(ArchiveError) {
        if let rehearsal {
            try rehearsal.store.add(block.writer.rehearsed, block.writer.output.bytes)
        } else {
            try output?.append(block.writer.output.bytes)
        }
        for record in block.writer.rejects {
            try state.add(record.reject, input: record.input)
            state.report?.recountAsReject(of: record.input)
        }
        state.outcome.tally.add(block.writer.tally)
        if let part = block.writer.report { state.report?.add(part) }
    }
}

/// A stretch of whole events and the verdicts on them; one thread at a time owns it, hence `@unchecked Sendable`.
final class LineBlock: @unchecked Sendable {
    private(set) var events: [UInt8] = []
    /// The verdicts, by where their events begin.
    private var verdicts: [Int: ArraySlice<UInt8>] = [:]
    /// Has the lines as they were settled.
    private(set) var writer: CorrectedLineWriter

    init(_ writer: CorrectedLineWriter) { self.writer = writer }

    /// Reads the events between two positions, and the verdicts on them.
    func read(_ lines: LineStore, _ part: Range<Int64>, _ merge: inout SortedMerge) throws(ArchiveError) {
        verdicts.removeAll(keepingCapacity: true)
        events = try lines.file.bytes(part)
        while let cursor = merge.top, cursor.first < UInt64(part.upperBound) {
            // If several verdicts are on one line, the first one counts.
            let place = Int(Int64(cursor.first) - part.lowerBound)
            if verdicts[place] == nil { verdicts[place] = try cursor.payload() }
            try merge.advance()
        }
    }

    /// Writes the lines of the events, with the verdicts on them; false if one of these is damaged.
    func apply() -> Bool {
        writer.removeAll()
        return events.withUnsafeBytes { events in
            var at = 0
            while at < events.count {
                let rest = UnsafeRawBufferPointer(rebasing: events[at...])
                guard let size = SpilledEvent.size(rest), size <= rest.count else { return false }
                let event = UnsafeRawBufferPointer(rebasing: rest[..<size])
                let verdict = verdicts.removeValue(forKey: at) ?? []
                guard verdict.withUnsafeBytes({ writer.write(spilled: event, $0) }) else { return false }
                at += size
            }
            return verdicts.isEmpty
        }
    }
}
