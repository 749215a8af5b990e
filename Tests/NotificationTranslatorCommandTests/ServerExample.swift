import NotificationTranslation
import PayloadVerification

/// The three lines of README.md about servers; they are compiled and never called.
func serverExample(_ body: [UInt8]) throws -> UnifiedEvent {
    // begin: server
    let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890, environment: .production)
    let normalizer = NotificationNormalizer(policy: .verify(try AppStoreVerifier(), expecting: app))
    let event = try normalizer.event(from: body)  // V1 or V2, bare or in an envelope
    // end: server
    return event
}
