import NotificationTranslation
import SimulatedLives

/// Everything that is measured on one sort of simulated lives.
struct Scoreboard {
    let sort: LifeSort
    /// The backends that are followed.
    let modes: [AccessMode]
    private(set) var lives = 0
    private(set) var alone = SimulatedLivesTests.Score()
    private(set) var timeline = TimelineScore()
    private(set) var safe = TimelineScore()
    private(set) var access: [AccessMode: AccessScore] = [:]
    private(set) var undecided = 0
    /// Events that end access while Apple's books give it, and events about another transaction that are exact.
    private(set) var falseWithdrawals = 0
    private(set) var otherTransactions = 0
    /// What is wrong how often.
    private(set) var findings: [String: Int] = [:]
    /// Findings whose name contains this, or one of the texts that `|` separates, are told in full, so many of them.
    private var shown: (name: String, count: Int)?

    init(
        _ sort: LifeSort, following modes: [AccessMode] = AccessMode.allCases,
        showing shown: (name: String, count: Int)? = nil
    ) {
        self.sort = sort
        self.modes = modes
        self.shown = shown
    }

    /// Scores one more life.
    mutating func take(_ life: SimulatedLife) throws {
        guard !life.deliveries.isEmpty else { return }
        let archive = try LifeArchive(life, tellsReceiveTimes: sort.tellsReceiveTimes)
        let settled = archive.whole
        lives += 1
        var found: [Finding] = []
        for (delivery, entry) in zip(life.deliveries, archive.entries) {
            let wrong = alone.wrongExact.count
            alone.take(entry.event, delivery.truth)
            if alone.wrongExact.count > wrong {
                let what = "wrong exact alone: \(alone.wrongExact[wrong])"
                found.append(Finding(what: what, id: delivery.truth.originalTransactionId, at: delivery.shown.at))
            }
        }
        var whole = TimelineScore()
        whole.take(life, settled)
        found += whole.details
        timeline.add(whole)
        let proven = archive.settled(inferring: .safe)
        var certain = TimelineScore()
        certain.take(life, proven)
        found += certain.details.filter { $0.what.contains("inferred") }
            .map { Finding(what: "safe " + $0.what, id: $0.id, at: $0.at) }
        safe.add(certain)
        undecided += settled.told.filter { $0.entitlement == .undecided }.count
        for mode in modes {
            access[mode, default: AccessScore()].take(archive, mode) { finding in
                found.append(Finding(what: "\(mode): \(finding.what)", id: finding.id, at: finding.at))
            }
        }
        found += check(archive, settled)
        for finding in found {
            findings[finding.what, default: 0] += 1
            guard let shown, shown.count > 0, shown.name.split(separator: "|").contains(where: finding.what.contains)
            else { continue }
            self.shown?.count -= 1
            let settled = finding.what.hasPrefix("safe ") ? proven : settled
            print("=== \(sort) life \(life.seed): \(finding.what)")
            print(LifeText(life: life, archive: archive, settled: settled).text(of: finding))
        }
    }

    /// No event may end access that goes on, and an exact one names the transaction.
    private mutating func check(_ archive: LifeArchive, _ settled: LifeArchive.Settled) -> [Finding] {
        let life = archive.life
        var found: [Finding] = []
        let books = Dictionary(life.access.map { ($0.originalTransactionId, $0) }) { one, _ in one }
        var told: [String: Instant] = [:]
        for (delivery, event) in zip(life.deliveries, settled.told) {
            told[event.id] = min(told[event.id] ?? .max, delivery.shown.at)
            let truth = delivery.truth
            guard event.disposition == .event, event.certainty == .exact, truth.pair != nil, !truth.isPromoted,
                let id = event.transaction?.transactionID, id != truth.transactionId
            else { continue }
            otherTransactions += 1
            let what = "other transaction though exact: \(event.v2) of \(delivery.type) by \(event.source.rule ?? "V2")"
            found.append(Finding(what: what, id: truth.originalTransactionId, at: delivery.shown.at))
        }
        for event in archive.entries.map(\.event) + settled.told + settled.inferred {
            guard let fault = Self.unsoundness(of: event) else { continue }
            let what = "unsound: \(fault): \(event.disposition) \(event.v2) of \(event.source.type ?? "-")"
            let id = event.transaction?.originalTransactionID ?? ""
            found.append(Finding(what: what, id: id, at: event.occurredAt?.milliseconds ?? 0))
        }
        for event in settled.told where event.entitlement == .keep && event.accessUntil == nil {
            let what = "keep that does not say until when: \(event.v2) of \(event.source.type ?? "-")"
            let id = event.transaction?.originalTransactionID ?? ""
            found.append(Finding(what: what, id: id, at: event.occurredAt?.milliseconds ?? 0))
        }
        for event in settled.told + settled.inferred where event.entitlement == .withdraw {
            let sources = event.disposition == .inferred ? event.derivedFrom : [event.id]
            guard event.disposition == .event || event.disposition == .inferred,
                let at = sources.compactMap({ told[$0] }).max(),
                let id = event.transaction?.originalTransactionID, let book = books[id], book.kind != .other
            else { continue }
            // What is deduced is judged at its own time.
            let time = event.occurredAt?.milliseconds ?? at
            let moment = (event.disposition == .inferred ? time : max(at, time)) + 1
            guard book.gives(at: moment) else { continue }
            falseWithdrawals += 1
            let what = "withdraw while access goes on: \(event.disposition) \(event.v2) of \(event.source.type ?? "-")"
            found.append(Finding(what: what, id: id, at: moment))
        }
        return found
    }

    /// What an answer lacks that it owes to whoever reads it, whatever the truth is; `nil` for nothing.
    private static func unsoundness(of event: UnifiedEvent) -> String? {
        if event.certainty == .exact, !event.candidates.isEmpty { return "exact with candidates" }
        if event.certainty == .ambiguous, event.candidates.count < 2 { return "ambiguous with one candidate" }
        if event.certainty == .ambiguous, event.flags.isEmpty { return "ambiguous without a flag" }
        if event.entitlement == .undecided, event.flags.isEmpty { return "undecided without a flag" }
        if event.entitlement == .undecided, event.disposition != .event, event.disposition != .inferred {
            return "undecided though no event"
        }
        return nil
    }

    /// The line of the table above its rows.
    static let head = [
        "sort lives notes", "alone: answer among exact wrong",
        "in context: answer among exact wrong complete (as shown)",
        "told twice, never", "V2 leads", "V1 mistimed", "safe: wrong/deduced", "all: wrong/deduced, late",
        "cut off/kept %: alone", "received", "arrived", "batch", "replayed",
        "undecided, false withdraw, other transaction",
    ].joined(separator: " | ")

    /// One row of the table.
    var row: String {
        let name = sort.name + String(repeating: " ", count: max(0, 14 - sort.name.count))
        let accessText = AccessMode.allCases.map { mode in
            let score = access[mode] ?? AccessScore()
            return "\(Self.short(score.cutOffPercent))/\(Self.short(score.keptPercent))"
        }
        return [
            "\(name) \(lives) \(timeline[.deliveries])",
            "\(alone.percent(alone.answered)) \(alone.percent(alone.among)) \(alone.percent(alone.exact)) \(alone.wrongExact.count)",
            "\(timeline.percent(.answered, of: .deliveries)) \(timeline.percent(.among, of: .deliveries)) "
                + "\(timeline.percent(.exact, of: .deliveries)) \(timeline.wrongExact.count) "
                + "\(timeline.percent(.complete, of: .lives)) (\(timeline.percent(.completeAsShown, of: .lives)))",
            "\(timeline[.toldTwice]) \(timeline[.toldNever]) of \(timeline[.told])",
            "\(timeline[.leading])/\(timeline[.second])",
            "\(timeline[.mistimed])/\(timeline[.timed])",
            "\(safe[.wrongInferred])/\(safe[.inferred])",
            "\(timeline[.wrongInferred])/\(timeline[.inferred]) \(timeline[.mistimedInferred])",
            accessText.joined(separator: " | "),
            "\(undecided) \(falseWithdrawals) \(otherTransactions)",
        ].joined(separator: " | ")
    }

    /// The findings, the most frequent first.
    static func list(_ findings: [String: Int], _ count: Int) -> [String] {
        findings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count).map { "  \($0.value) \($0.key)" }
    }

    private static func short(_ percent: Double) -> String { String(Double(Int(percent * 1000 + 0.5)) / 1000) }
}

/// A life as a person reads it: what arrived, what is true of it and what we said.
struct LifeText {
    let life: SimulatedLife
    let archive: LifeArchive
    let settled: LifeArchive.Settled

    /// What arrived of one subscription about the time of a fault, `AROUND` deliveries (twelve if not set), in the
    /// order of arrival; silent happenings and deductions at the end.
    func text(of finding: Finding) -> String {
        let id = finding.id
        let about = life.deliveries.indices.filter { place in
            let ids = [life.deliveries[place].truth.originalTransactionId]
            return (ids + [settled.told[place].transaction?.originalTransactionID].compactMap(\.self)).contains(id)
        }
        let distance = { (place: Int) in abs(life.happenings[life.deliveries[place].happening].at - finding.at) }
        let near = about.sorted { (distance($0), $0) < (distance($1), $1) }
        let places = near.prefix(Environment.number("AROUND") ?? 12).sorted()
        var lines = ["about \(finding.at.clockText), \(places.count) of \(about.count) deliveries"] + places.map(text)
        let silent = life.happenings.filter { $0.originalTransactionId == id && $0.isSilent }
            .sorted { abs($0.at - finding.at) < abs($1.at - finding.at) }
        for happening in silent.prefix(6) {
            let note = happening.isShown ? "shown" : "hidden"
            lines.append("silent \(happening.at.clockText) \(happening.pair) of \(happening.transactionId), \(note)")
        }
        let inferred = settled.inferred.filter { $0.transaction?.originalTransactionID == id }
        let age = { (event: UnifiedEvent) in abs((event.occurredAt?.milliseconds ?? 0) - finding.at) }
        for event in inferred.sorted(by: { age($0) < age($1) }).prefix(6) { lines.append(answer(event)) }
        if Environment.number("BODIES") == 1 {
            lines += about.map { String(decoding: life.deliveries[$0].envelope, as: UTF8.self) }
        }
        return lines.joined(separator: "\n")
    }

    private func text(_ place: Int) -> String {
        let delivery = life.deliveries[place]
        let truth = delivery.truth
        let happening = life.happenings[delivery.happening]
        let role = truth.isRepeat ? "again" : truth.pair == nil ? "companion" : truth.isPromoted ? "promoted" : "event"
        let alone = archive.entries[place].event
        return """
            \(delivery.receivedAt.clockText) \(delivery.isVersion2 ? "V2" : "V1") \(delivery.type) \(delivery.shown.summary)
                truth: \(role) \(truth.pair ?? happening.pair) of \(truth.transactionId) at \(happening.at.clockText)
                ours:  \(answer(settled.told[place]))
                alone: \(answer(alone))
            """
    }

    private func answer(_ event: UnifiedEvent) -> String {
        let flags = event.flags.map(\.rawValue).joined(separator: " ")
        let others = event.candidates.dropFirst().map(\.description).joined(separator: " ")
        return "\(event.disposition) \(event.v2) \(event.certainty)\(others.isEmpty ? "" : " or " + others) [\(flags)] "
            + "by \(event.source.rule ?? "-") at \(event.occurredAt?.milliseconds.clockText ?? "-") "
            + "(\(event.occurredAtBasis ?? "-")) \(access(event)) \(event.transaction?.transactionID ?? "-")"
    }

    private func access(_ event: UnifiedEvent) -> String {
        let until = event.accessUntil.map { " until \($0.milliseconds.clockText)" }
        return event.entitlement.rawValue + (until ?? "")
    }
}

/// A fault that a score found in a life.
struct Finding {
    /// What is wrong, in words that are the same for all faults of one kind.
    var what: String
    /// The original transaction id it is about.
    var id: String
    /// When that was, in milliseconds.
    var at: Int64
}
