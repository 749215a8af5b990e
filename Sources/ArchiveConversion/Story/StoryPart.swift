import NotificationTranslation

/// The notifications under one key, or a part of them where that is more than is settled at once, as they were settled.
struct StoryPart {
    /// Under which key it was decided what a notification became.
    enum Home {
        case own
        /// This one, where it is a guest, or that of another purchase.
        case here, elsewhere
    }

    let key: UInt64
    /// Positions of lines; guests, which come last, are marked.
    var positions: [UInt64] = []
    var evidence: [[UInt8]] = []
    /// Apple's answers about these, with their evidence.
    var answers: [(answer: ArchiveStory.Answer, evidence: [UInt8])] = []
    /// The events of each: its own, then those deduced after it.
    var events: [[UnifiedEvent]] = []
    var homes: [Home] = []

    /// How many are not guests.
    var hosts: Int { positions.firstIndex { $0 & KeyGroup.guest != 0 } ?? positions.count }

    private func isGuest(_ place: Int) -> Bool { positions[place] & KeyGroup.guest != 0 }

    /// The places of those that are asked for, or after which a deduced event is, and about which this key decided.
    func asked(_ target: StoryTarget) -> [Int] {
        events.indices.filter { place in
            homes[place] == (isGuest(place) ? .here : .own) && events[place].contains { Self.isAsked($0, target) }
        }
    }

    private static func isAsked(_ event: UnifiedEvent, _ target: StoryTarget) -> Bool {
        switch target {
        case .place(let path, let line):
            event.disposition != .inferred && event.source.line == line && event.source.input == path
        case .id: target.isNamed(by: event)
        }
    }

    /// The stories of the subscriptions that some of them belong to; several where apps or environments share the key.
    func subscriptions(
        _ asked: [Int], _ target: StoryTarget, _ options: SubscriptionJudge.Options, _ most: Int
    ) -> [ArchiveStory.Subscription] {
        var findings: [StoryTrace.Finding] = []
        let hosts = hosts
        (evidence + answers.map(\.evidence)).withBuffers { buffers in
            findings = StoryTrace(asOf: options.asOf).findings(
                Array(buffers[..<hosts]), answers: Array(buffers[evidence.count...]),
                guests: Array(buffers[hosts..<evidence.count]), first: asked.filter { $0 < hosts })
        }
        guard findings.count == events.count else { return [] }
        let parts = Set(asked.map { findings[$0].part }).sorted()
        return parts.map { part in
            let members = events.indices.filter { findings[$0].part == part || isGuest($0) && parts.count == 1 }
            return subscription(members, findings, target, most)
        }
    }

    private func subscription(
        _ members: [Int], _ findings: [StoryTrace.Finding], _ target: StoryTarget, _ most: Int
    ) -> ArchiveStory.Subscription {
        var entries: [ArchiveStory.Entry] = []
        for place in members {
            let own = events[place][0]
            var entry = ArchiveStory.Entry(
                event: own, isAsked: Self.isAsked(own, target), isGuest: isGuest(place), finding: findings[place])
            if entry.isGuest, homes[place] != .here {
                // Another purchase, or nothing, decided.
                entry.finding = StoryTrace.Finding()
                entry.isJoinedElsewhere = homes[place] == .elsewhere
            }
            let time = entry.isGuest ? own.occurredAt?.milliseconds ?? .min : findings[place].time
            entry.order = (time, entry.isGuest ? .max : findings[place].position, place)
            entries.append(entry)
            for event in events[place].dropFirst() {
                var entry = ArchiveStory.Entry(event: event, isAsked: Self.isAsked(event, target))
                entry.order = (event.occurredAt?.milliseconds ?? .min, .max, place)
                entries.append(entry)
            }
        }
        entries.sort { $0.order < $1.order }
        var numbers: [Int: Int] = [:]
        for (number, entry) in entries.enumerated() where entry.finding != nil { numbers[entry.order.place] = number }
        let shown = shownRange(entries.map(\.isAsked), most)
        let linked = entries.map { entry in
            var entry = entry
            guard var finding = entry.finding else { return entry }
            finding.leader = finding.leader.flatMap { numbers[$0] }
            finding.decidedBy = finding.decidedBy.compactMap { numbers[$0] }
            finding.accessDecidedBy = finding.accessDecidedBy.compactMap { numbers[$0] }
            finding.sameText = finding.sameText.flatMap { numbers[$0] }
            entry.finding = finding
            entry.answers = finding.answers.map { found in
                var answer = answers[found.index].answer
                answer.fields = found.fields
                return answer
            }
            return entry
        }
        return ArchiveStory.Subscription(entries: linked, shown: shown)
    }

    /// As many entries as are shown, around those asked for.
    private func shownRange(_ asked: [Bool], _ most: Int) -> Range<Int> {
        guard asked.count > most else { return 0..<asked.count }
        let first = asked.firstIndex(of: true) ?? 0
        let start = max(0, min(first - most / 2, asked.count - most))
        return start..<start + most
    }
}
