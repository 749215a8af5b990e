import NotificationTranslation
import Testing

@testable import PayloadVerification

/// A verifier remembers the chains that it has checked; its answers must not depend on that.
@Suite("A verifier that remembers chains") struct RememberedChainTests {
    private static func answer(_ policy: TrustPolicy, _ payload: [UInt8]) -> String {
        do throws(AuthenticityError) {
            return "\(try policy.authenticity(ofSignedPayload: payload))"
        } catch {
            return error.description
        }
    }

    /// Notifications with a transaction and a renewal inside; every third has a signature that was changed.
    private static func notifications(_ chain: ForgedChain) throws -> [[UInt8]] {
        try (0..<12).map { number in
            let payload = Token.notification(
                transaction: try Token(chain, payload: Token.transaction(id: "\(number)")).text(),
                renewal: try Token(chain, payload: Token.renewal(id: "\(number)")).text()
            )
            var text = Array(try Token(chain, payload: payload).text().utf8)
            let (place, letter) = (text.count - 20, UInt8(ascii: "A"))
            if number % 3 == 2 { text[place] = text[place] == letter ? letter + 1 : letter }
            return text
        }
    }

    @Test("A verifier that remembers chains gives the answers of one that does not, at the first call and later")
    func answersAsOneThatDoesNot() throws {
        let chain = try ForgedChain()
        let remembering = TrustPolicy.verify(try AppStoreVerifier(roots: [chain.root]), expecting: .any)
        let plain = TrustPolicy.verify(
            try AppStoreVerifier(
                roots: [chain.root], profile: .rfc5280, clock: VerificationTime.systemClock, cachesChains: false),
            expecting: .any)
        let notifications = try Self.notifications(chain)
        let expected = notifications.map { Self.answer(plain, $0) }
        let first = notifications.map { Self.answer(remembering, $0) }
        let again = notifications.map { Self.answer(remembering, $0) }
        #expect(first == expected)
        #expect(again == expected)
        #expect(Set(expected).count == 2)
    }
}
