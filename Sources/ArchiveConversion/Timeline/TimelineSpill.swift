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
    /// The evidence; `nil` when it is settled.
    private var entries: SortedRunStore?
    /// How many answers of Apple's were kept.
    private var answers: UInt64 = 0
    /// Where each answer was read: the place of its input among the inputs, and its line; `nil` where nobody asks.
    var answerPlaces: [(input: Int, line: Int64)]?
    /// The latest time of any event; `nil` while none is known.
    private(set) var latest: Int64?
    /// The same of answers too: how things stood is asked as of that.
    private(set) var latestOfAll: Int64?
    private var deliveries = DeliverySpans()
    private let place: TemporaryPlace
    /// Whether only the evidence is kept, and no event.
    private let keepsEvidenceOnly: Bool
    /// How many events were taken in.
    private var count: UInt64 = 0
    /// The keys of which something is kept; `nil` keeps all.
    var keys: Set<UInt64>?

    init(_ place: TemporaryPlace, budgets: TimelineRequest.Budgets, keepsEvidenceOnly: Bool = false) {
        self.keepsEvidenceOnly = keepsEvidenceOnly
        self.place = place
        lines = LineStore(place, budget: budgets.lines)
        entries = SortedRunStore(SortedRunFile(place), budget: budgets.evidence)
    }

    /// Takes in the events of a slot; `input` is the place of its input.
    func add(_ events: ChunkOutput, input: Int) throws(ArchiveError) {
        deliveries.add(events.deliveries)
        try events.forEachSpilled { (event, evidence, proof) throws(ArchiveError) in
            if let time = proof.time { latest = max(latest ?? time, time) }
            if let keys, !keys.contains(proof.key), keys.isDisjoint(with: proof.possibleKeys) { return }
            if keepsEvidenceOnly {
                count += 1
                entries?.add(proof.key, count, evidence)
                try entries?.spillIfFull()
                return
            }
            let position = lines.length
            try lines.append(event)
            entries?.add(proof.key, UInt64(position), evidence)
            for key in proof.possibleKeys { entries?.add(key, UInt64(position) | JudgingPass.guest, evidence) }
            try entries?.spillIfFull()
        }
        latestOfAll = [latestOfAll, latest].compactMap(\.self).max()
        var start = 0
        for mark in events.answerMarks {
            defer { start = mark.end }
            latestOfAll = [latestOfAll, mark.time].compactMap(\.self).max()
            if let keys, !keys.contains(mark.key) { continue }
            let evidence = UnsafeRawBufferPointer(rebasing: events.answers.bytes[start..<mark.end])
            entries?.add(mark.key, answers | JudgingPass.answer, evidence)
            answers += 1
            answerPlaces?.append((input, mark.line))
            try entries?.spillIfFull()
        }
    }

    /// Settles what has been read; the evidence is forgotten.
    ///
    /// - Returns: Cursors over the verdicts, in the order of the lines they refer to; if that is asked for, how far V1
    ///   and V2 agree, by positions of lines; and how many records were left out because what was kept of them is
    ///   damaged.
    func settle(
        _ request: TimelineRequest, judgesAgreement: Bool, countsStates: Bool, jobs: Int, messages: Messages
    ) throws(ArchiveError) -> (
        verdicts: [SortedRunCursor], agreement: AgreementTally, missing: MissingNotifications, states: TableFigures,
        unsettled: Int
    ) {
        try lines.close()
        guard let entries else { return ([], AgreementTally(), MissingNotifications(), TableFigures(), 0) }
        entries.sort()
        // Threads cost more than they bring where there is little to do.
        var options = request.settling(latest: latest, judgesAgreement: judgesAgreement)
        options.deliveries = deliveries
        options.countsStates = countsStates
        let pass = JudgingPass(
            entries, options, request.budgets,
            verdicts: SortedRunFile(place), messages: messages, jobs: lines.length < 1 << 20 ? 1 : jobs)
        try pass.run()
        var cursors = try SortedRunStore.cursors(of: pass.verdicts, partition: nil, window: request.budgets.windows)
        for store in pass.stores { cursors += try store.memoryCursors(partition: nil) }
        self.entries = nil
        var states = pass.figures
        if countsStates, let theirs = options.compared {
            let judge = SubscriptionJudge(options)
            judge.differences(in: theirs, without: pass.compared) { _, _ in }
            states.add(judge.figures)
        }
        return (cursors, pass.agreement, pass.missing, states, pass.unsettled)
    }

    /// Makes a table of what has been read; the evidence is forgotten.
    ///
    /// - Returns: The rows in their order, and the pass that made them.
    func rows(
        _ request: TimelineRequest, jobs: Int, messages: Messages
    ) throws(ArchiveError) -> (rows: SortedRunMerge, pass: JudgingPass)? {
        guard let entries else { return nil }
        entries.sort()
        var options = request.settling(latest: latestOfAll)
        options.deliveries = deliveries
        let pass = JudgingPass(
            entries, options, request.budgets, verdicts: SortedRunFile(place),
            messages: messages, jobs: count < 4_000 ? 1 : jobs)
        try pass.run()
        var cursors = try SortedRunStore.cursors(of: pass.verdicts, partition: nil, window: request.budgets.windows)
        for store in pass.stores { cursors += try store.memoryCursors(partition: nil) }
        self.entries = nil
        return (SortedRunMerge(cursors), pass)
    }

    /// Gets what has been read ready for ``merge()``.
    func close() throws(ArchiveError) {
        try lines.close()
        entries?.sort()
    }

    /// The evidence in the order of keys, any number of times before it is settled.
    func merge(window: Int) throws(ArchiveError) -> SortedRunMerge {
        SortedRunMerge(try entries?.cursors(partition: nil, window: window) ?? [])
    }
}
