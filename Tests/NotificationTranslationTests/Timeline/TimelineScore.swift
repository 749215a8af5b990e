import NotificationTranslation
import SimulatedLives

/// How well the timelines of lives agree with the answer key.
///
/// A life is complete if every version 2 notification that Apple would have sent is there exactly once, as event or
/// inferred, and no other: those that were told, and the silent ones that Apple documents and that the bodies about
/// the same subscription give away. True ones beyond these are welcome and not demanded. It is complete as far as bodies
/// show if all its faults are about transactions to which something happened that no body shows.
struct TimelineScore {
    var figures: [Figure: Int] = [:]
    var wrongExact: [String] = []
    /// What went wrong how often, for people.
    var failures: [String: Int] = [:]
    /// The same one by one, with the subscription each is about.
    var details: [Finding] = []

    enum Figure: String, CaseIterable {
        case deliveries, answered, among, exact
        case companions, rightLeader, falseCompanions
        case told, toldTwice, toldNever
        /// Notifications of version 2, the first delivery of each, and those that are the event of their happening.
        case second, leading
        /// Events of version 1 that arrived within an hour, and those more than an hour off all the same.
        case timed, mistimed
        case repeats, markedRepeats, twins, joinedTwins, falseDuplicates
        case lives, complete, completeAsShown, missing, doubled, untrue
        case inferred, wrongInferred, mistimedInferred
    }

    subscript(_ figure: Figure) -> Int { figures[figure] ?? 0 }

    func percent(_ part: Figure, of whole: Figure) -> Double {
        self[whole] == 0 ? 100 : Double(self[part] * 10_000 / self[whole]) / 100
    }

    mutating func add(_ figure: Figure, _ amount: Int = 1) { figures[figure, default: 0] += amount }

    mutating func take(_ life: SimulatedLife, _ settled: LifeArchive.Settled) {
        var groups: [Int: [JudgedDelivery]] = [:]
        for (delivery, event) in zip(life.deliveries, settled.told) {
            groups[delivery.happening, default: []].append(JudgedDelivery(delivery: delivery, event: event))
        }
        let firsts = Dictionary(settled.told.filter { $0.disposition != .duplicate }.map { ($0.id, $0) }) { $1 }
        for (number, allJudged) in groups {
            let group = HappeningGroup(life.happenings[number], allJudged, firsts)
            takeAnswers(group)
            if allJudged.contains(where: \.truth.isNameless) { continue }
            takeRoles(group)
            takeDuplicates(group)
        }
        takeLife(life, groups, settled.inferred)
    }

    mutating func note(_ what: String, of id: String, at instant: Int64) {
        failures[what, default: 0] += 1
        details.append(Finding(what: what, id: id, at: instant))
    }

    private mutating func fail(_ what: String, _ group: HappeningGroup, _ judged: JudgedDelivery) {
        let rule = judged.event.source.rule ?? "V2"
        let text = "\(what): \(group.happening.pair), \(judged.delivery.type) said \(judged.event.v2) by \(rule)"
        note(text, of: group.happening.originalTransactionId, at: group.happening.at)
    }

    private mutating func takeAnswers(_ group: HappeningGroup) {
        for judged in group.allJudged where !judged.truth.isRepeat {
            let right = group.rightAnswers(of: judged)
            let isAnswer = right.contains(group.answer(of: judged))
            add(.deliveries)
            add(.answered, isAnswer ? 1 : 0)
            add(.among, isAnswer || judged.event.candidates.contains(where: right.contains) ? 1 : 0)
            if !isAnswer { fail("wrong answer", group, judged) }
            guard judged.event.certainty == .exact else { continue }
            add(.exact)
            if !judged.truth.also.isEmpty, !judged.delivery.isVersion2 { fail("unproven exact", group, judged) }
            if !isAnswer {
                wrongExact.append("\(judged.delivery.type) said \(judged.event.v2), \(group.happening.pair)")
                fail("wrong exact", group, judged)
            }
        }
    }

    private mutating func takeRoles(_ group: HappeningGroup) {
        for judged in group.allJudged where !judged.truth.isRepeat {
            if group.isCompanion(judged) {
                add(.companions)
                let isRight = group.followsItsLeader(judged)
                add(.rightLeader, isRight ? 1 : 0)
                if !isRight { fail("companion \(judged.event.disposition)", group, judged) }
            } else if judged.event.disposition == .companion {
                add(.falseCompanions)
                fail("false companion", group, judged)
            }
        }
        for same in Dictionary(grouping: group.allJudged.filter(\.delivery.isVersion2), by: \.delivery.notice).values {
            let leads = same.contains { $0.event.disposition == .event }
            add(.second)
            add(.leading, leads ? 1 : 0)
            if !leads { fail("V2 not the event", group, same[0]) }
        }
        let events = group.allJudged.filter { $0.event.disposition == .event }
        for judged in events where !judged.delivery.isVersion2 && !judged.truth.isRepeat { takeTime(of: judged, group) }
        guard group.allJudged.contains(where: { $0.truth.pair != nil }) else { return }
        add(.told)
        add(.toldTwice, events.count > 1 ? 1 : 0)
        add(.toldNever, events.isEmpty ? 1 : 0)
        if events.count > 1 { fail("told twice", group, events[1]) }
        if events.isEmpty { fail("told never", group, group.allJudged[0]) }
    }

    /// A body shows the time of its happening, or its arrival does; of a recovery the purchase date is none.
    private mutating func takeTime(of judged: JudgedDelivery, _ group: HappeningGroup) {
        let (happening, hour) = (group.happening, 3_600_000 as Int64)
        guard abs(judged.delivery.receivedAt - happening.at) <= hour else { return }
        let isRecovery = happening.pair.subtype == "BILLING_RECOVERY"
        let time = judged.event.occurredAt?.milliseconds ?? .min / 2
        let isNear = abs(time - happening.at) <= hour || (!isRecovery && abs(time - happening.dated) <= hour)
        add(.timed)
        add(.mistimed, isNear ? 0 : 1)
        if !isNear { fail("V1 mistimed by \(judged.event.occurredAtBasis ?? "nothing")", group, judged) }
    }

    private mutating func takeDuplicates(_ group: HappeningGroup) {
        for deliveries in Dictionary(grouping: group.allJudged, by: \.delivery.notice).values {
            let marked = deliveries.filter { $0.event.disposition == .duplicate }.count
            add(.repeats, deliveries.count - 1)
            add(.markedRepeats, min(marked, deliveries.count - 1))
            if marked < deliveries.count - 1 { fail("repeat not marked", group, deliveries[1]) }
            let mayAllBe = group.isTwin && deliveries[0].truth.pair != nil
            if marked == deliveries.count, !mayAllBe {
                add(.falseDuplicates)
                fail("false duplicate", group, deliveries[0])
            }
        }
        guard group.isTwin else { return }
        let leaders = group.allJudged.filter { $0.truth.pair != nil }
        let isDuplicate = [true, false].map { version2 in
            leaders.filter { $0.delivery.isVersion2 == version2 }.allSatisfy { $0.event.disposition == .duplicate }
        }
        add(.twins)
        add(.joinedTwins, isDuplicate[0] != isDuplicate[1] ? 1 : 0)
        add(.falseDuplicates, isDuplicate[0] && isDuplicate[1] ? 1 : 0)
        if isDuplicate[0] == isDuplicate[1] { fail("twins not joined", group, leaders[0]) }
    }
}

/// A delivery and what became of it.
struct JudgedDelivery {
    let delivery: Delivery
    let event: UnifiedEvent

    var truth: Truth { delivery.truth }
}

/// Everything that tells of one happening.
struct HappeningGroup {
    let happening: Happening
    let allJudged: [JudgedDelivery]
    /// By id, those that are no duplicates.
    let firsts: [String: UnifiedEvent]
    let isTwin: Bool
    /// The leader was lost: any one of its companions is the event.
    let isLeaderless: Bool
    private let leaderIDs: Set<String>
    private let wordings: [NotificationPair]

    init(_ happening: Happening, _ allJudged: [JudgedDelivery], _ firsts: [String: UnifiedEvent]) {
        self.happening = happening
        self.allJudged = allJudged
        self.firsts = firsts
        isTwin = allJudged.contains(where: \.truth.isTwin)
        isLeaderless = allJudged.contains(where: \.truth.isPromoted)
        let leaders =
            isLeaderless
            ? allJudged.filter { $0.event.disposition == .event } : allJudged.filter { $0.truth.pair != nil }
        let repeated = leaders.filter { $0.event.disposition == .duplicate }.compactMap(\.event.companionOf)
        leaderIDs = Set(leaders.map(\.event.id) + repeated)
        wordings = (allJudged.compactMap(\.truth.pair) + [happening.pair]).map { NotificationPair($0) }
    }

    func rightAnswers(of judged: JudgedDelivery) -> [NotificationPair] {
        var right = [NotificationPair(judged.truth.pair)] + judged.truth.also.map { NotificationPair($0) }
        if judged.event.disposition == .duplicate, judged.truth.pair != nil { right += wordings }
        if isLeaderless { right += wordings + [NotificationPair(nil)] }
        return right
    }

    /// A duplicate without a pair of its own has that of the event it repeats.
    func answer(of judged: JudgedDelivery) -> NotificationPair {
        guard judged.event.disposition == .duplicate, judged.event.v2.type == nil else { return judged.event.v2 }
        return judged.event.companionOf.flatMap { firsts[$0]?.v2 } ?? judged.event.v2
    }

    func isCompanion(_ judged: JudgedDelivery) -> Bool {
        guard isLeaderless else { return judged.truth.pair == nil }
        return judged.event.disposition != .event && allJudged.contains { $0.delivery.notice != judged.delivery.notice }
    }

    func followsItsLeader(_ judged: JudgedDelivery) -> Bool {
        let same = allJudged.filter { $0.delivery.notice == judged.delivery.notice }
        let first = same.first { $0.event.disposition == .companion } ?? judged
        guard first.event.disposition == .companion, let leader = first.event.companionOf else { return false }
        return leaderIDs.contains(leader)
    }
}

extension NotificationPair {
    init(_ pair: V2Pair?) {
        self.init(
            type: (pair?.type).map(NotificationType.init(rawValue:)),
            subtype: (pair?.subtype).map(NotificationSubtype.init(rawValue:)))
    }
}
