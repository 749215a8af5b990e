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
            guard let first = life.deliveries.first, try !Posted(first.body).isSandbox else { continue }
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

    @Test("Companions and repeats point at their leader", arguments: SimulatedEra.allCases)
    func companionsAndRepeatsPointAtTheirLeader(_ era: SimulatedEra) throws {
        for life in EraTableTests.lives(era, 200) {
            for delivery in life.deliveries {
                let isLed = delivery.truth.pair == nil || delivery.truth.isRepeat
                #expect((delivery.truth.leader != nil) == isLed)
                guard let leader = delivery.truth.leader else { continue }
                #expect(life.deliveries[leader].happening == delivery.happening)
                #expect(!life.deliveries[leader].truth.isRepeat)
            }
        }
    }

    @Test("Every reported event has one leader", arguments: SimulatedEra.allCases)
    func everyReportedEventHasOneLeader(_ era: SimulatedEra) {
        for (lost, cutOver) in [(0.0, 0.0), (5, 0), (0, 100), (5, 100)] {
            for seed in UInt64(0)..<100 {
                let life = SimulatedLife(
                    seed: seed, era: era, receiptLength: 8...8, lostPercent: lost, cutOverPercent: cutOver)
                var leaders = [Int](repeating: 0, count: life.happenings.count)
                for delivery in life.deliveries where delivery.truth.pair != nil && !delivery.truth.isRepeat {
                    if delivery.truth.twinOf == nil { leaders[delivery.happening] += 1 }
                }
                let expected = life.happenings.map { $0.isSilent ? 0 : 1 }
                #expect(leaders == expected)
            }
        }
    }

    @Test("Events are in the order of time") func happeningsAreInTheOrderOfTime() {
        for era in SimulatedEra.allCases {
            for life in EraTableTests.lives(era, 60) {
                let times = life.happenings.map(\.at)
                #expect(times == times.sorted())
            }
        }
    }

    @Test("A cut-over reports the same twice for some days only") func aCutOverTellsTheSameTwiceForSomeDaysOnly() {
        var twins = 0
        for seed in UInt64(0)..<100 {
            let life = SimulatedLife(seed: seed, era: .unified, receiptLength: 8...8, cutOverPercent: 100)
            for (index, delivery) in life.deliveries.enumerated() {
                guard let twin = delivery.truth.twinOf.map({ life.deliveries[$0] }) else { continue }
                twins += 1
                #expect(twin.isVersion2 != delivery.isVersion2 && twin.happening == delivery.happening)
                #expect(delivery.truth.twinOf.map { $0 < index } == true)
            }
        }
        #expect(twins > 50)
    }

    @Test("A preference is changed back and again within a period") func aPreferenceIsChangedBackAndAgainWithinAPeriod()
    {
        let lives = EraTableTests.lives(.unified, 600)
        let wavering = lives.filter { life in
            let changes = life.happenings.filter { $0.pair.type == "DID_CHANGE_RENEWAL_PREF" }
            return Dictionary(grouping: changes, by: \.transactionId).values.contains { changes in
                let subtypes = changes.map(\.pair.subtype)
                return subtypes.starts(with: ["DOWNGRADE", nil, "DOWNGRADE"])
            }
        }
        #expect(wavering.count >= 3)
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
}
