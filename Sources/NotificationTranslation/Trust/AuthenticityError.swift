/// Why a notification is not believed: one reason of a closed list, and the part of it that showed it.
///
/// Never holds a value of the notification. Whatever throws this has refused; nothing that was refused may be used.
public struct AuthenticityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; ``code`` is its name.
    package var reason: Reason
    /// The part that showed it: `data.signedTransactionInfo.x5c[1]`, empty for the notification as a whole.
    ///
    /// Made of Apple's names and indexes only.
    public var path: String

    /// The error that your own verifier throws for a payload that it rejects.
    public static let refused = AuthenticityError(.refused)

    /// The error that your own verifier throws while it cannot say, as when a service that it asks is down.
    ///
    /// Its cause is ``NotificationError/Cause/unavailable``: answer 503, and Apple sends the notification again.
    public static let temporarilyUnavailable = AuthenticityError(.notNow)

    /// A refusal, and the part that showed it, without any value.
    package init(_ reason: Reason, path: String = "") {
        self.reason = reason
        self.path = path
    }

    /// One sentence for people, the same for every refusal with this code.
    public var sentence: String { reason.sentence }

    /// The path, if any, and the sentence.
    public var description: String {
        path.isEmpty ? sentence : "\(path): \(sentence)"
    }

    /// The same refusal, of a part named `name`.
    func inside(_ name: String) -> AuthenticityError {
        AuthenticityError(reason, path: path.isEmpty ? name : "\(name).\(path)")
    }
}
