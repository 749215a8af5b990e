/// The products that the notifications of an archive name, with what they say about each; parts add up.
///
/// Bounded: what is beyond ``mostProducts`` and ``mostOffers`` is counted together.
package struct ProductTally: Hashable, Sendable {
    /// What is known of a product.
    package struct Product: Hashable, Sendable {
        /// Notifications that name it.
        package var notifications = 0
        /// How often Apple named each product type.
        var types: [String: Int] = [:]
        /// For each usual length of a period, the number of transactions of that length.
        var periods: [String: Int] = [:]
        /// The subscription groups, by how often.
        var groups: [String: Int] = [:]
        /// The promotional offers that were used.
        var offers: Set<String> = []
    }

    /// More products than any app has; the App Store allows 10,000 of an app.
    static let mostProducts = 100_000
    private static let mostOffers = 1_000
    private static let mostNames = 8

    /// By id.
    package private(set) var products: [String: Product] = [:]
    /// Products, and offers of a product, that were met beyond the limits, each time they were met.
    package private(set) var leftOut = 0

    package init() {}

    package var isEmpty: Bool { products.isEmpty }

    mutating func removeAll() {
        products.removeAll(keepingCapacity: true)
        leftOut = 0
    }

    // MARK: Counting

    /// Takes in what an event says of its product and of the one that the plan renews into.
    mutating func count(_ event: inout EventDraft) {
        if event.hasTransaction, let id = event.transactionFields.productID.string {
            change(id) { product in
                product.notifications += 1
                Self.describe(&product, event.transactionFields, event.environment)
                return Self.add(event.transactionFields.offerType, event.transactionFields.offerID, to: &product)
            }
        }
        guard event.hasRenewal, let id = event.renewalFields.autoRenewProductID.string else { return }
        change(id) { product in
            product.notifications += 1
            // Only a plan that renews is ever the next one.
            product.types[UnifiedEvent.ProductType.autoRenewableSubscription.rawValue, default: 0] += 1
            return Self.add(event.renewalFields.offerType, event.renewalFields.offerID, to: &product)
        }
    }

    private mutating func change(_ id: String, _ body: (inout Product) -> Bool) {
        guard products[id] != nil || products.count < Self.mostProducts else {
            leftOut += 1
            return
        }
        if !body(&products[id, default: Product()]) { leftOut += 1 }
    }

    /// Adds a promotional offer, the only kind that a catalogue lists; `false` where there is no room for it.
    private static func add(_ type: Int64?, _ id: EventText, to product: inout Product) -> Bool {
        guard type == UnifiedEvent.OfferType.promotional.rawValue, let offer = id.string else { return true }
        return add(offer, to: &product)
    }

    private static func add(_ offer: String, to product: inout Product) -> Bool {
        guard product.offers.count < mostOffers || product.offers.contains(offer) else { return false }
        product.offers.insert(offer)
        return true
    }

    private static func describe(
        _ product: inout Product, _ transaction: EventDraft.Transaction, _ environment: EventText
    ) {
        if let type = transaction.productType.string { add(type, to: &product.types) }
        if let group = transaction.subscriptionGroupID.string { add(group, to: &product.groups) }
        // Trials and offers may last longer or shorter, and the sandbox is quicker.
        guard transaction.offerType == nil, environment.string == NotificationEnvironment.production.rawValue,
            let purchased = transaction.purchasedAt, let expires = transaction.expiresAt,
            let period = period(expires - purchased)
        else { return }
        add(period, to: &product.periods)
    }

    private static func add(_ name: String, to names: inout [String: Int]) {
        guard names.count < mostNames || names[name] != nil else { return }
        names[name, default: 0] += 1
    }

    /// The duration in App Store Connect that a period of a length has; `nil` for a length that none has.
    private static func period(_ milliseconds: Int64) -> String? {
        switch (milliseconds + 43_200_000) / 86_400_000 {
        case 7: "P1W"
        case 28...31: "P1M"
        case 59...62: "P2M"
        case 89...92: "P3M"
        case 181...184: "P6M"
        case 365...366: "P1Y"
        default: nil
        }
    }

    // MARK: Adding up

    /// Adds the products of the part that comes next.
    package mutating func add(_ other: ProductTally) {
        leftOut += other.leftOut
        for (id, part) in other.products.sorted(by: { $0.key < $1.key }) {
            change(id) { product in
                product.notifications += part.notifications
                product.types.merge(part.types, uniquingKeysWith: +)
                product.periods.merge(part.periods, uniquingKeysWith: +)
                product.groups.merge(part.groups, uniquingKeysWith: +)
                var isWhole = true
                for offer in part.offers.sorted() where !Self.add(offer, to: &product) { isWhole = false }
                return isWhole
            }
        }
    }

    // MARK: As a catalogue

    /// What a catalogue of these products begins with.
    ///
    /// - Parameter known: What is in a catalogue already; it stays, and products of it that no notification names, too.
    /// - Returns: The products by id, with what is known already, else what was named most often, else nothing.
    package func template(completing known: ProductCatalogue?) -> [ProductCatalogue.Product] {
        var rows: [String: ProductCatalogue.Product] = [:]
        for product in known?.products ?? [] { rows[product.productID] = product }
        for (id, product) in products {
            var row = rows[id] ?? ProductCatalogue.Product(productID: id)
            row.kind = row.kind ?? Self.most(product.types).flatMap(ProductCatalogue.Kind.init(productType:))
            row.period = row.period ?? Self.most(product.periods)
            row.group = row.group ?? Self.most(product.groups)
            if row.promotionalOffers == nil, !product.offers.isEmpty { row.promotionalOffers = product.offers.sorted() }
            rows[id] = row
        }
        return rows.values.sorted { $0.productID < $1.productID }
    }

    private static func most(_ counts: [String: Int]) -> String? {
        counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}

extension ProductCatalogue.Kind {
    /// The kind that Apple calls so.
    init?(productType: String) {
        guard let kind = Self.allCases.first(where: { $0.productType.string == productType }) else { return nil }
        self = kind
    }
}
