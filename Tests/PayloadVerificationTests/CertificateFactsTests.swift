import NotificationTranslation
import SimulatedLives
import Testing

@testable import PayloadVerification

@Suite("The facts of a certificate") struct CertificateFactsTests {
    @Test("Facts are read from Apple's root") func readsApplesRoot() throws {
        let facts = try #require(CertificateFacts(AppleRoot.g3))
        #expect(facts.notBefore == 1_398_881_946)
        #expect(facts.notAfter == 2_187_800_346)
        #expect(facts.isAuthority)
        #expect(!facts.hasP256Key)
        #expect(facts.signs == false)
        #expect(!facts.isReceiptSigner)
    }

    @Test("Facts are read from a leaf") func readsALeaf() throws {
        let chain = try Forged.chain
        let facts = try #require(CertificateFacts(chain.leaf))
        #expect(facts.publicKeyInfo == chain.leafKey.publicKeyInfo)
        #expect(facts.hasP256Key)
        #expect(!facts.isAuthority)
        #expect(facts.signs == true)
        #expect(facts.isReceiptSigner)
        #expect(!facts.isDeveloperAuthority)
        let middle = try #require(CertificateFacts(chain.intermediate))
        #expect(middle.isAuthority && middle.isDeveloperAuthority && !middle.isReceiptSigner)
    }

    @Test(
        "Times of certificates are read",
        arguments: [
            ("20491231235959Z", Int64(2_524_607_999)), ("20500101000000Z", 2_524_608_000),
            ("20200229120000Z", 1_582_977_600), ("19700101000000Z", 0), ("21000301000000Z", 4_107_542_400),
            ("99991231235959Z", 253_402_300_799),
        ])
    func readsTimes(_ text: String, _ seconds: Int64) throws {
        let chain = try Forged.chain
        var leaf = ForgedChain.Wish().leaf
        leaf.notAfter = text
        let facts = try #require(CertificateFacts(try leaf.der(for: chain.leafKey, by: chain.intermediateKey)))
        #expect(facts.notAfter == seconds)
    }

    @Test("The reader of certificates refuses every cut and every added byte") func refusesEveryCutAndEveryByteMore()
        throws
    {
        let leaf = try Forged.chain.leaf
        for length in 0..<leaf.count { #expect(CertificateFacts(Array(leaf.prefix(length))) == nil) }
        #expect(CertificateFacts(leaf + [0]) == nil)
    }

    @Test("The reader of certificates survives any bytes") func survivesAnyBytes() throws {
        let chain = try Forged.chain
        let verifier = try AppStoreVerifier(roots: [chain.root], clock: { 0 })
        var random = SeededGenerator(seed: 7)
        var accepted = 0
        for round in 0..<4000 {
            var leaf = chain.leaf
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                leaf[Int.random(in: 0..<leaf.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            if leaf == chain.leaf { continue }
            _ = CertificateFacts(leaf)
            // A changed leaf is another certificate: whatever was changed, its issuer did not sign it.
            if round % 20 == 0,
                (try? verifier.key(of: [leaf, chain.intermediate, chain.root], at: 1_700_000_000)) != nil
            {
                accepted += 1
            }
        }
        #expect(accepted == 0)
        for _ in 0..<4000 {
            let count = Int.random(in: 0..<200, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = CertificateFacts(noise)
            _ = CertificateFacts([0x30, 0x82] + noise)
        }
    }
}
