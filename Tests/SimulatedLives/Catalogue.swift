/// How long one paid period of a plan lasts.
enum Period: Equatable, Sendable {
    case week
    case months(Int)

    func end(from start: Instant, in environment: StoreEnvironment) -> Instant {
        switch (environment, self) {
        case (.production, .week): start + 7 * .day
        case (.production, .months(let count)): CivilTime(start).adding(months: count).instant
        case (.sandbox, .week): start + 3 * .minute
        case (.sandbox, .months(let count)): start + Int64(count) * 5 * .minute
        }
    }

    /// How long before the renewal Apple asks for consent to a higher price.
    var priceNotice: Instant {
        switch self {
        case .week: 7 * .day
        case .months(let count): (count < 12 ? 10 : 30) * .day
        }
    }

    /// The billing grace period of 2019.
    var grace: Instant { (self == .week ? 6 : 16) * .day }
}

/// One auto-renewable product; level 1 is the highest of its group.
struct Plan: Equatable, Sendable {
    let productId: String
    let level: Int
    let period: Period

    /// Whether changing to the other plan takes effect at once: upgrades and crossgrades of the same duration do.
    func changesAtOnce(to other: Plan) -> Bool {
        other.level < level || (other.level == level && other.period == period)
    }
}

/// A subscription group: one subscription of it at a time per account.
struct PlanGroup: Sendable {
    let identifier: String
    let plans: [Plan]

    func plan(_ productId: String) -> Plan { plans.first { $0.productId == productId } ?? plans[0] }
}

/// Products bought once; a receipt keeps no finished consumable.
struct OneTimeProduct: Sendable {
    let productId: String
    let isConsumable: Bool
}

/// An app with two subscription groups and some one-time products.
struct App: Sendable {
    let bundleId: String
    let itemId: String
    let groups: [PlanGroup]
    let oneTimeProducts: [OneTimeProduct]

    static let reader = App(
        bundleId: "com.example.reader",
        itemId: "1458301776",
        groups: [
            PlanGroup(
                identifier: "20480731",
                plans: [
                    Plan(productId: "com.example.reader.plus.monthly", level: 1, period: .months(1)),
                    Plan(productId: "com.example.reader.plus.yearly", level: 1, period: .months(12)),
                    Plan(productId: "com.example.reader.basic.weekly", level: 2, period: .week),
                    Plan(productId: "com.example.reader.basic.monthly", level: 2, period: .months(1)),
                    Plan(productId: "com.example.reader.local.monthly", level: 2, period: .months(1)),
                    Plan(productId: "com.example.reader.basic.yearly", level: 2, period: .months(12)),
                    Plan(productId: "com.example.reader.lite.monthly", level: 3, period: .months(1)),
                ]
            ),
            PlanGroup(
                identifier: "20519264",
                plans: [
                    Plan(productId: "com.example.reader.audio.monthly", level: 1, period: .months(1)),
                    Plan(productId: "com.example.reader.audio.lite.monthly", level: 2, period: .months(1)),
                    Plan(productId: "com.example.reader.audio.halfyear", level: 1, period: .months(6)),
                ]
            ),
        ],
        oneTimeProducts: [
            OneTimeProduct(productId: "com.example.reader.coins.100", isConsumable: true),
            OneTimeProduct(productId: "com.example.reader.export", isConsumable: false),
            OneTimeProduct(productId: "com.example.reader.season.2021", isConsumable: false),
        ]
    )

    static let fitness = App(
        bundleId: "com.example.fitness",
        itemId: "1337420069",
        groups: [
            PlanGroup(
                identifier: "20366015",
                plans: [
                    Plan(productId: "fitness_coach_month", level: 1, period: .months(1)),
                    Plan(productId: "fitness_coach_quarter", level: 1, period: .months(3)),
                    Plan(productId: "fitness_month", level: 2, period: .months(1)),
                    Plan(productId: "fitness_year", level: 2, period: .months(12)),
                    Plan(productId: "fitness_week", level: 2, period: .week),
                    Plan(productId: "fitness_yoga_month", level: 2, period: .months(1)),
                ]
            ),
            PlanGroup(
                identifier: "20366102",
                plans: [
                    Plan(productId: "fitness_food_month", level: 1, period: .months(1)),
                    Plan(productId: "fitness_food_year", level: 1, period: .months(12)),
                ]
            ),
        ],
        oneTimeProducts: [
            OneTimeProduct(productId: "fitness_boost", isConsumable: true),
            OneTimeProduct(productId: "fitness_lifetime_stats", isConsumable: false),
        ]
    )
}
