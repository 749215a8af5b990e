import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("A subscription of one record") struct LoneRecordTests {
    /// What makes other bodies of one: fields that are absent, and values that are others.
    private static let mutations: [(old: String, new: String)] = [
        ("", ""), ("\"cancellation_date", "\"absent_date"), ("\"is_upgraded\"", "\"absent\""),
        ("\"original_transaction_id\"", "\"absent\""), ("\"transaction_id\"", "\"absent\""),
        ("\"web_order_line_item_id\"", "\"absent\""), ("\"auto_renew_status_change_date", "\"absent_date"),
        ("\"purchase_date", "\"absent_date"), ("\"expires_date", "\"absent_date"),
        ("\"pending_renewal_info\"", "\"absent\""), ("\"latest_receipt_info\"", "\"absent\""),
        ("\"notification_type\":\"DID_RENEW\"", "\"notification_type\":\"CANCEL\""),
        ("\"notification_type\":\"INTERACTIVE_RENEWAL\"", "\"notification_type\":\"CANCEL\""),
        ("\"notification_type\":\"CANCEL\"", "\"notification_type\":\"INTERACTIVE_RENEWAL\""),
        ("\"PROD\"", "\"Sandbox\""), ("\"is_upgraded\":\"true\"", "\"is_upgraded\":\"false\""),
        ("\"auto_renew_status\":\"true\"", "\"auto_renew_status\":\"false\""),
    ]

    private let settlement = Settlement()

    /// Counts what the shortcut decided; a difference between it and the settlement is a failure.
    private func compare(_ body: [UInt8], _ receivedAt: EventTime?, _ short: inout Int) {
        guard let entries = try? trusting.timelineEntries(from: body, receivedAt: receivedAt)
        else { return }
        for entry in entries where entry.evidence.key != nil {
            let stays = entry.evidence.bytes.withUnsafeBytes {
                EvidenceReader.opening($0, .current).map(settlement.staysAsItIs) ?? false
            }
            guard stays else { continue }
            short += 1
            let settled = SubscriptionTimeline([entry]).settled()
            #expect(settled == [entry.event], "\(String(decoding: body, as: UTF8.self))")
        }
    }

    /// Compares the body as it came; then without a time of arrival, with an early one and with a late one; of these
    /// three only one, if a number chooses.
    private func compare(_ text: String, _ choice: Int?, _ short: inout Int) {
        let undated = text.replacing("\"receivedAt\"", with: "\"noted\"")
            .replacing("\"received_at\"", with: "\"noted\"")
        compare(Array(text.utf8), nil, &short)
        for (place, time) in [nil, 1_600_000_000_000, 1_900_000_000_000 as Int64].enumerated()
        where choice.map({ $0 % 3 == place }) ?? true {
            compare(Array(undated.utf8), time.map(EventTime.init(milliseconds:)), &short)
        }
    }

    @Test("Settling a fixture that is alone changes it only where the shortcut says so", arguments: mutations.indices)
    func agreesOnFixtures(_ mutation: Int) throws {
        var short = 0
        let (old, new) = Self.mutations[mutation]
        for table in ["v1-to-v2", "v2-to-event", "timelines"] {
            for (place, fixture) in Fixture.all(in: table).enumerated()
            where mutation == 0 || place % 16 == mutation % 16 {
                let texts = try fixture.records.map { String(decoding: $0, as: UTF8.self) }
                for text in texts where old.isEmpty || text.contains(old) {
                    let isShort = mutation == 0 && Environment.number("STRESS") == nil
                    compare(old.isEmpty ? text : text.replacing(old, with: new), isShort ? place : nil, &short)
                }
            }
        }
        #expect(short > 0 || mutation > 0)
    }

    @Test("Settling a notification of a simulated life that is alone changes it only where the shortcut says so")
    func agreesOnLives() throws {
        var short = 0
        for era in SimulatedEra.allCases {
            for seed in 0..<8 {
                let life = SimulatedLife(seed: UInt64(900 + seed), era: era, lostPercent: 3, cutOverPercent: 40)
                for delivery in life.deliveries {
                    compare(delivery.body, EventTime(milliseconds: delivery.receivedAt), &short)
                    compare(delivery.body, nil, &short)
                }
            }
        }
        #expect(short > 200)
    }
}
