import NotificationTranslation
import SimulatedLives
import Testing

/// Subscriptions whose bodies contradict one another in every date: ends before beginnings, cancellations years ahead,
/// times of arrival before all of it.
///
/// `STRESS=100 SEED=7` makes it a longer run with other dates.
@Suite("Bodies with hostile dates")
struct HostileDatesTests {
    private static let types = [
        "INITIAL_BUY", "DID_RENEW", "DID_RECOVER", "INTERACTIVE_RENEWAL", "CANCEL", "REFUND", "REVOKE", "RENEWAL",
        "DID_CHANGE_RENEWAL_STATUS", "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW", "PRICE_INCREASE_CONSENT",
        "CONSUMPTION_REQUEST",
    ]
    private static let signedTypes = [
        "DID_RENEW", "REFUND", "EXPIRED", "SUBSCRIBED", "REFUND_REVERSED", "DID_FAIL_TO_RENEW",
    ]
    /// Dates that meet, and the ends of what a date may be.
    private static let instants: [Int64] = [
        1_580_000_000_000, 1_604_000_000_000, 1_650_000_000_000, 1_199_145_600_000, 4_102_444_800_000,
        253_402_300_799_999, 9_007_199_254_740_992, 1, -1,
    ]

    private static func date(_ random: inout SeededGenerator) -> Int64 {
        let steps: [Int64] = [0, 1, 1000, 60_000, 3_600_000, 86_400_000, 2_592_000_000]
        return random.pick(Array(instants.prefix(random.chance(85) ? 3 : instants.count)))
            + random.pick(steps) * random.number(-3...3)
    }

    private static func row(_ random: inout SeededGenerator) -> String {
        var row = #"{"original_transaction_id":"1000","transaction_id":"1000\#(random.pick(["", "1", "2", "3"]))","#
        row += #""product_id":"\#(random.pick(["a", "b"]))","purchase_date_ms":"\#(date(&random))""#
        if random.chance(90) { row += #","expires_date_ms":"\#(date(&random))""# }
        if random.chance(30) { row += #","cancellation_date_ms":"\#(date(&random))""# }
        if random.chance(20) { row += #","is_upgraded":"true""# }
        return row + "}"
    }

    private static func body(_ random: inout SeededGenerator) -> String {
        let isOn = random.chance(50)
        if random.chance(25) {
            return """
                {"notificationType":"\(random.pick(signedTypes))","notificationUUID":"\(random.number(0...99))",\
                "version":"2.0","signedDate":\(date(&random)),"data":{"environment":"Production","bundleId":"x",\
                "status":\(random.number(1...5)),"transactionInfo":{"transactionId":"1000\(random.number(1...3))",\
                "originalTransactionId":"1000","productId":"a","purchaseDate":\(date(&random)),\
                "expiresDate":\(date(&random)),"type":"Auto-Renewable Subscription"},"renewalInfo":\
                {"originalTransactionId":"1000","autoRenewStatus":\(isOn ? 1 : 0),"renewalDate":\(date(&random))}}}
                """
        }
        let rows = (0..<random.pick([0, 0, 1, 2, 5])).map { _ in row(&random) }
        return """
            {"notification_type":"\(random.pick(types))","environment":"\(random.pick(["PROD", "Sandbox"]))","bid":"x",\
            "auto_renew_status":"\(isOn)","auto_renew_product_id":"\(random.pick(["a", "b"]))",\
            "auto_renew_status_change_date_ms":"\(date(&random))","unified_receipt":{"latest_receipt_info":\
            [\(rows.joined(separator: ","))],"pending_renewal_info":[{"original_transaction_id":"1000","product_id":"a",\
            "auto_renew_product_id":"\(random.pick(["a", "b"]))","auto_renew_status":"\(isOn ? 1 : 0)",\
            "expiration_intent":"\(random.number(0...5))","grace_period_expires_date_ms":"\(date(&random))",\
            "price_consent_status":"\(random.number(0...1))"}]}}
            """
    }

    @Test("Bodies with hostile dates give one event each, none after it was received, whatever is deduced")
    func settled() throws {
        var random = SeededGenerator(seed: UInt64(Environment.number("SEED") ?? 1))
        var inferred = 0
        for _ in 0..<(150 * (Environment.number("STRESS") ?? 1)) {
            var timeline = SubscriptionTimeline(inferring: .all, asOf: EventTime(milliseconds: Self.date(&random)))
            let count = Int(random.number(2...20))
            for _ in 0..<count {
                let body = Self.body(&random)
                let receivedAt = random.chance(80) ? EventTime(milliseconds: Self.date(&random)) : nil
                let entries = try trusting.timelineEntries(
                    from: body.utf8, receivedAt: receivedAt)
                timeline.append(try #require(entries.first, "\(body)"))
            }
            let events = timeline.settled()
            let told = events.filter { $0.disposition != .inferred }
            #expect(told.count == count)
            // An import uses no time of arrival.
            let lateness = timeline.entries.compactMap { entry -> Int64? in
                guard let received = entry.event.source.receivedAt, let own = entry.event.occurredAt,
                    entry.event.occurredAtBasis != "received_at"
                else { return nil }
                return received.milliseconds - own.milliseconds
            }
            let imported: Int64 = 157 * 3_600_000
            guard lateness.allSatisfy({ $0 <= imported }) else { continue }
            for event in told where event.source.version == .v1 && event.disposition == .event {
                if let received = event.source.receivedAt, let occurred = event.occurredAt {
                    #expect(occurred <= received, "\(event)")
                }
            }
            inferred += events.count - told.count
        }
        #expect(inferred > 50)
    }
}
