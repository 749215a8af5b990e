// The lines between the markers stand in the article Timelines, word for word; ArticleTests compares them. They use
// nothing but the public interface.

// begin: snippet
import NotificationTranslation

/// What a handler calls with the body of each request from Apple, on a thread that may wait for the database; returns the
/// status to answer.
func receive(_ body: [UInt8], at now: EventTime, with normalizer: NotificationNormalizer, in store: some Store) -> Int {
    do {
        let entries = try normalizer.timelineEntries(from: body, receivedAt: now)
        guard !entries.isEmpty else { return NotificationError.Cause.noNotification.httpStatus }
        try store.transaction {
            for entry in entries {
                try store.insert(entry)
                try settle(entry.key, at: now, in: store)
            }
        }
        return 200
    } catch let error as NotificationError {
        let isKept = error.cause == .unreadable || error.cause == .overLimit
        return isKept && !store.keep(body) ? 503 : error.cause.httpStatus  // 503: the room for such bodies is used up
    } catch {
        return 503  // the database: Apple sends the notification again
    }
}

/// Settles the entries of a key, and what names no purchase and may be about this one.
func settle(_ key: String, at now: EventTime, in store: some Store) throws {
    let entries = try store.entries(of: key)
    var timeline = SubscriptionTimeline(inferring: .safe)
    for entry in entries { timeline.append(entry) }
    _ = timeline.settleAgain(now: now)
    var (events, position) = ([UnifiedEvent](), 0)
    for var event in timeline.settled() {
        if event.disposition != .inferred {
            for purchase in entries[position].evidence.possibleKeys {  // version 2 leads, whichever came first
                var timeline = SubscriptionTimeline()
                for entry in try store.entries(of: purchase) + [entries[position]] { timeline.append(entry) }
                guard let duplicate = timeline.settled().last, duplicate.disposition == .duplicate else { continue }
                let id = event.id
                event = duplicate
                event.id = id
            }
            position += 1
        }
        // The same notification delivered again has the id of the first delivery, which stays the event.
        if let known = events.firstIndex(where: { $0.id == event.id }) {
            if events[known].disposition == .duplicate { events[known] = event }
        } else {
            events.append(event)
        }
    }
    // What only evidence of an older layout gave stays as it is.
    let ids = Set(events.map(\.id))
    try store.replaceEvents(of: key, by: store.eventsOfOldEvidence(of: key).filter { !ids.contains($0.id) } + events)
    try store.setSettleTime(timeline.settleAgainAt, of: key)
    for guest in try store.keys(possiblyAbout: key) { try settle(guest, at: now, in: store) }
}

/// What a job calls every hour or so: it finishes what only the passing of time decides.
///
/// After an update of the package call `settle` for every key, as its rules may have changed.
func settleAgain(at now: EventTime, in store: some Store) throws {
    for key in try store.due(by: now) { try store.transaction { try settle(key, at: now, in: store) } }
}

/// When access ends, by all events of a subscription or purchase in one environment, in the order of arrival; `nil`
/// where there never was any.
func endOfAccess(_ events: [UnifiedEvent]) -> EventTime? {
    let acting = events.filter { [.event, .inferred, .unmapped].contains($0.disposition) }
    let times = acting.map { $0.occurredAt ?? $0.source.receivedAt ?? EventTime(milliseconds: 0) }
    var end: EventTime?
    for index in acting.indices.sorted(by: { (times[$0], $0) < (times[$1], $1) }) {
        let event = acting[index]
        switch event.entitlement {
        case .grant: end = event.accessUntil ?? EventTime(milliseconds: .max)
        case .keep: end = [end, event.accessUntil].compactMap { $0 }.max()
        case .withdraw: end = times[index]
        case .unaffected, .undecided: break
        }
    }
    return end
}

/// The database: the tables below.
protocol Store {
    func transaction(_ changes: () throws -> Void) throws
    func insert(_ entry: TimelineEntry) throws
    /// All entries with this `key`, in the order of arrival: the newest alone are not enough, as some ids are counted.
    ///
    /// Without those of which `Evidence(text:)` is `nil`, as this release does not read their layout.
    func entries(of key: String) throws -> [TimelineEntry]
    /// The events of a key as they stand, if it has evidence of such a layout; else none.
    func eventsOfOldEvidence(of key: String) throws -> [UnifiedEvent]
    /// The keys of the entries whose `evidence.possibleKeys` have this one.
    func keys(possiblyAbout key: String) throws -> Set<String>
    /// Deletes the events of a key and inserts these.
    func replaceEvents(of key: String, by events: [UnifiedEvent]) throws
    /// The keys to settle by now.
    func due(by now: EventTime) throws -> [String]
    /// Stores when to settle a key again; `nil` for never.
    func setSettleTime(_ time: EventTime?, of key: String) throws
    /// Keeps a body that cannot be read, for you to look at; `false` where there are too many of them already.
    func keep(_ body: [UInt8]) -> Bool
}
// end: snippet

import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("A server that keeps a timeline")
struct ReceivingTests {
    /// What a database would hold.
    final class Memory: Store {
        private(set) var notifications: [TimelineEntry] = []
        private(set) var rows: [String: [UnifiedEvent]] = [:]
        private(set) var changes: [String] = []
        private(set) var kept: [[UInt8]] = []
        var room = 1
        private var times: [String: EventTime] = [:]

        var events: [String: UnifiedEvent] {
            Dictionary(uniqueKeysWithValues: rows.values.joined().map { ($0.id, $0) })
        }

        func transaction(_ changes: () throws -> Void) throws { try changes() }

        func insert(_ entry: TimelineEntry) { notifications.append(entry) }

        func entries(of key: String) -> [TimelineEntry] { notifications.dropFirst(old).filter { $0.key == key } }

        /// How many of the first entries have evidence of an older layout.
        var old = 0

        func eventsOfOldEvidence(of key: String) -> [UnifiedEvent] {
            notifications.prefix(old).contains { $0.key == key } ? rows[key] ?? [] : []
        }

        func keys(possiblyAbout key: String) -> Set<String> {
            Set(notifications.filter { $0.evidence.possibleKeys.contains(key) }.map(\.key))
        }

        func replaceEvents(of key: String, by events: [UnifiedEvent]) {
            let old = Dictionary(uniqueKeysWithValues: (rows[key] ?? []).map { ($0.id, $0) })
            let new = Dictionary(uniqueKeysWithValues: events.map { ($0.id, $0) })
            for event in events where old[event.id] == nil { changes.append("new \(event.disposition) \(event.v2)") }
            for event in events where old[event.id] != nil && old[event.id] != event {
                changes.append("now \(event.disposition) \(event.v2)")
            }
            for event in rows[key] ?? [] where new[event.id] == nil {
                changes.append("gone \(event.disposition) \(event.v2)")
            }
            rows[key] = events
        }

        func due(by now: EventTime) -> [String] { times.filter { $0.value <= now }.keys.sorted() }

        func setSettleTime(_ time: EventTime?, of key: String) { times[key] = time }

        func keep(_ body: [UInt8]) -> Bool {
            guard kept.count < room else { return false }
            kept.append(body)
            return true
        }
    }

    private static func isUpgrade(_ event: UnifiedEvent) -> Bool {
        event.v2.description == "DID_CHANGE_RENEWAL_PREF/UPGRADE"
    }

    private static func bodies(_ name: String) throws -> [[UInt8]] {
        try Fixture(table: "timelines", name: name).records
    }

    private static func told(_ name: String, order: [Int]? = nil, now: String) throws -> Memory {
        let memory = Memory()
        let bodies = try bodies(name)
        let now = try #require(EventTime(now))
        for place in order ?? Array(bodies.indices) {
            let status = receive(bodies[place], at: now, with: trusting, in: memory)
            // Apple posts no answers.
            let isAnswer = try !trusting.answers(from: bodies[place]).isEmpty
            #expect(status == (isAnswer ? 400 : 200))
        }
        return memory
    }

    @Test("A server that keeps a timeline gets a companion's event when that arrives")
    func leaderArrives() throws {
        let memory = try Self.told("upgrade-told-three-times", now: "2020-12-10T12:05:00.000Z")
        #expect(
            memory.changes == [
                "new event SUBSCRIBED/INITIAL_BUY", "new companion -", "new companion -", "now companion -",
                "new event DID_CHANGE_RENEWAL_PREF/UPGRADE", "now companion -", "now companion -",
            ])
        let leader = try #require(memory.events.values.first(where: Self.isUpgrade))
        let companions = memory.events.values.filter { $0.disposition == .companion }
        #expect(companions.map(\.companionOf) == [leader.id, leader.id])
    }

    @Test("A server that keeps a timeline gives up waiting for a companion's event when Apple would no longer try")
    func leaderNeverArrives() throws {
        let waiting = try Self.told("upgrade-leader-lost", now: "2020-12-10T12:05:00.000Z")
        #expect(!waiting.events.values.contains(where: Self.isUpgrade))
        let late = try Self.told("upgrade-leader-lost", now: "2020-12-20T12:00:00.000Z")
        let event = try #require(late.events.values.first(where: Self.isUpgrade))
        #expect(event.disposition == .event)
        #expect(event.flags.contains { $0.rawValue == "PARTNER_MISSING" })
    }

    @Test("A server that keeps a timeline gets from the job what only time decides, once")
    func settlesAgain() throws {
        let memory = try Self.told("upgrade-leader-lost", now: "2020-12-10T12:05:00.000Z")
        let early = try #require(EventTime("2020-12-12T12:00:00.000Z"))
        #expect(memory.due(by: early) == [])
        let told = memory.changes.count
        let late = try #require(EventTime("2020-12-14T12:00:00.000Z"))
        #expect(memory.due(by: late).count == 1)
        try settleAgain(at: late, in: memory)
        #expect(memory.events.values.contains(where: Self.isUpgrade))
        #expect(memory.changes.count > told)
        #expect(memory.due(by: late) == [])
    }

    @Test("A server that keeps a timeline keeps the events of evidence that an update no longer reads")
    func oldEvidence() throws {
        let memory = try Self.told("silent-return", order: [0, 1], now: "2021-07-10T00:00:00.000Z")
        let before = memory.events
        #expect(before.count == 3)
        memory.old = 2
        let now = try #require(EventTime("2021-09-20T06:00:00.000Z"))
        try settleAgain(at: now, in: memory)
        for key in memory.rows.keys { try settle(key, at: now, in: memory) }
        #expect(memory.events == before)
        // What arrives after the update is settled, and a delivery repeated then takes the place of the first.
        for body in try Self.bodies("silent-return") {
            #expect(receive(body, at: now, with: trusting, in: memory) == 200)
        }
        let ids = try Self.told("silent-return", now: "2021-09-20T06:00:00.000Z").events.keys
        #expect(ids.allSatisfy { memory.events[$0] != nil })
    }

    @Test("A server that keeps a timeline takes a deduction back that a late notification contradicts")
    func retracts() throws {
        let memory = try Self.told("silent-return", order: [0, 1], now: "2021-07-10T00:00:00.000Z")
        #expect(memory.changes.last == "new inferred EXPIRED/VOLUNTARY")
        let renewal = try Self.bodies("silent-refund")[1]
        let now = try #require(EventTime("2021-07-10T06:00:00.000Z"))
        #expect(receive(renewal, at: now, with: trusting, in: memory) == 200)
        #expect(memory.changes.suffix(2) == ["new event DID_RENEW", "gone inferred EXPIRED/VOLUNTARY"])
    }

    @Test("A server learns that an event of version 1 is the duplicate of what version 2 says later")
    func version2Leads() throws {
        let memory = try Self.told("version-2-leads-whichever-came-first", now: "2022-06-10T00:00:00.000Z")
        #expect(
            memory.changes == [
                "new event SUBSCRIBED/INITIAL_BUY",
                "new event SUBSCRIBED/INITIAL_BUY",
                "now duplicate SUBSCRIBED/INITIAL_BUY",
                "new event DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "new duplicate DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            ])
        let events = memory.events.values.filter { $0.disposition == .event }
        #expect(events.map(\.source.version) == [.v2, .v2])
        let duplicates = memory.events.values.filter { $0.disposition == .duplicate }
        #expect(Set(duplicates.map(\.companionOf)) == Set(events.map(\.id)))
    }

    /// Every fifth timeline; all with `STRESS` in the environment.
    private static let some = Fixture.all(in: "timelines").enumerated().filter {
        $0.offset % 5 == 0 || Environment.number("STRESS") != nil
    }.map(\.element)

    @Test(
        "A server that keeps a timeline ends with the same events whatever the order",
        arguments: some)
    func anyOrder(_ fixture: Fixture) throws {
        let bodies = try Self.bodies(fixture.name)
        let now = "2030-01-01T00:00:00.000Z"
        let forward = try Self.told(fixture.name, now: now)
        let backward = try Self.told(fixture.name, order: bodies.indices.reversed(), now: now)
        let expected = forward.events.values.map { "\($0.id) \($0.disposition) \($0.v2) \($0.certainty)" }.sorted()
        let actual = backward.events.values.map { "\($0.id) \($0.disposition) \($0.v2) \($0.certainty)" }.sorted()
        #expect(actual == expected)
    }

    @Test("A server that keeps a timeline does not take what is appended later for the end of the story")
    func appendedAfterReceiving() throws {
        let entries = try Story.of(Fixture(table: "timelines", name: "view-ends-at-a-cancel")).entries
        let appended = SubscriptionTimeline(entries)
        var mixed = SubscriptionTimeline()
        let first = try #require(entries.first)
        _ = mixed.receive(first)
        for entry in entries.dropFirst() { mixed.append(entry) }
        let (one, other) = (appended.settled(), mixed.settled())
        #expect(one == other)
        #expect(one.last?.certainty == .ambiguous || one.last?.candidates.isEmpty == false)
    }

    @Test("A server that keeps a timeline repeats nothing for a notification delivered again")
    func again() throws {
        let memory = try Self.told("preference-delivered-again", now: "2021-06-05T17:00:00.000Z")
        #expect(memory.changes == ["new event SUBSCRIBED/INITIAL_BUY", "new event DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        #expect(memory.notifications.count == 3)
    }

    @Test("A server that keeps a timeline keeps apart what names no purchase, with the ids that a batch run gives")
    func keyless() throws {
        let body = Array(
            #"{"notification_type":"CONSUMPTION_REQUEST","environment":"PROD","bid":"com.example.app"}"#.utf8)
        let memory = Memory()
        let times = ["2021-06-05T10:00:00Z", "2021-06-05T11:00:00Z", "2021-06-05T12:00:00Z"].compactMap(EventTime.init)
        for time in times { #expect(receive(body, at: time, with: trusting, in: memory) == 200) }
        let ids = memory.rows.values.joined().map { "\($0.id) \($0.occurredAt?.description ?? "")" }.sorted()
        #expect(
            ids == [
                "8e814d46-32ae-59bd-8dd9-abe56729d5ee 2021-06-05T11:00:00.000Z",
                "a0cca599-8ca3-5b37-afac-c7011c56f8d5 2021-06-05T10:00:00.000Z",
                "eeaf0ec2-aebd-5c80-a12d-d60c49671017 2021-06-05T12:00:00.000Z",
            ])
    }

    @Test(
        "A server that keeps a timeline lets version 2 lead for a refund that names no purchase",
        arguments: [false, true])
    func refundWithoutPurchase(isReversed: Bool) throws {
        let name = "refund-of-two-purchases-told-by-both"
        let order = try Array(Self.bodies(name).indices)
        let memory = try Self.told(name, order: isReversed ? order.reversed() : order, now: "2022-06-10T00:00:00.000Z")
        let refunds = memory.events.values.filter { $0.v2.type == "REFUND" }
        #expect(refunds.filter { $0.disposition == .event }.map(\.source.version) == [.v2])
        #expect(refunds.filter { $0.disposition == .duplicate }.map(\.source.version).contains(.v1))
    }

    @Test("A server that keeps a timeline answers 400 for JSON without a notification, and keeps what it cannot read")
    func answers() throws {
        let memory = Memory()
        let now = try #require(EventTime("2021-06-05T10:00:00Z"))
        #expect(receive(Array("{}".utf8), at: now, with: trusting, in: memory) == 400)
        #expect(receive(Array("{".utf8), at: now, with: trusting, in: memory) == 200)
        #expect(memory.kept.count == 1)
        #expect(receive(Array("{".utf8), at: now, with: trusting, in: memory) == 503)
        #expect(memory.kept.count == 1)
    }

    @Test(
        "A server that keeps a timeline ends with the ids and events of a batch run",
        arguments: ["v1-2020", "v1-lossy", "cutover-lossy", "mixed-lossy"])
    func endsLikeBatch(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        for number in 0..<(Environment.number("LIVES") ?? 2) {
            let life = sort.life(number, seed: Environment.number("SEED") ?? 1)
            let memory = Memory()
            var last: Int64 = 0
            for delivery in life.deliveries.sorted(by: { $0.receivedAt < $1.receivedAt }) {
                last = delivery.receivedAt
                let status = receive(
                    delivery.body, at: EventTime(milliseconds: last), with: trusting, in: memory)
                #expect(status == 200)
            }
            let end = EventTime(milliseconds: last + 90 * 86_400_000)
            try settleAgain(at: end, in: memory)
            for (key, rows) in memory.rows {
                let batch = SubscriptionTimeline(memory.entries(of: key), inferring: .safe, asOf: end).settled().byID
                #expect(rows.count == batch.count && Set(rows) == Set(batch.values), "\(name) \(number)")
            }
            #expect(memory.rows.isEmpty == life.deliveries.isEmpty)
        }
    }
}
