/// Goes through a settled subscription and holds what it sees against ``SilentTable``.
struct Deduction {
    let settlement: Settlement
    /// What is asked of its notifications.
    let settled: SettledNotifications
    let table = SilentTable.current
    let parameters: Parameters
    let isProvenOnly: Bool
    let clock: ViewClock
    let isFamily: Bool
    /// When version 2 first reported something, which it went on with.
    private let firstOfVersion2: Int64?
    /// A notification that names the app.
    private let namedBy: Int?
    /// The cancellations that were received for no transaction that anything shows.
    let unnamedCancellations: [Int]
    /// What deduced events say about access.
    private lazy var access = SettledAccess(settlement, settlement.accessHistory ?? AccessHistory(settlement))
    private(set) var events: [SilentEvent] = []
    /// The indices in ``events`` of what was deduced about each transaction.
    private var deduced: [UInt64: [Int]] = [:]
    /// The indices of the rules that decided, in the order they were asked.
    private(set) var used: [Int] = []

    private init(_ settlement: Settlement, isProvenOnly: Bool, _ clock: ViewClock) {
        self.settlement = settlement
        self.isProvenOnly = isProvenOnly
        self.clock = clock
        parameters = settlement.parameters
        settled = SettledNotifications(settlement, clock)
        let own = Set(settlement.history.rows.map(\.transaction))
        unnamedCancellations = settlement.order.filter { index in
            let statement = settlement.statements[index]
            return settlement.isEvent(index) && settlement.isAboutCancelled(statement)
                && !own.contains(statement.transaction)
        }
        namedBy = settlement.statements.firstIndex { !$0.bundleID.isAbsent }
        firstOfVersion2 = settlement.statements.lazy.filter(\.isV2).map(\.time).min()
        isFamily =
            settlement.statements.contains { $0.says(.ownership, FactValue.Ownership.family) }
            || settlement.answers.showFamily(settlement.table.codes)
    }

    /// The events that V1 never sent, by the index they follow.
    ///
    /// - Parameters:
    ///   - settlement: The subscription.
    ///   - inference: How sure they must be.
    ///   - clock: What counts as now; records what was asked of it.
    /// - Returns: Those after one notification in the order of time.
    static func events(of settlement: Settlement, _ inference: SilentInference, by clock: ViewClock) -> [SilentEvent] {
        guard inference != .off else { return [] }
        return Deduction(of: settlement, isProvenOnly: inference == .safe, clock).events.enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            if one.after != other.after { return one.after < other.after }
            return one.time != other.time ? one.time < other.time : $0.offset < $1.offset
        }.map(\.element)
    }

    /// Goes through them; nothing is deduced of a subscription that nobody certainly names.
    init(of settlement: Settlement, isProvenOnly: Bool, _ clock: ViewClock) {
        self.init(settlement, isProvenOnly: isProvenOnly, clock)
        let isCertain = settlement.statements.contains {
            $0.hasKey && !$0.isV2 && $0.says(.subject, FactValue.Subject.certain)
        }
        guard isCertain else { return }
        lookAtTransactions()
        lookAtNotifications()
        lookAtContradictions()
    }

    var rows: [TimelineRow] { settlement.history.rows }

    /// The index of a transaction in ``rows``.
    func index(of transaction: UInt64) -> Int? { settlement.history.index(of: transaction) }

    /// Whether something holds of an event deduced about a transaction.
    func deduced(about transaction: UInt64, where body: (SilentEvent) -> Bool) -> Bool {
        deduced[transaction]?.contains { body(events[$0]) } ?? false
    }

    // MARK: What follows

    /// The possible times of a deduced event, by what they are taken from.
    typealias Instants = KeyValuePairs<SilentTable.Time, Int64?>

    private static func time(of rule: SilentTable.Row, among times: Instants) -> Int64? {
        times.first { $0.key == rule.time }?.value ?? nil
    }

    /// Holds an observation against the table and keeps what it says.
    ///
    /// - Parameters:
    ///   - facts: What was seen.
    ///   - row: The transaction it is about.
    ///   - evidence: The indices of the notifications it was seen in.
    ///   - times: The dates it may have happened at.
    mutating func conclude(_ facts: SilentFacts, _ row: TimelineRow, from evidence: [Int], at times: Instants) {
        guard let (index, isReported) = firstMatch(facts, times) else { return }
        let rule = table.rules[index]
        used.append(index)
        let notifications = Set(evidence.filter { $0 >= 0 }).sorted {
            settlement.positions[$0] < settlement.positions[$1]
        }
        // What version 2 would have reported and did not is never proven.
        let isProven = rule.isProven && !isReported
        // A cancellation that a body shows has happened, whatever counts as now.
        guard let pair = rule.pair, isProven || !isProvenOnly, let time = Self.time(of: rule, among: times),
            rule.time == .cancellation || clock.hasReached(time), let last = notifications.max(),
            !settled.events(about: row.transaction, { $0 == pair })
                || settlement.table.timeline.role(ofPair: pair) == .ends
        else { return }
        var event = SilentEvent()
        event.after = last
        event.rule = index
        event.time = time
        event.field = Self.field(rule.time)
        // A repeated delivery has the id of the first.
        event.derivedFrom = notifications.filter { index in
            let outcome = settlement.outcomes[index]
            return outcome.disposition != .duplicate || !notifications.contains(outcome.leader)
        }.map { settlement.id(of: $0) }
        let named = namedBy.map { settlement.statements[$0] } ?? settlement.statements[last]
        event.environment = settlement.statements[last].environment
        event.bundleID = named.bundleID
        event.transaction = NamedTransaction(settlement.statements[last].originalTransactionID, row)
        if !isProven { event.gap = table.gaps.firstMatch(facts) ?? -1 }
        event.nextProduct = nextProduct(after: row, at: time, pair)
        event.details = settlement.answers.details[row.transaction].map(AnsweredDetails.init)
        event.access = access.access(of: event, [pair] + rule.candidates, shownBy: notifications)
        let isKnown = deduced(about: row.transaction) { $0.time == time && table.rules[$0.rule].pair == pair }
        guard !isKnown else { return }
        if row.isAnswered || row.fate != nil || event.details != nil { event.access.flag.formUnion(.settledByAnswer) }
        deduced[row.transaction, default: []].append(events.count)
        events.append(event)
    }

    /// The next product that a notification stated last by then; absent for a pair that begins a period, which renews its
    /// own product.
    private func nextProduct(after row: TimelineRow, at time: Int64, _ pair: Int) -> EventText {
        guard settlement.table.timeline.role(ofPair: pair) != .begins else { return .absent }
        return settled.notifications(about: row.transaction).last { index in
            settlement.statements[index].time <= time && !settlement.statements[index].nextProductText.isAbsent
        }.map { settlement.statements[$0].nextProductText } ?? .absent
    }

    /// The rule that decides, asked again with the facts of the time that it gives, and whether version 2 was sent then.
    private func firstMatch(_ facts: SilentFacts, _ times: Instants) -> (index: Int, isReportedByVersion2: Bool)? {
        guard let index = table.rules.firstMatch(facts) else { return nil }
        guard let time = Self.time(of: table.rules[index], among: times) else { return (index, false) }
        let isReported = firstOfVersion2.map { $0 <= time } ?? false
        var facts = facts
        facts.set(.version2, isReported)
        return table.rules.firstMatch(facts).map { ($0, isReported) }
    }

    private static func field(_ time: SilentTable.Time) -> UInt8 {
        switch time {
        case .expiry, .retryEnd: TimeField.expiry
        case .purchase: TimeField.purchase
        case .cancellation: TimeField.cancellation
        case .grace: TimeField.grace
        case .switchOff: TimeField.statusChange
        case .range: 0
        }
    }

    /// The facts of an observation that no notification is known to have reported.
    func facts(_ observation: SilentValue.Observation) -> SilentFacts {
        var facts = SilentFacts.unexamined
        facts.set(.observation, observation)
        facts.set(.told, false)
        facts.set(.family, isFamily)
        return facts
    }
}

extension TimeField {
    static let purchase = number(of: EventText("purchase_date_ms"))
    static let expiry = number(of: EventText("expires_date_ms"))
    static let cancellation = number(of: EventText("cancellation_date_ms"))
    static let grace = number(of: EventText("grace_period_expires_date_ms"))
    static let statusChange = number(of: EventText("auto_renew_status_change_date_ms"))
    private static let purchases = [
        purchase, number(of: EventText("purchase_date")), number(of: EventText("purchase_date_pst")),
    ]

    /// Whether a field says when a transaction was bought.
    static func isPurchase(_ field: UInt8) -> Bool { purchases.contains(field) }
}
