import NotificationTranslation

/// Settles what a second pass kept, as a conversion does, and looks into the subscription that is asked for.
struct StoryReader {
    private let spill: TimelineSpill
    private let timeline: TimelineRequest
    private let subscriptionJudge: SubscriptionJudge
    private let inputs: [InputFile]
    private let mostTogether: Int

    static var damage: ArchiveError { ArchiveError(.accounting, "internal error: stored evidence cannot be read") }

    /// - Parameters:
    ///   - spill: What was kept.
    ///   - timeline: How it is settled.
    ///   - inputs: What was read.
    ///   - mostTogether: Records of one key that are judged together.
    init(_ spill: TimelineSpill, _ timeline: TimelineRequest, _ inputs: [InputFile], mostTogether: Int) {
        self.spill = spill
        self.inputs = inputs
        self.mostTogether = mostTogether
        var timeline = timeline
        // The story also shows what an option leaves out of the output.
        timeline.dropped = []
        self.timeline = timeline
        subscriptionJudge = SubscriptionJudge(timeline.settling(latest: spill.latest))
    }

    /// What is under one key, or a part of it where that is more than is settled at once.
    private struct Group {
        var key: UInt64 = 0
        /// Positions of events; guests, which come last, are marked.
        var positions: [UInt64] = []
        var evidence: [[UInt8]] = []
        /// Apple's answers, which have no event to show; only where they were set apart.
        var answers: [(position: UInt64, evidence: [UInt8])] = []

        /// How many are not guests.
        var hosts: Int { positions.firstIndex { $0 & JudgingPass.guest != 0 } ?? positions.count }

        /// The same with Apple's answers set apart.
        var separated: Group {
            var group = Group(key: key)
            for (position, evidence) in zip(positions, evidence) {
                if position & (JudgingPass.answer | JudgingPass.guest) == JudgingPass.answer {
                    group.answers.append((position & ~JudgingPass.answer, evidence))
                } else {
                    group.positions.append(position)
                    group.evidence.append(evidence)
                }
            }
            return group
        }
    }

    /// Hands over group after group, as ``JudgingPass`` does.
    private func forEachGroup(
        of keys: Set<UInt64>?, _ body: (Group) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var merge = try spill.merge(window: timeline.budgets.windows)
        let buffer = OutputBuffer(capacity: 4096)
        var last: (key: UInt64, position: UInt64)?
        var groups = 0
        while let first = merge.top {
            var group = Group(key: first.first)
            var bytes = 0
            while let cursor = merge.top, cursor.first == group.key, group.positions.count < mostTogether,
                bytes < JudgingPass.mostBytes
            {
                if last?.key != group.key || last?.position != cursor.second {
                    buffer.removeAll()
                    try cursor.take(into: buffer)
                    bytes += buffer.count
                    group.positions.append(cursor.second)
                    group.evidence.append(Array(buffer.bytes))
                }
                last = (group.key, cursor.second)
                try merge.advance()
            }
            groups += 1
            if groups & 255 == 0 { try Interruption.check() }
            if keys?.contains(group.key) ?? true { try body(group) }
        }
    }

    /// Settles a group; what is reported are positions, ranks (the smallest holds) and verdicts.
    private func settle(_ group: Group, _ report: (UInt64, UInt64, UnsafeRawBufferPointer) -> Void) {
        let hosts = group.hosts
        guard hosts > 0 else { return }
        group.evidence.withBuffers { evidence in
            subscriptionJudge.settle(
                Array(evidence[..<hosts]), positions: group.positions, guests: Array(evidence[hosts...]),
                reportGuest: { guest, cost, bytes in
                    report(
                        group.positions[hosts + guest] & ~JudgingPass.guest,
                        JudgingPass.rank(ofCost: cost, under: group.key), bytes)
                },
                { report(group.positions[$0], JudgingPass.own, $1) })
        }
    }

    /// The keys under which an event gets one of these ids that no record alone has.
    func keys(givingAnyOf ids: [String]) throws(ArchiveError) -> Set<UInt64> {
        let reader = CorrectedEventReader()
        var keys: Set<UInt64> = []
        try forEachGroup(of: nil) { (group) throws(ArchiveError) in
            settle(group) { _, _, verdict in
                if ids.contains(where: { reader.gives($0, verdict) }) { keys.insert(group.key) }
            }
        }
        return keys
    }

    // MARK: Stories

    /// The stories of what is asked for, one for each subscription: it may be under `keys`, and `all` are these and the
    /// keys that decide about guests of these.
    func subscriptions(
        _ target: StoryTarget, of keys: Set<UInt64>, within all: Set<UInt64>, _ most: Int
    ) throws(ArchiveError) -> [ArchiveStory.Subscription] {
        var verdicts: [UInt64: (rank: UInt64, key: UInt64, bytes: [UInt8])] = [:]
        var groups: [Group] = []
        try forEachGroup(of: all) { (group) throws(ArchiveError) in
            settle(group) { position, rank, bytes in
                if verdicts[position].map({ $0.rank <= rank }) ?? false { return }
                verdicts[position] = (rank, group.key, Array(bytes))
            }
            if keys.contains(group.key) { groups.append(group.separated) }
        }
        var subscriptions: [ArchiveStory.Subscription] = []
        var told: Set<UInt64> = []
        // Where a guest was joined to a purchase, the story of the purchase is shown and not its own.
        for group in groups.sorted(by: { $0.positions.count > $1.positions.count }) where group.hosts > 0 {
            var events: [[UnifiedEvent]] = []
            var homes: [StoryPart.Home] = []
            for position in group.positions {
                let line = position & ~JudgingPass.guest
                let verdict = verdicts[line]
                events.append(try self.events(at: line, verdict?.bytes ?? []))
                let isJoined = verdict.map { $0.rank != JudgingPass.own } ?? false
                homes.append(!isJoined ? .own : verdict?.key == group.key ? .here : .elsewhere)
            }
            let options = timeline.settling(latest: spill.latest)
            var part = StoryPart(events, group.evidence, hosts: group.hosts, homes, options)
            part.answers = group.answers.map { (answer(at: $0.position), $0.evidence) }
            let asked = part.asked(target).filter { homes[$0] == ($0 < group.hosts ? .own : .here) }
            let isNew = asked.contains { told.insert(group.positions[$0] & ~JudgingPass.guest).inserted }
            guard isNew else { continue }
            let place = Self.part(of: group, among: groups)
            subscriptions += part.subscriptions(asked, target, most).map { subscription in
                var subscription = subscription
                subscription.part = place
                return subscription
            }
        }
        return subscriptions
    }

    private func answer(at position: UInt64) -> ArchiveStory.Answer {
        let place = spill.answerPlaces.flatMap { $0.indices.contains(Int(position)) ? $0[Int(position)] : nil }
        let input = place.flatMap { inputs.indices.contains($0.input) ? inputs[$0.input].path : nil }
        return ArchiveStory.Answer(input: input ?? "?", line: place?.line ?? 0, fields: [])
    }

    /// Which part of its key a group is; `nil` where it is all.
    private static func part(of group: Group, among groups: [Group]) -> ArchiveStory.Part? {
        let parts = groups.filter { $0.key == group.key && $0.hosts > 0 }
        guard parts.count > 1, let place = parts.firstIndex(where: { $0.positions == group.positions }) else {
            return nil
        }
        return ArchiveStory.Part(
            number: place + 1, count: parts.count, records: parts.reduce(0) { $0 + $1.hosts })
    }

    /// The event at a position as it was settled, and those deduced after it.
    private func events(at position: UInt64, _ verdict: [UInt8]) throws(ArchiveError) -> [UnifiedEvent] {
        let block = LineBlock(EventShape(), reports: false)
        try block.read(spill.lines, from: Int64(position), size: 4096)
        let events = verdict.withUnsafeBytes { verdict in
            block.first.flatMap { CorrectedEventReader().events(spilled: $0, verdict) }
        }
        guard let events else { throw Self.damage }
        return events
    }
}
