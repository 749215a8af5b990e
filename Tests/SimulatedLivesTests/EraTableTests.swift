import Testing

@testable import SimulatedLives

/// Which version 1 types may tell one happening, in each era.
@Suite("The tables of eras") struct EraTableTests {
    static let cancel = "CANCEL"
    static let interactive = "INTERACTIVE_RENEWAL"
    static let preference = "DID_CHANGE_RENEWAL_PREF"
    static let status = "DID_CHANGE_RENEWAL_STATUS"

    static let production: [SimulatedEra: [String: [Set<String>]]] = [
        .legacy: [
            "DID_CHANGE_RENEWAL_PREF/UPGRADE": [[cancel, interactive], [cancel, status, interactive]],
            "DID_CHANGE_RENEWAL_PREF/DOWNGRADE": [[preference]],
            "DID_CHANGE_RENEWAL_PREF/-": [[preference]],
            "SUBSCRIBED/INITIAL_BUY": [["INITIAL_BUY"]],
            "SUBSCRIBED/RESUBSCRIBE": [[interactive], [status], [interactive, status]],
            "DID_RENEW/BILLING_RECOVERY": [["RENEWAL"]],
            "REFUND/-": [[cancel]],
        ],
        .transition: [
            "DID_CHANGE_RENEWAL_PREF/UPGRADE": [[cancel, status, interactive], [cancel, interactive]],
            "DID_CHANGE_RENEWAL_PREF/DOWNGRADE": [[interactive, preference]],
            "DID_CHANGE_RENEWAL_PREF/-": [[preference]],
            "SUBSCRIBED/INITIAL_BUY": [["INITIAL_BUY"]],
            "SUBSCRIBED/RESUBSCRIBE": [[status], [interactive, status]],
            "DID_RENEW/BILLING_RECOVERY": [["DID_RECOVER"], ["DID_RECOVER", "RENEWAL"], ["RENEWAL"]],
            "DID_RENEW/-": [["DID_RENEW"]],
            "EXPIRED/BILLING_RETRY": [[status]],
            "EXPIRED/PRICE_INCREASE": [[status]],
            "DID_FAIL_TO_RENEW/-": [["DID_FAIL_TO_RENEW"]],
            "DID_FAIL_TO_RENEW/GRACE_PERIOD": [["DID_FAIL_TO_RENEW"]],
            "REFUND/-": [[cancel], ["REFUND"]],
        ],
        .unified: [
            "DID_CHANGE_RENEWAL_PREF/UPGRADE": [[status, interactive]],
            "OFFER_REDEEMED/UPGRADE": [[status, interactive]],
            "DID_CHANGE_RENEWAL_PREF/DOWNGRADE": [[preference]],
            "OFFER_REDEEMED/DOWNGRADE": [[preference]],
            "DID_CHANGE_RENEWAL_PREF/-": [[preference]],
            "SUBSCRIBED/INITIAL_BUY": [["INITIAL_BUY"]],
            "SUBSCRIBED/RESUBSCRIBE": [[status], [interactive, status]],
            "DID_RENEW/BILLING_RECOVERY": [["DID_RECOVER"]],
            "DID_RENEW/-": [["DID_RENEW"]],
            "EXPIRED/BILLING_RETRY": [[status]],
            "EXPIRED/PRICE_INCREASE": [[status]],
            "PRICE_INCREASE/PENDING": [["PRICE_INCREASE_CONSENT"]],
            "REFUND/-": [[cancel], ["REFUND"]],
            "REVOKE/-": [["REVOKE"]],
            "CONSUMPTION_REQUEST/-": [["CONSUMPTION_REQUEST"]],
        ],
    ]

    static func lives(_ era: SimulatedEra, _ count: UInt64 = 400) -> [SimulatedLife] {
        (0..<count).map { SimulatedLife(seed: $0, era: era, receiptLength: 8...8) }
    }

    @Test("Every event is reported as the tables say", arguments: SimulatedEra.allCases)
    func everyEventIsReportedAsTheTablesSay(_ era: SimulatedEra) throws {
        let table = try #require(EraTableTests.production[era])
        var told: Set<String> = []
        for life in EraTableTests.lives(era) {
            guard life.setting.environment == .production else { continue }
            var sets: [Int: Set<String>] = [:]
            for delivery in life.deliveries { sets[delivery.happening, default: []].insert(delivery.type) }
            for (index, types) in sets {
                let pair = life.happenings[index].pair.description
                guard let allowed = table[pair] else { continue }
                told.insert(pair)
                #expect(allowed.contains(types), "\(pair) in life \(life.seed)")
            }
        }
        #expect(told == Set(table.keys))
    }

    @Test("Every reported event has one leader", arguments: SimulatedEra.allCases)
    func everyReportedEventHasOneLeader(_ era: SimulatedEra) {
        for (lost, cutOver) in [(0.0, 0.0), (5, 0), (0, 100), (5, 100)] {
            for seed in UInt64(0)..<40 {
                let life = SimulatedLife(
                    seed: seed, era: era, receiptLength: 8...8, lostPercent: lost, cutOverPercent: cutOver)
                var leaders = [Int](repeating: 0, count: life.happenings.count)
                for delivery in life.deliveries where delivery.truth.pair != nil && !delivery.truth.isRepeat {
                    if !delivery.truth.isTwin { leaders[delivery.happening] += 1 }
                }
                let expected = life.happenings.map { $0.isSilent ? 0 : 1 }
                #expect(leaders == expected)
            }
        }
    }

    @Test("Renewals are silent before the end of October 2020") func renewalsAreSilentBeforeTheEndOfOctober2020() {
        for life in EraTableTests.lives(.transition) {
            for happening in life.happenings where happening.pair == V2Pair("DID_RENEW") {
                let isSilent = happening.at < AppleCalendar.renewalsAndPriceConsent
                #expect(happening.isSilent == isSilent)
            }
        }
    }

    @Test("Each situation of the era occurs") func eachSituationOfTheEraOccurs() {
        let all = EraTableTests.lives(.unified, 1500).flatMap(\.happenings)
        let pairs = Set(all.map(\.pair.description))
        for expected in [
            "EXPIRED/VOLUNTARY", "GRACE_PERIOD_EXPIRED/-", "PRICE_INCREASE/ACCEPTED", "OFFER_REDEEMED/-",
            "RENEWAL_EXTENDED/-", "REFUND_DECLINED/-", "REFUND_REVERSED/-", "EXPIRED/PRODUCT_NOT_FOR_SALE",
            "ONE_TIME_CHARGE/-",
        ] {
            #expect(pairs.contains(expected))
        }
    }

    @Test("Bodies hold the objects of their era", arguments: SimulatedEra.allCases)
    func bodiesHoldTheObjectsOfTheirEra(_ era: SimulatedEra) {
        let bodies = EraTableTests.lives(era, 60).flatMap(\.deliveries).map { String(decoding: $0.body, as: UTF8.self) }
        let unified = Set(bodies.filter { $0.contains("\"unified_receipt\"") })
        let single = Set(bodies.filter { $0.contains("\"expires_date_formatted\"") })
        #expect(bodies.allSatisfy { unified.contains($0) || single.contains($0) })
        #expect(unified.isEmpty == (era == .legacy) && single.isEmpty == (era == .unified))
        #expect(unified.isDisjoint(with: single) == (era != .transition))
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

    @Test("The same seed gives the same bytes", arguments: SimulatedEra.allCases)
    func theSameSeedGivesTheSameBytes(_ era: SimulatedEra) {
        let lives = [7, 7, 8].map { SimulatedLife(seed: $0, era: era) }
        #expect(lives[0].deliveries.map(\.body) == lives[1].deliveries.map(\.body))
        #expect(lives[0].deliveries.map(\.receivedAt) == lives[1].deliveries.map(\.receivedAt))
        #expect(lives[0].deliveries.map(\.body) != lives[2].deliveries.map(\.body))
    }
}
