#if !canImport(CryptoKit)
import NotificationTranslation
import SimulatedLives
import Testing

@testable import PayloadVerification

/// Receipts in Apple's shape, below a root of this run: only libcrypto makes keys of RSA for us.
@Suite("App receipts")
struct AppReceiptVerifierTests {
    static let cases =
        NegativeReceipt.containers + NegativeReceipt.signatures + NegativeReceipt.chains + NegativeReceipt.contents

    @Test("App receipts that differ from Apple's are refused, each with its code", arguments: cases)
    func refuses(_ negative: NegativeReceipt) throws {
        let der = try negative.make(try Forged.receiptChain)
        let expected = AuthenticityError(negative.reason, path: negative.path)
        // Twice: what the first call remembers must not change the answer.
        for _ in 0..<2 {
            let outcome = Forged.outcome(of: der, try Forged.receiptVerifier)
            #expect(outcome == .failure(expected))
        }
    }

    @Test("Every refusal of an app receipt has a case")
    func everyRefusalHasACase() {
        #expect(Set(Self.cases.map(\.testDescription)).count == Self.cases.count)
        // Tested below, and with coverage and age.
        let elsewhere: Set<AuthenticityError.Reason> = [
            .receiptBase64, .receiptSHA1, .receiptKind, .receiptBundleID, .receiptInFuture, .receiptTooOld,
        ]
        let covered = Set(Self.cases.map(\.reason)).union(elsewhere)
        let missing = AuthenticityError.Reason.allCases.filter {
            $0.rawValue.hasPrefix("receipt.") && !covered.contains($0)
        }
        #expect(missing == [])
    }

    @Test("App receipts are read as Apple wrote them", arguments: ["SHA1", "SHA256"])
    func reads(_ digest: String) throws {
        var content = ReceiptContent()
        content.records.append(
            ReceiptContent.Record(expires: "", cancelled: "2023-11-13T01:02:03Z", quantity: 3, line: 0)
        )
        var forged = ForgedReceipt(try Forged.receiptChain, content)
        forged.digest = digest
        let receipt = try Forged.outcome(of: try forged.der(), try Forged.receiptVerifier).get()
        var expected = AppReceipt(
            kind: .production,
            bundleID: "com.example.app",
            createdAt: EventTime(milliseconds: 1_700_000_000_000)
        )
        expected.applicationVersion = "41"
        expected.originalApplicationVersion = "1.0"
        var record = AppReceipt.Transaction()
        record.quantity = 1
        record.productID = "com.example.app.month"
        record.transactionID = "1000000710000002"
        record.purchasedAt = EventTime("2023-11-14T22:13:15Z")
        record.originalTransactionID = "1000000710000001"
        record.originalPurchasedAt = EventTime("2023-10-14T22:13:15Z")
        record.expiresAt = EventTime("2023-12-14T22:13:15Z")
        record.webOrderLineItemID = 1_000_000_056_000_002
        record.isTrialPeriod = false
        record.isInIntroOfferPeriod = true
        expected.transactions = [record]
        record.quantity = 3
        record.expiresAt = nil
        record.cancelledAt = EventTime("2023-11-13T01:02:03Z")
        record.webOrderLineItemID = 0
        expected.transactions.append(record)
        #expect(receipt == expected)
    }

    /// What looks odd and is right all the same.
    @Test("App receipts may have their certificates in any order, with the root or without, and no transactions")
    func variations() throws {
        let chain = try Forged.receiptChain
        let verifier = try Forged.receiptVerifier
        let orders: [[[UInt8]]] = [
            [chain.root, chain.intermediate, chain.leaf], [chain.intermediate, chain.leaf],
            [chain.leaf, chain.intermediate],
            [chain.leaf, chain.intermediate, chain.root, chain.root],
            [chain.leaf, try ForgedChain(.rsa).root, chain.intermediate],
        ]
        for order in orders {
            var receipt = ForgedReceipt(chain)
            receipt.certificates = order
            #expect(try Forged.outcome(of: try receipt.der(), verifier).get().transactions.count == 1)
        }
        var empty = ReceiptContent()
        empty.records = []
        #expect(try Forged.outcome(of: try ForgedReceipt(chain, empty).der(), verifier).get().transactions == [])
        var wish = ForgedChain.Wish.rsa
        wish.leaf.extensions.remove(at: 3)
        (wish.leaf.digest, wish.intermediate.digest) = ("SHA1", "SHA1")
        let old = try ForgedReceipt(try ForgedChain(below: chain, wish, reusesKeys: true)).der()
        #expect(try Forged.outcome(of: old, verifier).get().bundleID == "com.example.app")
    }

    @Test("App receipts are taken as strict base64 only")
    func base64() throws {
        let verifier = try Forged.receiptVerifier
        let text = Token.base64(try ForgedReceipt(try Forged.receiptChain).der())
        #expect(try verifier.verify(base64: text).bundleID == "com.example.app")
        for bad in ["", "A", text + "\n", " " + text, text + "=", "-" + text.dropFirst(), text + "A"] {
            #expect(throws: AuthenticityError(.receiptBase64)) { try verifier.verify(base64: bad) }
        }
    }

    @Test("App receipts that need SHA-1 have a code of their own where the system refuses it")
    func refusedSHA1() throws {
        let chain = try Forged.receiptChain
        let verifier = try AppReceiptVerifier(roots: [chain.root], takesSHA1: false)
        var receipt = ForgedReceipt(chain)
        #expect(try Forged.outcome(of: try receipt.der(), verifier).get().bundleID == "com.example.app")
        receipt.digest = "SHA1"
        let refused = AuthenticityError(.receiptSHA1, path: "signerInfos[0].digestAlgorithm")
        #expect(Forged.outcome(of: try receipt.der(), verifier) == .failure(refused))
        for place in ["leaf", "intermediate"] {
            var wish = ForgedChain.Wish.rsa
            if place == "leaf" { wish.leaf.digest = "SHA1" } else { wish.intermediate.digest = "SHA1" }
            let der = try ForgedReceipt(try ForgedChain(below: chain, wish, reusesKeys: true)).der()
            #expect(Forged.outcome(of: der, verifier) == .failure(AuthenticityError(.receiptSHA1, path: place)))
        }
    }

    @Test("App receipts of strangers are refused under Apple's root")
    func refusesStrangers() throws {
        let der = try ForgedReceipt(try Forged.receiptChain).der()
        let outcome = Forged.outcome(of: der, try AppReceiptVerifier())
        #expect(outcome == .failure(AuthenticityError(.untrustedRoot, path: "intermediate")))
        #expect(AppleRoot.ca.count == 1215)
        #expect(
            SHA256Tests.text(SHA256.digest(AppleRoot.ca))
                == "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
        #expect(throws: AuthenticityError(.noRoots)) { try AppReceiptVerifier(roots: []) }
        #expect(throws: AuthenticityError(.badRoot, path: "roots[0]")) {
            try AppReceiptVerifier(roots: [AppleRoot.ca + [0]])
        }
    }

    @Test("App receipts get the same answer with remembered chains and without")
    func answersAsWithoutCache() throws {
        let trusted = try Forged.receiptChain
        let cached = try AppReceiptVerifier(roots: [trusted.root], takesSHA1: true)
        var chains: [ForgedChain] = []
        for place in 0..<3 {
            var wish = ForgedChain.Wish.rsa
            wish.intermediate.notBefore = "\(2020 + place)0101000000Z"
            wish.leaf.notAfter = "\(2023 + place)0101000000Z"
            chains.append(try ForgedChain(below: trusted, wish, reusesKeys: true))
        }
        var random = SeededGenerator(seed: 5)
        var verdicts: Set<AuthenticityError.Reason?> = []
        for _ in 0..<120 {
            var content = ReceiptContent()
            content.created = "\(Int.random(in: 2019...2026, using: &random))-01-01T00:00:00Z"
            let chain = chains[Int.random(in: 0..<3, using: &random)]
            let der = try ForgedReceipt(chain, content).der()
            let outcome = Forged.outcome(of: der, cached)
            // A new verifier remembers nothing.
            #expect(outcome == Forged.outcome(of: der, try AppReceiptVerifier(roots: [trusted.root], takesSHA1: true)))
            if case .failure(let error) = outcome { verdicts.insert(error.reason) } else { verdicts.insert(nil) }
        }
        #expect(verdicts == [nil, .expired, .notYetValid])
    }

    @Test("App receipts of 20 MB, of 10,000 records and of any noise are bounded: refused or read")
    func bounded() throws {
        let chain = try Forged.receiptChain
        let verifier = try Forged.receiptVerifier
        let long = String(repeating: "MIIB", count: 5 << 20)
        #expect(throws: AuthenticityError(.receiptTooLong)) { try verifier.verify(base64: long) }
        var content = ReceiptContent()
        let unneeded: Set<Int64> = [1701, 1702, 1704, 1706, 1707, 1708, 1711, 1712, 1713, 1719]
        content.records = (0..<10_000).map { ReceiptContent.Record(transaction: "\($0)", without: unneeded) }
        let many = try Forged.outcome(of: try ForgedReceipt(chain, content).der(), verifier).get()
        #expect(many.transactions.count == 10_000)
        #expect(many.transactions.last?.transactionID == "9999")
        content.records = Array(repeating: ReceiptContent.Record(), count: 10_000)
        let larger = Forged.outcome(of: try ForgedReceipt(chain, content).der(), verifier)
        #expect(larger == .failure(AuthenticityError(.receiptTooLong)))
        // Lengths that do not add up at all, in a text of full size.
        var noise = [UInt8](repeating: 0x30, count: 1 << 20)
        #expect(throws: AuthenticityError.self) { try verifier.verify(der: noise) }
        for place in stride(from: 0, to: noise.count - 4, by: 4) {
            noise.replaceSubrange(place..<place + 4, with: [0x30, 0x83, UInt8((noise.count - place) >> 16), 0xFF])
        }
        #expect(throws: AuthenticityError.self) { try verifier.verify(der: noise) }
    }

    @Test("App receipts show no value of theirs in a refusal")
    func refusalsCarryNoValues() throws {
        let canary = "CANARY-7f3a"
        for change: (inout ReceiptContent) -> Void in [
            { $0.created = canary }, { $0.records[0].expires = canary },
            { $0.more = [ReceiptContent.attribute(2, DERWriter.utf8(canary))] },
        ] {
            var content = ReceiptContent()
            content.bundleID = canary
            change(&content)
            let der = try ForgedReceipt(try Forged.receiptChain, content).der()
            let outcome = Forged.outcome(of: der, try Forged.receiptVerifier)
            guard case .failure(let error) = outcome else { throw ForgeFailure(what: "refusal") }
            let shown = "\(error) \(error.path) \(error.code) \(String(reflecting: error))"
            #expect(!shown.contains(canary))
        }
    }
}

#endif
