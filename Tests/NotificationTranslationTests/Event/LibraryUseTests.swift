import Testing

@testable import NotificationTranslation

@Suite("What a user of the library can rely on")
struct LibraryUseTests {
    private static let body = #"{"notification_type":"REFUND","environment":"PROD"}"#

    private static func failure(_ body: String) -> NotificationError? {
        do {
            _ = try trusting.event(from: Array(body.utf8))
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
        #expect(try trusting.events(from: Array(page.utf8)).count == 2)
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
            .noSecret: .unexpectedVersion, .notNow: .unavailable,
            .unavailable: .misconfigured, .badRoot: .misconfigured, .noRoots: .misconfigured,
            .receiptSHA1: .misconfigured,
        ]
        for reason in AuthenticityError.Reason.allCases {
            #expect(cause(reason.code) == notForged[reason] ?? .untrusted, "\(reason)")
        }
        #expect(NotificationError(AuthenticityError(.noSecret, path: "bid")).cause == .misconfigured)
        let statuses = NotificationError.Cause.allCases.map { "\($0) \($0.httpStatus)" }
        #expect(
            statuses == [
                "untrusted 401", "misconfigured 503", "unavailable 503", "unexpectedVersion 400", "unreadable 200",
                "noNotification 400", "severalNotifications 200", "overLimit 200",
            ])
    }

    @Test("A server for version 2 alone answers version 1 with 400, and 503 while its verifier cannot say")
    func versionAndVerifier() throws {
        struct Down: SignedPayloadVerifier {
            func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
                throw .temporarilyUnavailable
            }
        }
        let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1, environment: .production)
        let normalizer = NotificationNormalizer(policy: .verify(Down(), expecting: app))
        let old = #expect(throws: NotificationError.self) { try normalizer.event(from: Array(Self.body.utf8)) }
        #expect(old?.cause == .unexpectedVersion && old?.code.rawValue == "trust.no-secret")
        let part = "e30"
        let signature = String(repeating: "A", count: 86)
        let signed = #"{"signedPayload":"\#(part).\#(part).\#(signature)"}"#
        let new = #expect(throws: NotificationError.self) { try normalizer.event(from: Array(signed.utf8)) }
        #expect(new?.cause == .unavailable && new?.cause.httpStatus == 503, "\(new?.code.rawValue ?? "")")
    }

    @Test("In production an app is told by its Apple id, so that it cannot be left out")
    func productionNeedsAppAppleID() throws {
        #expect(throws: ExpectedApp.MissingAppAppleID()) {
            try ExpectedApp(bundleID: "com.example.app", environment: .production)
        }
        #expect(throws: Never.self) { try ExpectedApp(bundleID: "com.example.app", environment: .sandbox) }
        let id: Int64? = 1
        #expect(throws: Never.self) { try ExpectedApp(bundleID: "a", appAppleID: id, environment: .production) }
    }

    @Test("An event read from its line is the same, digit for digit")
    func linesAreReadBack() throws {
        for file in ["2020.ndjson", "2023.ndjson"] {
            for body in try Fixture.bytes("Fixtures/archive/" + file).split(separator: 0x0A) {
                for event in try trusting.events(from: Array(body)) {
                    #expect(try UnifiedEvent(line: event.line()) == event)
                }
            }
        }
        var event = UnifiedEvent(id: "1", type: .unknown)
        event.details = .object(["amount": .number("12345678901234567890.10")])
        let line = event.line()
        let again = try UnifiedEvent(line: line + [0x0A])
        #expect(again == event)
        #expect(again.line() == line)
        let bad = #expect(throws: NotificationError.self) { try UnifiedEvent(line: Array("{}".utf8)) }
        #expect(bad?.code.rawValue == "event.bad-line")
    }

    @Test("A name is a constant or a literal")
    func constants() {
        #expect(EventKind.subscriptionRenewed == "subscription.renewed")
        #expect(AmbiguityFlag(rawValue: "HISTORY_MISSING").meaning != nil)
        #expect(
            NotificationPair(type: "DID_RENEW", subtype: "BILLING_RECOVERY").description == "DID_RENEW/BILLING_RECOVERY"
        )
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
