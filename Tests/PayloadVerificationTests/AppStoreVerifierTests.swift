import NotificationTranslation
import Testing

@testable import PayloadVerification

@Suite("The verifier of signed payloads") struct AppStoreVerifierTests {
    static let cases =
        NegativeCase.texts + NegativeCase.headers + NegativeCase.chains + NegativeCase.oddKeys
        + NegativeCase.payloads + NegativeCase.parts + NegativeCase.appTransactions
        + NegativeCase.early

    @Test("The verifier refuses a forged or damaged payload with its code", arguments: cases)
    func refuses(_ negative: NegativeCase) throws {
        let outcome = try Forged.outcome(of: negative.make(Forged.chain), expecting: negative.expected)
        #expect(outcome == .failure(AuthenticityError(negative.reason, path: negative.path)))
    }

    @Test("Every case has its own name") func everyCaseHasANameOfItsOwn() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
        #expect(Self.cases.count >= 100)
    }

    @Test("Every refusal has a case") func everyRefusalHasACase() {
        // Refusals of other things than signed text, tested where those are.
        let elsewhere: Set<AuthenticityError.Reason> = [
            .refused, .noVerifier, .unsigned, .noSecret, .secretMissing, .secretMismatch, .noProof,
            .unavailable, .notNow, .badRoot, .noRoots,
            // Only a root of its own can show it; and what every platform reports in its own words.
            .pathLength, .tooWeak, .authorityKeyUsage, .chain,
        ]
        let covered = Set(Self.cases.map(\.reason)).union(elsewhere)
        let missing = AuthenticityError.Reason.allCases.filter {
            !covered.contains($0) && !$0.rawValue.hasPrefix("receipt.")
        }
        #expect(missing == [])
    }

    /// What is right, odd as it may look, in words and as a token of the trusted chain.
    static let genuine: [(name: String, make: @Sendable (ForgedChain) throws -> String)] = [
        (
            "with its parts",
            { chain in
                let payload = Token.notification(
                    transaction: try Token(chain, payload: Token.transaction()).text(),
                    renewal: try Token(chain, payload: Token.renewal()).text())
                return try Token(chain, payload: payload).text()
            }
        ),
        ("typ in the header", { try withHeader($0, ",\"typ\":\"JWT\"") }),
        ("kid in the header", { try withHeader($0, ",\"kid\":\"k\"") }),
        ("an object in the header", { try withHeader($0, ",\"x\":{\"alg\":\"none\",\"x5c\":[]}") }),
        (
            "another root sent along, which proves nothing",
            { chain in
                var token = Token(chain)
                token.chain[2] = Token.base64(try ForgedChain().root)
                return try token.text()
            }
        ),
        // ECDSA: (r, n - s) is as valid as (r, s). Whoever de-duplicates must not do it by the text.
        (
            "the other signature of the same pair",
            { try Token($0).text { Array($0.prefix(32)) + Self.negated(Array($0.suffix(32))) } }
        ),
        (
            "five minutes of future",
            { try Token($0, payload: Token.notification(signedDate: "\(Token.now + 300_000)")).text() }
        ),
    ]

    private static func withHeader(_ chain: ForgedChain, _ extra: String) throws -> String {
        var token = Token(chain)
        token.headerExtra = extra
        return try token.text()
    }

    @Test("The verifier takes what is right, odd as it may look", arguments: genuine.indices)
    func takes(_ place: Int) throws {
        let outcome = try Forged.outcome(of: Self.genuine[place].make(Forged.chain))
        #expect(outcome == .success(.verified), "\(Self.genuine[place].name)")
    }

    @Test("A translation stays ours whoever signed it") func aTranslationStaysOursWhoeverSignedIt() throws {
        let normalizer = NotificationNormalizer(policy: .verify(try Forged.verifier, expecting: Forged.app))
        func body(_ extra: String) throws -> [UInt8] {
            Array("{\"signedPayload\":\"\(try Forged.text(Token.notification(extra: extra)))\"}".utf8)
        }
        #expect(try normalizer.event(from: body("")).source.authenticity == .verified)
        let translation = try body(#","translation":{"signed":false,"sourceVersion":"v2"}"#)
        let error = #expect(throws: NotificationError.self) { try normalizer.event(from: translation) }
        #expect(error?.code == .translated)
    }

    @Test("The verifier takes an app transaction and reads it") func takesAnAppTransactionAndReadsIt() throws {
        let part = try Forged.text(Token.appTransaction())
        let text = try Forged.text(Token.consent(appTransaction: part))
        let policy = TrustPolicy.verify(try Forged.verifier, expecting: Forged.app)
        let event = try NotificationNormalizer(policy: policy).event(from: Array(text.utf8))
        #expect(event.source.authenticity == .verified)
        #expect(event.type.rawValue == "consent.rescinded")
        #expect(event.bundleVersion == "41")
        #expect(event.transaction == nil)
        let already = TrustPolicy.verify(AlreadyVerified([text, part]), expecting: Forged.app)
        #expect(try already.authenticity(ofSignedPayload: Array(text.utf8)) == .verified)
    }

    @Test("The verifier judges at the signed date and else now") func judgesAtTheSignedDateAndElseNow() throws {
        let dated = try Forged.verifier.time(of: Forged.text())
        #expect(dated == VerificationTime(milliseconds: Token.signedDate, basis: .signedDate))
        for date in [nil, "null"] {
            let undated = try Forged.verifier.time(of: Forged.text(Token.notification(signedDate: date)))
            #expect(undated == VerificationTime(milliseconds: Token.now, basis: .now))
        }
    }

    @Test("The verifier reads archives after the certificates expired") func readsOldArchives() throws {
        let verifier = try AppStoreVerifier(roots: [Forged.chain.root], clock: { 4_000_000_000_000 })
        #expect(try Forged.outcome(of: Forged.text(), verifier: verifier) == .success(.verified))
        let undated = try Forged.outcome(of: Forged.text(Token.notification(signedDate: nil)), verifier: verifier)
        #expect(undated == .failure(AuthenticityError(.notValidToday, path: "x5c[2]")))
    }

    @Test("The verifier accepts a clock at the end of time") func clockAtTheEndOfTimeDoesNotTrap() throws {
        for now in [Int64.max, Int64.min, 0] {
            let verifier = try AppStoreVerifier(roots: [Forged.chain.root], clock: { now })
            for date in ["\(Int64.max)", "\(Int64.min)", "0"] {
                let text = try Forged.text(Token.notification(signedDate: date))
                let outcome = try Forged.outcome(of: text, verifier: verifier)
                #expect(throws: AuthenticityError.self) { try outcome.get() }
            }
        }
    }

    @Test("The verifier refuses roots that are not certificates") func refusesRootsThatAreNone() throws {
        let chain = try Forged.chain
        #expect(throws: AuthenticityError(.noRoots)) { try AppStoreVerifier(roots: []) }
        let bad: [[UInt8]] = [
            Array("abc".utf8), chain.root + [0], chain.intermediate, Array(chain.root.dropLast()), [],
        ]
        for root in bad {
            #expect(throws: AuthenticityError(.badRoot, path: "roots[1]")) {
                try AppStoreVerifier(roots: [chain.root, root])
            }
        }
    }

    @Test("The verifier refuses more authorities than the root allows") func refusesLongerPaths() throws {
        var wish = ForgedChain.Wish()
        wish.root.extensions[1] = .authority(true, pathLength: 0)
        let chain = try ForgedChain(wish)
        let verifier = try AppStoreVerifier(roots: [chain.root], clock: { Token.now })
        let outcome = try Forged.outcome(of: Token(chain).text(), verifier: verifier)
        #if canImport(CryptoKit)
        #expect(throws: AuthenticityError.self) { try outcome.get() }
        #else
        #expect(outcome == .failure(AuthenticityError(.pathLength, path: "x5c[2]")))
        #endif
    }

    @Test("The verifier takes several roots") func takesSeveralRoots() throws {
        var wish = ForgedChain.Wish()
        wish.root.extensions[0] = .subjectKey(9)
        wish.intermediate.extensions[1] = .issuerKey(9)
        let (one, other) = (try Forged.chain, try ForgedChain(wish))
        let verifier = try AppStoreVerifier(roots: [AppleRoot.g3, one.root, other.root], clock: { Token.now })
        for chain in [one, other] {
            #expect(try Forged.outcome(of: Token(chain).text(), verifier: verifier) == .success(.verified))
        }
    }

    @Test("The verifier refuses strangers under Apple's root") func refusesStrangersUnderApplesRoot() throws {
        let outcome = try Forged.outcome(of: Forged.text(), verifier: AppStoreVerifier())
        #expect(outcome == .failure(AuthenticityError(.untrustedRoot, path: "x5c[1]")))
    }

    @Test("The verifier pins Apple's root") func pinsApplesRoot() {
        #expect(AppleRoot.g3.count == 583)
        #expect(
            SHA256Tests.text(SHA256.digest(AppleRoot.g3))
                == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    }

    /// The order of P-256 minus a number of 32 bytes.
    private static func negated(_ number: [UInt8]) -> [UInt8] {
        let order: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
            ]
        var difference = order
        var borrow = 0
        for place in (0..<32).reversed() {
            let value = Int(order[place]) - Int(number[place]) - borrow
            borrow = value < 0 ? 1 : 0
            difference[place] = UInt8(value + borrow * 256)
        }
        return difference
    }
}
