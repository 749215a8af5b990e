import NotificationTranslation
import PayloadVerification
import Testing

/// The lines of README.md about servers.
func serverExample(_ body: [UInt8], _ secret: String) throws -> UnifiedEvent {
    // begin: server
    let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890, environment: .production)
    let secrets = try SharedSecrets([secret])  // what a V1 body has to carry; V2 has to be signed by Apple
    let policy = TrustPolicy.verify(try AppStoreVerifier(), sharedSecrets: secrets, expecting: app)
    let event = try NotificationNormalizer(policy: policy).event(from: body)  // V1 or V2, bare or in an envelope
    // end: server
    return event
}

@Suite("The server of the README")
struct ServerExampleTests {
    private static func body(_ secret: String) -> [UInt8] {
        let text =
            #"{"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app","password":"\#(secret)"}"#
        return Array(text.utf8)
    }

    @Test("The server of the README takes a V1 body with the secret, and refuses one without")
    func takesV1() throws {
        let event = try serverExample(Self.body("an invented secret"), "an invented secret")
        #expect(event.source.authenticity == .sharedSecret)
        let error = #expect(throws: NotificationError.self) {
            try serverExample(Self.body("another"), "an invented secret")
        }
        #expect(error?.cause == .untrusted)
    }
}
