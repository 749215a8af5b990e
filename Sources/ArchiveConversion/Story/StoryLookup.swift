import NotificationTranslation

/// What a story is asked of.
package enum StoryTarget: Sendable, Equatable {
    /// The record of a line, or the record of that ordinal where the input is not a file of lines, counted from 1.
    case place(path: String, line: Int64)
    /// The event of an id.
    case id(String)

    /// What an id may look like in an event: as it was given, and in lower case as we write ours.
    var spellings: [String] {
        guard case .id(let id) = self else { return [] }
        let lower = id.lowercased()
        return lower == id ? [id] : [id, lower]
    }

    /// Whether an event is asked for by its id, its subscription, its transaction or its account.
    func isNamed(by event: UnifiedEvent) -> Bool {
        let transaction = event.transaction
        return spellings.contains { name in
            name == event.id || name == transaction?.originalTransactionID || name == transaction?.transactionID
                || name == transaction?.appAccountToken
        }
    }
}

/// Finds a record in an archive and shows the story of its subscription.
///
/// The archive is read and kept as a conversion does it. Meanwhile the record is found, and with it the key of its
/// subscription; then what is under that key is settled, and what decides about notifications under it. An id that no
/// record judged alone has may be one that only a whole subscription gives (a numbered id, or a deduced event): then all
/// subscriptions are settled until one gives it.
///
/// One thread at a time uses it, hence `@unchecked Sendable`.
package final class StoryLookup: @unchecked Sendable {
    private var request: ConversionRequest
    /// How the subscription is settled; `nil` judges each record by itself.
    private let timeline: TimelineRequest?
    private var target: StoryTarget
    private var inputs: [InputFile]
    /// How many entries of a subscription are shown.
    private let most: Int
    private let reader = CorrectedEventReader()

    /// The notifications that were found: each event, judged alone.
    private var hits: [(event: UnifiedEvent, mark: ChunkOutput.Mark)] = []
    /// What is in the line that is asked for; its value is `nil` where that is an event.
    private var found: ArchiveStory.Nothing??
    /// The last line before that in which a record begins, and the last line of its input.
    private var (recordBefore, lastLine): (Int64?, Int64) = (nil, 0)

    /// Prepares a search.
    ///
    /// The input of a place is added if the request lacks it; of a subscription at most `most` entries are shown.
    ///
    /// - Throws: ``ArchiveError`` when an input is not there.
    package init(_ target: StoryTarget, _ request: ConversionRequest, most: Int = 500) throws(ArchiveError) {
        self.most = most
        self.target = target
        self.request = request
        timeline = request.timeline
        // Events are read as those of a timeline in any case, without their line numbers.
        self.request.timeline = request.timeline ?? TimelineRequest()
        self.request.records.keepsEvidence = true
        self.request.records.spillsEvents = true
        inputs = try InputFile.all(of: request, besides: []).files
        guard case .place(let path, let line) = target else { return }
        guard let status = InputFile(path: path).status else {
            throw ArchiveError(.inputUnreadable, "cannot open", path: path, detail: "no such file")
        }
        if let same = inputs.first(where: { $0.status.map { $0.isSameFile(as: status) } ?? false }) {
            self.target = .place(path: same.path, line: line)
        } else {
            inputs.insert(InputFile(path: path), at: 0)
        }
    }

    /// Searches.
    package func run() throws(ArchiveError) -> ArchiveStory {
        var story = ArchiveStory()
        story.files = inputs.count
        let spill = timeline.map { TimelineSpill($0, in: request.temporaryFolder) }
        spill?.answerPlaces = []
        let state = RunState(inputs, Messages(isQuiet: true))
        try state.read(inputs, request) { [self] (slot) throws(ArchiveError) in
            try look(at: slot)
            try spill?.add(slot.output, input: slot.chunk.input)
        }
        story.wasDamaged = state.outcome.wasDamaged
        if case .place(_, let line) = target {
            story.nothing = found ?? (line > lastLine ? .afterEnd(lines: lastLine) : .noRecord(before: recordBefore))
            // A line without an event has no story.
            if hits.isEmpty { return story }
        }
        guard let spill, let timeline else {
            story.subscriptions = hits.map { hit in
                .init(entries: [.init(event: hit.event, isAsked: true)], shown: 0..<1)
            }
            return story
        }
        try spill.lines.close()
        var options = timeline.settling(latest: spill.latest)
        // The story also shows what an option leaves out of the output.
        options.dropped = []
        var keys = Set(hits.flatMap { [$0.mark.key] + $0.mark.possibleKeys })
        if keys.isEmpty { keys = try keysGivingIDs(spill, options) }
        if !keys.isEmpty { story.subscriptions = try subscriptions(of: keys, spill, options) }
        return story
    }

    // MARK: While the archive is read

    /// Looks at what a part of an input became.
    private func look(at slot: ConvertedChunk) throws(ArchiveError) {
        let output = slot.output
        guard case .place(let path, let line) = target else {
            return try output.forEachSpilled { (event, _, mark) throws(ArchiveError) in
                let found = try read(event)
                guard target.isNamed(by: found) else { return }
                // One notification of a subscription, a transaction or an account leads to its whole story.
                if !target.spellings.contains(found.id), hits.contains(where: { $0.mark.key == mark.key }) { return }
                hits.append((found, mark))
            }
        }
        guard slot.chunk.path == path else { return }
        lastLine = max(lastLine, output.line - 1)
        let records: [(line: Int64, what: ArchiveStory.Nothing?)] =
            output.rejects.map { ($0.line, .rejected($0)) }
            + output.skips.map { ($0.line, .skipped($0.reason, hasSigns: $0.hasSigns)) }
            + output.evidenceMarks.map { ($0.line, nil) } + output.evidenceLines.map { ($0, .answer) }
        recordBefore = records.lazy.map(\.line).filter { $0 < line }.max() ?? recordBefore
        guard found == nil, let record = records.first(where: { $0.line == line }) else { return }
        found = .some(record.what)
        try output.forEachSpilled { (event, _, mark) throws(ArchiveError) in
            if mark.line == line { hits.append((try read(event), mark)) }
        }
    }

    private func read(_ event: UnsafeRawBufferPointer) throws(ArchiveError) -> UnifiedEvent {
        let events = reader.events(spilled: event, UnsafeRawBufferPointer(start: nil, count: 0))
        guard let own = events?.first else { throw Self.damage }
        return own
    }

    private static let damage = ArchiveError(.system, "internal error: stored evidence cannot be read")

    // MARK: Afterwards

    /// Hands over group after group, as ``JudgingPass`` settles them.
    private func forEachGroup(
        in spill: TimelineSpill, _ body: (KeyGroup) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        for store in spill.entries {
            try KeyGroup.forEach(of: store, window: spill.timeline.budgets.windows, body)
        }
    }

    /// The keys under which an event gets one of the ids that no record alone has.
    private func keysGivingIDs(
        _ spill: TimelineSpill, _ options: SubscriptionJudge.Options
    ) throws(ArchiveError) -> Set<UInt64> {
        let judge = SubscriptionJudge(options)
        var keys: Set<UInt64> = []
        try forEachGroup(in: spill) { (group) throws(ArchiveError) in
            group.settle(judge) { _, _, verdict in
                if target.spellings.contains(where: { reader.gives($0, verdict) }) { keys.insert(group.key) }
            }
        }
        return keys
    }

    /// The stories of what is asked for, one for each subscription under some keys.
    private func subscriptions(
        of keys: Set<UInt64>, _ spill: TimelineSpill, _ options: SubscriptionJudge.Options
    ) throws(ArchiveError) -> [ArchiveStory.Subscription] {
        var parts: [StoryPart] = []
        try forEachGroup(in: spill) { (group) throws(ArchiveError) in
            if keys.contains(group.key) { parts.append(part(group, spill)) }
        }
        parts.removeAll { $0.hosts == 0 }
        // What decides about a guest may be under another key.
        let lines = Set(parts.flatMap { $0.positions.map { $0 & ~KeyGroup.guest } })
        var verdicts: [UInt64: (rank: UInt64, key: UInt64, bytes: [UInt8])] = [:]
        let judge = SubscriptionJudge(options)
        try forEachGroup(in: spill) { (group) throws(ArchiveError) in
            guard group.positions.contains(where: { lines.contains($0 & ~KeyGroup.guest) }) else { return }
            group.settle(judge) { position, rank, bytes in
                if verdicts[position].map({ $0.rank <= rank }) ?? false { return }
                verdicts[position] = (rank, group.key, Array(bytes))
            }
        }
        var subscriptions: [ArchiveStory.Subscription] = []
        var told: Set<UInt64> = []
        // Where a guest was joined to a purchase, the story of the purchase is shown and not its own.
        for var part in parts.sorted(by: { $0.positions.count > $1.positions.count }) {
            for position in part.positions {
                let line = position & ~KeyGroup.guest
                let verdict = verdicts[line]
                part.events.append(try events(at: line, verdict?.bytes ?? [], spill))
                let isJoined = verdict.map { $0.rank != KeyGroup.own } ?? false
                part.homes.append(!isJoined ? .own : verdict?.key == part.key ? .here : .elsewhere)
            }
            let asked = part.asked(target)
            let isNew = asked.contains { told.insert(part.positions[$0] & ~KeyGroup.guest).inserted }
            guard isNew else { continue }
            subscriptions += part.subscriptions(asked, target, options, most)
        }
        return subscriptions
    }

    /// What of a group is shown, Apple's answers set apart.
    private func part(_ group: KeyGroup, _ spill: TimelineSpill) -> StoryPart {
        var part = StoryPart(key: group.key)
        for (position, evidence) in zip(group.positions, group.evidence) {
            if position & (KeyGroup.answer | KeyGroup.guest) == KeyGroup.answer {
                let place = spill.answerPlaces?[Int(position & ~KeyGroup.answer)]
                let answer = ArchiveStory.Answer(
                    input: place.map { inputs[$0.input].path } ?? "?", line: place?.line ?? 0, fields: [])
                part.answers.append((answer, evidence))
            } else {
                part.positions.append(position)
                part.evidence.append(evidence)
            }
        }
        return part
    }

    /// The event at a position as it was settled, and those deduced after it.
    private func events(
        at position: UInt64, _ verdict: [UInt8], _ spill: TimelineSpill
    ) throws(ArchiveError) -> [UnifiedEvent] {
        let record = try spill.lines.event(at: position)
        let events = verdict.withUnsafeBytes { verdict in
            record.flatMap { $0.withUnsafeBytes { reader.events(spilled: $0, verdict) } }
        }
        guard let events else { throw Self.damage }
        return events
    }
}
