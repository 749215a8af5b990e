/// Finds the transaction of V1 bodies that do not name one, for example because their list was removed.
///
/// What the neighbours show decides, and only where it leaves one answer:
///
///     DID_RENEW  names none       received 2022-05-25 18:32:04
///     CANCEL     {7} from 2022-05-25 18:31:50                     →  the DID_RENEW is about 7
///
/// The event keeps what its body says; the transaction found is used for duplicates, for pairing V1 with V2, and for
/// the facts that neighbours give.
struct TransactionNaming: SettlingStep, ~Copyable {
    private(set) var settlement: Settlement
    /// The transactions that notifications name or show.
    private var transactionsInNotifications: Set<UInt64> = []

    init(settlement: consuming Settlement) { self.settlement = settlement }

    /// When a transaction began, according to the notifications.
    private struct Beginning: Hashable {
        var transaction: UInt64
        var product: UInt64
        var at: Int64
        var expires: Int64?

        init(transaction: UInt64, product: UInt64, at: Int64) {
            (self.transaction, self.product, self.at) = (transaction, product, at)
        }

        init(_ row: TimelineRow) {
            (transaction, product, at, expires) = (row.transaction, row.product, row.purchase, row.expires)
        }
    }

    mutating func name() {
        settlement.hasUnnamed = settlement.statements.contains { isUnnamed($0) }
        guard settlement.statements.count > 1 || !settlement.answers.isEmpty, settlement.hasUnnamed else { return }
        if !settlement.answers.isEmpty {
            for statement in settlement.statements {
                transactionsInNotifications.insert(statement.transaction)
                transactionsInNotifications.formUnion(settlement.shownRows[statement.rows].lazy.map(\.transaction))
            }
        }
        let beginnings = beginnings()
        let original = settlement.statements.first.map { TimelineID.of($0.originalTransactionID) }
        let first = beginnings.first { $0.transaction == original }
        let partners = namedPartners()
        for index in settlement.statements.indices where isUnnamed(settlement.statements[index]) {
            let statement = settlement.statements[index]
            if let found = named(index, beginnings, first: first) ?? ofPartner(statement, partners) {
                take(found, index)
            } else if let found = nearest(statement, beginnings) {
                take(found, index)
                settlement.outcomes[index].limit = .inferred
                settlement.outcomes[index].addedFlags.formUnion(.transactionUncertain)
            }
        }
        let telling = settlement.statements.indices.filter { tellsBeginning(settlement.statements[$0]) }
        let reported = Set(telling.map { settlement.statements[$0].transaction })
        for index in settlement.statements.indices where isUnnamed(settlement.statements[index]) {
            guard let found = newestUnreported(settlement.statements[index], reported) else { continue }
            take(found, index)
            settlement.outcomes[index].limit = .inferred
        }
        settlement.hasUnnamed = settlement.statements.contains { isUnnamed($0) }
    }

    private mutating func take(_ found: Beginning, _ index: Int) {
        settlement.statements[index].transaction = found.transaction
        settlement.statements[index].product = found.product
    }

    /// The transaction of a notification by what the others and Apple's answers show.
    private mutating func named(_ index: Int, _ beginnings: [Beginning], first: Beginning?) -> Beginning? {
        let statement = settlement.statements[index]
        let shape = settlement.table.shape(ofType: statement.type)
        return switch shape.time {
        case .purchase where shape.transaction == .first: first
        case .purchase: begun(statement, beginnings)
        case .statusChange: limitedByAge(running(statement, beginnings), index) ?? answeredSwitch(index)
        case .cancellation: answeredCancellation(index)
        case .expiry: answeredFailure(statement)
        case nil:
            statement.receivedAt.flatMap { answered(from: $0 - settlement.delivery(statement).horizon, to: $0) }
        }
    }

    /// The likeliest of several transactions that a notification may be about: the only one that began, or was running,
    /// within the slack of an attempt before it was received.
    private func nearest(_ statement: Statement, _ beginnings: [Beginning]) -> Beginning? {
        let shape = settlement.table.shape(ofType: statement.type)
        guard let received = statement.receivedAt, shape.transaction != .first else { return nil }
        let slack = min(settlement.delivery(statement).horizon, settlement.parameters.attemptSlack)
        let isRecovery = settlement.isRecovery(statement)
        return switch shape.time {
        case .purchase:
            begun(statement, beginnings, within: slack) ?? (isRecovery ? answered(from: received, to: received) : nil)
        case .statusChange: running(statement, beginnings, besides: refunded(by: statement.ownTime ?? .min))
        case nil: answered(from: received - slack, to: received)
        default: nil
        }
    }

    /// The period in which renewal was switched, by the answers: the last one that had begun.
    ///
    /// Where it was over by then, only a complete history shows that no other followed it, as far as nobody filtered it.
    private mutating func answeredSwitch(_ index: Int) -> Beginning? {
        guard let changed = settlement.statements[index].ownTime, settlement.statements[index].timing == .own else {
            return nil
        }
        // A purchase switches renewal on.
        let slack =
            settlement.statements[index].autoRenewStatus == true ? settlement.parameters.switchedWithPurchase : 0
        let last = settlement.answers.shown.values.lazy.map(\.purchase).filter { $0 <= changed + slack }.max()
        guard let last, let row = onlyAnswered(where: { $0.purchase == last }) else { return nil }
        if row.expires.map({ $0 > changed }) ?? false { return limitedByAge(row, index) }
        guard settlement.answers.completeUntil.map({ $0 >= changed }) ?? false else { return nil }
        settlement.outcomes[index].limit = .inferred
        return row
    }

    /// The period in which renewal was switched; the outcome is limited to `inferred` if only answers that are older than
    /// the switch show that period, as another plan may have replaced it since.
    private mutating func limitedByAge(_ running: Beginning?, _ index: Int) -> Beginning? {
        guard !settlement.answers.isEmpty, let running, let changed = settlement.statements[index].ownTime else {
            return running
        }
        let isShownLater = settlement.answers.answers.contains { answer in
            answer.time >= changed
                && settlement.shownRows[answer.rows].contains { $0.transaction == running.transaction }
        }
        if !isShownLater, !transactionsInNotifications.contains(running.transaction) {
            settlement.outcomes[index].limit = .inferred
        }
        return running
    }

    /// The only period that answers show ending when a failed renewal was received, or within the time of repeated
    /// attempts before that.
    private func answeredFailure(_ statement: Statement) -> Beginning? {
        guard let received = statement.receivedAt else { return nil }
        let delivery = settlement.delivery(statement)
        let near = received - delivery.horizon...received + delivery.chargedAhead
        return onlyAnswered { $0.expires.map(near.contains) ?? false }
    }

    /// The only period that answers show running between two instants.
    private func answered(from start: Int64, to end: Int64) -> Beginning? {
        onlyAnswered { row in row.purchase <= end && row.end.map { $0 > start } ?? false }
    }

    /// The only transaction that answers show refunded or replaced within the time of repeated attempts before a
    /// cancellation was received.
    private mutating func answeredCancellation(_ index: Int) -> Beginning? {
        let statement = settlement.statements[index]
        guard let moment = statement.ownTime ?? statement.receivedAt else { return nil }
        let delivery = settlement.delivery(statement)
        let first = moment - (statement.ownTime == nil ? delivery.horizon : 0) - delivery.tolerance
        let near = first...moment + delivery.tolerance
        let rows = settlement.answers.shown.values.filter { row in
            (row.cancellation ?? settlement.answers.replacement(of: row)?.purchase).map(near.contains) ?? false
        }
        // A purchase that is made once has no other transaction.
        guard let found = only(rows.map(Beginning.init)) else { return onlyAnswered { $0.expires == nil } }
        // It may mean a refund that was reversed since, which no answer shows.
        if rows[0].isUpgraded { settlement.outcomes[index].limit = .inferred }
        return found
    }

    /// Whether a notification says that the transaction it is about began.
    private func tellsBeginning(_ statement: Statement) -> Bool {
        settlement.shape(of: statement)?.time == .purchase
            || settlement.table.timeline.role(ofPair: statement.pair) == .begins
    }

    /// The newest transaction that a body shows, if nothing else says that it began: the time of reception, by which it
    /// is too old, may be that of an import.
    private func newestUnreported(_ statement: Statement, _ reported: Set<UInt64>) -> Beginning? {
        guard tellsBeginning(statement), !statement.isInBillingRetry,
            let row = settlement.shownRows[statement.rows].first,
            row.transaction != TimelineID.of(statement.originalTransactionID), !reported.contains(row.transaction)
        else { return nil }
        return Beginning(row)
    }

    private func isUnnamed(_ statement: Statement) -> Bool {
        statement.type >= 0 && statement.transaction == TimelineID.none && statement.hasKey
            && statement.says(.subject, FactValue.Subject.certain)
    }

    /// What the bodies in view show, and when V2 sent it, which for a recovery in the grace period is later; each once,
    /// in their order.
    private func beginnings() -> [Beginning] {
        var found: Set<Beginning> = []
        for statement in settlement.statements + settlement.answers.answers {
            for row in settlement.shownRows[statement.rows] {
                found.insert(Beginning(row))
            }
            if statement.isV2, !statement.isAnswer, statement.transaction != TimelineID.none,
                settlement.table.timeline.role(ofPair: statement.pair) == .begins
            {
                found.insert(
                    Beginning(transaction: statement.transaction, product: statement.product, at: statement.time))
            }
        }
        return found.sorted {
            ($0.at, $0.transaction, $0.expires ?? .min, $0.product)
                < ($1.at, $1.transaction, $1.expires ?? .min, $1.product)
        }
    }

    /// The only transaction that began within some time before a notification was received, by default that of repeated
    /// attempts; without a limit, a renewal may also begin soon after.
    private func begun(_ statement: Statement, _ beginnings: [Beginning], within reach: Int64? = nil) -> Beginning? {
        guard let received = statement.receivedAt else { return nil }
        // A renewal may be charged ahead, and is never the first transaction.
        let isRenewal = renewsByItself(statement)
        let delivery = settlement.delivery(statement)
        let ahead = isRenewal && reach == nil ? delivery.chargedAhead : 0
        let early = max(ahead, delivery.tolerance)
        let late = reach ?? delivery.horizon
        let first = isRenewal ? TimelineID.of(statement.originalTransactionID) : TimelineID.none
        func only(within time: Int64, of product: UInt64? = nil) -> Beginning? {
            let start = beginnings.partitioningIndex { $0.at >= received - time }
            let near = beginnings[start...].prefix { $0.at <= received + early }
            return self.only(near.lazy.filter { $0.transaction != first && $0.product == product ?? $0.product })
        }
        let found = only(within: late)
        guard found == nil, !settlement.answers.isEmpty, statement.nextProduct != TimelineID.none else { return found }
        return only(within: late, of: statement.nextProduct)
    }

    /// Whether a notification of a new period reports an automatic renewal, not a purchase by the customer.
    private func renewsByItself(_ statement: Statement) -> Bool {
        if statement.isV2 { return SilentTable.current.continues.contains(statement.pair) }
        return !settlement.table.timeline.byHand.contains(statement.type)
    }

    /// The one transaction that was running when the status changed, but none of those that were refunded.
    private func running(
        _ statement: Statement, _ beginnings: [Beginning], besides refunded: Set<UInt64> = []
    ) -> Beginning? {
        guard let changed = statement.ownTime, statement.timing == .own else { return nil }
        let end = beginnings.partitioningIndex { $0.at > changed + settlement.tolerance(statement) }
        let latest = beginnings[..<end].suffix(Settlement.reach)
        return only(
            latest.lazy.filter { begun in
                begun.expires.map { changed < $0 } ?? false && !refunded.contains(begun.transaction)
            })
    }

    /// The transactions that some body shows refunded by an instant.
    private func refunded(by instant: Int64) -> Set<UInt64> {
        Set(settlement.shownRows.lazy.filter { $0.endedEarly ?? .max <= instant }.map(\.transaction))
    }

    /// What is named by the notifications that have a partner which reports the same of a transaction, by time.
    private func namedPartners() -> [Beginning] {
        let partners = settlement.table.timeline.partners.filter { $0.bond == .transaction }
        let named = settlement.statements.filter { statement in
            statement.transaction != TimelineID.none && partners.contains { $0.of.contains(statement.type) }
        }
        return named.map { Beginning(transaction: $0.transaction, product: $0.product, at: $0.time) }
            .sorted { ($0.at, $0.transaction, $0.product) < ($1.at, $1.transaction, $1.product) }
    }

    /// The transaction that the partner of a notification names, sent in the same instant: that of the RENEWAL beside a
    /// DID_RECOVER.
    private func ofPartner(_ statement: Statement, _ named: [Beginning]) -> Beginning? {
        let partners = settlement.table.timeline.partners
        guard partners.contains(where: { $0.bond == .transaction && $0.types.contains(statement.type) }) else {
            return nil
        }
        let reach = settlement.parameters.contiguous
        let start = named.partitioningIndex { $0.at >= statement.time - reach }
        return only(named[start...].prefix(Settlement.reach).prefix { $0.at <= statement.time + reach })
    }

    /// The transaction of those that answers show and a condition holds for, if it is one.
    private func onlyAnswered(where holds: (TimelineRow) -> Bool) -> Beginning? {
        only(settlement.answers.shown.values.filter(holds).map(Beginning.init))
    }

    /// The transaction that all are about; `nil` if they differ.
    private func only(_ beginnings: some Sequence<Beginning>) -> Beginning? {
        var found: Beginning?
        for beginning in beginnings {
            if let found, found.transaction != beginning.transaction { return nil }
            found = beginning
        }
        return found
    }
}
