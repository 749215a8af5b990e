import NotificationTranslation
import Testing

@testable import PayloadVerification

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

private let measuringIsAskedFor = ProcessInfo.processInfo.environment["MEASURE"] != nil

/// How fast it is, in CPU time of one thread: only with `MEASURE=1`, and only worth anything with `-c release`.
///
/// `MEASURE_TOKENS` names a folder with `root.der` and one notification a line in `notifications.txt`, so that another
/// library can be measured on the same texts; without it they are made here.
@Suite(.serialized, .enabled(if: measuringIsAskedFor)) struct SpeedTests {
    private static func tokens(_ chain: ForgedChain) throws -> (root: [UInt8], notifications: [[UInt8]]) {
        if let folder = ProcessInfo.processInfo.environment["MEASURE_TOKENS"] {
            let root = try Data(contentsOf: URL(filePath: folder + "/root.der"))
            let lines = try Data(contentsOf: URL(filePath: folder + "/notifications.txt"))
            return (Array(root), lines.split(separator: 0x0A).map { Array($0) })
        }
        let notifications = try (0..<50).map { number in
            let payload = Token.notification(
                transaction: try Token(chain, payload: Token.transaction(id: "\(number)")).text(),
                renewal: try Token(chain, payload: Token.renewal(id: "\(number)")).text()
            )
            return Array(try Token(chain, payload: payload).text().utf8)
        }
        return (chain.root, notifications)
    }

    /// CPU seconds of this thread for each of `count` calls.
    private static func cost(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        for place in 0..<count { try body(place) }
        return (now() - start) / Double(count)
    }

    @Test("measures") func measures() throws {
        let chain = try ForgedChain()
        let (root, notifications) = try Self.tokens(chain)
        let verifier = try AppStoreVerifier(roots: [root])
        let plain = try AppStoreVerifier(
            roots: [root],
            profile: .rfc5280,
            clock: VerificationTime.systemClock,
            cachesChains: false
        )
        let policy = TrustPolicy.verify(verifier, expecting: .any)
        let plainPolicy = TrustPolicy.verify(plain, expecting: .any)
        _ = try policy.authenticity(ofSignedPayload: notifications[0])

        let whole = try Self.cost(3000) {
            _ = try policy.authenticity(ofSignedPayload: notifications[$0 % notifications.count])
        }
        let wholePlain = try Self.cost(150) {
            _ = try plainPolicy.authenticity(ofSignedPayload: notifications[$0 % notifications.count])
        }
        let single = try Self.cost(6000) { place in
            _ = try notifications[place % notifications.count].withUnsafeBytes {
                try verifier.verify($0.bytes, as: .notification)
            }
        }
        let certificates = try notifications[0].withUnsafeBytes {
            try CompactJWS($0, as: .notification).readHeader().chain
        }
        let first = try Self.cost(300) { _ in _ = try plain.key(of: certificates, at: 1_750_000_000) }
        let key = try verifier.key(of: certificates, at: 1_750_000_000)
        let raw = try notifications[0].withUnsafeBytes { bytes in
            let jws = try CompactJWS(bytes, as: .notification)
            return Self.cost(6000) { _ in _ = key.isValid(jws.signature, for: jws.signingInput) }
        }
        print("notifications of \(notifications[0].count) bytes, each with the JWS inside it:")
        print("  fully verified, chain known      \(Int(1 / whole)) notifications/s")
        print("  fully verified, no memory        \(Int(1 / wholePlain)) notifications/s")
        print("one JWS, chain known               \(Int(1 / single)) /s")
        print("signature alone                    \(Int(1 / raw)) /s")
        print("chain seen for the first time      \(Double(Int(first * 100_000)) / 100) ms")
    }

    #if !canImport(CryptoKit)
    @Test("measures receipts") func measuresReceipts() throws {
        let chain = try ForgedChain(.rsa)
        let verifier = try AppReceiptVerifier(roots: [chain.root])
        let plain = try AppReceiptVerifier(roots: [chain.root], takesSHA1: true, cachesChains: false)
        for (digest, records) in [("SHA1", 1), ("SHA256", 1), ("SHA256", 54), ("SHA256", 187)] {
            var content = ReceiptContent()
            content.records = Array(repeating: ReceiptContent.Record(), count: records)
            var receipt = ForgedReceipt(chain, content)
            receipt.digest = digest
            let der = try receipt.der()
            let text = Array(Token.base64(der).utf8)
            _ = try verifier.verify(der: der)
            let known = try Self.cost(2000) { _ in _ = try text.withUnsafeBytes { try verifier.verify($0.bytes) } }
            let decoded = try Self.cost(2000) { _ in _ = try verifier.verify(der: der) }
            let first = try Self.cost(100) { _ in _ = try plain.verify(der: der) }
            let date = try Self.cost(2000) { _ in
                _ = try text.withUnsafeBytes { try AppReceiptReader().readUnverified($0.bytes) }
            }
            let container = try Self.cost(2000) { _ in _ = try ReceiptContainer(der) }
            let parsed = try ReceiptContainer(der)
            let content1 = try Self.cost(2000) { _ in _ = try AppReceipt(der, in: parsed.content) }
            print("receipt of \(der.count) bytes, \(records) records, \(digest):")
            print("  with base64, chain known         \(Int(1 / known)) /s, \(Int(known * 1e6)) µs")
            print("  without base64, chain known      \(Int(1 / decoded)) /s, \(Int(decoded * 1e6)) µs")
            print("  chain seen for the first time    \(Int(first * 1e6)) µs")
            print("  date alone, not verified         \(Int(date * 1e6)) µs, \(Int(date / known * 1000)) ‰ of it")
            print("  container \(Int(container * 1e7)) / content \(Int(content1 * 1e7)) tenths of a µs")
        }
    }
    #endif
}
