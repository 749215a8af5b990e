import NotificationTranslation
import PayloadVerification
import Testing

/// A notification that must be refused, and the code it must be refused with.
struct NegativeCase: Sendable, CustomTestStringConvertible {
    var name: String
    var reason: AuthenticityError.Reason
    var path: String
    var expected = ExpectedApp(bundleID: "com.example.app", appAppleID: 41234, environment: .production)
    /// Makes the notification below the root that is trusted.
    var make: @Sendable (ForgedChain) throws -> String

    var testDescription: String { name }

    init(
        _ name: String,
        _ reason: AuthenticityError.Reason,
        _ path: String = "",
        _ make: @escaping @Sendable (ForgedChain) throws -> String
    ) {
        self.name = name
        self.reason = reason
        self.path = path
        self.make = make
    }

    func expecting(_ expected: ExpectedApp) -> Self {
        var copy = self
        copy.expected = expected
        return copy
    }

    /// A token below a chain that differs in what `change` says, from the trusted root.
    static func chain(
        _ name: String,
        _ reason: AuthenticityError.Reason,
        _ path: String,
        _ change: @escaping @Sendable (inout ForgedChain.Wish) throws -> Void
    ) -> Self {
        Self(name, reason, path) { trusted in
            var wish = ForgedChain.Wish()
            try change(&wish)
            return try Token(try ForgedChain(below: trusted, wish)).text()
        }
    }

    /// A token of the trusted chain that differs in what `change` says.
    static func token(
        _ name: String,
        _ reason: AuthenticityError.Reason,
        _ path: String = "",
        _ change: @escaping @Sendable (inout Token) throws -> Void
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
    static let chain = Result { try ForgedChain() }
    static let verifier = Result {
        try AppStoreVerifier(roots: [try chain.get().root], clock: { Token.now })
    }

    /// What becomes of a notification.
    static func outcome(
        of text: String,
        expecting expected: ExpectedApp,
        verifier: any SignedPayloadVerifier
    ) -> Result<Authenticity, AuthenticityError> {
        let policy = TrustPolicy.verify(verifier, expecting: expected)
        do throws(AuthenticityError) {
            return .success(try policy.authenticity(ofSignedPayload: Array(text.utf8)))
        } catch {
            return .failure(error)
        }
    }
}
