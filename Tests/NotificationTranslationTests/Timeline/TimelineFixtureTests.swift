import SimulatedLives
import Synchronization
import Testing

@testable import NotificationArchives
@testable import NotificationTranslation

@Suite("A timeline")
struct TimelineFixtureTests {
    @Test("A timeline settles as Apple's tables say", arguments: Fixture.all(in: "timelines"))
    func settles(_ fixture: Fixture) throws {
        fixture.expect(try Story.of(fixture).text)
    }

    @Test("Transactions stand once each, and renewals that nothing shows", arguments: Fixture.all(in: "transactions"))
    func showsTransactions(_ fixture: Fixture) throws {
        fixture.expect(Story.list(SubscriptionTimeline(try Story.of(fixture).entries).transactions))
    }

    @Test("The states are as expected, and differ if the rule is removed", arguments: Fixture.all(in: "states"))
    func showsStates(_ fixture: Fixture) throws {
        let story = try Story.of(fixture)
        let states = Story.list(SubscriptionTimeline(story.entries, answers: story.answers).history)
        fixture.expect(states)
        #expect(story.states(without: "") == states)
        #expect(story.states(without: fixture.name) != states)
    }

    @Test("Every rule for states has a case of its name, and the other way round")
    func coversStateRules() {
        let rules = SilentTable.StateRule.allCases
        #expect(rules.map(\.rawValue) == Fixture.all(in: "states").map(\.name))
        #expect(SilentTable.current.states.count == rules.count)
    }

    @Test("A timeline settles from stored evidence as from the bodies", arguments: Fixture.all(in: "timelines"))
    func settlesFromEvidence(_ fixture: Fixture) throws {
        let story = try Story.of(fixture)
        let entries = try story.entries.map { entry in
            TimelineEntry(event: entry.event, evidence: try #require(Evidence(text: entry.evidence.text)))
        }
        let answers = try story.answers.map { try #require(Evidence(text: $0.text)) }
        let stored = SubscriptionTimeline(entries, answers: answers, inferring: .all, asOf: story.asOf)
        #expect(stored.settled() == story.events)
    }

    @Test("Corrections are all that an answer changes", arguments: Fixture.all(in: "timelines"))
    func corrects(_ fixture: Fixture) throws {
        let story = try Story.of(fixture)
        let now = EventTime(milliseconds: 2_000_000_000_000)
        var timeline = SubscriptionTimeline(story.entries, inferring: .all)
        _ = timeline.settleAgain(now: now)
        var events = timeline.settled().byID
        for answer in story.answers {
            timeline.append(answer: answer)
            events.apply(timeline.settleAgain(now: now))
        }
        #expect(events == timeline.settled().byID)
    }

    @Test("No answer that only the order of the input decides is exact", arguments: Fixture.all(in: "timelines"))
    func order(_ fixture: Fixture) throws {
        let undated = String(decoding: try fixture.bytes("input.ndjson"), as: UTF8.self)
            .replacing("\"receivedAt\"", with: "\"noted\"").replacing("\"received_at\"", with: "\"noted\"")
        let entries = try undated.split(separator: "\n").flatMap {
            try trusting.timelineEntries(from: $0.utf8)
        }
        func judgements(_ entries: [TimelineEntry]) -> [TimelinePropertyTests.Judgement: Int] {
            SubscriptionTimeline(entries, inferring: .all).settled().reduce(into: [:]) {
                $0[.init($1), default: 0] += 1
            }
        }
        let asListed = judgements(entries)
        var random = SeededGenerator(seed: 7)
        for order in [entries.reversed(), random.shuffled(entries), random.shuffled(entries)] {
            let other = judgements(order)
            let differing = Set(asListed.keys).union(other.keys).filter { asListed[$0] != other[$0] }
            #expect(differing.filter { $0.certainty == .exact }.map { "\($0)" } == [])
        }
    }

    @Test("A timeline says the same as values and as lines", arguments: Fixture.all(in: "timelines"))
    func writesLines(_ fixture: Fixture) throws {
        let story = try Story.of(fixture)
        var options = SubscriptionJudge.Options()
        options.inference = .all
        options.asOf = story.asOf?.milliseconds
        var lines: [[UInt8]] = story.entries.map { $0.event.line() + [0x0A] }
        let apply: (Int, UnsafeRawBufferPointer) -> Void = { place, verdict in
            var writer = CorrectedLineWriter()
            let isWritten = Array(lines[place].dropLast()).withUnsafeBytes { line in
                var event = EventDraft()
                guard event.read(line: line) else { return false }
                let spilled = OutputBuffer()
                SpilledEvent.append(&event, to: spilled, (length: 0, isLine: true))
                return writer.write(spilled: spilled.bytes, verdict)
            }
            #expect(isWritten)
            lines[place] = Array(writer.output.bytes)
        }
        (story.entries.map(\.evidence.bytes) + story.answers.map(\.bytes)).withBuffers { evidence in
            let guests = Partition.guests(among: evidence)
            let hosts = evidence.indices.filter { !guests.contains($0) }
            let judge = SubscriptionJudge(options)
            judge.settle(
                hosts.map { evidence[$0] }, guests: guests.map { evidence[$0] },
                reportGuest: { guest, _, verdict in apply(guests[guest], verdict) },
                { apply(hosts[$0], $1) })
            #expect(judge.unsettled == 0)
        }
        let actual = lines.map { String(decoding: $0, as: UTF8.self) }.joined()
        let expected = story.events.map { String(decoding: $0.line() + [0x0A], as: UTF8.self) }.joined()
        #expect(actual == expected)
    }

    @Test("Timelines show every gap in the lists and every rule for silent events at work")
    func coversSilentRules() throws {
        let stories = try Fixture.all(in: "timelines").map(Story.of)
        let (gaps, rules) = (Set(stories.flatMap(\.gaps)), Set(stories.flatMap(\.silentRules)))
        #expect(SilentTable.current.gaps.map(\.id).filter { !gaps.contains($0) } == [])
        #expect(SilentTable.current.rules.map(\.id).filter { !rules.contains($0) } == [])
    }

    @Test("A timeline dates a recovery within the grace period by its receipt, else by the earliest possible date")
    func recoveryTimes() throws {
        let told = try Story.of(Fixture(table: "timelines", name: "recovery-in-grace")).events[2]
        #expect(told.occurredAt?.description == "2022-07-12T20:00:06.000Z")
        #expect(told.occurredAtBasis == "received_at")
        #expect(told.flags == [])
        let undated = try Fixture(table: "timelines", name: "recovery-in-grace").records.map {
            $0.dropFirst(#"{"receivedAt":"2022-07-12T20:00:06.000Z","body":"#.utf8.count).dropLast()
        }
        let entries = try undated.flatMap { try trusting.timelineEntries(from: $0) }
        let event = SubscriptionTimeline(entries).settled()[2]
        #expect(event.id == told.id)
        #expect(event.occurredAt?.description == "2022-07-01T09:00:00.000Z")
        #expect(event.occurredAtBasis == "purchase_date_ms")
        #expect(event.flags.map(\.rawValue) == ["TIME_LOWER_BOUND"])
    }

    @Test(
        "A recovery begins the period that failed to renew, whatever the order of the input",
        arguments: [
            "recovery-of-a-week-at-three-deliveries", "recovery-of-a-week-that-lists-the-next-one",
            "recovery-of-a-week-that-lists-the-next-one-beside-version-2", "recovery-received-after-an-upgrade",
        ])
    func recoveries(_ name: String) throws {
        let story = try Story.of(Fixture(table: "timelines", name: name))
        func told(_ events: [UnifiedEvent]) -> [String] {
            events.map { event in
                let time = event.occurredAt?.description ?? ""
                return "\(event.disposition) \(event.v2) \(event.transaction?.transactionID ?? "") \(time)"
            }.sorted()
        }
        var random = SeededGenerator(seed: 29)
        for _ in 0..<4 {
            let shuffled = SubscriptionTimeline(random.shuffled(story.entries), inferring: .all)
            #expect(told(shuffled.settled()) == told(story.events))
        }
        let recovered = story.events.filter { $0.type.rawValue == "subscription.recovered" && $0.disposition == .event }
        #expect(recovered.map { $0.transaction?.transactionID } == ["1000000700000002"])
    }

    @Test("A timeline gives ids that anyone can recompute")
    func ids() throws {
        // uuid.uuid5 of Python over the texts of the article about the event.
        let deduced = try Story.of(Fixture(table: "timelines", name: "silent-end-switched-off")).events.map(\.id)
        #expect(deduced.last == "4994f33f-5b8f-54d1-8c96-4dfe74004ba9")
        let changed = try Story.of(Fixture(table: "timelines", name: "preference-there-and-back-and-there")).events.map(
            \.id)
        #expect(changed[1] == "18d4f743-7996-5638-8161-a643f5ece9ba")
        #expect(changed[3] == "73a9cd75-9720-5508-a9f6-dfc33992e052")
    }

    @Test("A timeline has evidence of at most two kilobytes, without a secret", arguments: Fixture.all(in: "timelines"))
    func evidenceIsSmall(_ fixture: Fixture) throws {
        for entry in try Story.of(fixture).entries {
            #expect(entry.evidence.text.utf8.count < 2000)
            let text = String(decoding: entry.evidence.bytes, as: UTF8.self)
            for secret in ["0123456789abcdef0123456789abcdef", "MIITtgYJKoZIhvcNAQcC", "ewoJInNpZ25hdHVyZSIg"] {
                #expect(!text.contains(secret))
            }
        }
    }
}

/// The notifications of a case, and what a timeline makes of them.
struct Story: Sendable {
    /// A cache: several tests read the same story.
    private static let made = Mutex<[Fixture: Story]>([:])

    static func of(_ fixture: Fixture) throws -> Story {
        if let story = made.withLock({ $0[fixture] }) { return story }
        let story = try Story(fixture)
        made.withLock { $0[fixture] = story }
        return story
    }

    let entries: [TimelineEntry]
    let answers: [Evidence]
    let asOf: EventTime?
    let events: [UnifiedEvent]
    /// The ids of the events that are deduced as proven.
    let safe: Set<String>

    private init(_ fixture: Fixture) throws {
        let lines = try fixture.records
        entries = try lines.flatMap { try trusting.timelineEntries(from: $0) }
        answers = try lines.flatMap { try trusting.answers(from: $0) }
        let asOf = try fixture.has("as-of.txt") ? String(decoding: fixture.bytes("as-of.txt"), as: UTF8.self) : nil
        self.asOf = asOf.flatMap { EventTime($0.trimmed.replacing("\n", with: "")) }
        var timeline = SubscriptionTimeline(entries, answers: answers, inferring: .all, asOf: self.asOf)
        events = timeline.settled()
        timeline.inference = .safe
        safe = Set(timeline.settled().filter { $0.disposition == .inferred }.map(\.id))
    }

    /// The ids of the gaps that leave open whether what is deduced happened.
    var gaps: Set<String> {
        deduced { deduction in
            deduction.events.map(\.gap).filter { $0 >= 0 }.map { deduction.table.gaps[$0].id }
        }
    }

    /// The ids of the rules that were asked and decided.
    var silentRules: Set<String> { deduced { deduction in deduction.used.map { deduction.table.rules[$0].id } } }

    private func deduced(_ ids: (Deduction) -> [String]) -> Set<String> {
        var settlement = Settlement(DecisionTable.current)
        var rules: Set<String> = []
        (entries.map(\.evidence.bytes) + answers.map(\.bytes)).withBuffers { both in
            let all = Array(both[..<entries.count])
            let guests = Partition.guests(among: all)
            let evidence = all.indices.filter { !guests.contains($0) }.map { all[$0] }
            guard settlement.settle(evidence, answers: Array(both[entries.count...])) else { return }
            let deduction = Deduction(
                of: settlement, isProvenOnly: false, ViewClock(asOf?.milliseconds ?? settlement.latestTime))
            rules = Set(ids(deduction))
        }
        return rules
    }

    /// Its states without one of the rules for them.
    func states(without rule: String) -> String {
        var settlement = Settlement(DecisionTable.current)
        settlement.keepsDetails = true
        settlement.states = settlement.states.filter { $0.key.rawValue != rule }
        var states = ""
        (entries.map(\.evidence.bytes) + answers.map(\.bytes)).withBuffers { all in
            guard settlement.settle(Partition.subscriptions(of: all)[0], of: all, withLists: true) else { return }
            states = Self.list(StateHistory(settlement, until: settlement.latestDelivery).states)
        }
        return states
    }

    /// Rows of a table, one a line.
    static func list(_ rows: [some TableRecord]) -> String {
        let lines = rows.map { row in
            let output = OutputBuffer()
            row.append(.ndjson, to: output)
            return "  " + String(decoding: output.bytes.dropLast(), as: UTF8.self)
        }
        return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    /// One line for each event: what it stands for, and the number of the one it is part of.
    var text: String {
        var numbers: [String: Int] = [:]
        for (place, event) in events.enumerated() where event.disposition != .duplicate {
            numbers[event.id] = place + 1
        }
        let lines = events.enumerated().map { place, event in
            var parts = [
                "\"event\":\(place + 1)",
                "\"source\":\(Self.quoted(event.source.type.map { [$0, event.source.subtype].compactMap(\.self).joined(separator: "/") }))",
                "\"disposition\":\(Self.quoted(event.disposition.rawValue))",
                "\"v2\":\(Self.quoted(event.v2.type.map { $0.rawValue + "/" + (event.v2.subtype?.rawValue ?? "") }))",
                "\"type\":\(Self.quoted(event.type.rawValue))",
                "\"certainty\":\(Self.quoted(event.certainty.rawValue))",
                "\"entitlement\":\(Self.quoted(event.entitlement.rawValue))",
                "\"access_until\":\(Self.quoted(event.accessUntil?.description))",
                "\"occurred_at\":\(Self.quoted(event.occurredAt?.description))",
                "\"transaction\":\(Self.quoted(event.transaction?.transactionID))",
            ]
            if let leader = event.companionOf { parts.append("\"of\":\(numbers[leader].map { String($0) } ?? "null")") }
            if !event.derivedFrom.isEmpty {
                let from = event.derivedFrom.map { numbers[$0].map { String($0) } ?? "null" }
                parts.append("\"from\":[\(from.joined(separator: ","))]")
                parts.append("\"inferred_with\":\(safe.contains(event.id) ? "\"safe\"" : "\"all\"")")
            }
            if let rule = event.source.rule { parts.append("\"rule\":\(Self.quoted(rule))") }
            if !event.flags.isEmpty {
                parts.append("\"flags\":[\(event.flags.map { Self.quoted($0.rawValue) }.joined(separator: ","))]")
            }
            return "  {" + parts.joined(separator: ",") + "}"
        }
        return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
}
