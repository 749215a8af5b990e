import Testing

@testable import NotificationTranslation
@testable import PayloadVerification

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Project Wycheproof's vectors, where they are at hand.
@Suite("The signature check, on published vectors") struct WycheproofTests {
    private struct RawFile: Decodable {
        struct Group: Decodable {
            var publicKeyDer: String
            var tests: [Case]
        }
        struct Case: Decodable {
            var tcId: Int
            var msg: String
            var sig: String
            var result: String
        }
        var testGroups: [Group]
    }

    private struct TokenFile: Decodable {
        struct Key: Decodable {
            var alg: String?
            var x: String?
            var y: String?
        }
        struct Group: Decodable {
            var `public`: Key?
            var `private`: Key?
            var tests: [Case]
        }
        struct Case: Decodable {
            var tcId: Int
            var jws: String
            var result: String
        }
        var testGroups: [Group]
    }

    private static let rawSignatures = "wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"
    private static let tokens = "wycheproof/json_web_signature_test.json"

    @Test("The signature check judges raw signatures", .corpora(rawSignatures)) func judgesRawSignatures() throws {
        let file = try Corpora.file(Self.rawSignatures)
        let groups = try JSONDecoder().decode(RawFile.self, from: Data(file)).testGroups
        var count = 0
        for group in groups {
            let key = try #require(P256Key(publicKeyInfo: Self.bytes(group.publicKeyDer)))
            for test in group.tests {
                count += 1
                let isValid = Self.bytes(test.msg).withUnsafeBytes { key.isValid(Self.bytes(test.sig), for: $0) }
                #expect(isValid == (test.result == "valid"), "vector \(test.tcId)")
            }
        }
        #expect(count == 262)
    }

    @Test("The signature check judges tokens", .corpora(tokens)) func judgesTokens() throws {
        let file = try Corpora.file(Self.tokens)
        let groups = try JSONDecoder().decode(TokenFile.self, from: Data(file)).testGroups
        var count = 0
        for group in groups {
            guard let jwk = group.public ?? group.private, jwk.alg == "ES256", let x = jwk.x, let y = jwk.y else {
                continue
            }
            let key = try #require(P256Key(publicKeyInfo: Self.publicKeyInfo(x, y)))
            for test in group.tests {
                count += 1
                #expect(Self.accepts(test.jws, key) == (test.result == "valid"), "vector \(test.tcId)")
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
                    _ = try jws.readHeader()
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
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        let bytes = Data(base64Encoded: padded).map { [UInt8]($0) } ?? []
        return [UInt8](repeating: 0, count: max(0, 32 - bytes.count)) + bytes.suffix(32)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
