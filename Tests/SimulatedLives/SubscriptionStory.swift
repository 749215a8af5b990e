/// The life of one subscription, told step by step: every act changes the books, records what version 2 would have
/// said of it and posts what version 1 did say.
struct SubscriptionStory: Sendable {
    let setting: Setting
    let group: PlanGroup
    let ownership: Ownership
    /// Stays with a weekly plan for years and hardly touches it.
    let isSteady: Bool
    var random: SeededGenerator
    var state: SubscriptionState
    var versions: [StateVersion] = []
    var notices: [Notice] = []
    var happenings: [Happening] = []
    var clock: Instant
    /// Periods until the customer tires of the subscription and leaves for good.
    var periodsLeft: Int

    private var lastTransaction: Int64
    private var lastOrderLine: Int64

    init(
        setting: Setting,
        group: PlanGroup,
        ownership: Ownership,
        isSteady: Bool = false,
        start: Instant,
        random: SeededGenerator
    ) {
        self.setting = setting
        self.group = group
        self.ownership = ownership
        self.isSteady = isSteady
        self.random = random
        clock = start
        periodsLeft = self.random.weighted([(20, 2), (25, 4), (25, 6), (18, 9), (12, 14)])
        if isSteady { periodsLeft = self.random.number(100...140) }
        lastTransaction = TransactionNumbers.first(in: setting, random: &self.random)
        lastOrderLine = TransactionNumbers.first(in: setting, random: &self.random) / 10
        state = SubscriptionState(originalTransactionId: String(lastTransaction), renewal: RenewalState())
    }

    /// The newest transaction.
    var current: ReceiptRow {
        get { state.rows[state.rows.count - 1] }
        set { state.rows[state.rows.count - 1] = newValue }
    }

    var renewal: RenewalState {
        get { state.renewal ?? RenewalState() }
        set { state.renewal = newValue }
    }

    var currentPlan: Plan { group.plan(current.productId) }
    var practice: Practice { setting.practice(at: clock) }

    /// A transaction of the plan that starts at an instant, not yet in the books.
    mutating func transaction(of plan: Plan, from start: Instant, at moment: Instant? = nil) -> ReceiptRow {
        let isFirst = state.rows.isEmpty
        if !isFirst { lastTransaction += random.number(900...90_000_000) }
        lastOrderLine += random.number(90...9_000_000)
        return ReceiptRow(
            productId: plan.productId,
            transactionId: String(lastTransaction),
            originalTransactionId: state.originalTransactionId,
            webOrderLineItemId: String(lastOrderLine),
            purchase: start,
            originalPurchase: isFirst ? start + random.number(1...6) * .second : state.rows[0].originalPurchase,
            expires: plan.period.end(from: start, in: setting.environment),
            group: group.identifier,
            ownership: ownership,
            appAccountToken: setting.tokens ? token : nil
        )
    }

    private var token: String {
        let tail = String(state.originalTransactionId.suffix(12))
        return "5e0b6c1a-77d2-4c39-9f10-\(String(repeating: "0", count: 12 - tail.count))\(tail)"
    }

    /// Enters the state of the books as it is from an instant on.
    mutating func remember(at instant: Instant) { versions.append(StateVersion(since: instant, state: state)) }

    /// Records what version 2 would have said; silent until a notification leads it.
    @discardableResult
    mutating func happen(
        _ type: String,
        _ subtype: String? = nil,
        dated: Instant,
        at: Instant? = nil,
        to row: ReceiptRow? = nil,
        isDocumented: Bool = true
    ) -> Int {
        happenings.append(
            Happening(
                pair: V2Pair(type, subtype),
                dated: dated,
                at: at ?? dated,
                originalTransactionId: state.originalTransactionId,
                transactionId: (row ?? current).transactionId,
                isDocumented: isDocumented
            )
        )
        return happenings.count - 1
    }

    /// Posts a version 1 notification of a happening, unless its recipient or environment is not served.
    mutating func post(
        _ type: String,
        of happening: Int,
        leads: Bool = true,
        at: Instant,
        showing books: SubscriptionState? = nil,
        statusChangedAt: Instant? = nil,
        cancelled: ReceiptRow? = nil,
        also: [V2Pair] = []
    ) {
        guard setting.practice(at: at).delivers(type, to: ownership) else { return }
        notices.append(
            Notice(
                type: type,
                at: at + (leads ? 0 : random.number(setting.spread(1500, loose: 300_000))),
                happening: happening,
                leads: leads,
                also: also,
                state: books ?? state,
                statusChangedAt: statusChangedAt,
                cancelled: cancelled,
                transactionId: (cancelled ?? current).transactionId
            )
        )
        if leads { happenings[happening].isSilent = false }
    }
}

/// Where the numbering of an account's transactions begins.
enum TransactionNumbers {
    static func first(in setting: Setting, random: inout SeededGenerator) -> Int64 {
        switch setting.environment {
        case .sandbox: random.number(1_000_000_400_000_000...1_000_000_990_000_000)
        case .production: random.number(90_000_000_000_000...890_000_000_000_000)
        }
    }
}
