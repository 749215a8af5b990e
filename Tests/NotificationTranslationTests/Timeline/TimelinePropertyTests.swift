import NotificationTranslation
import SimulatedLives
import Testing

/// What holds for every archive: the order of arrival, copies, storage and the cutting of it change nothing.
@Suite("Timelines, whatever the order of arrival")
struct TimelinePropertyTests {
    static let seed = UInt64(Environment.number("SEED") ?? 1)

    static func archives(_ era: SimulatedEra, lost: Double = 0) throws -> [LifeArchive] {
        try (0..<(Environment.number("LIVES") ?? 15)).map { number in
            let life = SimulatedLife(
                seed: seed &* 7_000_003 &+ UInt64(number), era: era, receiptLength: 8...8, lostPercent: lost,
                cutOverPercent: 40)
            return try LifeArchive(life)
        }
    }

    /// What must not depend on positions: ids and judgements.
    ///
    /// Which of several deliveries of one notification stays the event may depend on them, and with it what tells
    /// those deliveries apart: when they came.
    struct Judgement: Hashable {
        var id: String
        var type: EventKind
        var disposition: Disposition
        var v2: NotificationPair
        var certainty: Certainty
        var candidates: [NotificationPair]
        var flags: Set<AmbiguityFlag>
        var entitlement: Entitlement
        var companionOf: String?
        var derivedFrom: Set<String>
        var transactionID: String?
        var occurredAt: EventTime?

        init(_ event: UnifiedEvent) {
            id = event.id
            type = event.type
            disposition = event.disposition
            v2 = event.v2
            certainty = event.certainty
            candidates = event.candidates
            flags = Set(event.flags.filter { $0.rawValue != "LATE_DELIVERY" })
            entitlement = event.entitlement
            companionOf = event.companionOf
            derivedFrom = Set(event.derivedFrom)
            transactionID = event.transaction?.transactionID
            occurredAt = event.occurredAtBasis == "received_at" ? nil : event.occurredAt
        }
    }

    static func judgements(_ settled: LifeArchive.Settled, duplicates: Bool = true) -> [Judgement: Int] {
        (settled.told + settled.inferred).filter { duplicates || $0.disposition != .duplicate }
            .reduce(into: [:]) { $0[Judgement($1), default: 0] += 1 }
    }

    /// The judgements that only one side has, for a message worth reading.
    static func difference(_ left: [Judgement: Int], _ right: [Judgement: Int]) -> [String] {
        Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
            .map { "\($0.disposition) \($0.v2) \($0.id): \(left[$0] ?? 0) and \(right[$0] ?? 0)" }
            .sorted()
    }

    @Test("Timelines settle to the same events in any order", arguments: SimulatedEra.allCases)
    func order(_ era: SimulatedEra) throws {
        var faults: [String] = []
        for archive in try Self.archives(era) {
            let settled = Self.judgements(archive.whole)
            let places = Array(archive.entries.indices)
            var random = SeededGenerator(seed: archive.life.seed)
            for order in [places.reversed(), random.shuffled(places), random.shuffled(places)] {
                let difference = Self.difference(settled, Self.judgements(archive.settled(order)))
                faults += difference.map { "life \(archive.life.seed): \($0)" }
            }
        }
        #expect(faults.prefix(8) == [], "\(faults.count) in \(era)")
    }

    @Test("Records of an import settle to the same events in any order, also those received in one millisecond")
    func imports() throws {
        func entry(_ cancellation: String, days: Int64) throws -> TimelineEntry {
            let body = """
                {"notification_type":"CONSUMPTION_REQUEST","environment":"PROD","bid":"com.example.news","unified_receipt":
                {"environment":"Production","status":0,"latest_receipt_info":[{"product_id":"com.example.news.coins",
                "transaction_id":"2000000000000001","original_transaction_id":"2000000000000001",\(cancellation)
                "purchase_date_ms":"1622538000000","original_purchase_date_ms":"1622538000000"}]}}
                """
            let received = EventTime(milliseconds: 1_622_718_733_000 + days * 86_400_000)
            return try #require(trusting.timelineEntries(from: body.utf8, receivedAt: received).first)
        }
        let refunded = #""cancellation_date_ms":"1622718734000","cancellation_reason":"1","#
        let plain = try entry("", days: 40)
        let entries = [try entry("", days: 400), plain, plain, try entry(refunded, days: 40)]
        let settled = LifeArchive.settled(entries, .off, asOf: 1_700_000_000_000)
        for first in entries.indices {
            for second in entries.indices where second != first {
                let rest = entries.indices.filter { $0 != first && $0 != second }
                let order = ([first, second] + rest).map { entries[$0] }
                let other = LifeArchive.settled(order, .off, asOf: 1_700_000_000_000)
                #expect(Self.difference(Self.judgements(settled), Self.judgements(other)) == [])
            }
        }
    }

    @Test(
        "Timelines settle to the same events and more duplicates when everything comes again",
        arguments: SimulatedEra.allCases)
    func copies(_ era: SimulatedEra) throws {
        var faults: [String] = []
        for archive in try Self.archives(era) {
            // What names no subscription is judged alone, however often it comes.
            let places = archive.entries.indices.filter { archive.entries[$0].evidence.key != nil }
            let once = archive.settled(places)
            var random = SeededGenerator(seed: archive.life.seed)
            for order in [places + places, places.flatMap { [$0, $0] }, random.shuffled(places + places)] {
                let twice = archive.settled(order)
                let difference = Self.difference(
                    Self.judgements(once, duplicates: false), Self.judgements(twice, duplicates: false))
                faults += difference.map { "life \(archive.life.seed): \($0)" }
                let duplicates = [once, twice].map { $0.told.filter { $0.disposition == .duplicate }.count }
                if duplicates[1] != duplicates[0] + places.count {
                    faults.append("life \(archive.life.seed): \(duplicates[1]) duplicates")
                }
            }
        }
        #expect(faults.prefix(8) == [], "\(faults.count) in \(era)")
    }

    @Test("Timelines do not change version 2 alone, except for repeated deliveries")
    func version2() throws {
        var seen = 0
        var faults: [String] = []
        for archive in try Self.archives(.unified) {
            let places = archive.entries.indices.filter { archive.life.deliveries[$0].isVersion2 }
            let settled = archive.settled(places)
            for (place, event) in zip(places, settled.told) {
                seen += 1
                let truth = archive.life.deliveries[place].truth
                let isSame = event == archive.entries[place].event
                if (event.disposition == .duplicate) != truth.isRepeat || !(isSame || truth.isRepeat) {
                    faults.append("life \(archive.life.seed): \(event.v2) is \(event.disposition)")
                }
            }
            faults += settled.inferred.map { "life \(archive.life.seed): inferred \($0.v2)" }
        }
        #expect(faults.prefix(8) == [])
        #expect(seen > 0)
    }
}
