import NotificationTranslation

/// What a timeline keeps of an archive until all of it has been read: events, judged alone, and evidence.
///
///     slot in input order ──┬── events ──────────────────────▶ lines    (in input order)
///                           └── key, position, evidence ─────▶ entries  (sorted by key, then position)
///
/// An answer of Apple's has no line; its position is its number, marked so that it comes after the events.
///
/// The position of an event is where it begins among the others; it is what a verdict names later. Memory is
/// bounded by the budgets; beyond them both go to temporary files.
final class TimelineSpill {
    let lines: LineStore
    /// The evidence, by the highest bits of the keys: so workers can each take a part.
    private(set) var entries: [SortedStore]
    private static let partBits = 4
    /// How many answers of Apple's were kept.
    private var answers: UInt64 = 0
    /// Where each answer was read: the place of its input among the inputs, and its line; `nil` where nobody asks.
    var answerPlaces: [(input: Int, line: Int64)]?
    /// The latest time of any event; `nil` while none is known.
    private(set) var latest: Int64?
    /// The latest time of any event, arrival, signature or answer: states are asked for as of that by default.
    private(set) var latestOfAll: Int64?
    private var deliveries = DeliverySpans()
    private let folder: String
    let timeline: TimelineRequest
    /// How many events were taken in.
    private var count: UInt64 = 0

    init(_ timeline: TimelineRequest, in folder: String) {
        self.timeline = timeline
        self.folder = folder
        lines = LineStore(in: folder, timeline.budgets)
        entries = (0..<1 << Self.partBits).map { _ in
            SortedStore(in: folder, budget: timeline.budgets.evidence >> Self.partBits)
        }
    }

    /// Takes in the events of a slot; `input` is the place of its input.
    func add(_ events: ChunkOutput, input: Int) throws(ArchiveError) {
        deliveries.add(events.deliveries)
        try events.forEachSpilled { (event, evidence, mark) throws(ArchiveError) in
            if let time = mark.time { latest = max(latest ?? time, time) }
            if let delivered = mark.delivered { latestOfAll = max(latestOfAll ?? delivered, delivered) }
            count += 1
            // A table needs no lines: its notifications are numbered, and none of them is a guest.
            guard timeline.table == nil else { return try add(mark.key, count, evidence) }
            let position = UInt64(lines.file.length)
            try lines.append(event)
            try add(mark.key, position, evidence)
            for key in Set(mark.possibleKeys) { try add(key, position | KeyGroup.guest, evidence) }
        }
        for (mark, evidence) in ChunkOutput.parts(events.answers, events.answerMarks) {
            latestOfAll = [latestOfAll, mark.time].compactMap(\.self).max()
            try add(mark.key, answers | KeyGroup.answer, evidence)
            answers += 1
            answerPlaces?.append((input, mark.line))
        }
        latestOfAll = [latestOfAll, latest].compactMap(\.self).max()
    }

    private func add(_ key: UInt64, _ position: UInt64, _ evidence: UnsafeRawBufferPointer) throws(ArchiveError) {
        let store = entries[Int(key >> (64 - UInt64(Self.partBits)))]
        store.add(key, position, evidence)
        try store.spillIfFull()
    }

    /// Settles what has been read, or makes a table of it; the evidence is forgotten.
    ///
    /// A report counts states as of the latest time in the input. A rehearsal ends then, as the states do.
    func settle(
        countsStates: Bool, isRehearsal: Bool, jobs: Int, messages: Messages
    ) throws(ArchiveError) -> JudgingPass {
        try lines.close()
        var options = timeline.settling(latest: timeline.table == nil && !isRehearsal ? latest : latestOfAll)
        options.deliveries = deliveries
        options.statesCountedAt = countsStates ? timeline.judging.asOf ?? latestOfAll ?? .min : nil
        let pass = JudgingPass(entries, options, timeline.budgets, in: folder, messages: messages)
        // Each store goes when it has been judged.
        entries = []
        // Threads cost more than they bring where there is little to do.
        try pass.run(jobs: count < 4_000 ? 1 : jobs)
        return pass
    }
}

extension ChunkOutput {
    /// Goes over the events of a chunk that was converted to ``SpilledEvent``s with their evidence, in order; where no
    /// events were written, each is empty.
    func forEachSpilled(
        _ body: (_ event: UnsafeRawBufferPointer, _ evidence: UnsafeRawBufferPointer, Mark) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let mismatch = ArchiveError(.system, "internal error: event lines and their evidence do not match")
        let all = bytes.bytes
        var start = 0
        for (mark, evidence) in Self.parts(evidence, evidenceMarks) {
            let size = all.isEmpty ? 0 : SpilledEvent.size(UnsafeRawBufferPointer(rebasing: all[start...]))
            guard let size, size <= all.count - start else { throw mismatch }
            try body(UnsafeRawBufferPointer(rebasing: all[start..<start + size]), evidence, mark)
            start += size
        }
        guard start == all.count, evidence.count == evidenceMarks.last?.end ?? 0 else { throw mismatch }
    }
}
