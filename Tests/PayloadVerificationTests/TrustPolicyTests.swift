@testable import NotificationTranslation
import PayloadVerification
import Testing

@Suite("A trust policy") struct TrustPolicyTests {
    private static let app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .production)

    private static func secrets() throws -> SharedSecrets { try SharedSecrets(["right", "also right"]) }

    /// What becomes of a version 1 body.
    private static func v1(
        _ policy: TrustPolicy, _ password: String?, bundleID: String? = "com.example.app",
        environment: String? = "PROD"
    ) -> Outcome {
        func judge(_ bytes: UnsafeRawBufferPointer?) -> Outcome {
            Outcome { () throws(AuthenticityError) in
                try policy.authenticity(ofPassword: bytes, bundleID: bundleID, environment: environment)
            }
        }
        guard let password else { return judge(nil) }
        return Array(password.utf8).withUnsafeBytes { judge($0) }
    }

    private static func signed(_ policy: TrustPolicy) throws -> Outcome {
        let text = Array(try Forged.text().utf8)
        return Outcome { () throws(AuthenticityError) in try policy.authenticity(ofSignedPayload: text) }
    }

    private static func unsigned(_ policy: TrustPolicy) -> Outcome {
        Outcome { () throws(AuthenticityError) in
            try policy.authenticity(ofUnsigned: .init(bundleID: "com.example.app", environment: "Production"))
        }
    }

    private typealias Outcome = Result<Authenticity, AuthenticityError>

    @Test("A trust policy takes each notification as what its proof makes it, and refuses the rest")
    func takesWhatIsProven() throws {
        let (verifier, secrets) = (try Forged.verifier, try Self.secrets())
        let unsigned = Outcome.failure(AuthenticityError(.unsigned))
        let wrong = Outcome.failure(AuthenticityError(.secretMismatch, path: "password"))
        let missing = Outcome.failure(AuthenticityError(.secretMissing, path: "password"))
        let (noSecret, noVerifier) = (Outcome.failure(.init(.noSecret)), Outcome.failure(.init(.noVerifier)))
        let untrusted = Outcome.failure(AuthenticityError(.untrustedRoot, path: "x5c[1]"))
        let (verified, shared, unverified) = (
            Outcome.success(.verified), Outcome.success(.sharedSecret), Outcome.success(.unverified)
        )
        let verifying = TrustPolicy.verify(verifier, expecting: Self.app)
        let sharing = TrustPolicy.sharedSecrets(secrets, expecting: Self.app)
        let both = TrustPolicy.verify(verifier, sharedSecrets: secrets, expecting: Self.app)
        let stranger = TrustPolicy.verify(try AppStoreVerifier(), expecting: Self.app)
        // A signed notification, an unsigned one, and version 1 with the secret, another and none.
        let expected: [(policy: TrustPolicy, outcomes: [Outcome])] = [
            (verifying, [verified, unsigned, noSecret, noSecret, noSecret]),
            (sharing, [noVerifier, unsigned, shared, wrong, missing]),
            (both, [verified, unsigned, shared, wrong, missing]),
            (.trustingTheSource, [unverified, unverified, unverified, unverified, unverified]),
            // What is unproven is trusted, and what fails is still refused.
            (both.trustingTheSourceWhereUnproven(), [verified, unverified, shared, wrong, unverified]),
            (sharing.trustingTheSourceWhereUnproven(), [unverified, unverified, shared, wrong, unverified]),
            (stranger.trustingTheSourceWhereUnproven(), [untrusted, unverified, unverified, unverified, unverified]),
        ]
        for (place, (policy, outcomes)) in expected.enumerated() {
            let version1 = ["right", "wrong", nil].map { Self.v1(policy, $0) }
            #expect(try [Self.signed(policy), Self.unsigned(policy)] + version1 == outcomes, "row \(place)")
        }
        #expect(Self.v1(sharing, "also right") == shared && Self.v1(sharing, "") == missing)
        #expect(Self.v1(.trustingTheSource, "whatever", bundleID: nil, environment: nil) == unverified)
    }

    @Test("A trust policy checks the expected app of version 1 too") func versionOneMustBeOfTheExpectedAppToo() throws {
        let policy = TrustPolicy.sharedSecrets(try Self.secrets(), expecting: Self.app)
        #expect(Self.v1(policy, "right", bundleID: "com.example.other") == .failure(AuthenticityError(.bundleID)))
        #expect(Self.v1(policy, "right", bundleID: nil) == .failure(AuthenticityError(.bundleID)))
        #expect(Self.v1(policy, "right", environment: "Sandbox") == .failure(AuthenticityError(.environment)))
        #expect(Self.v1(policy, "right", environment: nil) == .failure(AuthenticityError(.environment)))
        #expect(Self.v1(policy, "right", environment: "Production") == .success(.sharedSecret))
    }

    @Test("A trust policy takes local environments unverified, and only where configured")
    func localEnvironmentsAreUnverifiedAndOnlyWhereConfigured() throws {
        let payload = Token.notification(environment: "Xcode")
        var token = Token(try Forged.chain, payload: payload)
        token.key = try SigningKey(.p256)
        let text = Array(try token.text().utf8)
        let verifier = try AppStoreVerifier()
        func policy(_ environment: NotificationEnvironment) -> TrustPolicy {
            let app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: environment)
            return .verify(verifier, expecting: app)
        }
        let xcode = policy(.xcode)
        #expect(try xcode.authenticity(ofSignedPayload: text) == .unverified)
        let tests = policy(.localTesting)
        #expect(throws: AuthenticityError(.environment, path: "data")) { try tests.authenticity(ofSignedPayload: text) }
        let production = TrustPolicy.verify(verifier, expecting: Self.app)
        #expect(throws: AuthenticityError.self) { try production.authenticity(ofSignedPayload: text) }
        // A payload that Apple signed does not become local by what it says.
        let real = Array(try Forged.text().utf8)
        #expect(throws: AuthenticityError(.environment, path: "data")) { try xcode.authenticity(ofSignedPayload: real) }
    }

    @Test("A trust policy of secrets alone takes no local payloads") func secretsAloneTakeNoLocalPayloads() throws {
        let app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .xcode)
        let policy = TrustPolicy.sharedSecrets(try Self.secrets(), expecting: app)
        #expect(try Self.signed(policy) == .failure(AuthenticityError(.noVerifier)))
    }

    @Test("A trust policy compares the Apple ID where no environment is said")
    func comparesTheAppleIDWhereNoEnvironmentIsSaid() throws {
        let payload = """
            {"notificationType":"TEST","data":{"bundleId":"com.example.app","appAppleId":5},\
            "signedDate":\(Token.signedDate)}
            """
        let text = Array(try Forged.text(payload).utf8)
        let app = ExpectedApp(bundleIDs: nil, appAppleIDs: [41234], environment: nil)
        let policy = TrustPolicy.verify(try Forged.verifier, expecting: app)
        #expect(throws: AuthenticityError(.appAppleID, path: "data")) { try policy.authenticity(ofSignedPayload: text) }
    }

    @Test("A trust policy takes a caller's own verifier") func takesACallersOwnVerifier() throws {
        struct Everything: SignedPayloadVerifier {
            func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
                if kind == .renewal { throw AuthenticityError(.refused) }
                return VerificationTime(milliseconds: 0, basis: .now)
            }
        }
        let policy = TrustPolicy.verify(Everything(), expecting: Self.app)
        #expect(try Self.signed(policy) == .success(.verified))
        let renewal = Token.notification(renewal: try Forged.text(Token.renewal()))
        let text = Array(try Forged.text(renewal).utf8)
        #expect(throws: AuthenticityError(.refused, path: "data.signedRenewalInfo")) {
            try policy.authenticity(ofSignedPayload: text)
        }
    }

    @Test("A trust policy of verified texts takes these texts and their parts only")
    func alreadyVerifiedTakesTheseTextsAndTheirPartsOnly() throws {
        let part = try Forged.text(Token.transaction())
        let whole = try Forged.text(Token.notification(transaction: part))
        let bytes = Array(whole.utf8)
        let both = TrustPolicy.verify(AlreadyVerified([whole, part]), expecting: Self.app)
        #expect(try both.authenticity(ofSignedPayload: bytes) == .verified)
        let one = TrustPolicy.verify(AlreadyVerified([whole]), expecting: Self.app)
        #expect(throws: AuthenticityError(.refused, path: "data.signedTransactionInfo")) {
            try one.authenticity(ofSignedPayload: bytes)
        }
        let none = TrustPolicy.verify(AlreadyVerified([]), expecting: Self.app)
        #expect(throws: AuthenticityError(.refused)) { try none.authenticity(ofSignedPayload: bytes) }
    }

    @Test("A trust policy has a code and a sentence for every refusal") func everyRefusalHasItsOwnCodeAndSentence() {
        let reasons = AuthenticityError.Reason.allCases
        #expect(Set(reasons.map(\.code)).count == reasons.count)
        #expect(Set(reasons.map(\.sentence)).count == reasons.count)
        for reason in reasons {
            #expect(reason.code.contains("."))
            #expect(AuthenticityError(reason).code.rawValue == reason.code)
        }
        #expect(AuthenticityError(.expired, path: "x5c[0]").description.hasPrefix("x5c[0]: the certificate"))
    }

    @Test("A trust policy puts no values into refusals") func refusalsCarryNoValues() throws {
        let canary = "CANARY-7f3a"
        let payloads = [
            Token.notification(bundleID: canary), Token.notification(environment: canary),
            Token.notification(signedDate: "\"\(canary)\""), "{\"\(canary)\":1,\"\(canary)\":2}", canary,
            Token.notification(transaction: canary),
        ]
        for payload in payloads {
            let text = Array(try Forged.text(payload).utf8)
            let policy = TrustPolicy.verify(try Forged.verifier, expecting: Self.app)
            let error = #expect(throws: AuthenticityError.self) { try policy.authenticity(ofSignedPayload: text) }
            let shown = "\(error.map { "\($0) \($0.path) \($0.code)" } ?? "") \(String(reflecting: error))"
            #expect(!shown.contains(canary))
        }
    }
}
