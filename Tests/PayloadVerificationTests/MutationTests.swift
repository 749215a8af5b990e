import NotificationTranslation
import SimulatedLives
import Testing

@testable import PayloadVerification

@Suite("The verifier, with mutated texts") struct MutationTests {
    /// No text that differs from a signed one by a few bytes is taken for signed, and none brings the process down.
    @Test("The verifier refuses every text that was changed") func takesNoTextThatWasTouched() throws {
        let chain = try Forged.chain
        let payload = Token.notification(transaction: try Token(chain, payload: Token.transaction()).text())
        let honest = Array(try Token(chain, payload: payload).text().utf8)
        let policy = TrustPolicy.verify(try Forged.verifier, expecting: .any)
        var random = SeededGenerator(seed: 3)
        var accepted = 0
        for _ in 0..<3000 {
            var text = honest
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text.remove(at: Int.random(in: 0..<text.count, using: &random))
            case 1:
                text.insert(
                    UInt8.random(in: 0...255, using: &random),
                    at: Int.random(in: 0...text.count, using: &random)
                )
            case 2: text.removeLast(Int.random(in: 1..<text.count, using: &random))
            default:
                let place = Int.random(in: 0..<text.count, using: &random)
                text[place] = UInt8.random(in: 0...255, using: &random)
            }
            if text == honest { continue }
            if (try? policy.authenticity(ofSignedPayload: text)) != nil { accepted += 1 }
        }
        #expect(accepted == 0)
        #expect(try policy.authenticity(ofSignedPayload: honest) == .verified)
    }
}
