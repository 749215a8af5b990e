import NotificationTranslation
import Testing

/// What single notifications and short stories say about access, in every context.
@Suite("Access in small cases")
struct AccessCaseTests {
    private static let begin: Int64 = 1_700_000_000_000
    private static let day: Int64 = 86_400_000
    private static let end = begin + 30 * day

    /// A version 2 payload of a monthly subscription, signed on the tenth day of its period.
    struct Payload {
        var type = "DID_RENEW"
        var subtype: String?
        var uuid = "7a1c2f00-0000-4000-8000-000000000901"
        var status: Int?
        var transaction: String? = "2000000900000002"
        var begin: Int64? = AccessCaseTests.begin
        var expires: Int64? = AccessCaseTests.end
        var revoked: Int64?
        var productType: String? = "Auto-Renewable Subscription"
        var grace: Int64?
        var signed = AccessCaseTests.begin + 10 * AccessCaseTests.day
        var received: Int64?
        var arrival: EventTime? { received.map(EventTime.init(milliseconds:)) }

        var text: String {
            let member = { (name: String, value: Any?) in value.map { "\"\(name)\":\($0)," } ?? "" }
            let quoted = { (name: String, value: String?) in value.map { "\"\(name)\":\"\($0)\"," } ?? "" }
            let dates =
                member("purchaseDate", begin) + member("expiresDate", expires) + member("revocationDate", revoked)
            let transaction = transaction.map { id in
                "\"transactionInfo\":{\(quoted("type", productType))\(dates)\"productId\":\"com.example.news.monthly\","
                    + "\"transactionId\":\"\(id)\",\"originalTransactionId\":\"2000000900000001\"},"
            }
            let renewal = grace.map { "\"renewalInfo\":{\"gracePeriodExpiresDate\":\($0)}," } ?? ""
            return "{\"notificationType\":\"\(type)\",\(quoted("subtype", subtype))\"notificationUUID\":\"\(uuid)\","
                + "\"version\":\"2.0\",\"signedDate\":\(signed),\"data\":{\(member("status", status))"
                + "\(transaction ?? "")\(renewal)\"environment\":\"Production\",\"bundleId\":\"com.example.news\"}}"
        }
    }

    /// What an event says about access, as `keep 30` for a keep until the thirtieth day.
    private static func word(_ event: UnifiedEvent) -> String {
        let until = event.accessUntil.map { " \(($0.milliseconds - begin) / day)" } ?? ""
        let flags = [AmbiguityFlag.accessEndUnknown, "RUNNING_PERIOD_UNKNOWN"].filter(event.flags.contains)
        return event.entitlement.rawValue + until + flags.map { " " + $0.rawValue }.joined()
    }

    private static func event(_ payload: Payload) throws -> UnifiedEvent {
        try trusting.event(from: payload.text.utf8, receivedAt: payload.arrival)
    }

    private static func entries(_ payload: Payload) throws -> [TimelineEntry] {
        try trusting.timelineEntries(from: payload.text.utf8, receivedAt: payload.arrival)
    }

    /// The events of a timeline, in the order of the payloads.
    private static func settled(_ payloads: [Payload]) throws -> [UnifiedEvent] {
        try SubscriptionTimeline(payloads.flatMap(entries)).settled()
    }

    /// A notification beside which nothing changes; it makes a timeline of two.
    private static let neighbour = Payload(
        type: "REFUND_DECLINED", uuid: "7a1c2f00-0000-4000-8000-000000000900", signed: begin + 9 * day)

    private static func check(_ payload: Payload, _ expected: String, _ comment: Comment) throws {
        let alone = word(try event(payload))
        #expect(alone == expected, comment)
        var neighbour = neighbour
        if payload.expires == nil { neighbour.transaction = nil }
        let together = try settled([neighbour, payload]).last.map(word)
        #expect(together == expected, comment)
    }

    @Test(
        "An unknown subtype is judged as its type: status first, then the dates",
        arguments: [
            "DID_RENEW", "SUBSCRIBED", "RENEWAL_EXTENDED", "DID_CHANGE_RENEWAL_STATUS", "EXPIRED", "PRICE_CHANGE",
            "DID_CHANGE_RENEWAL_PREF", "OFFER_REDEEMED", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "REVOKE",
        ])
    func unknownSubtype(_ type: String) throws {
        let gives = ["DID_RENEW", "SUBSCRIBED", "RENEWAL_EXTENDED"].contains(type) ? "grant" : "keep"
        let payload = Payload(type: type, subtype: "OF_TOMORROW")
        for status in [1, 4] {
            var payload = payload
            payload.status = status
            try Self.check(payload, gives + " 30", "\(status)")
            payload.expires = nil
            try Self.check(payload, "undecided ACCESS_END_UNKNOWN", "\(status), no end")
            payload.expires = Self.begin + 5 * Self.day
            try Self.check(payload, "undecided ACCESS_END_UNKNOWN", "\(status), past")
            payload.grace = Self.begin + 16 * Self.day
            try Self.check(payload, "keep 16", "\(status), grace")
        }
        for status in [2, 3, 5] {
            var payload = payload
            payload.status = status
            try Self.check(payload, "withdraw", "\(status)")
            payload.expires = nil
            try Self.check(payload, "withdraw", "\(status), no end")
        }
        try Self.check(payload, gives + " 30", "dates")
    }

    @Test("An unknown type is judged by its status alone")
    func unknownType() throws {
        var payload = Payload(type: "SEASON_PASS", subtype: "STARTED")
        try Self.check(payload, "undecided", "no status")
        payload.status = 1
        try Self.check(payload, "keep 30", "1")
        payload.expires = nil
        try Self.check(payload, "undecided ACCESS_END_UNKNOWN", "1, no end")
        for status in [2, 3, 5] {
            payload.status = status
            try Self.check(payload, "withdraw", "\(status)")
        }
        payload.transaction = nil
        payload.status = nil
        #expect(Self.word(try Self.event(payload)) == "none")
        let body = "{\"notification_type\":\"DID_WIN_BACK\",\"environment\":\"PROD\"}"
        #expect(try trusting.event(from: body.utf8).entitlement == .unaffected)
    }

    @Test("Whatever a payload holds, no subscription has access without an end, in no context")
    func neverForEver() throws {
        let types = [
            "SUBSCRIBED", "DID_RENEW", "DID_FAIL_TO_RENEW", "DID_CHANGE_RENEWAL_STATUS", "EXPIRED", "REFUND",
            "REVOKE", "REFUND_REVERSED", "RENEWAL_EXTENDED", "OFFER_REDEEMED", "METADATA_UPDATE", "NEW_TYPE",
        ]
        var faults: [String] = []
        for type in types {
            for subtype in [nil, "INITIAL_BUY", "GRACE_PERIOD", "UPGRADE", "NEW"] {
                for status in [nil, 1, 2, 3, 4, 5, 6] {
                    for expires in [nil, Self.end, Self.begin + Self.day] {
                        let payload = Payload(type: type, subtype: subtype, status: status, expires: expires)
                        var before = payload
                        (before.type, before.subtype, before.uuid) = ("SUBSCRIBED", "RESUBSCRIBE", "first")
                        for event in [try Self.event(payload)] + (try Self.settled([before, payload])) {
                            let isEndless = (event.accessUntil?.milliseconds ?? .min) <= payload.signed
                            if isEndless, [.grant, .keep].contains(event.entitlement) {
                                faults.append("\(payload.text): \(Self.word(event))")
                            }
                        }
                    }
                }
            }
        }
        #expect(faults == [])
    }

    @Test("What Apple sets no end to is given for ever, once")
    func oneTimePurchase() throws {
        var payload = Payload(type: "ONE_TIME_CHARGE", expires: nil, productType: "Non-Consumable")
        #expect(Self.word(try Self.event(payload)) == "grant")
        payload.received = Self.begin + 20 * Self.day
        let refund = Payload(
            type: "REFUND", uuid: "refund", expires: nil, revoked: Self.begin + 12 * Self.day,
            productType: "Non-Consumable", signed: Self.begin + 12 * Self.day, received: Self.begin + 12 * Self.day)
        let words = try Self.settled([refund, payload]).map(Self.word)
        #expect(words == ["withdraw", "none"])
    }

    @Test(
        "What began and was refunded before it was told gives nothing",
        arguments: [
            ("SUBSCRIBED", "RESUBSCRIBE"), ("DID_RENEW", nil), ("DID_RENEW", "BILLING_RECOVERY"),
        ] as [(String, String?)])
    func toldAfterItsRefund(_ type: String, _ subtype: String?) throws {
        let begun = Payload(
            type: type, subtype: subtype, signed: Self.begin + 1_000, received: Self.begin + 3 * Self.day)
        let refunded = Self.begin + 2 * Self.day
        let refund = Payload(
            type: "REFUND", uuid: "refund", revoked: refunded, signed: refunded, received: refunded + 5_000)
        let events = try Self.settled([refund, begun])
        #expect(events.map(Self.word) == ["withdraw", "none"])
    }

    @Test("A late recovery does not let the grace period run again")
    func graceAfterARecovery() throws {
        let failure = Payload(
            type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", uuid: "failure", transaction: "2000000900000001",
            begin: Self.begin - 30 * Self.day, expires: Self.begin, grace: Self.begin + 16 * Self.day,
            signed: Self.begin + 1_000, received: Self.begin + 2_000)
        let recovery = Payload(
            subtype: "BILLING_RECOVERY", uuid: "recovery", signed: Self.begin + 2 * Self.day,
            received: Self.begin + 5 * Self.day)
        let refunded = Self.begin + 3 * Self.day
        let refund = Payload(
            type: "REFUND", uuid: "refund", revoked: refunded, signed: refunded, received: refunded + 5_000)
        let events = try Self.settled([failure, refund, recovery])
        #expect(events.map(Self.word) == ["keep 16", "withdraw", "none"])
    }

    @Test("A refund of a period that has not begun gives the access that runs, as the period was given before")
    func refundAhead() throws {
        let signed = Self.begin - Self.day / 2
        let refund = Payload(type: "REFUND", revoked: signed, signed: signed)
        #expect(Self.word(try Self.event(refund)) == "undecided RUNNING_PERIOD_UNKNOWN")
        let running = Payload(
            uuid: "running", transaction: "2000000900000001", begin: Self.begin - 30 * Self.day, expires: Self.begin,
            signed: Self.begin - 29 * Self.day)
        #expect(try Self.settled([running, refund]).map(Self.word) == ["grant 0", "grant 0"])
    }

    @Test("Two periods of a subscription that end together are two")
    func endTogether() throws {
        let first = Payload(
            type: "SUBSCRIBED", subtype: "RESUBSCRIBE", uuid: "first", transaction: "2000000900000003",
            begin: Self.begin - 5 * Self.day, signed: Self.begin - 5 * Self.day)
        let second = Payload(uuid: "second", signed: Self.begin + 1_000)
        let revoked = Self.begin - Self.day
        let refund = Payload(
            type: "REFUND", uuid: "refund", transaction: "2000000900000003", begin: Self.begin - 5 * Self.day,
            revoked: revoked, signed: revoked, received: Self.begin + 3 * Self.day)
        let events = try Self.settled([first, second, refund])
        #expect(events.map(Self.word) == ["grant 30", "grant 30", "keep 30"])
    }

    @Test("What version 2 tells late is judged when version 1 told it")
    func toldByVersion1First() throws {
        let refunded = Self.begin + 10 * Self.day
        let row =
            "{\"transaction_id\":\"2000000900000002\",\"original_transaction_id\":\"2000000900000001\",\"product_id\":"
            + "\"com.example.news.monthly\",\"purchase_date_ms\":\"\(Self.begin)\",\"expires_date_ms\":\"\(Self.end)\","
            + "\"cancellation_date_ms\":\"\(refunded)\",\"cancellation_reason\":\"0\"}"
        let pending =
            "{\"original_transaction_id\":\"2000000900000001\",\"product_id\":\"com.example.news.monthly\","
            + "\"auto_renew_product_id\":\"com.example.news.monthly\",\"auto_renew_status\":\"0\"}"
        let body =
            "{\"notification_type\":\"REFUND\",\"environment\":\"PROD\",\"bid\":\"com.example.news\",\"unified_receipt\":"
            + "{\"latest_receipt_info\":[\(row)],\"pending_renewal_info\":[\(pending)]}}"
        let refund = Payload(
            type: "REFUND", uuid: "refund", revoked: refunded, signed: refunded + 1_000,
            received: Self.begin + 40 * Self.day)
        let first = try trusting.timelineEntries(
            from: body.utf8, receivedAt: EventTime(milliseconds: refunded + 2_000))
        let events = SubscriptionTimeline(first + (try Self.entries(refund))).settled()
        #expect(events.map(\.disposition) == [.duplicate, .event])
        #expect(events.map(Self.word) == ["none", "withdraw"])
    }
}
