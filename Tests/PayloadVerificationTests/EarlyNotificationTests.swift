import NotificationTranslation
import Testing

@testable import PayloadVerification

/// Notifications without a date of their own, as Apple sent them in late 2021 and in 2022.
@Suite("Notifications without a signed date")
struct EarlyNotificationTests {
    private static let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 41234, environment: .production)
    private static let sandbox = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .sandbox)

    private static func time(_ text: String, _ verifier: AppStoreVerifier) throws -> VerificationTime {
        try Array(text.utf8).withUnsafeBytes { try verifier.verify($0.bytes, as: .notification) }
    }

    /// The dates of the parts that a genuine notification of this time may carry, and the time it is judged at.
    static let genuine: [(name: String, transaction: Int64??, renewal: Int64??, time: Int64)] = {
        let made = EarlyNotification.made
        return [
            ("transaction and renewal", made, made, made), ("transaction only", made, nil, made),
            ("renewal only", nil, made, made),
            ("renewal a second after the transaction", made, made + 1000, made + 1000),
            ("transaction without a date beside a renewal with one", .some(nil), made, made),
        ]
    }()

    private static func text(_ place: Int, _ environment: String) throws -> String {
        var early = try EarlyNotification(below: try Forged.chain.get())
        early.environment = environment
        if let transaction = genuine[place].transaction {
            early.transaction = try early.transaction(signedDate: transaction)
        }
        if let renewal = genuine[place].renewal { early.renewal = try early.renewal(signedDate: renewal) }
        return try early.text()
    }

    @Test(
        "Notifications without a signed date are judged at the latest date of what is signed inside",
        arguments: genuine.indices, ["Production", "Sandbox"])
    func judgedAtTheDateInside(_ place: Int, _ environment: String) throws {
        let text = try Self.text(place, environment)
        let verifier = try Forged.verifier.get()
        let expected = environment == "Sandbox" ? Self.sandbox : Self.app
        let name = Self.genuine[place].name
        #expect(Forged.outcome(of: text, expecting: expected, verifier: verifier) == .success(.verified), "\(name)")
        #expect(Forged.outcome(of: text, expecting: .any, verifier: verifier) == .success(.verified), "\(name)")
        let time = try Self.time(text, verifier)
        #expect(time == VerificationTime(milliseconds: Self.genuine[place].time, basis: .signedDateInside), "\(name)")
    }

    @Test(
        "Notifications without a signed date are judged alike on every day",
        arguments: [1_646_093_000_000, Token.now, 4_000_000_000_000] as [Int64])
    func judgedAlikeOnEveryDay(_ now: Int64) throws {
        let root = try Forged.chain.get().root
        let verifier = try AppStoreVerifier(roots: [root], clock: { now })
        for place in Self.genuine.indices {
            let text = try Self.text(place, "Production")
            #expect(Forged.outcome(of: text, expecting: .any, verifier: verifier) == .success(.verified))
        }
    }

    @Test("Notifications without a signed date may hold parts that another leaf signed")
    func severalLeaves() throws {
        let trusted = try Forged.chain.get()
        var early = try EarlyNotification(below: trusted)
        let before = try EarlyNotification.chain(below: trusted, from: "20200301000000Z", to: "20220315000000Z")
        let payload = Token.transaction(environment: nil, signedDate: EarlyNotification.made)
        early.transaction = try Token(before, payload: payload).text()
        let outcome = Forged.outcome(of: try early.text(), expecting: Self.app, verifier: try Forged.verifier.get())
        #expect(outcome == .success(.verified))
    }

    @Test("Notifications without a signed date are dated by an app transaction, too")
    func datedByAnAppTransaction() throws {
        let early = try EarlyNotification.chain(below: try Forged.chain.get())
        let part = try Token(early, payload: Token.appTransaction(created: EarlyNotification.made)).text()
        let text = try Token(early, payload: Token.consent(appTransaction: part, signedDate: nil)).text()
        let verifier = try Forged.verifier.get()
        #expect(Forged.outcome(of: text, expecting: Self.app, verifier: verifier) == .success(.verified))
        #expect(
            try Self.time(text, verifier)
                == VerificationTime(milliseconds: EarlyNotification.made, basis: .signedDateInside)
        )
    }

    @Test("Notifications without a signed date do not lend their date to each other")
    func judgedOneByOne() throws {
        let verifier = try Forged.verifier.get()
        var dated = try EarlyNotification(below: try Forged.chain.get())
        let undated = try dated.text()
        dated.transaction = try dated.transaction()
        let texts = [try dated.text(), undated, try dated.text(), undated]
        let outcomes = texts.map { Forged.outcome(of: $0, expecting: Self.app, verifier: verifier) }
        let refused = Result<Authenticity, AuthenticityError>.failure(
            AuthenticityError(.notValidToday, path: "x5c[0]")
        )
        #expect(outcomes == [.success(.verified), refused, .success(.verified), refused])
    }

    @Test("Notifications are judged today where nothing inside is dated, and the message claims no date")
    func judgedTodayWithoutAnyDate() throws {
        var early = try EarlyNotification(below: try Forged.chain.get())
        early.renewal = try early.renewal(signedDate: nil)
        let text = try early.text()
        let root = try Forged.chain.get().root
        let then = try AppStoreVerifier(roots: [root], clock: { EarlyNotification.made })
        #expect(Forged.outcome(of: text, expecting: Self.app, verifier: then) == .success(.verified))
        #expect(
            try Self.time(text, then) == VerificationTime(milliseconds: EarlyNotification.made, basis: .now)
        )
        for now in [Token.now, 1_600_000_000_000] {
            let verifier = try AppStoreVerifier(roots: [root], clock: { now })
            let outcome = Forged.outcome(of: text, expecting: Self.app, verifier: verifier)
            #expect(outcome == .failure(AuthenticityError(.notValidToday, path: "x5c[0]")))
        }
        let sentence = AuthenticityError(.notValidToday, path: "x5c[0]").description
        #expect(
            sentence == "x5c[0]: the certificate is not valid today, and the payload does not say when it was signed"
        )
    }

    @Test("A part without a date is judged at the date of the notification")
    func undatedPartOfADatedNotification() throws {
        let early = try EarlyNotification(below: try Forged.chain.get())
        let payload = Token.notification(
            signedDate: "\(EarlyNotification.made)",
            transaction: try early.transaction(signedDate: nil),
            renewal: try early.renewal(signedDate: nil)
        )
        let text = try Token(early.chain, payload: payload).text()
        let outcome = Forged.outcome(of: text, expecting: Self.app, verifier: try Forged.verifier.get())
        #expect(outcome == .success(.verified))
    }
}
