#if !canImport(CryptoKit)
import SimulatedLives
import Testing

@testable import PayloadVerification

/// Receipts that were touched after they were signed.
@Suite("Touched receipts")
struct ReceiptMutationTests {
    /// `STRESS=8` goes through some 16,000 bits.
    private static var rounds: Int { 2000 * max(1, Int(ProcessInfo.processInfo.environment["STRESS"] ?? "") ?? 1) }

    @Test("Mutated receipts are refused, or say the same where a bit changed that no signature covers")
    func singleBits() throws {
        let chain = try Forged.receiptChain
        let verifier = try Forged.receiptVerifier
        let honest = try ForgedReceipt(chain).der()
        let receipt = try Forged.outcome(of: honest, verifier).get()
        var random = SeededGenerator(seed: 9)
        let bits = Array((0..<honest.count * 8).shuffled(using: &random).prefix(Self.rounds))
        var (refused, same, other) = (0, 0, 0)
        for bit in bits {
            var touched = honest
            touched[bit / 8] ^= 1 << UInt8(bit % 8)
            switch Forged.outcome(of: touched, verifier) {
            case .failure: refused += 1
            case .success(let read): if read == receipt { same += 1 } else { other += 1 }
            }
        }
        print("of \(bits.count) single bits of a receipt \(refused) were refused, \(same) made no difference")
        #expect(other == 0)
        #expect(refused > bits.count / 2)
        #expect(refused + same == bits.count)
    }

    @Test("Mutated receipts of any kind do not crash the verifier and are not taken for other ones")
    func anyBytes() throws {
        let chain = try Forged.receiptChain
        let verifier = try Forged.receiptVerifier
        let honest = try ForgedReceipt(chain).der()
        let receipt = try Forged.outcome(of: honest, verifier).get()
        var random = SeededGenerator(seed: 11)
        var accepted = 0
        for _ in 0..<Self.rounds {
            var touched = honest
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<touched.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: touched.remove(at: place)
                case 1: touched.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 2: touched.removeSubrange(place..<min(touched.count, place + 40))
                default: touched[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            if case .success(let read) = Forged.outcome(of: touched, verifier), read != receipt { accepted += 1 }
        }
        #expect(accepted == 0)
    }
}
#endif
