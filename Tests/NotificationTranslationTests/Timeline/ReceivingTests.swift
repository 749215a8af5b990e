// The lines between the markers stand in the article Timelines, word for word; ArticleTests compares them. They use
// nothing but the public interface.

// begin: snippet
import NotificationTranslation

/// What a handler of Hummingbird or Vapor calls with the body of each request from Apple, in one transaction.
func receive(_ body: [UInt8], at now: EventTime, with normalizer: NotificationNormalizer, in store: some Store) throws {
    for entry in try normalizer.timelineEntries(from: body, receivedAt: now) {
        var timeline = SubscriptionTimeline(inferring: .safe)
        for stored in try store.entries(of: entry.evidence.key) { timeline.append(stored) }
        let update = timeline.receive(entry, now: now)
        try store.insert(entry)
        if update.event.companionOf != update.event.id { try store.upsert(update.event) }
        for correction in update.corrections {
            switch correction {
            case .replace(let event): try store.upsert(event)
            case .retract(let id): try store.delete(id)
            }
        }
        try store.setSettleTime(timeline.settleAgainAt, of: entry.evidence.key)
    }
}

/// What a job calls every hour or so: it finishes what only the passing of time decides.
func settleAgain(at now: EventTime, in store: some Store) throws {
    for subscription in try store.due(by: now) {
        var timeline = SubscriptionTimeline(inferring: .safe)
        for stored in try store.entries(of: subscription) { timeline.append(stored) }
        for correction in timeline.settleAgain(now: now) {
            switch correction {
            case .replace(let event): try store.upsert(event)
            case .retract(let id): try store.delete(id)
            }
        }
        try store.setSettleTime(timeline.settleAgainAt, of: subscription)
    }
}

/// The database: `insert into notification`, `insert into event … on conflict (id) do update`, `delete from event`.
protocol Store {
    /// The entries of a subscription in the order of arrival; none if `key` is `nil`, because such a notification has a
    /// timeline of its own.
    func entries(of key: String?) throws -> [TimelineEntry]
    func insert(_ entry: TimelineEntry) throws
    func upsert(_ event: UnifiedEvent) throws
    func delete(_ id: String) throws
    /// The keys of the subscriptions to settle by now.
    func due(by now: EventTime) throws -> [String]
    /// Stores when to settle a subscription again; `nil` for never. Does nothing if `key` is `nil`.
    func setSettleTime(_ time: EventTime?, of key: String?) throws
}
// end: snippet

import Testing

@Suite("A server that keeps a timeline")
struct ReceivingTests {
    /// What a database would hold.
    final class Memory: Store {
        private(set) var notifications: [TimelineEntry] = []
        private(set) var events: [String: UnifiedEvent] = [:]
        private(set) var changes: [String] = []

        func entries(of key: String?) -> [TimelineEntry] {
            key == nil ? [] : notifications.filter { $0.evidence.key == key }
        }

        func insert(_ entry: TimelineEntry) { notifications.append(entry) }

        private var times: [String: EventTime] = [:]

        func due(by now: EventTime) -> [String] { times.filter { $0.value <= now }.keys.sorted() }

        func setSettleTime(_ time: EventTime?, of key: String?) {
            if let key { times[key] = time }
        }

        func upsert(_ event: UnifiedEvent) {
            changes.append("\(events[event.id] == nil ? "new" : "now") \(event.disposition) \(event.v2)")
            events[event.id] = event
        }

        func delete(_ id: String) {
            changes.append("gone \(events[id]?.disposition.rawValue ?? "?") \(events[id]?.v2.description ?? "?")")
            events[id] = nil
        }
    }

    private static func isUpgrade(_ event: UnifiedEvent) -> Bool {
        event.v2.description == "DID_CHANGE_RENEWAL_PREF/UPGRADE"
    }

    private static func bodies(_ name: String) throws -> [[UInt8]] {
        try Fixture(table: "timelines", name: name).bytes("input.ndjson").split(separator: 0x0A).map { Array($0) }
    }

    private static func told(_ name: String, order: [Int]? = nil, now: String) throws -> Memory {
        let memory = Memory()
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let bodies = try bodies(name)
        let now = try #require(EventTime(now))
        for place in order ?? Array(bodies.indices) {
            try receive(bodies[place], at: now, with: normalizer, in: memory)
        }
        return memory
    }

    @Test("A server that keeps a timeline gets a companion's event when that arrives")
    func leaderArrives() throws {
        let memory = try Self.told("upgrade-told-three-times", now: "2020-12-10T12:05:00.000Z")
        #expect(
            memory.changes == [
                "new event SUBSCRIBED/INITIAL_BUY",
                "new companion -",
                "new companion -",
                "now companion -",
                "new event DID_CHANGE_RENEWAL_PREF/UPGRADE",
                "now companion -",
                "now companion -",
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

    @Test("A server that keeps a timeline takes a deduction back that a late notification contradicts")
    func retracts() throws {
        let memory = try Self.told("silent-return", order: [0, 1], now: "2021-07-10T00:00:00.000Z")
        #expect(memory.changes.last == "new inferred EXPIRED/VOLUNTARY")
        let renewal = try Self.bodies("silent-refund")[1]
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let now = try #require(EventTime("2021-07-10T06:00:00.000Z"))
        try receive(renewal, at: now, with: normalizer, in: memory)
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

    @Test(
        "A server that keeps a timeline ends with the same events whatever the order",
        arguments: Fixture.all(in: "timelines"))
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
        let entries = try Story(Fixture(table: "timelines", name: "view-ends-at-a-cancel")).entries
        var appended = SubscriptionTimeline()
        var mixed = SubscriptionTimeline()
        for entry in entries { appended.append(entry) }
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
}
