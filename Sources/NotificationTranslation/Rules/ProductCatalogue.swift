/// What you know of your products and no version 1 notification says: kinds, levels, durations, and offers.
///
///     product_id,kind,period,rank,group,promotional_offers,price_changes
///     com.example.gold.monthly,auto-renewable,P1M,1,Premium,winback-2021,2021-05-01
///     com.example.silver.monthly,auto-renewable,P1M,2,Premium,none,
///     com.example.coins,consumable,,,,,
///
/// Give it to ``NotificationNormalizer/init(policy:catalogue:maximumBodySize:)`` and to
/// ``SubscriptionTimeline/init(inferring:asOf:catalogue:)``. Its facts are facts of the decision table like those of a
/// body (`planChange`, `nextPlan`, `productKind`, `offerListed` and `priceIncrease` in `Mappings/v1-to-v2.json`). What
/// a product's row leaves empty stays unknown, and so does everything about a product without a row.
public struct ProductCatalogue: Hashable, Sendable {
    /// What a product is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case consumable
        case nonConsumable = "non-consumable"
        case nonRenewing = "non-renewing"
        case autoRenewable = "auto-renewable"

        /// Apple's name for it, as in `type` of a version 2 transaction.
        var productType: EventText {
            switch self {
            case .consumable: EventText("Consumable")
            case .nonConsumable: EventText("Non-Consumable")
            case .nonRenewing: EventText("Non-Renewing Subscription")
            case .autoRenewable: .autoRenewable
            }
        }
    }

    /// One row: a product and what is known of it; `nil` is not known.
    public struct Product: Hashable, Sendable {
        /// The product id, as notifications write it.
        public var productID: String
        /// What it is.
        public var kind: Kind?
        /// How long one period of it lasts, as an ISO 8601 duration of one number and unit: `P1W`, `P6M`, `P1Y`.
        public var period: String?
        /// Its level within the subscription group as in App Store Connect: 1 is the highest.
        public var rank: Int?
        /// Its subscription group: any name, the same for all products of the group.
        public var group: String?
        /// The ids of its promotional offers; empty where it is known to have none.
        public var promotionalOffers: [String]?
        /// The days on which its price went up anywhere, such as `2021-05-01`; empty where it is known never to have.
        public var priceChanges: [String]?

        /// A product of which nothing but its id is known.
        public init(productID: String) {
            self.productID = productID
        }
    }

    /// In the order of the catalogue.
    public var products: [Product] { storage.products }

    /// One reference, so that a converter without a catalogue pays one comparison.
    private let storage: Storage

    /// A catalogue of these products.
    ///
    /// - Throws: ``CatalogueError`` for a product named twice or by nothing, and for a period, level or day that is
    ///   none.
    public init(_ products: [Product]) throws(CatalogueError) {
        try self.init(products, lines: [])
    }

    /// Makes it of rows and the lines they are in.
    init(_ products: [Product], lines: [Int]) throws(CatalogueError) {
        storage = try Storage(products, lines)
    }

    /// Whether both say the same of the same products.
    public static func == (one: ProductCatalogue, other: ProductCatalogue) -> Bool {
        one.storage === other.storage || one.products == other.products
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.fingerprint)
    }

    /// A number that two catalogues share only if they say the same; never 0.
    package var fingerprint: UInt64 { storage.fingerprint }

    // MARK: Questions

    /// The place of the product with an id, as ``TimelineID`` numbers it; `nil` if there is no row of it.
    func place(_ id: UInt64) -> Int? { storage.places[id] }

    /// The place of the product that a text names.
    func place(_ text: EventText) -> Int? { place(Self.number(text)) }

    /// The number of the product id that a text is, as ``change(from:to:)`` takes it.
    static func number(_ text: EventText) -> UInt64 {
        guard text.hasEscapes, let plain = text.string else { return TimelineID.of(text) }
        return number(plain)
    }

    /// What the product at a place is.
    func kind(_ place: Int) -> Kind? { storage.products[place].kind }

    /// Whether an offer is one of a product's promotional offers; `nil` where that is not known.
    func lists(_ offer: EventText, of place: Int) -> Bool? {
        guard let offers = storage.products[place].promotionalOffers, let id = offer.string else { return nil }
        return offers.contains(id)
    }

    /// When the days began on which a product's price went up, in UTC; `nil` where they are not known.
    func priceIncreases(_ place: Int) -> [Int64]? { storage.priceIncreases[place] }

    /// What going over from one product to another means for the plan.
    ///
    /// Unknown where either has no level, where they are of different groups, and where products of one level have
    /// durations that are not known.
    func change(from old: UInt64, to new: UInt64) -> FactValue.PlanChange {
        guard let old = place(old), let new = place(new), old != new else { return .unknown }
        let (one, other) = (storage.products[old], storage.products[new])
        if let group = one.group, let next = other.group, group != next { return .unknown }
        guard let rank = one.rank, let next = other.rank else { return .unknown }
        if next != rank { return next < rank ? .upgrade : .downgrade }
        guard let period = storage.periods[old], let after = storage.periods[new] else { return .unknown }
        return period == after ? .crossgradeSamePeriod : .crossgradeOtherPeriod
    }

    fileprivate static func number(_ id: String) -> UInt64 {
        var id = id
        return id.withUTF8 { TimelineID.of(EventText(UnsafeRawBufferPointer($0))) }
    }

    private final class Storage: Sendable {
        let products: [Product]
        /// By the number of the id.
        let places: [UInt64: Int]
        let periods: [CataloguePeriod?]
        let priceIncreases: [[Int64]?]
        let fingerprint: UInt64

        init(_ products: [Product], _ lines: [Int]) throws(CatalogueError) {
            var places: [UInt64: Int] = [:]
            var periods: [CataloguePeriod?] = []
            var priceIncreases: [[Int64]?] = []
            for (place, product) in products.enumerated() {
                let line = lines.indices.contains(place) ? lines[place] : 0
                guard !product.productID.isEmpty else { throw CatalogueError(.noProductID, line: line) }
                guard places.updateValue(place, forKey: ProductCatalogue.number(product.productID)) == nil else {
                    throw CatalogueError(.duplicateProduct, line: line, value: product.productID)
                }
                periods.append(product.period.flatMap(CataloguePeriod.init))
                if let text = product.period, periods[place] == nil {
                    throw CatalogueError(.badPeriod, line: line, value: text)
                }
                if let rank = product.rank, rank < 1 {
                    throw CatalogueError(.badRank, line: line, value: String(rank))
                }
                priceIncreases.append(product.priceChanges == nil ? nil : [])
                for day in product.priceChanges ?? [] {
                    guard let time = EventTime(day + "T00:00:00Z"), time.description == day + "T00:00:00.000Z" else {
                        throw CatalogueError(.badDate, line: line, value: day)
                    }
                    priceIncreases[place]?.append(time.milliseconds)
                }
            }
            self.products = products
            self.places = places
            self.periods = periods
            self.priceIncreases = priceIncreases
            fingerprint = Self.fingerprint(products)
        }

        /// FNV-1a of all that is said, in the order of the ids, so that the order of rows changes nothing.
        private static func fingerprint(_ products: [Product]) -> UInt64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            func add(_ text: String?) {
                for byte in [UInt8(text == nil ? 0 : 1)] + Array((text ?? "").utf8) + [0xFF] {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                }
            }
            for product in products.sorted(by: { $0.productID < $1.productID }) {
                add(product.productID)
                add(product.kind?.rawValue)
                add(product.period)
                add(product.rank.map { String($0) })
                add(product.group)
                add(product.promotionalOffers.map { $0.sorted().joined(separator: "\u{0}") })
                add(product.priceChanges.map { $0.sorted().joined(separator: "\u{0}") })
            }
            return hash == 0 ? 1 : hash
        }
    }
}

/// How long a period of a product lasts: days or months, which never compare.
struct CataloguePeriod: Hashable, Sendable {
    private enum Unit { case days, months }

    private let count: Int
    private let unit: Unit

    /// Reads an ISO 8601 duration of one number and unit; `nil` for anything else.
    init?(_ text: String) {
        guard text.first == "P", let last = text.last, let number = Int(text.dropFirst().dropLast()),
            1...999 ~= number, text.dropFirst().dropLast().allSatisfy({ "0"..."9" ~= $0 })
        else { return nil }
        switch last {
        case "D": (count, unit) = (number, .days)
        case "W": (count, unit) = (number * 7, .days)
        case "M": (count, unit) = (number, .months)
        case "Y": (count, unit) = (number * 12, .months)
        default: return nil
        }
    }
}
