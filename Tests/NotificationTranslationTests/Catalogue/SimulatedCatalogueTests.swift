import NotificationTranslation
import SimulatedLives
import Testing

@Suite("Simulated lives, with the catalogue of their products")
struct SimulatedCatalogueTests {
    /// What came of the lives of all eras, and how often flags were raised.
    private struct Run {
        var score = TimelineScore()
        var flags: [String: Int] = [:]

        init(_ catalogue: ProductCatalogue?) throws {
            try self.init { _ in catalogue }
        }

        /// With a catalogue of its own for each life.
        init(_ catalogue: (SimulatedLife) throws -> ProductCatalogue?) throws {
            let seed = Environment.number("SEED") ?? 1
            for era in SimulatedEra.allCases {
                for number in 0..<(Environment.number("LIVES") ?? 60) {
                    let life = SimulatedLife(
                        seed: UInt64(seed * 200_000 + number), era: era, receiptLength: 8...8, lostPercent: 2,
                        cutOverPercent: 40)
                    let catalogue = try catalogue(life)
                    let normalizer = NotificationNormalizer(policy: .trustingTheSource, catalogue: catalogue)
                    let settled = try LifeArchive(life, normalizer).settled(with: catalogue)
                    score.take(life, settled)
                    for event in settled.told + settled.inferred {
                        for flag in event.flags { flags[flag.rawValue, default: 0] += 1 }
                        // A refund that names no product is of a kind that nobody knows.
                        if event.flags.contains(.productKindUnknown), event.transaction?.productID != nil {
                            flags["kind of a named product", default: 0] += 1
                        }
                    }
                }
            }
        }
    }

    /// The catalogue with the days on which prices went up in a life: a week after each question for consent, which is
    /// asked a week or more before the renewal.
    private static func catalogue(withRisesOf life: SimulatedLife) throws -> ProductCatalogue {
        let asked = life.happenings.filter { $0.pair == V2Pair("PRICE_INCREASE", "PENDING") }
        let days = asked.map { EventTime(milliseconds: $0.at + 7 * 86_400_000).description.prefix(10) }
        return try ProductCatalogue(
            ProductCatalogue(file: Array(CatalogueText.csv.utf8)).products.map { product in
                var product = product
                product.priceChanges = Set(days.map(String.init)).sorted()
                return product
            })
    }

    @Test("A catalogue that has the days on which prices went up contradicts no simulated life")
    func priceIncreases() throws {
        let without = try Run(try ProductCatalogue(file: Array(CatalogueText.csv.utf8)))
        let with = try Run { try Self.catalogue(withRisesOf: $0) }
        let never = try Run { life in
            try ProductCatalogue(
                Self.catalogue(withRisesOf: life).products.map { product in
                    var product = product
                    product.priceChanges = []
                    return product
                })
        }
        #expect(with.flags["DOC_CONTRADICTION"] ?? 0 == without.flags["DOC_CONTRADICTION"] ?? 0)
        #expect(never.flags["DOC_CONTRADICTION"] ?? 0 > without.flags["DOC_CONTRADICTION"] ?? 0)
        #expect(with.score.wrongExact == [] && never.score.wrongExact == [])
        #expect(with.score[.answered] >= without.score[.answered] && with.score[.among] >= without.score[.among])
        #expect(with.score[.exact] == without.score[.exact])
    }

    @Test("With a catalogue nothing is judged worse, and no direction of a plan and no kind of a product stays unknown")
    func settles() throws {
        let without = try Run(nil)
        let with = try Run(try ProductCatalogue(file: Array(CatalogueText.csv.utf8)))
        print("without a catalogue: \(without.score)\nwith a catalogue: \(with.score)")
        let open = ["PLAN_DIRECTION_UNKNOWN", "PRODUCT_KIND_UNKNOWN", "DOC_CONTRADICTION"]
        for flag in open { print("\(flag): \(without.flags[flag] ?? 0), with \(with.flags[flag] ?? 0)") }
        #expect(with.score.wrongExact == [])
        #expect(with.score[.answered] >= without.score[.answered])
        #expect(with.score[.among] >= without.score[.among])
        #expect(with.score[.exact] >= without.score[.exact])
        #expect(without.flags["PLAN_DIRECTION_UNKNOWN"] ?? 0 > 0)
        #expect(without.flags["PRODUCT_KIND_UNKNOWN"] ?? 0 > 0)
        #expect(with.flags["PLAN_DIRECTION_UNKNOWN"] ?? 0 == 0)
        #expect(with.flags["PLAN_CROSSGRADE"] ?? 0 > 0 && without.flags["PLAN_CROSSGRADE"] == nil)
        #expect(with.flags["kind of a named product"] ?? 0 == 0)
        #expect(with.flags["PRODUCT_KIND_UNKNOWN"] ?? 0 < without.flags["PRODUCT_KIND_UNKNOWN"] ?? 0)
        #expect(with.flags["DOC_CONTRADICTION"] ?? 0 == without.flags["DOC_CONTRADICTION"] ?? 0)
    }
}
