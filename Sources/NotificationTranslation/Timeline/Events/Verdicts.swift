/// Says what settling changed of the events of a subscription.
struct Verdicts: ~Copyable {
    let settlement: Settlement
    private let access: SettledAccess

    init(_ settlement: Settlement) {
        self.settlement = settlement
        access = SettledAccess(settlement)
    }

    /// Why a duplicate is there; `arrivals` has those of the duplicates before it, by id.
    func repetition(_ index: Int, _ arrivals: inout [UInt64: Set<Int64>]) -> Repetition {
        let (statement, first) = (settlement.statements[index], settlement.outcomes[index].leader)
        let second = statement.receivedAt.map { CivilTime.floorDivide($0, 1000) }
        let known = arrivals[statement.id.number]
        if let second { arrivals[statement.id.number, default: []].insert(second) }
        if let second, known?.contains(second) == true { return .storedTwice }
        guard first >= 0 else { return .notKnown }
        if settlement.statements[first].isV2 != statement.isV2, known == nil { return .bothVersions }
        guard let second, let other = settlement.statements[first].receivedAt else { return .notKnown }
        return settlement.statements[first].isV2 == statement.isV2 && CivilTime.floorDivide(other, 1000) == second
            ? .storedTwice : .deliveredAgain
    }

    /// What settling changed of a notification's event.
    ///
    /// - Parameters:
    ///   - index: Its index.
    ///   - dropped: The dispositions that are left out.
    ///   - standing: How the subscription stood after it, where that is asked for.
    ///   - bundleID: The app of the subscription, where that is asked for.
    /// - Returns: The changes; `nil` if the event stays as it was judged alone.
    func verdict(
        _ index: Int, dropping dropped: Set<Disposition>, after standing: Standing? = nil, bundleID: EventText = .absent
    ) -> Verdict? {
        let outcome = settlement.outcomes[index]
        var verdict = Verdict()
        verdict.disposition = outcome.disposition
        verdict.status = standing?.certainty == .ambiguous ? nil : standing?.status
        if settlement.isWeak(index), let standing, standing.certainty != .ambiguous, !standing.isSwitchLost,
            let renews = standing.autoRenews, settlement.statements[index].autoRenewStatus == !renews
        {
            verdict.autoRenewStatus = renews ? 1 : 0
        }
        if settlement.statements[index].bundleID.isAbsent { verdict.bundleID = bundleID }
        verdict.isDropped = !dropped.isEmpty && dropped.contains(outcome.disposition)
        verdict.addedFlags = outcome.addedFlags
        if outcome.leader >= 0 {
            verdict.companionOf = settlement.id(of: outcome.leader)
            if outcome.disposition == .companion { verdict.leadingPair = settlement.outcomes[outcome.leader].pair }
        }
        if outcome.number > 1 { verdict.id = settlement.numberedID(index) }
        takeDecision(index, &verdict)
        takeTime(index, &verdict)
        takeDetails(index, &verdict)
        if let access = access.access(index), access != settlement.statements[index].access.access {
            verdict.access = access
            verdict.removedFlags.formUnion([.accessEndUnknown, .runningPeriodUnknown])
            verdict.addedFlags.formUnion(access.flag)
        }
        let wasCompanion = outcome.alone?.answer == .companion
        let isAsBefore =
            outcome.disposition != .duplicate && (outcome.disposition == .companion) == wasCompanion
            && verdict.changesNothing
        return isAsBefore ? nil : verdict
    }

    /// What the table says now, where that is other than of the body alone.
    private func takeDecision(_ index: Int, _ verdict: inout Verdict) {
        let outcome = settlement.outcomes[index]
        guard let decision = outcome.decision, let alone = outcome.alone else { return }
        verdict.limit = outcome.limit
        if outcome.isPromoted {
            verdict.pair = outcome.pair
            verdict.mayBePart = settlement.mayBeAfterView(
                settlement.statements[index].time, settlement.statements[index])
        }
        let isSame =
            decision.answer == alone.answer && decision.candidates == alone.candidates
            && decision.certainty == alone.certainty
        let isSameRule = decision.rule.text.text == alone.rule.text.text && decision.flags == alone.flags
        if !isSame || !isSameRule || outcome.isPromoted || outcome.disposition == .duplicate || outcome.limit != nil {
            verdict.judged = (settlement.statements[index].type, outcome.facts)
            verdict.removedFlags = alone.flags
            if !isSame { verdict.addedFlags.formUnion(.decidedByStream) }
        }
    }

    /// When it happened, where something else says that now.
    private func takeTime(_ index: Int, _ verdict: inout Verdict) {
        let (statement, outcome) = (settlement.statements[index], settlement.outcomes[index])
        if let decision = outcome.decision, let alone = outcome.alone,
            decision.timing != alone.timing || decision.timing == .since
        {
            verdict.time = time(index, decision.timing, &verdict)
        }
        if settlement.isImported { takeTimeOfImport(index, &verdict) }
        if outcome.row >= 0 {
            verdict.removedFlags.formUnion([.lateDelivery, .timeAfterReceipt])
            verdict.time = time(index, outcome.decision?.timing == .since ? .since : .own, &verdict)
            verdict.removedFlags.subtract(verdict.addedFlags)
        }
        if outcome.disposition == .duplicate, let time = timeOfFirst(index, outcome.leader) {
            verdict.time = time
            verdict.removedFlags.formUnion(.timeLowerBound)
            verdict.addedFlags.subtract(.timeLowerBound)
        }
        let isWeak = settlement.isWeak(index) || outcome.row >= 0 && outcome.bodyTime == nil
        if !statement.isV2, statement.hasKey, statement.receivedAt != nil, isWeak {
            verdict.removedFlags.formUnion(FlagSet.identityWeak.subtracting(outcome.addedFlags))
        }
    }

    /// The time of a notification whose arrival is that of an import.
    private func takeTimeOfImport(_ index: Int, _ verdict: inout Verdict) {
        verdict.removedFlags.formUnion(.lateDelivery)
        guard verdict.time == nil, !settlement.statements[index].isV2 else { return }
        let timing =
            settlement.statements[index].ownTime == nil ? .none : settlement.outcomes[index].decision?.timing ?? .own
        if timing != .own { verdict.time = time(index, timing, &verdict) ?? (0, TimeField.none) }
    }

    /// The transaction that others name, and what an answer of Apple's adds to it.
    private func takeDetails(_ index: Int, _ verdict: inout Verdict) {
        let (statement, outcome) = (settlement.statements[index], settlement.outcomes[index])
        verdict.details = settlement.completion(index).map(AnsweredDetails.init)
        if outcome.row >= 0 {
            verdict.transaction = NamedTransaction(statement.originalTransactionID, settlement.shownRows[outcome.row])
        } else if verdict.details != nil, statement.transactionText.isAbsent,
            let row = settlement.history.index(of: statement.transaction)
        {
            verdict.transaction = NamedTransaction(statement.originalTransactionID, settlement.history.rows[row])
        }
    }

    /// When it happened, where the rule that decides now takes its time from elsewhere than the first one did.
    private func time(_ index: Int, _ timing: TypeRules.Timing, _ verdict: inout Verdict) -> (Int64, UInt8)? {
        var statement = settlement.statements[index]
        statement.timing = timing
        if timing == .own { return ownTime(statement, &verdict) }
        // What was received before its own date is dated by that already.
        if timing == .since, statement.receivedAt ?? .max < statement.ownTime ?? .min { return nil }
        verdict.removedFlags.formUnion(.lateDelivery)
        if let told = statement.latestPossible {
            verdict.removedFlags.formUnion(.timeLowerBound)
            guard timing == .since, let own = statement.ownTime else { return told }
            let (time, field) = told.milliseconds < own ? (own, statement.ownField) : told
            flagLate(statement, since: time, &verdict)
            return (time, field)
        }
        let own = statement.ownTime.map { ($0, statement.ownField) }
        let latest = statement.latestKnown.map { ($0, statement.latestField) }
        guard let known = timing == .since ? own ?? latest : latest ?? own else { return nil }
        verdict.addedFlags.formUnion(TimeField.isEnd(known.1) ? .timeFromEnd : .timeLowerBound)
        return known
    }

    /// The date of a notification itself, or when it had happened, if that was earlier.
    private func ownTime(_ statement: Statement, _ verdict: inout Verdict) -> (Int64, UInt8)? {
        verdict.removedFlags.formUnion(.timeLowerBound)
        guard let own = statement.ownTime else { return nil }
        if let told = statement.latestPossible, told.milliseconds < own {
            verdict.addedFlags.formUnion(.timeAfterReceipt)
            return told
        }
        flagLate(statement, since: own, &verdict)
        return (own, statement.ownField)
    }

    private func flagLate(_ statement: Statement, since time: Int64, _ verdict: inout Verdict) {
        guard let received = statement.receivedAt, received - time >= settlement.parameters.lateDelivery else { return }
        verdict.addedFlags.formUnion(.lateDelivery)
    }

    /// When a notification delivered again was received first, or when V2 says that it happened, where its body does
    /// not say that.
    private func timeOfFirst(_ index: Int, _ first: Int) -> (Int64, UInt8)? {
        guard !settlement.statements[index].isV2,
            settlement.outcomes[index].decision?.timing != .own || settlement.statements[index].ownTime == nil
        else { return nil }
        if settlement.statements[first].isV2 {
            return settlement.statements[first].ownTime.map { own in
                // Nothing is reported before it happens.
                if let received = settlement.statements[index].receivedAt, received < own {
                    return (received, TimeField.receivedAt)
                }
                return (own, settlement.statements[first].ownField)
            }
        }
        guard let told = settlement.statements[first].latestPossible,
            told.milliseconds != settlement.statements[index].latestPossible?.milliseconds
        else { return nil }
        return told
    }
}
