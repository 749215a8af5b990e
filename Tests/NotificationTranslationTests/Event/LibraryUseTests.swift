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

    @Test("One event is not the first of several")
    func several() throws {
        let page = "{\"notificationHistory\":[\(Self.body),\(Self.body)]}"
        let error = try #require(Self.failure(page))
        #expect(error.code == .severalNotifications && error.cause == .severalNotifications)
        let sentence = "2 notifications where one is expected; NotificationNormalizer.events(from:) takes them"
        #expect(error.description == sentence)
        let alone = #expect(throws: NotificationError.self) { try V1Notification(Array(page.utf8)) }
        #expect(alone?.cause == .severalNotifications)
        #expect(try Self.normalizer.events(from: Array(page.utf8)).count == 2)
        #expect(Self.failure("{\"notificationHistory\":[\(Self.body)]}") == nil)
    }

    @Test("The cause of an error says what to do about it")
    func causes() {
        #expect(Self.failure("{")?.cause == .unreadable)
        #expect(Self.failure("{}")?.cause == .noNotification)
        #expect(Self.failure(String(repeating: "[", count: 65))?.cause == .overLimit)
        func cause(_ code: String) -> NotificationError.Cause {
            NotificationError(code: .init(rawValue: code), path: "", offset: 0, sentence: "").cause
        }
        #expect(cause("record.too-long") == .overLimit)
        let notForged: [AuthenticityError.Reason: NotificationError.Cause] = [
            .malformed: .unreadable, .tooLong: .overLimit, .receiptTooLong: .overLimit, .noVerifier: .misconfigured,
            .noSecret: .misconfigured, .unavailable: .misconfigured, .badRoot: .misconfigured, .noRoots: .misconfigured,
            .receiptSHA1: .misconfigured,
        ]
        for reason in AuthenticityError.Reason.allCases {
            #expect(cause(reason.rawValue) == notForged[reason] ?? .untrusted, "\(reason)")
        }
    }

    @Test("Every name that is known has a constant")
    func constants() {
        #expect(EventKind.subscriptionRenewed.rawValue == "subscription.renewed")
        #expect(AmbiguityFlag.historyMissing.meaning != nil)
        #expect(
            NotificationPair(type: .didRenew, subtype: .billingRecovery).description == "DID_RENEW/BILLING_RECOVERY")
        #expect(NameSource.identifier("billing.grace_ended") == "billingGraceEnded")
    }

    @Test("An event can be made by hand and is like any other")
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
