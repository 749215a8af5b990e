import NotificationTranslation
import Testing

@testable import PayloadVerification

/// The payloads and certificates that Apple's own libraries are tested with, where they are at hand.
@Suite("The verifier, with Apple's test chain") struct AppleChainTests {
    /// Apple's test certificates lack key identifiers and key usage: they need the lenient profile.
    private static func verifier(_ profile: CertificateProfile) throws -> AppStoreVerifier {
        try AppStoreVerifier(roots: [Corpora.file(testRoot)], profile: profile)
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Corpora.file(path), as: UTF8.self)
    }

    private static let testRoot = "apple-test-chain/testCA.der"
    private static let testNotification = "apple-test-chain/testNotification.jws"
    private static let wrongBundleID = "apple-test-chain/wrongBundleId.jws"
    private static let missingChain = "apple-test-chain/missingX5CHeaderClaim.jws"
    private static let transactionInfo = "apple-test-chain/transactionInfo.jws"
    private static let renewalInfo = "apple-test-chain/renewalInfo.jws"
    private static let legacyTransaction = "apple-test-chain/legacyTransaction.jws"
    private static let publishedRoot = "apple-test-chain/AppleRootCA-G3.cer"
    private static let realLeaf = "apple-real-chain/leaf.der"
    private static let realIntermediate = "apple-real-chain/intermediate.der"

    private static let app = ExpectedApp(bundleID: "com.example", appAppleID: 1234, environment: .sandbox)

    @Test(
        "The verifier takes and refuses what Apple's libraries are tested with",
        .corpora(testRoot, testNotification, wrongBundleID, missingChain, legacyTransaction))
    func takesAndRefuses() throws {
        let verifier = try Self.verifier(.lenient)
        func expecting(_ environment: NotificationEnvironment?) -> ExpectedApp {
            ExpectedApp(bundleIDs: ["com.example"], appAppleIDs: nil, environment: environment)
        }
        let cases: [(path: String, expected: ExpectedApp, error: AuthenticityError?)] = [
            (Self.testNotification, Self.app, nil),
            (Self.testNotification, expecting(.production), AuthenticityError(.environment, path: "data")),
            (Self.wrongBundleID, expecting(nil), AuthenticityError(.bundleID, path: "data")),
            (Self.wrongBundleID, .any, nil),
            (Self.missingChain, .any, AuthenticityError(.noChain, path: "x5c")),
            (Self.legacyTransaction, .any, AuthenticityError(.malformed)),
        ]
        for (path, expected, error) in cases {
            let outcome = try Forged.outcome(of: Self.text(path), expecting: expected, verifier: verifier)
            #expect(outcome == error.map { .failure($0) } ?? .success(.verified), "\(path)")
        }
        let apples = try AppStoreVerifier(profile: .lenient)
        let outcome = try Forged.outcome(of: Self.text(Self.testNotification), expecting: Self.app, verifier: apples)
        #expect(outcome == .failure(AuthenticityError(.untrustedRoot, path: "x5c[1]")))
    }

    @Test("The verifier refuses the test chain by default", .corpora(testRoot, testNotification))
    func refusesTheTestChainByDefault() throws {
        let verifier = try Self.verifier(.rfc5280)
        let text = try Self.text(Self.testNotification)
        let outcome = try Forged.outcome(of: text, expecting: Self.app, verifier: verifier)
        #if canImport(CryptoKit)
        #expect(throws: AuthenticityError.self) { try outcome.get() }
        #else
        #expect(outcome == .failure(AuthenticityError(.profile, path: "x5c[0]")))
        #endif
    }

    @Test("The verifier takes transaction and renewal info", .corpora(testRoot, transactionInfo, renewalInfo))
    func takesTransactionAndRenewalInfo() throws {
        let verifier = try Self.verifier(.lenient)
        let transaction = try Self.text(Self.transactionInfo)
        let renewal = try Self.text(Self.renewalInfo)
        for (text, kind) in [(transaction, SignedPayloadKind.transaction), (renewal, .renewal)] {
            #expect(
                try verifier.time(of: text, as: kind)
                    == VerificationTime(milliseconds: 1_672_956_154_000, basis: .signedDate))
        }
    }

    @Test("The verifier pins the root that Apple publishes", .corpora(publishedRoot))
    func pinsTheRootThatApplePublishes() throws {
        let root = try Corpora.file(Self.publishedRoot)
        #expect(AppleRoot.g3 == root)
    }

    /// The chain that signed in production from 2021 to 2023, if somebody has put it there.
    @Test("The verifier takes the real chain in its time", .corpora(realLeaf, realIntermediate))
    func takesTheRealChainInItsTime() throws {
        let verifier = try AppStoreVerifier()
        let chain = [try Corpora.file(Self.realLeaf), try Corpora.file(Self.realIntermediate), AppleRoot.g3]
        _ = try verifier.key(of: chain, at: 1_681_312_846)
        #expect(throws: AuthenticityError(.expired, path: "x5c[0]")) {
            try verifier.key(of: chain, at: 1_700_000_000)
        }
        #expect(throws: AuthenticityError(.notYetValid, path: "x5c[0]")) {
            try verifier.key(of: chain, at: 1_620_000_000)
        }
    }
}
