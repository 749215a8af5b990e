import Testing

@testable import NotificationTranslation
@testable import PayloadVerification

/// Project Wycheproof's vectors, where they are at hand.
@Suite("The signature check, on published vectors") struct WycheproofTests {
    private static let rawSignatures = "wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"
    private static let tokens = "wycheproof/json_web_signature_test.json"

    private static func groups(_ path: String) throws -> [JSONTree] {
        try #require(try JSONTree(try Corpora.file(path))["testGroups"]?.elements)
    }

    @Test("The signature check judges raw signatures", .corpora(rawSignatures)) func judgesRawSignatures() throws {
        var count = 0
        for group in try Self.groups(Self.rawSignatures) {
            let key = try #require(P256Key(publicKeyInfo: Self.bytes(group["publicKeyDer"]?.string ?? "")))
            for test in group["tests"]?.elements ?? [] {
                count += 1
                let (message, signature) = (test["msg"]?.string ?? "", test["sig"]?.string ?? "")
                let isValid = Self.bytes(message).withUnsafeBytes { key.isValid(Self.bytes(signature), for: $0) }
                #expect(isValid == (test["result"]?.string == "valid"), "vector \(test["tcId"]?.characters ?? "")")
            }
        }
        #expect(count == 262)
    }

    @Test("The signature check judges tokens", .corpora(tokens)) func judgesTokens() throws {
        var count = 0
        for group in try Self.groups(Self.tokens) {
            guard let jwk = group["public"] ?? group["private"], jwk["alg"]?.string == "ES256",
                let x = jwk["x"]?.string, let y = jwk["y"]?.string
            else { continue }
            let key = try #require(P256Key(publicKeyInfo: Self.publicKeyInfo(x, y)))
            for test in group["tests"]?.elements ?? [] {
                count += 1
                let isAccepted = Self.accepts(test["jws"]?.string ?? "", key)
                #expect(isAccepted == (test["result"]?.string == "valid"), "vector \(test["tcId"]?.characters ?? "")")
            }
        }
        #expect(count == 39)
    }

    /// Whether a token with a key from elsewhere holds: everything but its chain, which these tokens do not bring.
    private static func accepts(_ text: String, _ key: P256Key) -> Bool {
        Array(text.utf8).withUnsafeBytes { bytes in
            do throws(AuthenticityError) {
                let jws = try CompactJWS(bytes, as: .notification)
                do throws(AuthenticityError) {
                    _ = try jws.readChain()
                } catch {
                    guard error.reason == .noChain else { return false }
                }
                return key.isValid(jws.signature, for: jws.signingInput)
            } catch {
                return false
            }
        }
    }

    private static func publicKeyInfo(_ x: String, _ y: String) -> [UInt8] {
        let point = [0x04] + coordinate(x) + coordinate(y)
        return DERWriter.sequence(
            DERWriter.sequence(
                DERWriter.identifier("1.2.840.10045.2.1"),
                DERWriter.identifier("1.2.840.10045.3.1.7")
            ),
            DERWriter.bits(point)
        )
    }

    private static func coordinate(_ text: String) -> [UInt8] {
        let bytes = StrictBase64.decoded(url: text.utf8) ?? []
        return [UInt8](repeating: 0, count: max(0, 32 - bytes.count)) + bytes.suffix(32)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
