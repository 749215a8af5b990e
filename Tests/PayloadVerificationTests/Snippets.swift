import NotificationTranslation
import PayloadVerification

/// The code of the documentation, which has to compile: it is in the extension that is generated from there, and never run.
struct Snippets {
    // What pieces of code take for granted.
    var app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .sandbox)
    var apple = AppleVerifier()
    var bodies: [[UInt8]] = []
    var body: [UInt8] = []
    var event = UnifiedEvent(id: "1", type: .subscriptionRenewed)
    var key = ""
    var normalizer = NotificationNormalizer(policy: .trustingTheSource)
    var now = EventTime(milliseconds: 0)
    var policies: [String: TrustPolicy] = [:]
    var secret = ""
    var text = ""
    var verifier: AppReceiptVerifier

    /// Takes note of a variable that a piece of code declares and leaves to its reader.
    func use<Value>(_ value: inout Value) {}

    /// As in a server, where a forged notification ends the handler.
    func refuse() -> Never { preconditionFailure("no piece of code is run") }

    /// Gives access, as a server would.
    func trust(_ event: UnifiedEvent) {}

    /// The face of Apple's own library that a comment uses.
    struct AppleVerifier {
        enum Outcome<Payload> {
            case valid(Payload)
            case invalid
        }

        struct Notification {
            var data: Data?

            struct Data {
                var signedTransactionInfo: String?
            }
        }

        func verifyAndDecodeNotification(signedPayload: String) async -> Outcome<Notification> { .invalid }
        func verifyAndDecodeTransaction(signedTransaction: String) async -> Outcome<Void> { .invalid }
    }

    /// The keys of a company that signs notifications again.
    struct CompanyKeys {
        func signedDate(ofValid text: String) -> Int64? { nil }
    }
}
