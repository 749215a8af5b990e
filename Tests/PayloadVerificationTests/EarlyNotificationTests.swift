import NotificationTranslation
import Testing

@testable import PayloadVerification

/// Notifications without a date of their own, as Apple sent them in late 2021 and in 2022.
@Suite("Notifications without a signed date")
struct EarlyNotificationTests {
    private static let sandbox = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .sandbox)

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
        var early = try EarlyNotification(below: try Forged.chain)
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
        let name = Self.genuine[place].name
        for expected in [environment == "Sandbox" ? Self.sandbox : Forged.app, .any] {
            #expect(try Forged.outcome(of: text, expecting: expected) == .success(.verified), "\(name)")
        }
        let time = try Forged.verifier.time(of: text)
        #expect(time == VerificationTime(milliseconds: Self.genuine[place].time, basis: .signedDateInside), "\(name)")
    }

    @Test(
        "Notifications without a signed date are judged alike on every day",
        arguments: [1_646_093_000_000, Token.now, 4_000_000_000_000] as [Int64])
    func judgedAlikeOnEveryDay(_ now: Int64) throws {
        let verifier = try AppStoreVerifier(roots: [Forged.chain.root], clock: { now })
        for place in Self.genuine.indices {
            let text = try Self.text(place, "Production")
            #expect(try Forged.outcome(of: text, expecting: .any, verifier: verifier) == .success(.verified))
        }
    }

    @Test("Notifications without a signed date may hold parts that another leaf signed")
    func severalLeaves() throws {
        let trusted = try Forged.chain
        var early = try EarlyNotification(below: trusted)
        let before = try EarlyNotification.chain(below: trusted, from: "20200301000000Z", to: "20220315000000Z")
        let payload = Token.transaction(environment: nil, signedDate: EarlyNotification.made)
        early.transaction = try Token(before, payload: payload).text()
        #expect(try Forged.outcome(of: early.text()) == .success(.verified))
    }

    @Test("Notifications without a signed date are dated by an app transaction, too")
    func datedByAnAppTransaction() throws {
        let early = try EarlyNotification.chain(below: try Forged.chain)
        let part = try Token(early, payload: Token.appTransaction(created: EarlyNotification.made)).text()
        let text = try Token(early, payload: Token.consent(appTransaction: part, signedDate: nil)).text()
        #expect(try Forged.outcome(of: text) == .success(.verified))
        let time = try Forged.verifier.time(of: text)
        #expect(time == VerificationTime(milliseconds: EarlyNotification.made, basis: .signedDateInside))
    }

    @Test("Notifications without a signed date do not lend their date to each other")
    func judgedOneByOne() throws {
        var dated = try EarlyNotification(below: try Forged.chain)
        let undated = try dated.text()
        dated.transaction = try dated.transaction()
        let texts = [try dated.text(), undated, try dated.text(), undated]
        let outcomes = try texts.map { try Forged.outcome(of: $0) }
        let refused: Result<Authenticity, AuthenticityError> = .failure(.init(.notValidToday, path: "x5c[0]"))
        #expect(outcomes == [.success(.verified), refused, .success(.verified), refused])
    }

    @Test("Notifications are judged today where nothing inside is dated, and the message claims no date")
    func judgedTodayWithoutAnyDate() throws {
        var early = try EarlyNotification(below: try Forged.chain)
        early.renewal = try early.renewal(signedDate: nil)
        let text = try early.text()
        let root = try Forged.chain.root
        let then = try AppStoreVerifier(roots: [root], clock: { EarlyNotification.made })
        #expect(try Forged.outcome(of: text, verifier: then) == .success(.verified))
        #expect(try then.time(of: text) == VerificationTime(milliseconds: EarlyNotification.made, basis: .now))
        for now in [Token.now, 1_600_000_000_000] {
            let verifier = try AppStoreVerifier(roots: [root], clock: { now })
            let outcome = try Forged.outcome(of: text, verifier: verifier)
            #expect(outcome == .failure(AuthenticityError(.notValidToday, path: "x5c[0]")))
        }
        let sentence = AuthenticityError(.notValidToday, path: "x5c[0]").description
        #expect(
            sentence == "x5c[0]: the certificate is not valid today, and the payload does not say when it was signed")
    }

    @Test("A part without a date is judged at the date of the notification")
    func undatedPartOfADatedNotification() throws {
        let early = try EarlyNotification(below: try Forged.chain)
        let payload = Token.notification(
            signedDate: "\(EarlyNotification.made)",
            transaction: try early.transaction(signedDate: nil),
            renewal: try early.renewal(signedDate: nil)
        )
        #expect(try Forged.outcome(of: Token(early.chain, payload: payload).text()) == .success(.verified))
    }
}
