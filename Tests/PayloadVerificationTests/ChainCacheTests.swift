import NotificationTranslation
import SimulatedLives
import Testing

@testable import PayloadVerification

@Suite("The cache of chains") struct ChainCacheTests {
    /// The seconds since 1970 of 1 January, by year from 2020 on.
    private static let years: [Int64] = [
        1_577_836_800, 1_609_459_200, 1_640_995_200, 1_672_531_200, 1_704_067_200, 1_735_689_600, 1_767_225_600,
    ]

    /// Chains of one root with different validities, and mixtures of them that must not hold.
    private static func chains() throws -> (root: [UInt8], chains: [[[UInt8]]]) {
        let trusted = try ForgedChain(.small)
        var chains: [[[UInt8]]] = []
        for place in 0..<6 {
            var wish = ForgedChain.Wish.small
            wish.intermediate.notBefore = "\(2020 + place % 3)0101000000Z"
            wish.intermediate.notAfter = "\(2023 + place % 4)0101000000Z"
            wish.leaf.notBefore = "\(2021 + place % 2)0101000000Z"
            wish.leaf.notAfter = "\(2023 + place % 3)0101000000Z"
            chains.append(try ForgedChain(below: trusted, wish).certificates)
        }
        let stranger = try ForgedChain(.small)
        chains.append(stranger.certificates)
        chains.append([chains[0][0], chains[1][1], trusted.root])
        chains.append([chains[0][1], chains[0][0], trusted.root])
        chains.append([stranger.leaf, chains[0][1], trusted.root])
        chains.append([chains[0][0] + [0], chains[0][1], trusted.root])
        return (trusted.root, chains)
    }

    private static func verdict(_ verifier: AppStoreVerifier, _ chain: [[UInt8]], _ time: Int64) -> AuthenticityError? {
        do throws(AuthenticityError) {
            _ = try verifier.key(of: chain, at: time)
            return nil
        } catch {
            return error
        }
    }

    @Test("The cache of chains gives the answers of a verifier without cache") func answersAsWithoutCache() throws {
        let (root, chains) = try Self.chains()
        let cached = try AppStoreVerifier(roots: [root], clock: { 0 })
        var random = SeededGenerator(seed: 20)
        var valid = 0
        var different = 0
        for _ in 0..<(ProcessInfo.processInfo.environment["STRESS"] == nil ? 4_000 : 10_000) {
            guard let chain = chains.randomElement(using: &random), let year = Self.years.randomElement(using: &random)
            else { continue }
            // Half of the times lie at the very edges of validities.
            let time =
                Bool.random(using: &random)
                ? year + Int64.random(in: -2...2, using: &random)
                : year + Int64.random(in: -40_000_000...40_000_000, using: &random)
            // A new verifier remembers nothing.
            let expected = Self.verdict(try AppStoreVerifier(roots: [root], clock: { 0 }), chain, time)
            if expected == nil { valid += 1 }
            if Self.verdict(cached, chain, time) != expected { different += 1 }
        }
        #expect(different == 0)
        #expect(valid > 400)
    }

    @Test("The cache of chains keeps at most its capacity") func keepsAtMostItsCapacity() throws {
        let trusted = try ForgedChain(.small)
        let chain = try ForgedChain(below: trusted, .small)
        let cache = ChainCache<P256Key>()
        let key = try #require(P256Key(publicKeyInfo: chain.leafKey.publicKeyInfo))
        for place in 0..<200 {
            let leaf = chain.leaf + [UInt8(place)]
            cache.insert(key, leaf: leaf, intermediate: chain.intermediate, validity: 0..<10)
            #expect(cache.count == place % ChainCache<P256Key>.capacity + 1)
            #expect(cache.key(leaf: leaf, intermediate: chain.intermediate, at: 5) === key)
        }
        #expect(cache.key(leaf: chain.leaf + [1], intermediate: chain.intermediate, at: 5) == nil)
        #expect(cache.key(leaf: chain.leaf + [199], intermediate: chain.intermediate, at: 5) === key)
        #expect(cache.key(leaf: chain.leaf + [199], intermediate: chain.intermediate, at: 10) == nil)
        #expect(cache.key(leaf: chain.leaf + [199], intermediate: chain.leaf, at: 5) == nil)
    }

    @Test("The cache of chains keeps only what holds") func keepsOnlyWhatHolds() throws {
        let trusted = try Forged.chain
        let cache = ChainCache<P256Key>()
        let key = try #require(P256Key(publicKeyInfo: trusted.leafKey.publicKeyInfo))
        cache.insert(key, leaf: [1], intermediate: [2], validity: 5..<5)
        #expect(cache.count == 0)
    }

    @Test("The cache of chains serves many threads") func servesManyThreads() async throws {
        let (root, chains) = try Self.chains()
        let verifier = try AppStoreVerifier(roots: [root], clock: { Token.now })
        let time = Self.years[2] + 1000
        let expected = try chains.map { chain in
            Self.verdict(try AppStoreVerifier(roots: [root], clock: { Token.now }), chain, time)
        }
        let different = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    var different = 0
                    for _ in 0..<200 {
                        let place = Int.random(in: 0..<chains.count, using: &random)
                        if Self.verdict(verifier, chains[place], time) != expected[place] { different += 1 }
                    }
                    return different
                }
            }
            return await group.reduce(0, +)
        }
        #expect(different == 0)
    }
}
