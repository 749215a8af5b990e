/// What stays the same throughout a life: the app, its server settings, and how Apple writes to it.
struct Setting: Sendable {
    enum RowOrder: Sendable { case newestFirst, oldestFirst, shuffled }
    enum TopLevelId: Sendable { case absent, number, string }

    let era: SimulatedEra
    let manner: Manner
    let environment: StoreEnvironment
    let app: App
    let version: String
    let password: String?
    let followsTalkOf2019: Bool
    let hasGrace: Bool
    /// Three days of grace, which Apple offered later.
    let shortGrace: Bool
    let rowOrder: RowOrder
    let topLevelId: TopLevelId
    let renewsAhead: Bool
    let tokens: Bool
    /// The page of 2019 counts the hours of a retry from the first attempt, today's from the attempt before.
    let retriesCountFromFirst: Bool
    /// How the archive keeps notifications of version 2.
    let signedForm: SignedBody.Form
    let receiptLength: ClosedRange<Int>
    let carriage: Carriage
    let isPunctual: Bool
    /// How slow the clock is that dates the deliveries.
    let clockDelay: Instant
    let pace: Pace
    let company: Company
    let listing: RowListing
    /// When the first life may begin and when the archive ends.
    let span: ClosedRange<Instant>

    init(era: SimulatedEra, plan: LifePlan, random: inout SeededGenerator) {
        self.era = era
        manner = plan.manner
        receiptLength = plan.receiptLength
        carriage = plan.carriage
        isPunctual = plan.punctuality == .usual
        clockDelay = !isPunctual && random.chance(50) ? 40 * .second : 0
        pace = plan.pace
        company = plan.company
        listing = plan.listing
        span = plan.span ?? era.span
        let isSandbox = random.chance(6)
        environment = plan.environment ?? (isSandbox ? .sandbox : .production)
        app = random.chance(60) ? .reader : .fitness
        version = String(random.number(100...420))
        password = random.chance(70) ? Setting.password(random: &random) : nil
        followsTalkOf2019 = random.chance(50)
        hasGrace = era != .legacy && random.chance(50)
        shortGrace = manner == .loose && era == .unified && random.chance(40)
        rowOrder = random.weighted([(75, .newestFirst), (10, .oldestFirst), (15, .shuffled)])
        topLevelId = random.weighted([(50, .number), (35, .string), (15, .absent)])
        renewsAhead = random.chance(30)
        tokens = era == .unified && random.chance(20)
        switch era {
        case .legacy: retriesCountFromFirst = true
        case .transition: retriesCountFromFirst = random.chance(50)
        case .unified: retriesCountFromFirst = false
        }
        signedForm = random.weighted([(45, .signed), (20, .decodedWithSignedParts), (35, .decoded)])
    }

    /// The greater number where Apple is careless about what its pages say.
    func spread(_ careful: Int64, loose: Int64) -> ClosedRange<Int64> { 0...(manner == .loose ? loose : careful) }

    /// How many seconds after an act its change of renewal status is dated: before what the customer does next.
    var statusDelay: ClosedRange<Int64> { spread(2, loose: pace == .dense ? 4 : 45) }

    func practice(at instant: Instant) -> Practice {
        Practice(day: instant, environment: environment, followsTalkOf2019: followsTalkOf2019)
    }

    private static func password(random: inout SeededGenerator) -> String {
        let digits = Array("0123456789abcdef")
        let turn = random.number(0...15)
        return String((0..<32).map { digits[($0 + turn) % 16] })
    }
}
