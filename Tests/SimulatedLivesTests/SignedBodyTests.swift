import FoundationEssentials
import Testing

@testable import SimulatedLives

/// Bodies of version 2 are what Apple documents, whichever way an archive keeps them.
@Suite("Signed bodies of simulated lives") struct SignedBodyTests {
    struct Payload: Decodable {
        struct Part: Decodable {
            var originalTransactionId: String
            var transactionId: String?
            var signedDate: Int64
        }

        struct Contents: Decodable {
            var bundleId: String
            var environment: String
            var signedTransactionInfo: String?
            var transactionInfo: Part?
            var signedRenewalInfo: String?
            var renewalInfo: Part?
        }

        var notificationType: String
        var subtype: String?
        var notificationUUID: String
        var version: String
        var signedDate: Int64?
        var data: Contents
    }

    struct Signed: Decodable {
        var signedPayload: String
    }

    static func decoded<T: Decodable>(_ type: T.Type, jws: String) throws -> T {
        let parts = jws.split(separator: ".")
        #expect(parts.count == 3)
        let text = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padded = String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return try JSONDecoder().decode(type, from: try #require(Data(base64Encoded: padded)))
    }

    @Test("Signed bodies are whole and name the transaction") func areWholeAndNameTheTransaction() throws {
        var forms: Set<String> = []
        for seed in UInt64(0)..<60 {
            let life = SimulatedLife(seed: seed, era: .unified, receiptLength: 8...8, cutOverPercent: 100)
            for delivery in life.deliveries where delivery.isVersion2 {
                let body = Data(delivery.body)
                let signed = try? JSONDecoder().decode(Signed.self, from: body)
                let payload =
                    try signed.map { try Self.decoded(Payload.self, jws: $0.signedPayload) }
                    ?? JSONDecoder().decode(Payload.self, from: body)
                forms.insert(signed != nil ? "signed" : payload.data.transactionInfo != nil ? "decoded" : "parts")
                #expect(payload.notificationType == delivery.type && payload.version == "2.0")
                #expect(V2Pair(payload.notificationType, payload.subtype) == delivery.truth.pair)
                #expect(payload.signedDate ?? 0 <= delivery.receivedAt)
                let transaction =
                    try payload.data.transactionInfo
                    ?? Self.decoded(Payload.Part.self, jws: try #require(payload.data.signedTransactionInfo))
                #expect(transaction.transactionId == delivery.truth.transactionId)
                #expect(transaction.originalTransactionId == delivery.truth.originalTransactionId)
            }
        }
        #expect(forms == ["signed", "decoded", "parts"])
    }

    @Test("Signed bodies that are delivered again have the same identifier") func deliveredAgainHaveTheSameIdentifier()
        throws
    {
        var repeats = 0
        for seed in UInt64(0)..<200 {
            let life = SimulatedLife(seed: seed, era: .unified, receiptLength: 8...8, cutOverPercent: 100)
            for delivery in life.deliveries where delivery.isVersion2 && delivery.truth.isRepeat {
                let first = life.deliveries[try #require(delivery.truth.leader)]
                guard let payload = try? JSONDecoder().decode(Payload.self, from: Data(delivery.body)) else { continue }
                let other = try JSONDecoder().decode(Payload.self, from: Data(first.body))
                #expect(payload.notificationUUID == other.notificationUUID)
                repeats += 1
            }
        }
        #expect(repeats > 5)
    }
}
