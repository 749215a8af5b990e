import Testing

@testable import NotificationTranslation

@Suite("What a user of the library can rely on")
struct LibraryUseTests {
    private static let normalizer = NotificationNormalizer(policy: .trustingTheSource)
    private static let body = #"{"notification_type":"REFUND","environment":"PROD"}"#

    private static func failure(_ body: String) -> NotificationError? {
        do {
            _ = try normalizer.event(from: Array(body.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("one event is not the first of several")
    func several() throws {
        let page = "{\"notificationHistory\":[\(Self.body),\(Self.body)]}"
        let error = try #require(Self.failure(page))
        #expect(error.code == .severalNotifications && error.cause == .severalNotifications)
        #expect(error.description == "2 notifications where one is expected; events(from:) takes them")
        #expect(try Self.normalizer.events(from: Array(page.utf8)).count == 2)
        #expect(Self.failure("{\"notificationHistory\":[\(Self.body)]}") == nil)
    }

    @Test("the cause of an error says what to do about it")
    func causes() {
        #expect(Self.failure("{")?.cause == .unreadable)
        #expect(Self.failure("{}")?.cause == .noNotification)
        for reason in VerificationError.Reason.allCases {
            let error = NotificationError(
                code: .init(rawValue: reason.rawValue), path: "", offset: 0, sentence: reason.sentence)
            #expect(error.cause == .untrusted)
        }
        let tooLong = NotificationError(code: .tooLong, path: "", offset: 0, sentence: "")
        #expect(tooLong.cause == .overLimit)
    }

    @Test("every name that is known has a constant")
    func constants() {
        #expect(EventKind.subscriptionRenewed.rawValue == "subscription.renewed")
        #expect(AmbiguityFlag.historyMissing.meaning != nil)
        #expect(
            NotificationPair(type: .didRenew, subtype: .billingRecovery).description == "DID_RENEW/BILLING_RECOVERY")
        #expect(NameSource.identifier("billing.grace_ended") == "billingGraceEnded")
    }

    @Test("an event can be made by hand and is like any other")
    func madeByHand() throws {
        var event = UnifiedEvent(id: "test-1", type: .subscriptionRenewed)
        event.entitlement = .grant
        event.transaction = UnifiedEvent.Transaction()
        event.transaction?.originalTransactionID = "1000"
        let read = String(decoding: event.line(), as: UTF8.self)
        #expect(read.contains(#""id":"test-1","type":"subscription.renewed","disposition":"event""#))
        #expect(read.contains(#""original_transaction_id":"1000""#) && read.contains(#""renewal":null"#))
        let entitlement: Entitlement? = event.entitlement
        #expect(entitlement != .unaffected)
    }

}
