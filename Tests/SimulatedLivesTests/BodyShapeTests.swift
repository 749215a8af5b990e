import Testing

@testable import SimulatedLives

@Suite("The shape of simulated bodies") struct BodyShapeTests {
    static let lives = SimulatedEra.allCases.flatMap { era in
        (UInt64(0)..<60).map { SimulatedLife(seed: $0, era: era) }
    }

    static func posted(in era: SimulatedEra) throws -> [Posted] {
        try lives.filter { $0.era == era }.flatMap(\.deliveries).map { try Posted($0.body) }
    }

    @Test("Simulated lives exist") func livesExist() {
        #expect(BodyShapeTests.lives.filter { $0.deliveries.count > 1 }.count > 120)
    }

    @Test("Legacy bodies hold one receipt object only") func legacyBodiesHoldOneReceiptObjectOnly() throws {
        for body in try BodyShapeTests.posted(in: .legacy) {
            #expect(body.unified_receipt == nil && body.bid == nil)
            let object = try #require(body.legacyObject)
            #expect(body.latest_receipt_info == nil || body.latest_expired_receipt_info == nil)
            let expires = try #require(object["expires_date"].flatMap { Instant($0) })
            #expect(object["expires_date_formatted"] == expires.greenwichText)
            #expect(object["expires_date_ms"] == nil)
        }
    }

    @Test("Legacy cancels carry their date at the top") func legacyCancelsCarryTheirDateAtTheTop() throws {
        for body in try BodyShapeTests.posted(in: .legacy) {
            let isCancel = body.notification_type == "CANCEL"
            #expect((body.cancellation_date_ms != nil) == isCancel)
            #expect((body.web_order_line_item_id != nil) == isCancel)
        }
    }

    @Test("Unified bodies hold no receipt object") func unifiedBodiesHoldNoReceiptObject() throws {
        for body in try BodyShapeTests.posted(in: .unified) {
            #expect(body.legacyObject == nil && body.bid != nil)
            let receipt = try #require(body.unified_receipt)
            #expect(receipt.environment == (body.isSandbox ? "Sandbox" : "Production"))
            #expect((receipt.latest_receipt_info ?? []).count <= 100)
        }
    }

    @Test("Transition bodies come in all shapes") func transitionBodiesComeInAllShapes() throws {
        let bodies = try BodyShapeTests.posted(in: .transition)
        #expect(bodies.contains { $0.unified_receipt != nil && $0.legacyObject != nil })
        #expect(bodies.contains { $0.unified_receipt != nil && $0.legacyObject == nil })
        #expect(bodies.allSatisfy { $0.unified_receipt != nil || $0.legacyObject != nil })
    }

    @Test("Every date has three forms that agree") func everyDateHasThreeFormsThatAgree() throws {
        for era in [SimulatedEra.transition, .unified] {
            let receipts = try BodyShapeTests.posted(in: era).compactMap(\.unified_receipt)
            for row in receipts.flatMap({ ($0.latest_receipt_info ?? []) + ($0.pending_renewal_info ?? []) }) {
                for (key, value) in row where key.hasSuffix("_ms") {
                    let instant = try #require(Instant(value))
                    #expect(row[String(key.dropLast(3))] == instant.greenwichText)
                    #expect(row[key.dropLast(3) + "_pst"] == instant.californiaText)
                }
            }
        }
    }

    @Test("Status changes say when") func statusChangesSayWhen() throws {
        for era in SimulatedEra.allCases {
            for body in try BodyShapeTests.posted(in: era) where body.auto_renew_status_change_date_ms != nil {
                #expect(body.notification_type == "DID_CHANGE_RENEWAL_STATUS")
                #expect(body.auto_renew_status == "true" || body.auto_renew_status == "false")
            }
        }
    }

    @Test(
        "Dates are written in UTC and in the time of Los Angeles, summer and winter",
        arguments: [
            (1_594_910_202_000, "2020-07-16 14:36:42 Etc/GMT", "2020-07-16 07:36:42 America/Los_Angeles"),
            (1_604_221_199_000, "2020-11-01 08:59:59 Etc/GMT", "2020-11-01 01:59:59 America/Los_Angeles"),
            (1_604_221_200_000, "2020-11-01 09:00:00 Etc/GMT", "2020-11-01 01:00:00 America/Los_Angeles"),
            (1_552_211_999_000, "2019-03-10 09:59:59 Etc/GMT", "2019-03-10 01:59:59 America/Los_Angeles"),
            (1_552_212_000_000, "2019-03-10 10:00:00 Etc/GMT", "2019-03-10 03:00:00 America/Los_Angeles"),
            (1_582_934_400_000, "2020-02-29 00:00:00 Etc/GMT", "2020-02-28 16:00:00 America/Los_Angeles"),
        ] as [(Instant, String, String)]
    )
    func californiaKeepsDaylightSaving(_ instant: Instant, _ greenwich: String, _ california: String) {
        #expect(instant.greenwichText == greenwich)
        #expect(instant.californiaText == california)
    }

    @Test("The same seed gives the same bytes") func theSameSeedGivesTheSameBytes() {
        for era in SimulatedEra.allCases {
            let first = SimulatedLife(seed: 7, era: era)
            let second = SimulatedLife(seed: 7, era: era)
            #expect(first.deliveries.map(\.body) == second.deliveries.map(\.body))
            #expect(first.deliveries.map(\.receivedAt) == second.deliveries.map(\.receivedAt))
            let other = SimulatedLife(seed: 8, era: era)
            #expect(first.deliveries.map(\.body) != other.deliveries.map(\.body))
        }
    }
}
