import NotificationTranslation

/// Settles what a second pass kept, as a conversion does, and looks into the subscription that is asked for.
struct StoryReader {
    let spill: TimelineSpill
    let options: SubscriptionJudge.Options
    let inputs: [InputFile]
    /// Records of one key that are judged together.
    let mostTogether: Int

    static var damage: ArchiveError { ArchiveError(.accounting, "internal error: stored evidence cannot be read") }

    /// Hands over group after group, as ``JudgingPass`` settles them.
    private func forEachGroup(
        of keys: Set<UInt64>?, _ body: (KeyGroup) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        for store in spill.entries {
            try KeyGroup.forEach(of: store, window: spill.timeline.budgets.windows, most: mostTogether) {
                (group) throws(ArchiveError) in
                if keys?.contains(group.key) ?? true { try body(group) }
            }
        }
    }

    /// The keys under which an event gets one of these ids that no record alone has.
    func keys(givingAnyOf ids: [String]) throws(ArchiveError) -> Set<UInt64> {
        let (reader, judge) = (CorrectedEventReader(), SubscriptionJudge(options))
        var keys: Set<UInt64> = []
        try forEachGroup(of: nil) { (group) throws(ArchiveError) in
            group.settle(judge) { _, _, verdict in
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
        var parts: [StoryPart] = []
        let judge = SubscriptionJudge(options)
        try forEachGroup(of: all) { (group) throws(ArchiveError) in
            group.settle(judge) { position, rank, bytes in
                if verdicts[position].map({ $0.rank <= rank }) ?? false { return }
                verdicts[position] = (rank, group.key, Array(bytes))
            }
            if keys.contains(group.key) { parts.append(part(group)) }
        }
        parts.removeAll { $0.hosts == 0 }
        var subscriptions: [ArchiveStory.Subscription] = []
        var told: Set<UInt64> = []
        // Where a guest was joined to a purchase, the story of the purchase is shown and not its own.
        for var part in parts.sorted(by: { $0.positions.count > $1.positions.count }) {
            for position in part.positions {
                let line = position & ~KeyGroup.guest
                let verdict = verdicts[line]
                part.events.append(try events(at: line, verdict?.bytes ?? []))
                let isJoined = verdict.map { $0.rank != KeyGroup.own } ?? false
                part.homes.append(!isJoined ? .own : verdict?.key == part.key ? .here : .elsewhere)
            }
            let asked = part.asked(target)
            let isNew = asked.contains { told.insert(part.positions[$0] & ~KeyGroup.guest).inserted }
            guard isNew else { continue }
            let others = parts.filter { $0.key == part.key }
            let place = others.firstIndex { $0.positions == part.positions } ?? 0
            for var subscription in part.subscriptions(asked, target, options, most) {
                if others.count > 1 {
                    subscription.part = ArchiveStory.Part(
                        number: place + 1, count: others.count, records: others.reduce(0) { $0 + $1.hosts })
                }
                subscriptions.append(subscription)
            }
        }
        return subscriptions
    }

    /// What of a group is shown, Apple's answers set apart.
    private func part(_ group: KeyGroup) -> StoryPart {
        var part = StoryPart(key: group.key)
        for (position, evidence) in zip(group.positions, group.evidence) {
            if position & (KeyGroup.answer | KeyGroup.guest) == KeyGroup.answer {
                part.answers.append((answer(at: position & ~KeyGroup.answer), Array(evidence)))
            } else {
                part.positions.append(position)
                part.evidence.append(Array(evidence))
            }
        }
        return part
    }

    private func answer(at position: UInt64) -> ArchiveStory.Answer {
        let place = spill.answerPlaces.flatMap { $0.indices.contains(Int(position)) ? $0[Int(position)] : nil }
        let input = place.flatMap { inputs.indices.contains($0.input) ? inputs[$0.input].path : nil }
        return ArchiveStory.Answer(input: input ?? "?", line: place?.line ?? 0, fields: [])
    }

    /// The event at a position as it was settled, and those deduced after it.
    private func events(at position: UInt64, _ verdict: [UInt8]) throws(ArchiveError) -> [UnifiedEvent] {
        let record = try spill.lines.event(at: position)
        let events = verdict.withUnsafeBytes { verdict in
            record.flatMap { $0.withUnsafeBytes { CorrectedEventReader().events(spilled: $0, verdict) } }
        }
        guard let events else { throw Self.damage }
        return events
    }
}
