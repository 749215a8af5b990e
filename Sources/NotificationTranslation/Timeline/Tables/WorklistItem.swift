/// A question about a subscription that only Apple can answer.
package struct WorklistItem: TableRecord {
    /// What to ask Apple's App Store Server API.
    package enum Question: String, Sendable {
        case history = "transaction-history"
        case status = "subscription-status"
    }

    var originalTransactionID: String
    var environment: String?
    var bundleID: String?
    var ask: Question
    var opens: [String]
    var reasons: [AmbiguityFlag]
    var events: Int64
    var lastReportedAt: EventTime?
    /// Whether it is not known if the customer has access today.
    package var isAccessOpen: Bool

    /// The columns in the order of the contract.
    package static let columns: [TableColumn<WorklistItem>] = [
        .init("original_transaction_id", .text) { .text($0.originalTransactionID) },
        .init("environment", .text) { .text($0.environment) },
        .init("bundle_id", .text) { .text($0.bundleID) },
        .init("ask", .text) { .text($0.ask.rawValue) },
        .init("opens", .list) { .list($0.opens) },
        .init("reasons", .list) { .list($0.reasons.map(\.rawValue)) },
        .init("events", .number) { .number($0.events) },
        .init("last_reported_at", .time) { .time($0.lastReportedAt) },
    ]

    /// The question that a settled subscription leaves open; `nil` for none, and for one that Apple cannot answer or
    /// has answered.
    init?(_ settlement: Settlement, asOf instant: Int64) {
        guard !settlement.statements.isEmpty else { return nil }
        let history = StateHistory(settlement, until: instant)
        // What nothing dates has no state at any instant.
        guard let state = history.state(at: instant) ?? history.undatedState, !state.originalTransactionID.isEmpty,
            Self.isAnswered(by: state.environment)
        else { return nil }
        let asked = Self.asked(settlement)
        let answered = asked[.history] ?? .min
        let access = SettledAccess(settlement)
        let open = settlement.order.filter {
            settlement.statements[$0].time > answered && Self.isOpen($0, settlement, access)
        }
        let isStateOpen = state.certainty == .unknown || state.certainty == .ambiguous
        let uncertain = Self.openTransactions(history.ledger, settlement, instant, since: answered)
        let opens = [
            isStateOpen && asked[.status] ?? .min < state.validFrom.milliseconds ? "state" : nil,
            open.isEmpty ? nil : "events",
            uncertain.isEmpty ? nil : "transactions",
        ].compactMap(\.self)
        guard !opens.isEmpty else { return nil }
        originalTransactionID = state.originalTransactionID
        environment = state.environment
        bundleID = state.bundleID
        ask = opens == ["state"] ? .status : .history
        self.opens = opens
        let flags = open.reduce(into: FlagSet()) { flags, index in
            flags.formUnion(settlement.outcomes[index].decision?.flags ?? FlagSet())
            flags.formUnion(Self.access(index, settlement, access).flag)
        }
        // A note of the severity `info` leaves nothing open.
        let ofState = state.flags.filter { $0.severity != .info }
        let ofEvents = flags.names.filter { flag in !ofState.contains(flag) && flag.severity != .info }
        let ambiguous = ofEvents.filter { $0.severity == .ambiguous }
        reasons = ofState + (ofState.isEmpty && ambiguous.isEmpty ? ofEvents : ambiguous)
        if reasons.isEmpty { reasons = uncertain.first?.flags ?? [] }
        events = Int64(open.count)
        lastReportedAt = state.lastReportedAt
        isAccessOpen = state.isEntitled == nil
    }

    /// When Apple last answered each question; it is asked again if something newer is open.
    private static func asked(_ settlement: Settlement) -> [Question: Int64] {
        var asked: [Question: Int64] = [:]
        for answer in settlement.answers.answers {
            guard let question = answer.typeText.string.flatMap(Question.init) else { continue }
            asked[question] = max(answer.time, asked[question] ?? .min)
        }
        return asked
    }

    /// The transactions that were bought since an instant and are ambiguous.
    private static func openTransactions(
        _ ledger: Ledger, _ settlement: Settlement, _ instant: Int64, since answered: Int64
    ) -> [SubscriptionTransaction] {
        guard !ledger.isCertain || settlement.order.contains(where: { settlement.sureness(of: $0) == .ambiguous })
        else { return [] }
        return ledger.transactions(settlement, asOf: instant).filter {
            $0.certainty == .ambiguous && $0.transaction.purchasedAt?.milliseconds ?? .max > answered
        }
    }

    /// Whether Apple's servers know an environment.
    private static func isAnswered(by environment: String?) -> Bool {
        environment.map { ["Production", "Sandbox", "PROD"].contains($0) } ?? true
    }

    /// What a notification says about access.
    private static func access(_ index: Int, _ settlement: Settlement, _ access: SettledAccess) -> Access {
        access.access(index) ?? settlement.statements[index].access.access
    }

    /// Whether a notification leaves open what a customer may use or what became of a transaction, and Apple can tell.
    private static func isOpen(_ index: Int, _ settlement: Settlement, _ access: SettledAccess) -> Bool {
        guard settlement.isEvent(index) else { return false }
        let access = Self.access(index, settlement, access)
        let isUndecided = access.entitlement == .undecided
        // It has a flag where a period or its end is not known, which Apple tells.
        if isUndecided, !access.flag.isEmpty { return true }
        guard settlement.outcomes[index].decision?.rule.isAnswerable ?? true else { return false }
        let isOfTransaction = settlement.role(index) == .refunds || settlement.role(index) == .begins
        return isUndecided || settlement.sureness(of: index) == .ambiguous && isOfTransaction
    }
}
