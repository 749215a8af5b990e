import SimulatedLives

/// A sort of simulated lives that is scored by itself.
struct LifeSort: Sendable, CustomStringConvertible {
    let name: String
    let era: SimulatedEra
    let plan: LifePlan
    /// Whether the archive says when each notification was received.
    let tellsReceiveTimes: Bool

    /// What is special about the lives of a sort.
    enum Trait {
        case lost(percent: Double), manner(Manner), versions(Versions), listing(RowListing), company(Company)
        case environment(StoreEnvironment), begun, late, stormy, poor, dense
        /// The archive does not say when each notification was received.
        case timeless
    }

    init(_ name: String, _ era: SimulatedEra, _ traits: Trait...) {
        self.name = name
        self.era = era
        var plan = LifePlan()
        var tellsReceiveTimes = true
        for trait in traits {
            switch trait {
            case .lost(let percent): plan.lostPercent = percent
            case .manner(let manner): plan.manner = manner
            case .versions(let versions): plan.versions = versions
            case .listing(let listing): plan.listing = listing
            case .company(let company): plan.company = company
            case .environment(let environment): plan.environment = environment
            case .begun: plan.beginsMidway = true
            case .late: plan.span = LifePlan.lateYears
            case .stormy: plan.carriage = .stormy
            case .poor: plan.punctuality = .poor
            case .dense: plan.pace = .dense
            case .timeless: tellsReceiveTimes = false
            }
        }
        self.plan = plan
        self.tellsReceiveTimes = tellsReceiveTimes
    }

    var description: String { name }

    func life(_ number: Int, seed: Int) -> SimulatedLife {
        SimulatedLife(seed: UInt64(truncatingIfNeeded: seed * 300_000 + number), era: era, plan: plan)
    }

    /// Sorts by name; each can be asked for.
    static let all: [LifeSort] = [
        LifeSort("v1-2018", .legacy),
        LifeSort("v1-2020", .transition),
        LifeSort("v1-2022", .unified),
        LifeSort("v1-stormy", .unified, .stormy),
        LifeSort("v1-lossy", .unified, .lost(percent: 4)),
        LifeSort("v1-2020-loose", .transition, .manner(.loose)),
        LifeSort("v1-loose", .unified, .manner(.loose)),
        LifeSort("v1-2018-begun", .legacy, .begun),
        LifeSort("v1-2020-begun", .transition, .begun),
        LifeSort("v1-begun", .unified, .begun),
        LifeSort("v2", .unified, .versions(.second)),
        LifeSort("v2-late", .unified, .versions(.second), .late),
        LifeSort("v2-stormy", .unified, .versions(.second), .late, .stormy),
        LifeSort("cutover", .unified, .versions(.cutOver(percent: 100))),
        LifeSort("cutover-lossy", .unified, .versions(.cutOver(percent: 100)), .lost(percent: 4)),
        LifeSort("mixed", .unified, .versions(.overlap)),
        LifeSort("mixed-late", .unified, .versions(.overlap), .late),
        LifeSort("mixed-stormy", .unified, .versions(.both), .stormy),
        LifeSort("mixed-lossy", .unified, .versions(.overlap), .lost(percent: 4), .late),
        LifeSort("mixed-loose", .unified, .versions(.both), .manner(.loose)),
        LifeSort("late-2020", .transition, .poor),
        LifeSort("late-2022", .unified, .poor),
        LifeSort("late-v2", .unified, .poor, .versions(.second), .late),
        LifeSort("late-mixed", .unified, .poor, .versions(.both), .late),
        LifeSort("dense-2018", .legacy, .dense),
        LifeSort("dense-2020", .transition, .dense),
        LifeSort("dense-2022", .unified, .dense),
        LifeSort("dense-lossy", .unified, .dense, .lost(percent: 4)),
        LifeSort("dense-loose", .unified, .dense, .manner(.loose)),
        LifeSort("dense-stormy", .unified, .dense, .stormy),
        LifeSort("dense-begun", .unified, .dense, .begun),
        LifeSort("dense-v2", .unified, .dense, .versions(.second)),
        LifeSort("dense-cutover", .unified, .dense, .versions(.cutOver(percent: 100)), .lost(percent: 2)),
        LifeSort("dense-mixed", .unified, .dense, .versions(.both), .late),
        LifeSort("dense-both-stormy", .unified, .dense, .versions(.both), .stormy, .late),
        LifeSort("newest-2020", .transition, .listing(.newest)),
        LifeSort("newest-2022", .unified, .listing(.newest)),
        LifeSort("listless-2020", .transition, .listing(.none)),
        LifeSort("listless-2022", .unified, .listing(.none)),
        LifeSort("listless-mixed", .unified, .listing(.none), .versions(.both), .late),
        LifeSort("timeless-2020", .transition, .timeless),
        LifeSort("timeless-2022", .unified, .timeless),
        LifeSort("timeless-dense", .unified, .dense, .timeless),
        LifeSort("timeless-stormy", .unified, .stormy, .timeless),
        LifeSort("timeless-mixed", .unified, .versions(.both), .late, .timeless),
        LifeSort("timeless-mixed-dense", .unified, .dense, .versions(.both), .late, .timeless),
        LifeSort("once-2020", .transition, .company(.oneTimePurchases)),
        LifeSort("once-2022", .unified, .company(.oneTimePurchases)),
        LifeSort("once-mixed", .unified, .company(.oneTimePurchases), .versions(.both)),
        LifeSort("family", .unified, .company(.family)),
        LifeSort("family-dense", .unified, .company(.family), .dense, .versions(.cutOver(percent: 30))),
        LifeSort("sandbox-2020", .transition, .environment(.sandbox)),
        LifeSort("sandbox", .unified, .environment(.sandbox)),
        LifeSort("sandbox-dense", .unified, .environment(.sandbox), .dense),
        LifeSort("sandbox-mixed", .unified, .environment(.sandbox), .dense, .versions(.both), .late),
    ]

    static func named(_ name: String) -> LifeSort? { all.first { $0.name == name } }
}
