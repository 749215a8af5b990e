/// What Apple's answers show of a subscription, put beside what its notifications show.
///
/// An answer reports nothing that happened, so no event is judged beside it. It adds to the transactions; what it does not
/// show proves nothing. Rows of `state` and `transactions` also take from it how the subscription stood:
///
///     CANCEL    {1}  cancelled 01-10                     →  refund or upgrade?
///     history   {1}  is upgraded  ·  {2}  from 01-10     →  an upgrade, and when and for how long 2 ran
struct AnswerLedger {
    /// In the order of the times that they speak of.
    private(set) var answers: [Statement] = []
    /// What else each of them shows.
    private(set) var shownDetails: [ShownDetails] = []
    /// What they say of transactions beside the dates.
    private(set) var details: [UInt64: RowDetails] = [:]
    /// The transactions as they were shown last.
    private(set) var shown: [UInt64: TimelineRow] = [:]
    /// From complete histories, the latest time that one speaks of.
    private(set) var completeUntil: Int64?

    var isEmpty: Bool { answers.isEmpty }

    /// Reads answers.
    ///
    /// - Parameters:
    ///   - evidence: Of each answer, in any order; the memory must outlive the use of the ledger.
    ///   - table: Knows the types.
    ///   - rows: Gets the transactions.
    init(_ evidence: [UnsafeRawBufferPointer] = [], _ table: DecisionTable, _ rows: inout [TimelineRow]) {
        guard !evidence.isEmpty else { return }
        var read: [(statement: Statement, details: ShownDetails, bytes: UnsafeRawBufferPointer)] = []
        for bytes in evidence {
            var shown = ShownDetails()
            guard let statement = EvidenceReader.statement(bytes, table, &rows, &shown) else { continue }
            read.append((statement, shown, bytes))
        }
        read.sort { one, other in
            let (time, otherTime) = (one.statement.order, other.statement.order)
            return time != otherTime ? time < otherTime : one.bytes.lexicographicallyPrecedes(other.bytes)
        }
        for (statement, shown, _) in read {
            answers.append(statement)
            shownDetails.append(shown)
            for (row, detail) in zip(rows[statement.rows], shown.rows) {
                var newest = detail
                if let known = details[row.transaction] { newest.complete(from: known) }
                details[row.transaction] = newest
                self.shown[row.transaction] = row
            }
            guard statement.isCompleteHistory, let time = statement.ownTime else { continue }
            completeUntil = max(completeUntil ?? time, time)
        }
    }

    /// Why a period ended.
    func intent(of transaction: UInt64, _ end: PeriodEnd) -> SilentValue.Intent? {
        let answer = answers.last {
            $0.transaction == transaction && 1...5 ~= $0.intent && (end.expires..<end.until).contains($0.order)
        }
        return answer.map { SilentValue.Intent(number: Int($0.intent)) ?? .other }
    }

    /// Whether they are about what is shared with a member of the family.
    func showFamily(_ codes: FactCodes) -> Bool {
        details.values.contains { details in
            codes.value(of: .ownership, for: details.ownership).flatMap(FactValue.Ownership.init(number:)) == .family
        }
    }

    /// What was bought in the place of a transaction that is marked as upgraded; `nil` where nothing shows it.
    func replacement(of row: TimelineRow) -> TimelineRow? {
        guard row.isUpgraded else { return nil }
        let next = shown.values.filter { $0.purchase > row.purchase }.min { $0.comes(before: $1) }
        return next.flatMap { $0.product == row.product ? nil : $0 }
    }

    /// Whether an answer says what App Store Server API says, which marks an upgrade; a receipt of some years does not.
    static func marksUpgrades(_ answer: Statement) -> Bool { answer.typeText.string?.hasPrefix("receipt") == false }
}

extension RowHistory {
    /// Takes in what an answer shows, once all notifications are in.
    ///
    /// - Parameters:
    ///   - shown: Its transactions.
    ///   - answer: The answer.
    ///   - anchor: The place of the last notification until an instant, which stands for the answer where a notification
    ///     is asked for.
    mutating func complete(by shown: ArraySlice<TimelineRow>, of answer: Statement, anchor: (Int64) -> Int) {
        let marks = AnswerLedger.marksUpgrades(answer)
        for row in shown {
            update(row.transaction) { before in
                var known = before ?? row
                if before == nil {
                    known.shownBy = anchor(row.purchase)
                    known.endShownBy = known.shownBy
                    known.isAnswered = true
                }
                if let expires = row.expires, expires > known.expires ?? .min { known.expires = expires }
                let isNew = before.map { $0.cancellation == nil && !$0.isUpgraded } ?? true
                if isNew { known.takeCancellation(of: row, anchor) }
                if known.offerType == 0 { known.takeOffer(of: row) }
                if known.productText.isAbsent {
                    known.product = row.product
                    known.productText = row.productText
                }
                if row.isUpgraded { known.isUpgraded = true }
                known.setFate(row, marks)
                return known
            }
        }
    }
}

extension TimelineRow {
    /// Takes the cancellation that an answer shows, if any.
    fileprivate mutating func takeCancellation(of row: TimelineRow, _ anchor: (Int64) -> Int) {
        guard let cancelled = row.cancellation else { return }
        cancellation = cancelled
        reason = row.reason
        isInPart = row.isInPart
        cancelledBy = anchor(cancelled)
        cancelledSince = cancelled
        cancellationShownBy = cancelledBy
        isCancelledUnmarked = !row.isUpgraded
    }

    /// Takes what an answer says became of the transaction.
    fileprivate mutating func setFate(_ row: TimelineRow, _ marksUpgrades: Bool) {
        if row.isUpgraded {
            fate = .upgraded
        } else if let cancelled = row.cancellation, marksUpgrades, fate != .upgraded {
            fate = .refunded(cancelled)
        }
    }
}

// MARK: - What they say

extension Settlement {
    /// What answers say of the transaction of a notification, where its body does not: who owns it, its offer, where in
    /// its period a change of status was made, and whether the customer bought it.
    func answered(_ statement: Statement, _ facts: inout Facts) {
        guard let details = answers.details[statement.transaction],
            let index = history.index(of: statement.transaction)
        else { return }
        let (row, shape) = (history.rows[index], table.shape(ofType: statement.type))
        func set<Value: FactValue.Value>(_ fact: Fact, ifUnknown value: Value?) {
            guard let value, facts[fact.index] == fact.unknown else { return }
            facts.set(fact, value)
        }
        if shape.transaction != .cancelled, let reason = table.codes.value(of: .answered, for: details.reason) {
            facts[Fact.answered.index] = reason
            // What the customer did was not the beginning of a period that the store renewed.
            if reason == FactValue.Answered.renewal.number, table.timeline.byHand.contains(statement.type) {
                set(.newTransaction, ifUnknown: FactValue.Answer.no)
            }
        }
        let ownership = table.codes.value(of: .ownership, for: details.ownership)
        set(.ownership, ifUnknown: ownership.flatMap(FactValue.Ownership.init(number:)))
        set(.rowKind, ifUnknown: row.expires == nil ? FactValue.RowKind.oneTime : .subscription)
        switch row.offerType {
        case UInt8(.code): set(.offer, ifUnknown: FactValue.Offer.code)
        case UInt8(.promotional): set(.offer, ifUnknown: FactValue.Offer.promotional)
        case 0, UInt8(.introductory): set(.offer, ifUnknown: FactValue.Offer.none)
        default: break
        }
        let isOriginal = row.transaction == TimelineID.of(statement.originalTransactionID)
        set(.original, ifUnknown: isOriginal ? FactValue.Answer.yes : .no)
        guard let changed = statement.ownTime, shape.time == .statusChange else { return }
        let isNew = abs(changed - row.purchase) <= tolerance(statement)
        set(.newTransaction, ifUnknown: isNew ? FactValue.Answer.yes : .no)
        set(.changedAt, ifUnknown: row.expires.map { table.parameters.changedAt(changed - $0) })
    }

    /// Whether an answer says that a transaction was upgraded, and another one replaced it at an instant.
    func isUpgradeAnswered(_ index: Int, at instant: Int64) -> Bool {
        let row = history.rows[index]
        guard row.fate == .upgraded, let next = history.rows.dropFirst(index + 1).first else { return false }
        return next.product != row.product && abs(next.purchase - instant) <= table.parameters.contiguous
    }
}

// MARK: - What rests on them

extension Settlement {
    /// Flags what became of a notification, where it is other than without the answers.
    mutating func flagAnswered(against baseline: Settlement) {
        for place in statements.indices {
            // The canonical text is that of the body, whatever an answer says.
            outcomes[place].number = baseline.outcomes[place].number
            let (mine, before) = (outcomes[place], baseline.outcomes[place])
            let isSame =
                mine.disposition == before.disposition && mine.pair == before.pair && mine.leader == before.leader
                && mine.row == before.row && mine.limit == before.limit
                && mine.decision?.rule.id == before.decision?.rule.id
                && mine.decision?.candidates == before.decision?.candidates
                && mine.decision?.certainty == before.decision?.certainty
                && access(place) == baseline.access(place) && completion(place) == nil
            if !isSame { outcomes[place].addedFlags.formUnion(.settledByAnswer) }
            if isContradicted(place) { outcomes[place].addedFlags.formUnion(.answerContradicts) }
        }
    }

    /// Whether an answer shows the transaction of a notification otherwise than its body.
    private func isContradicted(_ place: Int) -> Bool {
        let statement = statements[place]
        guard let row = answers.shown[statement.transaction],
            let own = shownRows[statement.rows].first(where: { $0.transaction == statement.transaction })
        else { return false }
        func differ(_ one: Int64, _ other: Int64) -> Bool { abs(one - other) > table.parameters.cancelledAgain }
        if own.product != TimelineID.none, row.product != TimelineID.none, own.product != row.product { return true }
        if differ(own.purchase, row.purchase) { return true }
        guard let cancelled = own.cancellation, let refunded = row.cancellation else { return false }
        return differ(cancelled, refunded) && refunded < cancelled
    }

    /// What answers say of what was said of a V1 notification without them: that its transaction was refunded or
    /// replaced, was bought or renewed; `nil` where none says that.
    func comparison(with baseline: Settlement, _ place: Int) -> AgreementTally.Result? {
        let (statement, said) = (statements[place], baseline.outcomes[place])
        guard said.disposition == .event || said.disposition == .companion,
            let details = answers.details[statement.transaction], let index = history.index(of: statement.transaction)
        else { return nil }
        let (row, pairs) = (history.rows[index], table.events.pairs)
        let isTrue: (Int) -> Bool
        if isAboutCancelled(statement) {
            guard let at = statement.ownTime ?? row.cancellation else { return nil }
            let isUpgrade = isUpgradeAnswered(index, at: at)
            guard isUpgrade || row.fate.map({ $0.isRefund(near: at, within: tolerance(statement)) }) ?? false else {
                return nil
            }
            isTrue = { [table] in (table.timeline.role(ofPair: $0) == .refunds) != isUpgrade }
        } else {
            guard baseline.role(place) == .begins, let reason = table.codes.value(of: .answered, for: details.reason)
            else { return nil }
            isTrue = { (pairs[$0].type == "DID_RENEW") == (reason == FactValue.Answered.renewal.number) }
        }
        if isTrue(said.disposition == .event ? said.pair : -1) { return .same }
        let isListed = said.decision?.candidates.contains { candidate in
            if case .pair(let pair) = candidate { isTrue(pair) } else { isTrue(-1) }
        }
        return isListed ?? false ? .candidate : .contradicted
    }

    /// What answers add to the transaction of a V1 event; `nil` for nothing.
    func completion(_ place: Int) -> RowDetails? {
        let statement = statements[place]
        guard !statement.isV2, outcomes[place].disposition != .duplicate,
            let details = answers.details[statement.transaction]
        else { return nil }
        return details
    }
}
