import NotificationTranslation
import Testing

/// Small stories of which the states, or the transactions, are known.
///
/// Times are days after the beginning of the first period, which ends on day 31; the second ends on day 59.
@Suite("States of small stories")
struct StateCaseTests {
    /// One body, or an answer of Apple's.
    struct Body {
        var type: String
        var subtype = ""
        var period = 1
        var at: Double
        /// When it arrived; if it is not given, at once in version 1 and unknown in version 2.
        var arrived: Double?
        /// Whether a switch of version 1 says when it was made.
        var isDated = true
        var end: Double?
        var renews: Bool? = true
        var status: Int?
        var grace: Double?
        var revoked: Double?
        var product = "monthly"
        /// Of the second period, where it does not begin at the end of the first.
        var begin: Double?

        private static let ends = [0, 31, 59, 90].map(Double.init)
        private func date(_ day: Double) -> Int64 { 1_704_103_200_000 + Int64(day * 86_400_000) }
        private func member(_ name: String, _ day: Double?) -> String { day.map { "\"\(name)\":\(date($0))," } ?? "" }

        /// Of version 2, decoded.
        var signed: String {
            let renewal = renews.map {
                #""renewalInfo":{\#(member("gracePeriodExpiresDate", grace))"# + #""autoRenewStatus":\#($0 ? 1 : 0)},"#
            }
            let transaction =
                #"{\#(member("purchaseDate", begin ?? Self.ends[period - 1]))\#(member("revocationDate", revoked))"#
                + #"\#(member("expiresDate", end ?? Self.ends[period]))"transactionId":"\#(period)","#
                + #""originalTransactionId":"1","productId":"\#(product)","type":"Auto-Renewable Subscription"}"#
            let body =
                #"{"notificationType":"\#(type)",\#(subtype.isEmpty ? "" : #""subtype":"\#(subtype)","#)"version":"2.0","#
                + #""notificationUUID":"\#(type)-\#(at)",\#(member("signedDate", at))"data":{"environment":"Production","#
                + #"\#(renewal ?? "")\#(status.map { #""status":\#($0),"# } ?? "")"bundleId":"app","transactionInfo":\#(transaction)}}"#
            return arrived.map { #"{"received_at":\#(date($0)),"body":\#(body)}"# } ?? body
        }

        /// Of version 1; it shows all periods up to its own.
        var unsigned: String {
            let rows = (1...period).reversed().map { number in
                let isOwn = number == period
                return #"{"transaction_id":"\#(number)","original_transaction_id":"1","product_id":"\#(product)","#
                    + #""purchase_date_ms":"\#(date(Self.ends[number - 1]))","#
                    + (isOwn
                        ? revoked.map { #""cancellation_date_ms":"\#(date($0))","cancellation_reason":"0","# } ?? ""
                        : "")
                    + #""expires_date_ms":"\#(date(isOwn ? end ?? Self.ends[number] : Self.ends[number]))"}"#
            }
            let isDated = isDated && type == "DID_CHANGE_RENEWAL_STATUS"
            return
                #"{"received_at":\#(date(arrived ?? at)),"body":{"notification_type":"\#(type)","environment":"PROD","#
                + #""bid":"app","auto_renew_status":"\#(renews ?? true)","original_transaction_id":"1","#
                + (revoked.map { #""cancellation_date_ms":"\#(date($0))","# } ?? "")
                + (isDated ? #""auto_renew_status_change_date_ms":"\#(date(at))","# : "")
                + #""unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}}"#
        }

        /// A status of the App Store Server API.
        var answer: String {
            #"{"environment":"Production","bundleId":"app","data":[{"lastTransactions":[{"originalTransactionId":"1","#
                + #""status":\#(status ?? 1),"signedTransactionInfo":{"transactionId":"1","originalTransactionId":"1","#
                + #""productId":"monthly","type":"Auto-Renewable Subscription",\#(member("purchaseDate", 0))"#
                + #"\#(member("expiresDate", end ?? 31))\#(member("signedDate", at))"bundleId":"app","environment":"Production"},"#
                + #""signedRenewalInfo":{"originalTransactionId":"1","autoRenewStatus":\#(renews == true ? 1 : 0),"#
                + #""autoRenewProductId":"monthly",\#(member("signedDate", at))"environment":"Production"}}]}]}"#
        }
    }

    /// The timeline of bodies as of a day; `nil` for the latest that they tell of.
    private static func timeline(
        _ bodies: [String], answers: [String] = [], asOf day: Double? = 80
    ) throws -> SubscriptionTimeline {
        let asOf = day.map { EventTime(milliseconds: 1_704_103_200_000 + Int64($0 * 86_400_000)) }
        return try SubscriptionTimeline(of: bodies, answers: answers, asOf: asOf)
    }

    private static func day(_ time: EventTime?) -> String {
        guard let time else { return "-" }
        let tenths = Double((time.milliseconds - 1_704_103_200_000) / 8_640_000) / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }

    /// Each state as `from status until-access renews certainty`.
    private static func states(_ timeline: SubscriptionTimeline) -> [String] {
        timeline.history.map { state in
            let status = state.status.map { "\($0.rawValue)" } ?? "-"
            let renews = state.renewal.autoRenewStatus.map { $0 == .on ? "on" : "off" } ?? "-"
            let access = state.isEntitled == nil ? "?" : day(state.accessUntil)
            return "\(day(state.validFrom)) \(status) \(access) \(renews) \(state.certainty)"
        }
    }

    private static let bought = Body(type: "SUBSCRIBED", subtype: "INITIAL_BUY", at: 0, status: 1)
    private static let buy = Body(type: "INITIAL_BUY", at: 0)

    @Test("A period that is shown with a later end ran on, whenever that was told")
    func lengthened() throws {
        let off = Body(type: "DID_CHANGE_RENEWAL_STATUS", at: 40, end: 61, renews: false)
        let found1 = Self.states(try Self.timeline([Self.buy.unsigned, off.unsigned]))
        #expect(found1 == ["0 1 31 on exact", "31 1 61 on inferred", "40 1 61 off inferred", "61 2 - off inferred"])
        let failed = Body(type: "DID_FAIL_TO_RENEW", at: 61, end: 61, status: 3)
        let found2 = Self.states(try Self.timeline([Self.bought.signed, failed.signed]))
        #expect(found2 == ["0 1 31 on exact", "31 1 61 on inferred", "61 3 - on exact"])
        let answer = Body(type: "", at: 40, end: 61, renews: true, status: 1)
        let found3 = Self.states(try Self.timeline([Self.buy.unsigned], answers: [answer.answer])).prefix(2)
        #expect(found3 == ["0 1 31 on exact", "31 1 61 on inferred"])
    }

    @Test("What a record reports of a period that was charged ahead is not undone by what the same record shows")
    func chargedAhead() throws {
        let refund = Body(type: "CANCEL", period: 2, at: 30.8, arrived: 30.81, renews: false, revoked: 30.8)
        let found4 = Self.states(try Self.timeline([Self.buy.unsigned, refund.unsigned]))
        #expect(found4 == ["0 1 31 on exact", "30.8 1 31 off exact", "31 5 - off inferred"])
        let signed = Body(type: "REFUND", period: 2, at: 30.81, renews: false, status: 1, revoked: 30.8)
        let found5 = Self.states(try Self.timeline([Self.bought.signed, signed.signed])).suffix(2)
        #expect(found5 == ["30.8 1 31 off exact", "31 5 - off exact"])
        let off = Body(type: "DID_CHANGE_RENEWAL_STATUS", period: 2, at: 30.8, arrived: 30.81, renews: false)
        let renewed = Body(type: "DID_RENEW", period: 2, at: 30.7, arrived: 31.1)
        for bodies in [[off], [renewed, off]] {
            let found6 = Self.states(try Self.timeline([Self.buy.unsigned] + bodies.map(\.unsigned)))
            #expect(found6 == ["0 1 31 on exact", "30.8 1 59 off exact", "31 1 59 off exact", "59 2 - off inferred"])
        }
        let renewedSoon = Body(type: "DID_RENEW", period: 2, at: 30.7, arrived: 30.82)
        let late = Self.states(try Self.timeline([Self.buy, off, renewedSoon].map(\.unsigned))).suffix(2)
        #expect(late == ["31 1 59 off exact", "59 2 - off inferred"])
    }

    @Test("A renewal that was charged ahead shows that something runs, also where it is the first record")
    func firstIsAhead() throws {
        let renewed = Body(type: "DID_RENEW", period: 2, at: 30.5, status: 1)
        let found7 = Self.states(try Self.timeline([renewed.signed]))
        #expect(found7 == ["30.5 1 59 on inferred", "31 1 59 on exact", "59 - ? on unknown"])
        let refund = Body(type: "REFUND", period: 2, at: 30.6, renews: false, status: 1, revoked: 30.6)
        let refunded = Self.states(try Self.timeline([renewed.signed, refund.signed]))
        #expect(refunded == ["30.5 1 59 on inferred", "30.6 1 31 off inferred", "31 5 - off exact"])
    }

    @Test("What was lost is dated by later records, and states that they contradict are not exact")
    func lostInBetween() throws {
        let off = Body(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", at: 30.9, renews: false, status: 1)
        let on = Body(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_ENABLED", period: 2, at: 40, status: 1)
        let charged = Self.states(try Self.timeline([Self.bought, off, on].map(\.signed)))
        #expect(charged.dropFirst().prefix(3) == ["30.9 1 31 off exact", "31 1 59 off inferred", "40 1 59 on exact"])
        let price = Body(type: "PRICE_INCREASE", subtype: "PENDING", at: 30.95, status: 1)
        let switched = Self.states(try Self.timeline([Self.bought, off, price].map(\.signed)))
        #expect(switched.dropFirst().prefix(2) == ["30.9 1 31 off ambiguous", "30.9 1 31 on exact"])
        let grace = Body(type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", at: 31, status: 4, grace: 47)
        let plan = Body(type: "DID_CHANGE_RENEWAL_PREF", subtype: "DOWNGRADE", period: 2, at: 50, status: 1)
        let recovered = Self.states(try Self.timeline([Self.bought, grace, plan].map(\.signed)))
        #expect(recovered.dropFirst().prefix(2) == ["31 4 47 on inferred", "47 1 59 on inferred"])
        let failed = Body(type: "DID_FAIL_TO_RENEW", at: 31, status: 3)
        let renewed = Body(type: "DID_RENEW", period: 3, at: 59, status: 1)
        let skipped = Self.states(try Self.timeline([Self.bought, failed, renewed].map(\.signed)))
        #expect(skipped.dropFirst().prefix(2) == ["31 3 - on ambiguous", "59 1 90 on exact"])
        let upgraded = Body(
            type: "DID_CHANGE_RENEWAL_PREF", subtype: "UPGRADE", period: 2, at: 40, status: 1, product: "yearly",
            begin: 40)
        let replaced = Self.states(try Self.timeline([Self.bought, failed, upgraded].map(\.signed)))
        #expect(replaced.dropFirst().prefix(2) == ["31 3 - on ambiguous", "40 1 59 on exact"])
        let inGrace = Self.states(try Self.timeline([Self.bought, grace, upgraded].map(\.signed)))
        #expect(inGrace.dropFirst().prefix(2) == ["31 4 47 on exact", "40 1 59 on exact"])
    }

    @Test("A receipt that says that renewal is off ends billing retry")
    func givenUp() throws {
        let failed = Body(type: "DID_FAIL_TO_RENEW", at: 31, status: 3)
        let receipt =
            #"{"response":{"status":0,"receipt":{"bundle_id":"app","request_date_ms":"1707559200000"},"environment":"Production","#
            + #""pending_renewal_info":[{"original_transaction_id":"1","product_id":"monthly","auto_renew_status":"0","#
            + #""expiration_intent":"1"}],"latest_receipt_info":[{"transaction_id":"1","original_transaction_id":"1","#
            + #""product_id":"monthly","purchase_date_ms":"1704103200000","expires_date_ms":"1706781600000"}]}}"#
        let found = Self.states(try Self.timeline([Self.bought.signed, failed.signed], answers: [receipt]))
        #expect(found == ["0 1 31 on exact", "31 3 - on ambiguous", "40 2 - off inferred"])
    }

    @Test("A later record that shows a lost failure, switch or refund takes certainty away")
    func lost() throws {
        let recovered = Body(type: "DID_RENEW", subtype: "BILLING_RECOVERY", period: 2, at: 35, status: 1)
        let found8 = Self.states(try Self.timeline([Self.bought.signed, recovered.signed]))
        #expect(found8 == ["0 1 31 on exact", "31 4 - on inferred", "35 1 59 on exact", "59 - ? on unknown"])
        let off = Body(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", at: 10, renews: false, status: 1)
        let renewed = Body(type: "DID_RENEW", period: 2, at: 31, status: 1)
        let found9 = Self.states(try Self.timeline([Self.bought.signed, off.signed, renewed.signed])).dropLast()
        #expect(found9 == ["0 1 31 on exact", "10 1 31 off ambiguous", "31 1 59 on exact"])
        let returned = Body(
            type: "SUBSCRIBED", subtype: "RESUBSCRIBE", period: 2, at: 20, status: 1, product: "weekly", begin: 20)
        let timeline = try Self.timeline([Self.bought.signed, returned.signed])
        #expect(Self.states(timeline).dropLast() == ["0 1 31 on inferred", "20 1 59 on exact"])
        #expect(timeline.transactions.first?.endReason == .refunded)
        #expect(timeline.transactions.first?.certainty == .ambiguous)
    }

    @Test("A switch that is reported after the end of the period leaves no doubt before it")
    func switchedInGrace() throws {
        let bodies = [
            Self.bought,
            Body(type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", at: 31, status: 4, grace: 47),
            Body(
                type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", at: 40, renews: false, status: 4,
                grace: 47),
            Body(type: "EXPIRED", subtype: "VOLUNTARY", at: 47, renews: false, status: 2),
        ]
        let found10 = Self.states(try Self.timeline(bodies.map(\.signed)))
        #expect(found10 == ["0 1 31 on exact", "31 4 47 on exact", "40 4 47 off exact", "47 2 - off exact"])
    }

    @Test("What was reported in between leaves no doubt, and what shows otherwise ends it", arguments: [true, false])
    func reportedBetween(isReported: Bool) throws {
        let refund = Body(type: "REFUND", at: 5, renews: false, status: 5, revoked: 5)
        let returned = Body(type: "SUBSCRIBED", subtype: "RESUBSCRIBE", period: 2, at: 20, status: 1, begin: 20)
        let again = Body(type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_ENABLED", at: 20)
        let bodies = [Self.bought, refund, isReported ? returned : again].map(\.signed)
        let expected =
            isReported
            ? ["0 1 31 on exact", "5 5 - off exact", "20 1 59 on exact", "59 - ? on unknown"]
            : ["0 1 31 on exact", "5 5 - off inferred", "20 1 31 on inferred", "31 - ? on unknown"]
        let states = Self.states(try Self.timeline(bodies))
        #expect(states == expected)
        let failed = Body(type: "DID_FAIL_TO_RENEW", at: 31, status: 3)
        let longer = Body(type: "DID_CHANGE_RENEWAL_PREF", at: 40, end: isReported ? 61 : 31)
        let lengthened = Self.states(try Self.timeline([Self.bought, failed, longer].map(\.signed)))
        #expect(lengthened.dropFirst(2).first == (isReported ? "40 1 61 on inferred" : "40 3 - on exact"))
    }

    @Test("The pair of version 2 says what a missing renewal info would")
    func pairAlone() throws {
        let off = Body(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", at: 10, renews: nil, status: 1)
        let found11 = Self.states(try Self.timeline([Self.bought.signed, off.signed]))
        #expect(found11 == ["0 1 31 on exact", "10 1 31 off exact", "31 2 - off inferred"])
        let failed = Body(type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", at: 31, renews: nil)
        let timeline = try Self.timeline([Self.bought.signed, failed.signed])
        #expect(Self.states(timeline) == ["0 1 31 on exact", "31 - ? on unknown"])
        #expect(timeline.settled().last?.entitlement == .undecided)
        #expect(timeline.settled().last?.flags == [.accessEndUnknown])
    }

    @Test("A notification of version 2 that is the first to tell of a refund ends access")
    func tellsRefundFirst() throws {
        let off = Body(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", at: 10, renews: false, status: 5,
            revoked: 9.5)
        let refund = Body(type: "REFUND", at: 9.6, renews: true, status: 5, revoked: 9.5)
        func last(_ bodies: [Body]) throws -> Entitlement? {
            try Self.timeline(bodies.map(\.signed)).settled().last?.entitlement
        }
        #expect(try last([Self.bought, off]) == .withdraw)
        #expect(try last([Self.bought, refund, off]) == .unaffected)
    }

    @Test("A plan that is bought after the next period was charged takes its place")
    func overtaken() throws {
        let bodies = [
            Self.bought, Body(type: "DID_RENEW", period: 2, at: 30.5, status: 1),
            Body(
                type: "DID_CHANGE_RENEWAL_PREF", subtype: "UPGRADE", period: 3, at: 30.7, end: 120, status: 1,
                product: "quarterly", begin: 30.7),
        ]
        let ends = try Self.timeline(bodies.map(\.signed)).transactions.map { row in
            "\(row.transaction.transactionID ?? "") \(row.endReason?.rawValue ?? "-") \(row.replacedBy ?? "-") \(row.certainty)"
        }
        #expect(ends == ["1 upgraded 3 exact", "3 - - exact", "2 upgraded 3 inferred"])
    }

    @Test("A period that ends before it begins, after a gap, stops nothing")
    func endsBeforeItBegins() throws {
        let bodies = [Self.bought, Body(type: "DID_RENEW", period: 2, at: 64, end: 60, status: 1, begin: 64)]
        let timeline = try Self.timeline(bodies.map(\.signed))
        #expect(timeline.transactions.map(\.transaction.transactionID) == ["1", "2"])
        #expect(timeline.history.count > 1)
    }

    @Test("A one-time purchase of which only the refund was reported gave access from its purchase on")
    func oneTimePurchase() throws {
        let body = #"""
            {"notification_type":"REFUND","environment":"PROD","bid":"com.example.app","unified_receipt":{
            "latest_receipt_info":[{"transaction_id":"310000000000003","original_transaction_id":"310000000000003",
            "product_id":"com.example.lifetime","quantity":"1","purchase_date_ms":"1620036000000",
            "original_purchase_date_ms":"1620036000000","cancellation_date_ms":"1620900000000",
            "cancellation_reason":"0"}]}}
            """#
        let history = try SubscriptionTimeline(of: [body]).history
        #expect(history.map(\.isEntitled) == [true, false])
        #expect(history.map(\.validFrom.milliseconds) == [1_620_036_000_000, 1_620_900_000_000])
        #expect(history.map(\.knownFrom?.milliseconds) == [1_620_036_000_000, 1_620_036_000_000])
    }

    @Test("After an undated refund, a one-time purchase is not certainly entitled")
    func undatedRefund() throws {
        let bodies = [
            #"""
            {"notification_type":"CONSUMPTION_REQUEST","environment":"PROD","bid":"com.example.app",
            "original_transaction_id":"310000000000003","unified_receipt":{
            "latest_receipt_info":[{"transaction_id":"310000000000003","original_transaction_id":"310000000000003",
            "product_id":"com.example.coins","purchase_date_ms":"1620036000000"}]}}
            """#,
            #"""
            {"notification_type":"REFUND","environment":"PROD","bid":"com.example.app",
            "original_transaction_id":"310000000000003","latest_receipt":"MIIb"}
            """#,
        ]
        let last = try #require(SubscriptionTimeline(of: bodies).history.last)
        #expect(last.isEntitled != true)
    }

    @Test("A period that was refunded, given back and refunded again is revoked after its end too")
    func refundedAgain() throws {
        let bodies = [
            Body(type: "INITIAL_BUY", at: 0, renews: false),
            Body(type: "CANCEL", at: 10, renews: false, revoked: 10),
            Body(type: "CANCEL", at: 11, renews: false, revoked: 11),
        ]
        let found = Self.states(try Self.timeline(bodies.map(\.unsigned)))
        #expect(found == ["0 1 31 off exact", "10 5 - off inferred", "11 5 - off inferred"])
    }

    @Test("A cancellation of a shared subscription ends access, whether it was refunded or revoked")
    func sharedCancellation() throws {
        let body = Body(type: "CANCEL", at: 10, renews: false, revoked: 10).unsigned
            .replacing(#""product_id""#, with: #""in_app_ownership_type":"FAMILY_SHARED","product_id""#)
        let last = try #require(SubscriptionTimeline(of: [body]).history.last)
        #expect(last.status == .revoked && last.isEntitled == false && last.certainty == .inferred)
        #expect(last.flags.map(\.rawValue) == ["REVOKE_OR_REFUND", "DOC_CONTRADICTION"])
    }

    @Test("The last event is the one that changed the status, not what was switched at the same instant")
    func lastEvent() throws {
        let bodies = [
            Body(type: "CANCEL", at: 10, renews: false, revoked: 10),
            Body(type: "DID_CHANGE_RENEWAL_STATUS", at: 10, renews: false, revoked: 10),
        ]
        let timeline = try Self.timeline([Self.buy.unsigned] + bodies.map(\.unsigned))
        let refund = try #require(timeline.settled().first(where: { $0.type == EventKind.refundIssued }))
        #expect(timeline.history.last?.lastEventID == refund.id)
    }

    @Test("An undated switch is ignored if its body does not list the current period", arguments: [1, 2])
    func oldSwitch(shown: Int) throws {
        let bodies = [
            Self.buy, Body(type: "DID_RENEW", period: 2, at: 31),
            Body(type: "DID_CHANGE_RENEWAL_STATUS", period: shown, at: 32.1, isDated: false, renews: false),
        ]
        let last = try #require(Self.timeline(bodies.map(\.unsigned), asOf: nil).history.last)
        #expect(last.renewal.autoRenewStatus == (shown == 1 ? .on : .off))
    }

    @Test("A version 2 purchase signed after renewal was switched off leaves renewal inferred")
    func signedAfterASwitch() throws {
        let off = Body(type: "DID_CHANGE_RENEWAL_STATUS", at: 7, renews: false)
        let signed = Body(type: "SUBSCRIBED", subtype: "INITIAL_BUY", at: 10)
        let found = Self.states(try Self.timeline([Self.buy.unsigned, off.unsigned, signed.signed], asOf: nil))
        #expect(found.last == "10 1 31 on inferred")
    }

    @Test("A period after a failed renewal begins when a body that shows it was written, not when that arrived")
    func lateRecovery() throws {
        let recovered = Body(type: "DID_RENEW", period: 2, at: 33, arrived: 49, status: 1)
        let refund = Body(type: "REFUND", period: 2, at: 50, arrived: 50.1, renews: false, status: 5, revoked: 50)
        let off = Body(
            type: "DID_CHANGE_RENEWAL_STATUS", period: 2, at: 50, arrived: 52, renews: false, status: 1)
        for (body, expected) in [
            (recovered, "33 1 59 on exact"), (refund, "50 5 - off exact"), (off, "50 1 59 off exact"),
        ] {
            let found = Self.states(try Self.timeline([Self.failed.signed, body.signed], asOf: nil))
            #expect(found.contains(expected), "\(found)")
        }
    }

    private static let failed = Body(type: "DID_FAIL_TO_RENEW", at: 31, arrived: 31, status: 4, grace: 47)

    @Test("A billing retry that ends by time ends renewal, and the default instant is the latest signature")
    func byTime() throws {
        let now = Self.states(try Self.timeline([Self.failed.signed], asOf: nil))
        #expect(now.last == "31 4 47 on exact")
        let later = Self.states(try Self.timeline([Self.failed.signed], asOf: 104))
        #expect(later.last == "91 2 - off inferred")
        let recovered = Body(
            type: "DID_RENEW", subtype: "BILLING_RECOVERY", period: 2, at: 93.2, end: 124, status: 1, begin: 93.2)
        let returned = Self.states(try Self.timeline([Self.failed, recovered].map(\.signed), asOf: 104))
        #expect(returned.suffix(2) == ["47 3 - on inferred", "93.2 1 124 on exact"])
        let refund = Body(type: "REFUND", at: 29, renews: false, status: 5, revoked: 10)
        let refunded = Self.states(try Self.timeline([Self.bought.signed, refund.signed], asOf: nil))
        #expect(refunded.last == "29 5 - off exact")
    }

    @Test("A body without a date that shows a period was written after renewal was on for it")
    func writtenSince() throws {
        let asked = Body(type: "CONSUMPTION_REQUEST", at: 1, renews: false)
        let found = Self.states(try Self.timeline([Self.buy, asked].map(\.unsigned), asOf: nil))
        #expect(found == ["0 1 31 on ambiguous", "1 1 31 off inferred"])
    }

    @Test("A revocation that was taken back ends neither the transaction nor the period")
    func revocationTakenBack() throws {
        let revoked = Body(type: "REVOKE", at: 10, status: 5, revoked: 10)
        let runs = Body(type: "DID_CHANGE_RENEWAL_STATUS", at: 20, status: 1)
        for bodies in [[Self.buy, revoked, runs].map(\.unsigned), [Self.bought, revoked, runs].map(\.signed)] {
            let timeline = try Self.timeline(bodies, asOf: 40)
            #expect(Self.states(timeline).last == "31 - ? on unknown")
            #expect(timeline.transactions.map(\.endReason) == [.expired])
        }
    }

    @Test("What later records prove, and nothing reports, makes an earlier state uncertain")
    func lostAndProven() throws {
        let off = Body(type: "DID_CHANGE_RENEWAL_STATUS", at: 5, renews: false, status: 1)
        let refundOfOther = Body(type: "REFUND", at: 20, status: 1)
        let inGrace = Body(type: "DID_CHANGE_RENEWAL_STATUS", period: 2, at: 40, renews: false, status: 1)
        let retry = Body(type: "DID_FAIL_TO_RENEW", at: 31, status: 3)
        let ahead = Body(
            type: "REFUND", period: 2, at: 69.5, end: 100, renews: false, status: 1, revoked: 69.5, begin: 70)
        let renewed = Body(type: "DID_RENEW", period: 2, at: 20, end: 50, status: 1, product: "pro", begin: 20.5)
        let charged = Body(type: "DID_RENEW", period: 2, at: 30.5, status: 1)
        let asked = Body(type: "CONSUMPTION_REQUEST", period: 2, at: 40, renews: false, status: 1)
        let cases: [([Body], String)] = [
            // Switched on again before a refund that leaves renewal on.
            ([Self.bought, off, refundOfOther], "5 1 31 off ambiguous"),
            // Paid for within grace.
            ([Self.failed, inGrace], "31 4 47 on inferred"),
            // Only a running subscription is charged ahead.
            ([Self.bought, retry, ahead], "31 3 - on ambiguous"),
            // A renewal before the end of the known period: another plan had replaced it.
            ([Self.bought, renewed], "0 1 31 on ambiguous"),
            // Switched off after the charge, perhaps before the period began.
            ([Self.bought, charged, asked], "30.5 1 59 on ambiguous"),
        ]
        for (bodies, expected) in cases {
            let found = Self.states(try Self.timeline(bodies.map(\.signed), asOf: nil))
            #expect(found.contains(expected), "\(found)")
        }
    }

    @Test("What nothing dates or shows, and what proves a loss, leaves no state certain")
    func undated() throws {
        func fields(_ type: String, _ more: String = "") -> String {
            #"{"notification_type":"\#(type)","environment":"PROD","bid":"app","original_transaction_id":"1"\#(more)}"#
        }
        func once(_ type: String, _ day: Int64) -> String {
            #"{"notificationType":"\#(type)","notificationUUID":"\#(day)","version":"2.0","signedDate":"#
                + #"\#(1_704_103_200_000 + day * 86_400_000),"data":{"environment":"Production","bundleId":"app","#
                + #""transactionInfo":{"transactionId":"1","originalTransactionId":"1","productId":"gem","#
                + #""purchaseDate":1704103200000,"type":"Non-Consumable"}}}"#
        }
        let retry = Body(type: "DID_FAIL_TO_RENEW", at: 31.1, status: 3)
        let plan = fields("INTERACTIVE_RENEWAL", #","auto_renew_status":"true","auto_renew_product_id":"yearly""#)
        let expired = Body(type: "EXPIRED", subtype: "VOLUNTARY", at: 31.1, renews: false, status: 2)
        let failed = Body(type: "DID_FAIL_TO_RENEW", period: 2, at: 180, end: 180, status: 3, begin: 150)
        let renewed = failed.signed.replacing(
            #""transactionId":"2""#, with: #""transactionReason":"RENEWAL","transactionId":"2""#)
        let returned = Body(type: "SUBSCRIBED", subtype: "RESUBSCRIBE", period: 2, at: 33, begin: 33)
        let off = [5.0, 10].map {
            Body(type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", at: $0, renews: false)
        }
        let cases: [([String], String)] = [
            ([Self.bought.signed, fields("REVOKE")], "0 1 31 on ambiguous"),
            ([Self.bought.signed, fields("CANCEL")], "0 1 31 on ambiguous"),
            ([Self.bought.signed, retry.signed, fields("DID_RECOVER")], "31.1 3 - on ambiguous"),
            ([Self.buy.unsigned, #"{"received_at":1704967200000,"body":\#(plan)}"#], "10 1 31 on ambiguous"),
            ([Self.bought.signed] + off.map(\.unsigned) + off.map(\.signed), "5 1 31 off ambiguous"),
            ([Self.bought.signed, expired.signed, renewed], "31.1 2 - off ambiguous"),
            ([Self.bought.signed, returned.signed], "0 1 31 on ambiguous"),
            ([once("ONE_TIME_CHARGE", 0), once("REFUND_REVERSED", 20)], "0 - - - inferred"),
        ]
        for (bodies, expected) in cases {
            let found = Self.states(try Self.timeline(bodies, asOf: nil))
            #expect(found.contains(expected), "\(found)")
        }
    }

    @Test("Renewal is not claimed for certain where only a history of transactions shows a period")
    func historyAlone() throws {
        let history = #"""
            {"bundleId":"com.example.app","environment":"Production","hasMore":false,"signedTransactions":[
            {"transactionId":"1","originalTransactionId":"1","productId":"monthly","type":"Auto-Renewable Subscription",
            "purchaseDate":1640995200000,"expiresDate":1643673600000,"signedDate":1642000000000}]}
            """#
        let states = try SubscriptionTimeline(of: [], answers: [history]).history
        #expect(states.map(\.certainty) == [.ambiguous])
        #expect(states.first?.flags == ["AUTO_RENEW_STATE_UNKNOWN"])
        // Nor is it before the first notification of the subscription.
        let renewed = Body(type: "DID_RENEW", period: 2, at: 31, arrived: 31)
        let bought = history.replacing("1640995200000", with: "1704103200000")
            .replacing("1643673600000", with: "1706781600000").replacing("1642000000000", with: "1704967200000")
            .replacing("com.example.app", with: "app")
        let found = Self.states(try Self.timeline([renewed.unsigned], answers: [bought]))
        #expect(found.first == "10 1 31 on ambiguous")
    }

    @Test("A transaction ends with what version 2 says of its end, and not before the instant that is asked for")
    func ends() throws {
        func ends(_ bodies: [Body], asOf: Double? = nil) throws -> [String] {
            try Self.timeline(bodies.map(\.signed), asOf: asOf).transactions.map { row in
                "\(row.endReason?.rawValue ?? "-") \(Self.day(row.endedAt)) \(row.replacedBy ?? "-")"
            }
        }
        let refund = Body(type: "REFUND", at: 10.1, renews: false, status: 5, revoked: 10)
        let reversal = Body(type: "REFUND_REVERSED", at: 20, status: 1)
        #expect(try ends([Self.bought, refund]) == ["refunded 10 -"])
        #expect(try ends([Self.bought, refund], asOf: 0.1) == ["- - -"])
        #expect(try ends([Self.bought, refund, reversal]) == ["- - -"])
        #expect(try ends([Self.bought, refund, reversal], asOf: 11) == ["refunded 10 -"])
        let upgrade = Body(
            type: "DID_CHANGE_RENEWAL_PREF", subtype: "UPGRADE", period: 2, at: 23.2, status: 1, product: "yearly",
            begin: 23.2)
        #expect(try ends([Self.bought, upgrade]) == ["upgraded 23.2 2", "- - -"])
    }

    @Test("The certainty of a transaction is at most that of the event that reports its end")
    func surenessOfEnds() throws {
        for (name, end) in [
            ("cancel-superseded-alone", "upgraded ambiguous"), ("cancel-upgraded-since-2022", "upgraded inferred"),
        ] {
            let bytes = try Fixture.bytes("Fixtures/timelines/\(name)/input.ndjson")
            let records = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            let row = try #require(SubscriptionTimeline(of: records).transactions.first)
            #expect("\(row.endReason?.rawValue ?? "-") \(row.certainty.rawValue)" == end)
        }
    }

    @Test("A refund that no list shows ends the transaction too, and one that its own list denies leaves it open")
    func reportedRefund() throws {
        let only =
            #"{"received_at":1704103200000,"body":{"notification_type":"%","environment":"PROD","bid":"app","#
            + #""auto_renew_status":"true","original_transaction_id":"1","transaction_id":"1","product_id":"monthly","#
            + #""purchase_date_ms":"1704103200000","expires_date_ms":"1706781600000"}}"#
        let bought = only.replacing("%", with: "INITIAL_BUY")
        let cancelled = only.replacing("%", with: #"CANCEL","cancellation_date_ms":"1704967200000"#)
        let refund = try #require(Self.timeline([bought, cancelled]).transactions.first)
        #expect(refund.endReason == .refunded && Self.day(refund.endedAt) == "10" && refund.certainty == .exact)
        #expect(Self.day(refund.transaction.revokedAt) == "10")
        #expect(try Self.timeline([bought, cancelled], asOf: 9).transactions.first?.endReason == nil)

        let denied = try Self.timeline([Self.buy, Body(type: "CANCEL", at: 10)].map(\.unsigned), asOf: 20)
        let row = try #require(denied.transactions.first)
        #expect(row.endReason == nil && row.certainty == .ambiguous)
        #expect(denied.history.last.map { $0.isEntitled == nil && $0.certainty == .ambiguous } == true)
    }
}
