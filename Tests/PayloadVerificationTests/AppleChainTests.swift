import NotificationTranslation
import Testing

@testable import PayloadVerification

/// The payloads and certificates that Apple's own libraries are tested with, where they are at hand.
@Suite("The verifier, with Apple's test chain") struct AppleChainTests {
    /// Apple's test certificates lack key identifiers and key usage: they need the lenient profile.
    private static func verifier(_ profile: CertificateProfile) throws -> AppStoreVerifier? {
        guard let root = Corpora.file("apple-test-chain/testCA.der") else { return nil }
        return try AppStoreVerifier(roots: [root], profile: profile)
    }

    private static func text(_ name: String) -> String? {
        Corpora.file("apple-test-chain/\(name).jws").map { String(decoding: $0, as: UTF8.self) }
    }

    private static let app = ExpectedApp(bundleID: "com.example", appAppleID: 1234, environment: .sandbox)

    @Test("takes the test notification") func takesTheTestNotification() throws {
        guard let verifier = try Self.verifier(.lenient), let text = Self.text("testNotification") else { return }
        #expect(Forged.outcome(of: text, expecting: Self.app, verifier: verifier) == .success(.verified))
        let production = ExpectedApp(bundleID: "com.example", environment: .production)
        #expect(
            Forged.outcome(of: text, expecting: production, verifier: verifier)
                == .failure(VerificationError(.environment, path: "data"))
        )
    }

    @Test("refuses the test chain by default") func refusesTheTestChainByDefault() throws {
        guard let verifier = try Self.verifier(.rfc5280), let text = Self.text("testNotification") else { return }
        let outcome = Forged.outcome(of: text, expecting: Self.app, verifier: verifier)
        #if canImport(CryptoKit)
        #expect(throws: VerificationError.self) { try outcome.get() }
        #else
        #expect(outcome == .failure(VerificationError(.profile, path: "x5c[0]")))
        #endif
    }

    @Test("refuses the wrong bundle ID") func refusesTheWrongBundleID() throws {
        guard let verifier = try Self.verifier(.lenient), let text = Self.text("wrongBundleId") else { return }
        let expected = ExpectedApp(bundleIDs: ["com.example"], appAppleIDs: nil, environment: nil)
        #expect(
            Forged.outcome(of: text, expecting: expected, verifier: verifier)
                == .failure(VerificationError(.bundleID, path: "data"))
        )
        #expect(Forged.outcome(of: text, expecting: .any, verifier: verifier) == .success(.verified))
    }

    @Test("refuses the missing chain") func refusesTheMissingChain() throws {
        guard let verifier = try Self.verifier(.lenient), let text = Self.text("missingX5CHeaderClaim") else { return }
        #expect(
            Forged.outcome(of: text, expecting: .any, verifier: verifier)
                == .failure(VerificationError(.noChain, path: "x5c"))
        )
    }

    @Test("takes transaction and renewal info") func takesTransactionAndRenewalInfo() throws {
        guard let verifier = try Self.verifier(.lenient), let transaction = Self.text("transactionInfo"),
            let renewal = Self.text("renewalInfo")
        else { return }
        for (text, kind) in [(transaction, SignedPayloadKind.transaction), (renewal, .renewal)] {
            let time = try Array(text.utf8).withUnsafeBytes { try verifier.verify($0.bytes, as: kind) }
            #expect(time == VerificationTime(milliseconds: 1_672_956_154_000, basis: .signedDate))
        }
    }

    @Test("refuses Apple's root for the test chain") func refusesApplesRootForTheTestChain() throws {
        guard let text = Self.text("testNotification") else { return }
        let outcome = Forged.outcome(
            of: text,
            expecting: Self.app,
            verifier: try AppStoreVerifier(profile: .lenient)
        )
        #expect(outcome == .failure(VerificationError(.untrustedRoot, path: "x5c[1]")))
    }

    @Test("refuses the receipt of older days") func refusesTheReceiptOfOlderDays() throws {
        guard let verifier = try Self.verifier(.lenient), let text = Self.text("legacyTransaction") else { return }
        #expect(
            Forged.outcome(of: text, expecting: .any, verifier: verifier) == .failure(VerificationError(.malformed))
        )
    }

    @Test("pins the root that Apple publishes") func pinsTheRootThatApplePublishes() throws {
        guard let root = Corpora.file("apple-test-chain/AppleRootCA-G3.cer") else { return }
        #expect(AppleRoot.g3 == root)
    }

    /// The chain that signed in production from 2021 to 2023, if somebody has put it there.
    @Test("takes the real chain in its time") func takesTheRealChainInItsTime() throws {
        guard let leaf = Corpora.file("apple-real-chain/leaf.der"),
            let intermediate = Corpora.file("apple-real-chain/intermediate.der")
        else { return }
        let verifier = try AppStoreVerifier()
        let chain = [leaf, intermediate, AppleRoot.g3]
        _ = try verifier.key(of: chain, at: 1_681_312_846)
        #expect(throws: VerificationError(.expired, path: "x5c[0]")) {
            try verifier.key(of: chain, at: 1_700_000_000)
        }
        #expect(throws: VerificationError(.notYetValid, path: "x5c[0]")) {
            try verifier.key(of: chain, at: 1_620_000_000)
        }
    }
}
