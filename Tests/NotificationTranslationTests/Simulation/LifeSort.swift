import SimulatedLives

/// A sort of simulated lives that is scored by itself.
struct LifeSort: Sendable, CustomStringConvertible {
    let name: String
    let era: SimulatedEra
    let plan: LifePlan
    /// Whether the archive says when each notification was received.
    let tellsReceiveTimes: Bool

    init(
        _ name: String, _ era: SimulatedEra, tellsReceiveTimes: Bool = true,
        _ choose: (inout LifePlan) -> Void = { _ in }
    ) {
        self.name = name
        self.era = era
        self.tellsReceiveTimes = tellsReceiveTimes
        var plan = LifePlan()
        choose(&plan)
        self.plan = plan
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
        LifeSort("v1-stormy", .unified) { $0.carriage = .stormy },
        LifeSort("v1-lossy", .unified) { $0.lostPercent = 4 },
        LifeSort("v1-2020-loose", .transition) { $0.manner = .loose },
        LifeSort("v1-loose", .unified) { $0.manner = .loose },
        LifeSort("v1-2018-begun", .legacy) { $0.beginsMidway = true },
        LifeSort("v1-2020-begun", .transition) { $0.beginsMidway = true },
        LifeSort("v1-begun", .unified) { $0.beginsMidway = true },
        LifeSort("v2", .unified) { $0.versions = .second },
        LifeSort("v2-late", .unified) {
            $0.versions = .second
            $0.span = LifePlan.lateYears
        },
        LifeSort("v2-stormy", .unified) {
            $0.versions = .second
            $0.span = LifePlan.lateYears
            $0.carriage = .stormy
        },
        LifeSort("cutover", .unified) { $0.versions = .cutOver(percent: 100) },
        LifeSort("cutover-lossy", .unified) {
            $0.versions = .cutOver(percent: 100)
            $0.lostPercent = 4
        },
        LifeSort("mixed", .unified) { $0.versions = .overlap },
        LifeSort("mixed-late", .unified) {
            $0.versions = .overlap
            $0.span = LifePlan.lateYears
        },
        LifeSort("mixed-stormy", .unified) {
            $0.versions = .both
            $0.carriage = .stormy
        },
        LifeSort("mixed-lossy", .unified) {
            $0.versions = .overlap
            $0.lostPercent = 4
            $0.span = LifePlan.lateYears
        },
        LifeSort("mixed-loose", .unified) {
            $0.versions = .both
            $0.manner = .loose
        },
        LifeSort("late-2020", .transition) { $0.punctuality = .poor },
        LifeSort("late-2022", .unified) { $0.punctuality = .poor },
        LifeSort("late-v2", .unified) {
            $0.punctuality = .poor
            $0.versions = .second
            $0.span = LifePlan.lateYears
        },
        LifeSort("late-mixed", .unified) {
            $0.punctuality = .poor
            $0.versions = .both
            $0.span = LifePlan.lateYears
        },
        LifeSort("dense-2018", .legacy) { $0.pace = .dense },
        LifeSort("dense-2020", .transition) { $0.pace = .dense },
        LifeSort("dense-2022", .unified) { $0.pace = .dense },
        LifeSort("dense-lossy", .unified) {
            $0.pace = .dense
            $0.lostPercent = 4
        },
        LifeSort("dense-loose", .unified) {
            $0.pace = .dense
            $0.manner = .loose
        },
        LifeSort("dense-stormy", .unified) {
            $0.pace = .dense
            $0.carriage = .stormy
        },
        LifeSort("dense-begun", .unified) {
            $0.pace = .dense
            $0.beginsMidway = true
        },
        LifeSort("dense-v2", .unified) {
            $0.pace = .dense
            $0.versions = .second
        },
        LifeSort("dense-cutover", .unified) {
            $0.pace = .dense
            $0.versions = .cutOver(percent: 100)
            $0.lostPercent = 2
        },
        LifeSort("dense-mixed", .unified) {
            $0.pace = .dense
            $0.versions = .both
            $0.span = LifePlan.lateYears
        },
        LifeSort("dense-both-stormy", .unified) {
            $0.pace = .dense
            $0.versions = .both
            $0.carriage = .stormy
            $0.span = LifePlan.lateYears
        },
        LifeSort("newest-2020", .transition) { $0.listing = .newest },
        LifeSort("newest-2022", .unified) { $0.listing = .newest },
        LifeSort("listless-2020", .transition) { $0.listing = .none },
        LifeSort("listless-2022", .unified) { $0.listing = .none },
        LifeSort("listless-mixed", .unified) {
            $0.listing = .none
            $0.versions = .both
            $0.span = LifePlan.lateYears
        },
        LifeSort("timeless-2020", .transition, tellsReceiveTimes: false),
        LifeSort("timeless-2022", .unified, tellsReceiveTimes: false),
        LifeSort("timeless-dense", .unified, tellsReceiveTimes: false) { $0.pace = .dense },
        LifeSort("timeless-stormy", .unified, tellsReceiveTimes: false) { $0.carriage = .stormy },
        LifeSort("timeless-mixed", .unified, tellsReceiveTimes: false) {
            $0.versions = .both
            $0.span = LifePlan.lateYears
        },
        LifeSort("timeless-mixed-dense", .unified, tellsReceiveTimes: false) {
            $0.pace = .dense
            $0.versions = .both
            $0.span = LifePlan.lateYears
        },
        LifeSort("once-2020", .transition) { $0.company = .oneTimePurchases },
        LifeSort("once-2022", .unified) { $0.company = .oneTimePurchases },
        LifeSort("once-mixed", .unified) {
            $0.company = .oneTimePurchases
            $0.versions = .both
        },
        LifeSort("family", .unified) { $0.company = .family },
        LifeSort("family-dense", .unified) {
            $0.company = .family
            $0.pace = .dense
            $0.versions = .cutOver(percent: 30)
        },
        LifeSort("sandbox-2020", .transition) { $0.environment = .sandbox },
        LifeSort("sandbox", .unified) { $0.environment = .sandbox },
        LifeSort("sandbox-dense", .unified) {
            $0.environment = .sandbox
            $0.pace = .dense
        },
        LifeSort("sandbox-mixed", .unified) {
            $0.environment = .sandbox
            $0.pace = .dense
            $0.versions = .both
            $0.span = LifePlan.lateYears
        },
    ]

    static func named(_ name: String) -> LifeSort? { all.first { $0.name == name } }
}
