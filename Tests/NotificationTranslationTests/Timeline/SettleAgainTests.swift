import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("A server that settles again when the timeline says so")
struct SettleAgainTests {
    static let sorts = [
        "v1-2018", "v1-2020", "v1-2022", "v1-lossy", "v1-stormy", "cutover-lossy", "mixed-lossy", "dense-2020",
        "dense-lossy",
    ]

    /// How long after the last delivery the server is looked at: longer than billing retry and redelivery take.
    private static let afterwards: Int64 = 90 * 86_400_000

    /// A server with a database: the entries and the events of each subscription, and when to settle it again.
    private struct Server {
        let inference: SilentInference
        var entries: [String: [TimelineEntry]] = [:]
        var events: [String: [String: UnifiedEvent]] = [:]
        var due: [String: Int64] = [:]

        private func timeline(_ key: String) -> SubscriptionTimeline {
            SubscriptionTimeline(entries[key] ?? [], inferring: inference)
        }

        mutating func receive(_ entry: TimelineEntry, at now: Int64) {
            guard let key = entry.evidence.key else { return }
            var timeline = timeline(key)
            let update = timeline.receive(entry, now: EventTime(milliseconds: now))
            entries[key, default: []].append(entry)
            if update.event.companionOf != update.event.id { events[key, default: [:]][update.event.id] = update.event }
            apply(update.corrections, to: key)
            due[key] = timeline.settleAgainAt?.milliseconds
        }

        /// What a job does that runs at every instant at which a subscription is due.
        mutating func settleAgain(until now: Int64) {
            while let instant = due.values.min(), instant <= now { settle(at: instant) }
        }

        /// What a job does that runs now and then, for each subscription that was due meanwhile.
        mutating func settle(at now: Int64) {
            for key in due.filter({ $0.value <= now }).keys.sorted() {
                var timeline = timeline(key)
                apply(timeline.settleAgain(now: EventTime(milliseconds: now)), to: key)
                due[key] = timeline.settleAgainAt?.milliseconds
                precondition(due[key] ?? .max > now, "it is due at the instant at which it was settled")
            }
        }

        private mutating func apply(_ corrections: [SubscriptionTimeline.Correction], to key: String) {
            events[key, default: [:]].apply(corrections)
        }
    }

    /// What a batch run over the same notifications ends with.
    private static func batch(_ server: Server, asOf end: Int64) -> [String: [String: UnifiedEvent]] {
        server.entries.mapValues { entries in
            let timeline = SubscriptionTimeline(
                entries, inferring: server.inference, asOf: EventTime(milliseconds: end))
            return timeline.settled().filter { $0.companionOf != $0.id }.byID
        }
    }

    /// The events that two runs do not agree on.
    private static func differing(
        _ one: [String: [String: UnifiedEvent]], _ other: [String: [String: UnifiedEvent]]
    ) -> [String] {
        var lines: [String] = []
        for (key, events) in other {
            let known = one[key] ?? [:]
            for id in Set(events.keys).union(known.keys) where known[id] != events[id] {
                let texts = [known[id], events[id]].map { event in
                    guard let event else { return "nothing" }
                    let type = event.source.type ?? "?"
                    return "\(type) \(event.disposition) \(event.v2) \(event.certainty) \(event.flags)"
                }
                lines.append("\(texts[0]), in a batch run \(texts[1])")
            }
        }
        return lines.sorted()
    }

    @Test(
        "A server that settles again when told to ends with the events of a batch run", arguments: sorts,
        [SilentInference.off, .safe, .all])
    func endsLikeBatch(_ name: String, _ inference: SilentInference) throws {
        let sort = try #require(LifeSort.named(name))
        var (count, withJob, late) = (0, [String](), [String]())
        for number in 0..<(Environment.number("LIVES") ?? 1) {
            let life = sort.life(number, seed: Environment.number("SEED") ?? 1)
            let archive = try LifeArchive(life)
            var server = Server(inference: inference)
            var lateServer = server
            let deliveries = zip(life.deliveries, archive.entries).sorted { $0.0.receivedAt < $1.0.receivedAt }
            for (place, (delivery, entry)) in deliveries.enumerated() {
                if place % 5 == 4 { lateServer.settle(at: delivery.receivedAt) }
                lateServer.receive(entry, at: delivery.receivedAt)
                server.settleAgain(until: delivery.receivedAt)
                server.receive(entry, at: delivery.receivedAt)
            }
            let end = (deliveries.last?.0.receivedAt ?? 0) + Self.afterwards
            server.settleAgain(until: end)
            lateServer.settle(at: end)
            let batch = Self.batch(server, asOf: end)
            count += batch.values.reduce(0) { $0 + $1.count }
            withJob += Self.differing(server.events, batch)
            late += Self.differing(lateServer.events, batch)
        }
        #expect(withJob == [])
        #expect(late == [])
        #expect(count > 0)
    }
}
