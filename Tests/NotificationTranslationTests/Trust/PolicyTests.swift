import Testing

@testable import NotificationTranslation

@Suite("A policy")
struct PolicyTests {
    /// Takes every signature, or none.
    private struct Verdict: SignedPayloadVerifier {
        var holds: Bool

        func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
            guard holds else { throw AuthenticityError(.refused) }
            return VerificationTime(milliseconds: 0, basis: .signedDate)
        }
    }

    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let payload =
        #"{"notificationType":"DID_RENEW","notificationUUID":"u","data":{"bundleId":"com.example.app","environment":"Production"},"signedDate":1700000000000}"#

    private static func base64(_ text: String) -> String { StrictBase64.encoded(url: Array(text.utf8)) }

    private static let jws =
        base64(#"{"alg":"ES256","x5c":["AA==","AA==","AA=="]}"#) + "." + base64(payload) + "."
        + String(repeating: "A", count: 86)
    private static let signed = #"{"signedPayload":"\#(jws)"}"#
    private static func v1(_ password: String?) -> String {
        let field = password.map { #","password":"\#($0)""# } ?? ""
        return #"{"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app"\#(field)}"#
    }

    /// `verified`, `shared-secret`, `unverified`, or the code of the refusal.
    private func verdict(_ body: String, _ policy: TrustPolicy) -> String {
        do throws(NotificationError) {
            return try NotificationNormalizer(policy: policy).event(from: Array(body.utf8)).source.authenticity.rawValue
        } catch {
            return error.code.rawValue
        }
    }

    private static func strict(holds: Bool) throws -> TrustPolicy {
        .verify(Verdict(holds: holds), sharedSecrets: try SharedSecrets([secret]), expecting: .any)
    }

    private static let refused = AuthenticityError(.refused).code.rawValue

    /// Bodies, and what becomes of each where signatures hold, and where they do not and the unproven is allowed.
    private static let verdicts: [(body: String, strict: String, lenient: String)] = [
        (signed, "verified", refused), (jws, "verified", refused),
        (v1(secret), "shared-secret", "shared-secret"),
        (#"{"body":\#(v1(secret))}"#, "shared-secret", "shared-secret"),
        (payload, "trust.unsigned", "unverified"), (v1(nil), "trust.secret-missing", "unverified"),
        (v1("ffff"), "trust.secret-mismatch", "trust.secret-mismatch"),
    ]

    @Test(
        "A policy takes a notification as what its proof makes it, one without where that is allowed, no false one",
        arguments: verdicts)
    func proofs(_ body: String, _ strict: String, _ lenient: String) throws {
        #expect(verdict(body, try Self.strict(holds: true)) == strict)
        #expect(verdict(body, try Self.strict(holds: false).trustingTheSourceWhereUnproven()) == lenient)
        #expect((verdict(body, try Self.strict(holds: false)) == Self.refused) == (strict == "verified"))
    }

    @Test("A policy does not look around a refused payload for something to believe instead")
    func noFallThrough() throws {
        let policy = try Self.strict(holds: false).trustingTheSourceWhereUnproven()
        let row = #"{"notification_type":"DID_RENEW","environment":"PROD","signed_payload":"\#(Self.jws)"}"#
        #expect(verdict(row, policy) == Self.refused)
        let both = #"{"signed_payload":"\#(Self.jws)","payload":\#(Self.v1(nil))}"#
        #expect(verdict(both, policy) == Self.refused)
    }

    @Test("A policy does not believe a decoded copy because the signed text beside it was blanked or refused")
    func noCopyIsBelieved() throws {
        let copy = Self.payload.dropFirst()
        for text in ["", "[REDACTED]", "eyJ***.***.***", String(Self.jws.prefix(40))] {
            let row = #"{"signedPayload":"\#(text)",\#(copy)"#
            #expect(verdict(row, try Self.strict(holds: true)) == "trust.unsigned", "\(text)")
            let lenient = try Self.strict(holds: true).trustingTheSourceWhereUnproven()
            #expect(verdict(row, lenient) == "unverified", "\(text)")
            let column = #"{"signed_payload":"\#(text)","payload":\#(Self.payload)}"#
            #expect(verdict(column, try Self.strict(holds: true)) == "trust.unsigned", "\(text)")
        }
        let whole = #"{"signedPayload":"\#(Self.jws)",\#(copy)"#
        let lenient = try Self.strict(holds: false).trustingTheSourceWhereUnproven()
        #expect(verdict(whole, lenient) == Self.refused)
        #expect(verdict(whole, try Self.strict(holds: true)) == "verified")
    }

    @Test("A policy checks the secret of a body in another shape like that of any other")
    func secretOfAnOddBody() throws {
        let policy = try Self.strict(holds: true)
        for (secret, verdict) in [(Self.secret, "shared-secret"), ("ffff", "trust.secret-mismatch")] {
            let body = #"{"notificationType":"CANCEL","bid":"com.example.app","password":"\#(secret)"}"#
            #expect(self.verdict(body, policy) == verdict)
            let texts = #"{"notification_type":"CANCEL","password":"\#(secret)","unified_receipt":"{}"}"#
            #expect(self.verdict(texts, policy) == verdict)
        }
    }
}
