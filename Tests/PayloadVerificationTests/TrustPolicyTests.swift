import NotificationTranslation
import PayloadVerification
import Testing

@Suite("A trust policy") struct TrustPolicyTests {
    private static let app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .production)

    private static func secrets() throws -> SharedSecrets { try SharedSecrets(["right", "also right"]) }

    /// What becomes of a version 1 body.
    private static func v1(
        _ policy: TrustPolicy,
        _ password: String?,
        bundleID: String? = "com.example.app",
        environment: String? = "PROD"
    ) -> Result<Authenticity, AuthenticityError> {
        func judge(_ bytes: UnsafeRawBufferPointer?) -> Result<Authenticity, AuthenticityError> {
            do throws(AuthenticityError) {
                return .success(
                    try policy.authenticity(ofPassword: bytes, bundleID: bundleID, environment: environment)
                )
            } catch {
                return .failure(error)
            }
        }
        guard let password else { return judge(nil) }
        return Array(password.utf8).withUnsafeBytes { judge($0) }
    }

    private static func signed(_ policy: TrustPolicy) throws -> Result<Authenticity, AuthenticityError> {
        let text = Array(try Token(try Forged.chain.get()).text().utf8)
        do throws(AuthenticityError) {
            return .success(try policy.authenticity(ofSignedPayload: text))
        } catch {
            return .failure(error)
        }
    }

    private static func unsigned(_ policy: TrustPolicy) -> Result<Authenticity, AuthenticityError> {
        do throws(AuthenticityError) {
            return .success(
                try policy.authenticity(
                    ofUnsignedPayloadOf: "com.example.app",
                    appAppleID: nil,
                    environment: "Production"
                )
            )
        } catch {
            return .failure(error)
        }
    }

    @Test("A trust policy that verifies takes signed notifications only") func verifyTakesSignedNotificationsOnly()
        throws
    {
        let policy = TrustPolicy.verify(try Forged.verifier.get(), expecting: Self.app)
        #expect(try Self.signed(policy) == .success(.verified))
        #expect(Self.unsigned(policy) == .failure(AuthenticityError(.unsigned)))
        #expect(Self.v1(policy, "right") == .failure(AuthenticityError(.noSecret)))
    }

    @Test("A trust policy of shared secrets takes version 1 only") func sharedSecretsTakeVersionOneOnly() throws {
        let policy = TrustPolicy.sharedSecrets(try Self.secrets(), expecting: Self.app)
        #expect(try Self.signed(policy) == .failure(AuthenticityError(.noVerifier)))
        #expect(Self.unsigned(policy) == .failure(AuthenticityError(.unsigned)))
        #expect(Self.v1(policy, "right") == .success(.sharedSecret))
        #expect(Self.v1(policy, "also right") == .success(.sharedSecret))
        #expect(Self.v1(policy, "wrong") == .failure(AuthenticityError(.secretMismatch, path: "password")))
        #expect(Self.v1(policy, nil) == .failure(AuthenticityError(.secretMissing, path: "password")))
        #expect(Self.v1(policy, "") == .failure(AuthenticityError(.secretMissing, path: "password")))
    }

    @Test("A trust policy for both versions takes both proofs") func aMixedServerTakesBothProofs() throws {
        let policy = TrustPolicy.verify(
            try Forged.verifier.get(),
            sharedSecrets: try Self.secrets(),
            expecting: Self.app
        )
        #expect(try Self.signed(policy) == .success(.verified))
        #expect(Self.v1(policy, "right") == .success(.sharedSecret))
        #expect(Self.v1(policy, "wrong") == .failure(AuthenticityError(.secretMismatch, path: "password")))
        #expect(Self.unsigned(policy) == .failure(AuthenticityError(.unsigned)))
    }

    @Test("A trust policy that trusts the source takes everything as unverified")
    func trustingTheSourceTakesEverythingAsUnverified()
        throws
    {
        let policy = TrustPolicy.trustingTheSource
        #expect(try Self.signed(policy) == .success(.unverified))
        #expect(Self.unsigned(policy) == .success(.unverified))
        #expect(Self.v1(policy, "whatever", bundleID: nil, environment: nil) == .success(.unverified))
        #expect(Self.v1(policy, nil) == .success(.unverified))
    }

    @Test("A trust policy that trusts what is unproven still refuses what fails")
    func trustWhereUnprovenStillRefusesWhatFails() throws {
        let policy = TrustPolicy.verify(
            try Forged.verifier.get(),
            sharedSecrets: try Self.secrets(),
            expecting: Self.app
        ).trustingTheSourceWhereUnproven()
        #expect(try Self.signed(policy) == .success(.verified))
        #expect(Self.unsigned(policy) == .success(.unverified))
        #expect(Self.v1(policy, nil) == .success(.unverified))
        #expect(Self.v1(policy, "wrong") == .failure(AuthenticityError(.secretMismatch, path: "password")))
        let stranger = TrustPolicy.verify(try AppStoreVerifier(), expecting: Self.app).trustingTheSourceWhereUnproven()
        #expect(try Self.signed(stranger) == .failure(AuthenticityError(.untrustedRoot, path: "x5c[1]")))
        let secretsOnly = TrustPolicy.sharedSecrets(try Self.secrets(), expecting: Self.app)
            .trustingTheSourceWhereUnproven()
        #expect(try Self.signed(secretsOnly) == .success(.unverified))
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
        var token = Token(try Forged.chain.get(), payload: payload)
        token.key = try SigningKey(.p256)
        let text = Array(try token.text().utf8)
        let verifier = try AppStoreVerifier()
        let xcode = TrustPolicy.verify(
            verifier,
            expecting: ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .xcode)
        )
        #expect(try xcode.authenticity(ofSignedPayload: text) == .unverified)
        let tests = TrustPolicy.verify(
            verifier,
            expecting: ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .localTesting)
        )
        #expect(throws: AuthenticityError(.environment, path: "data")) {
            try tests.authenticity(ofSignedPayload: text)
        }
        let production = TrustPolicy.verify(verifier, expecting: Self.app)
        #expect(throws: AuthenticityError.self) { try production.authenticity(ofSignedPayload: text) }
        // A payload that Apple signed does not become local by what it says.
        let real = Array(try Token(try Forged.chain.get()).text().utf8)
        #expect(throws: AuthenticityError(.environment, path: "data")) { try xcode.authenticity(ofSignedPayload: real) }
    }

    @Test("A trust policy of secrets alone takes no local payloads") func secretsAloneTakeNoLocalPayloads() throws {
        let policy = TrustPolicy.sharedSecrets(
            try Self.secrets(),
            expecting: ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .xcode)
        )
        #expect(try Self.signed(policy) == .failure(AuthenticityError(.noVerifier)))
    }

    @Test("A trust policy compares the Apple ID where no environment is said")
    func comparesTheAppleIDWhereNoEnvironmentIsSaid() throws {
        let payload = """
            {"notificationType":"TEST","data":{"bundleId":"com.example.app","appAppleId":5},\
            "signedDate":\(Token.signedDate)}
            """
        let text = Array(try Token(try Forged.chain.get(), payload: payload).text().utf8)
        let policy = TrustPolicy.verify(
            try Forged.verifier.get(),
            expecting: ExpectedApp(bundleIDs: nil, appAppleIDs: [41234], environment: nil)
        )
        #expect(throws: AuthenticityError(.appAppleID, path: "data")) { try policy.authenticity(ofSignedPayload: text) }
    }

    @Test("A trust policy takes a caller's own verifier") func takesACallersOwnVerifier() throws {
        struct Everything: SignedPayloadVerifier {
            func verify(
                _ jws: RawSpan,
                as kind: SignedPayloadKind
            ) throws(AuthenticityError) -> VerificationTime {
                if kind == .renewal { throw AuthenticityError(.refused) }
                return VerificationTime(milliseconds: 0, basis: .now)
            }
        }
        let chain = try Forged.chain.get()
        let policy = TrustPolicy.verify(Everything(), expecting: Self.app)
        #expect(try Self.signed(policy) == .success(.verified))
        let renewal = Token.notification(renewal: try Token(chain, payload: Token.renewal()).text())
        let text = Array(try Token(chain, payload: renewal).text().utf8)
        #expect(throws: AuthenticityError(.refused, path: "data.signedRenewalInfo")) {
            try policy.authenticity(ofSignedPayload: text)
        }
    }

    @Test("A trust policy of verified texts takes these texts and their parts only")
    func alreadyVerifiedTakesTheseTextsAndTheirPartsOnly() throws {
        let chain = try Forged.chain.get()
        let part = try Token(chain, payload: Token.transaction()).text()
        let whole = try Token(chain, payload: Token.notification(transaction: part)).text()
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
        let chain = try Forged.chain.get()
        let payloads = [
            Token.notification(bundleID: canary), Token.notification(environment: canary),
            Token.notification(signedDate: "\"\(canary)\""), "{\"\(canary)\":1,\"\(canary)\":2}", canary,
            Token.notification(transaction: canary),
        ]
        for payload in payloads {
            let text = Array(try Token(chain, payload: payload).text().utf8)
            let policy = TrustPolicy.verify(try Forged.verifier.get(), expecting: Self.app)
            let error = #expect(throws: AuthenticityError.self) { try policy.authenticity(ofSignedPayload: text) }
            let shown = "\(error.map { "\($0) \($0.path) \($0.code)" } ?? "") \(String(reflecting: error))"
            #expect(!shown.contains(canary))
        }
    }
}
