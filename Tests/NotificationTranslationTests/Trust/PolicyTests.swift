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

    @Test("A policy lets a notification through as what its proof makes it")
    func proven() throws {
        let policy = try Self.strict(holds: true)
        #expect(verdict(Self.signed, policy) == "verified")
        #expect(verdict(Self.jws, policy) == "verified")
        #expect(verdict(Self.v1(Self.secret), policy) == "shared-secret")
        #expect(verdict(#"{"body":\#(Self.v1(Self.secret))}"#, policy) == "shared-secret")
    }

    @Test("A policy refuses what has no proof or a false one")
    func unproven() throws {
        let policy = try Self.strict(holds: true)
        #expect(verdict(Self.payload, policy) == "trust.unsigned")
        #expect(verdict(Self.v1(nil), policy) == "trust.secret-missing")
        #expect(verdict(Self.v1("ffff"), policy) == "trust.secret-mismatch")
        let refusing = try Self.strict(holds: false)
        let code = AuthenticityError(.refused).code.rawValue
        #expect(verdict(Self.signed, refusing) == code)
    }

    @Test("A policy takes what has no proof where that is allowed, and never a false proof")
    func lenient() throws {
        let policy = try Self.strict(holds: false).trustingTheSourceWhereUnproven()
        #expect(verdict(Self.payload, policy) == "unverified")
        #expect(verdict(Self.v1(nil), policy) == "unverified")
        #expect(verdict(Self.v1("ffff"), policy) == "trust.secret-mismatch")
        #expect(verdict(Self.signed, policy) == AuthenticityError(.refused).code.rawValue)
    }

    @Test("A policy does not look around a refused payload for something to believe instead")
    func noFallThrough() throws {
        let policy = try Self.strict(holds: false).trustingTheSourceWhereUnproven()
        let code = AuthenticityError(.refused).code.rawValue
        let row = #"{"notification_type":"DID_RENEW","environment":"PROD","signed_payload":"\#(Self.jws)"}"#
        #expect(verdict(row, policy) == code)
        let both = #"{"signed_payload":"\#(Self.jws)","payload":\#(Self.v1(nil))}"#
        #expect(verdict(both, policy) == code)
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
        #expect(verdict(whole, lenient) == AuthenticityError(.refused).code.rawValue)
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
