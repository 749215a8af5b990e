import NotificationTranslation
import PayloadVerification
import Testing

/// A notification that must be refused, and the code it must be refused with.
struct NegativeCase: Sendable, CustomTestStringConvertible {
    typealias Reason = AuthenticityError.Reason
    typealias Make = @Sendable (ForgedChain) throws -> String
    typealias Change<Value> = @Sendable (inout Value) throws -> Void

    var name: String
    var reason: Reason
    var path: String
    var expected = Forged.app
    /// Makes the notification below the root that is trusted.
    var make: Make

    var testDescription: String { name }

    init(_ name: String, _ reason: Reason, _ path: String = "", _ make: @escaping Make) {
        (self.name, self.reason, self.path, self.make) = (name, reason, path, make)
    }

    func expecting(_ expected: ExpectedApp) -> Self {
        var copy = self
        copy.expected = expected
        return copy
    }

    /// A token below a chain that differs in what `change` says, from the trusted root.
    static func chain(
        _ name: String, _ reason: Reason, _ path: String, _ change: @escaping Change<ForgedChain.Wish>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var wish = ForgedChain.Wish()
            try change(&wish)
            return try Token(try ForgedChain(below: trusted, wish)).text()
        }
    }

    /// A token of the trusted chain that differs in what `change` says.
    static func token(
        _ name: String, _ reason: Reason, _ path: String = "", _ change: @escaping Change<Token>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var token = Token(trusted)
            try change(&token)
            return try token.text()
        }
    }
}

/// Everything that the cases have in common: made once, as keys take time.
enum Forged {
    private static let madeChain = Result { try ForgedChain() }
    private static let madeVerifier = Result { try AppStoreVerifier(roots: [chain.root], clock: { Token.now }) }
    static var chain: ForgedChain { get throws { try madeChain.get() } }
    static var verifier: AppStoreVerifier { get throws { try madeVerifier.get() } }
    static let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 41234, environment: .production)

    /// A payload signed with the trusted chain.
    static func text(_ payload: String = Token.notification()) throws -> String {
        try Token(chain, payload: payload).text()
    }

    /// What becomes of a notification; the verifier trusts the chain if it is not given.
    static func outcome(
        of text: String, expecting expected: ExpectedApp = app, verifier given: AppStoreVerifier? = nil
    ) throws -> Result<Authenticity, AuthenticityError> {
        let policy = TrustPolicy.verify(try given ?? verifier, expecting: expected)
        return Result { () throws(AuthenticityError) in try policy.authenticity(ofSignedPayload: Array(text.utf8)) }
    }
}

extension AppStoreVerifier {
    /// When a text that holds is judged.
    func time(of text: String, as kind: SignedPayloadKind = .notification) throws -> VerificationTime {
        try Array(text.utf8).withUnsafeBytes { try verify($0.bytes, as: kind) }
    }
}
