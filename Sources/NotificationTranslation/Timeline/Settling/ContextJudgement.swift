/// Judges the notifications of a subscription again, one after another, with their neighbours in view.
final class ContextJudgement: SettlingStep {
    var settlement: Settlement

    init(settlement: Settlement) { self.settlement = settlement }

    /// What is known of the subscription on the way through its notifications.
    struct Course {
        /// The last auto-renew status stated.
        var autoRenewStatus: Bool?
        /// The product that was last said to come.
        var nextProduct = TimelineID.none
        var nextProductOf = TimelineID.none
        /// The same of what is dated.
        var datedNextProduct = TimelineID.none
        var datedNextProductOf = TimelineID.none
        /// When the period ended whose renewal failed and that nobody has closed since.
        var failedAt: Int64?
        var ended = false
    }

    /// Judges each one again, now with the neighbours in view; a notification without neighbours stays as it is.
    func judge() {
        let isAlone = settlement.outcomes.count { $0.disposition != .duplicate } < 2 && settlement.answers.isEmpty
        if !isAlone {
            judgeInTurn()
            settlement.run(Beginnings.self) { $0.find() }
        }
        judgeRepeats()
    }

    private func judgeInTurn() {
        var course = Course()
        for index in settlement.order where settlement.outcomes[index].disposition != .duplicate {
            let statement = settlement.statements[index]
            if statement.type >= 0 {
                let facts = facts(index, course)
                settlement.outcomes[index].facts = facts
                if facts != statement.facts { settlement.decide(index, facts) }
            }
            follow(index, &course)
        }
    }

    /// A notification delivered again says what the first delivery says.
    private func judgeRepeats() {
        for index in settlement.order where settlement.outcomes[index].disposition == .duplicate {
            let first = settlement.outcomes[index].leader
            guard settlement.statements[first].type == settlement.statements[index].type,
                let decision = settlement.outcomes[first].decision
            else { continue }
            settlement.outcomes[index].facts = settlement.outcomes[first].facts
            settlement.outcomes[index].decision = decision
            settlement.outcomes[index].pair = settlement.outcomes[first].pair
        }
    }

    /// Advances the course by one notification.
    private func follow(_ index: Int, _ course: inout Course) {
        let statement = settlement.statements[index]
        course.autoRenewStatus = statement.autoRenewStatus ?? course.autoRenewStatus
        if statement.nextProduct != TimelineID.none {
            course.nextProduct = statement.nextProduct
            course.nextProductOf = statement.transaction
            if !statement.isUndated {
                course.datedNextProduct = statement.nextProduct
                course.datedNextProductOf = statement.transaction
            }
        }
        course.failedAt = course.failedAt ?? shownFailure(statement)
        switch settlement.table.timeline.role(ofPair: settlement.outcomes[index].pair) {
        case .begins: (course.failedAt, course.ended) = (nil, false)
        case .fails:
            course.failedAt = statement.isV2 ? settlement.shownRows[statement.rows].first?.expires : statement.ownTime
            course.ended = false
        case .ends: (course.failedAt, course.ended) = (nil, true)
        case .switches:
            guard let failed = course.failedAt, statement.autoRenewStatus == false, statement.time > failed else {
                return
            }
            (course.failedAt, course.ended) = (nil, true)
        default: break
        }
    }

    /// When the period ended whose renewal a body says is in billing retry.
    private func shownFailure(_ statement: Statement) -> Int64? {
        guard statement.isInBillingRetry, let row = settlement.history.index(of: statement.transaction),
            let expires = settlement.history.rows[row].expires, expires <= statement.time
        else { return nil }
        return expires
    }

    /// The facts of the body and those that neighbours give.
    private func facts(_ notification: Int, _ course: Course) -> Facts {
        let statement = settlement.statements[notification]
        var facts = statement.facts
        let rules = settlement.table.shape(ofType: statement.type)
        partners(notification, &facts)
        facts.set(.openFailure, openFailure(statement, course))
        guard statement.says(.subject, FactValue.Subject.certain) else { return facts }
        answered(statement, &facts)
        if rules.transaction == .cancelled { cancelledRow(notification, &facts) }
        if rules.transaction == .atTime { refundNear(statement, &facts) }
        if rules.transaction != .cancelled, let index = settlement.history.index(of: statement.transaction) {
            beginning(notification, index, course, &facts)
            newTransaction(notification, settlement.history.rows[index], rules, &facts)
        }
        lastPreference(notification, course, &facts)
        return facts
    }

    /// What the history shows of the beginning of a transaction.
    private func beginning(_ notification: Int, _ index: Int, _ course: Course, _ facts: inout Facts) {
        let statement = settlement.statements[notification]
        neighbours(notification, index, &facts)
        byHand(notification, index, &facts)
        guard statement.says(.gap, FactValue.Gap.unknown) || statement.says(.gap, FactValue.Gap.first) else { return }
        facts.set(.priorState, priorState(index, statement, course))
        if facts.says(.priorState, FactValue.PriorState.activeOther) {
            facts.set(.productChanged, FactValue.Answer.yes)
        }
        if facts.says(.priorState, FactValue.PriorState.lapsed), facts.says(.gap, FactValue.Gap.unknown) {
            lapse(notification, index, &facts)
        }
    }

    /// Whether a notification is about a transaction that began.
    private func newTransaction(_ index: Int, _ row: TimelineRow, _ rules: TypeRules.Shape, _ facts: inout Facts) {
        let statement = settlement.statements[index]
        if rules.transaction == .atTime {
            if !statement.says(.newTransaction, FactValue.Answer.no), isSwitchedBackOn(index, row) {
                // The dates leave open whether it is a part of the purchase, dated a moment later.
                facts.set(.newTransaction, statement.ownTime == nil ? FactValue.Answer.no : .unknown)
            } else {
                receivedWithPurchase(index, row, &facts)
            }
        }
        if rules.transaction == .newest, rules.time == .purchase,
            statement.says(.newTransaction, .unknown as FactValue.Answer)
        {
            reportedBefore(index, row, &facts)
        }
    }

    /// Whether the product is the one that was last said to come.
    private func lastPreference(_ index: Int, _ course: Course, _ facts: inout Facts) {
        let statement = settlement.statements[index]
        // Where some notification has no date, only those that have one are in a sure order.
        let onlyDatedCount = settlement.hasUndated
        let next = onlyDatedCount ? course.datedNextProduct : course.nextProduct
        guard next != TimelineID.none,
            statement.transaction == (onlyDatedCount ? course.datedNextProductOf : course.nextProductOf),
            !onlyDatedCount || isLastPreference(next, index)
        else { return }
        facts.set(.lastPreference, next == statement.product ? FactValue.Product.same : .different)
    }

    /// Whether a preference is the last one before a notification whatever the order of the input.
    private func isLastPreference(_ preference: UInt64, _ index: Int) -> Bool {
        let statement = settlement.statements[index]
        let earliest = statement.isUndated ? statement.latestKnown ?? .min : .max
        return !settlement.othersAbout(index).contains { other in
            let next = settlement.statements[other].nextProduct
            guard next != TimelineID.none, (next == statement.product) != (preference == statement.product)
            else { return false }
            return settlement.statements[other].isUndated || settlement.statements[other].time > earliest
        }
    }

    // MARK: Failures

    private func openFailure(_ statement: Statement, _ course: Course) -> FactValue.Answer {
        if let failed = course.failedAt, statement.time - failed < settlement.parameters.retryEnd {
            let last = settlement.history.last(before: statement.time, otherThan: statement.transaction)
            return last?.purchase ?? .min >= failed - settlement.parameters.contiguous ? .no : .yes
        }
        guard statement.time >= settlement.parameters.failuresToldSince, let beginning = settlement.beginning
        else { return .unknown }
        // Silence proves that nothing failed only if notifications were received when the last period ended, and for as
        // long after that as Apple delivers.
        let last = settlement.history.last(before: statement.time, otherThan: statement.transaction)
        guard let last, let end = last.expires else {
            return beginning <= statement.time - settlement.parameters.retryEnd ? .no : .unknown
        }
        // A lapse with renewal on shows that a notification is missing.
        let isUnexplained =
            end < statement.time - settlement.parameters.contiguous
            && last.cancellation == nil
            && lastStatus(before: end, otherThan: statement.transaction) != false
        let mayBeMissing =
            !course.ended && end <= statement.time && (isUnexplained || settlement.mayBeAfterView(end, statement))
        return beginning < end && !mayBeMissing ? .no : .unknown
    }

    // MARK: Transactions

    /// What a longer history shows of the period before, where the body's own did not.
    private func neighbours(_ notification: Int, _ index: Int, _ facts: inout Facts) {
        let statement = settlement.statements[notification]
        guard statement.says(.gap, FactValue.Gap.unknown) else { return }
        let row = settlement.history.rows[index]
        guard let previous = settlement.history.last(before: row) else { return }
        if previous.wasCancelledBefore(row.purchase + settlement.parameters.contiguous) { return }
        let isSame = previous.product == row.product
        let upgraded = upgraded(previous, row)
        guard let end = upgraded == .yes ? previous.expires : previous.end else { return }
        let gap = settlement.parameters.gap(row.purchase - end)
        let isListed = settlement.history.isComplete(from: previous.purchase, to: row.purchase)
        let isKnown = isListed || settlement.answers.completeUntil.map { $0 >= row.purchase } ?? false
        guard isKnown || gap == .overlap || gap == .contiguous else { return }
        facts.set(.gap, gap)
        facts.set(.productChanged, isSame ? FactValue.Answer.no : .yes)
        facts.set(.previousUpgraded, upgraded)
        // A history may have been filtered, so that what it does not show may be there.
        if !isListed, gap == .lapse || gap == .longLapse { settlement.outcomes[notification].limit = .inferred }
    }

    /// Sets the gap of a period before which nothing was running; it is only inferred, as periods may be missing.
    private func lapse(_ notification: Int, _ index: Int, _ facts: inout Facts) {
        let row = settlement.history.rows[index]
        guard let previous = settlement.history.last(before: row) else { return }
        // What an upgrade may have cancelled was over by its own end at the latest.
        let isOver = previous.cancellation == nil || wasRefunded(previous, before: row.purchase)
        guard let end = isOver ? previous.end : previous.expires else { return }
        let gap = settlement.parameters.gap(row.purchase - end)
        guard gap == .lapse || gap == .longLapse else { return }
        facts.set(.gap, gap)
        facts.set(.productChanged, previous.product == row.product ? FactValue.Answer.no : .yes)
        facts.set(.previousUpgraded, FactValue.Upgraded.no)
        settlement.outcomes[notification].limit = .inferred
    }

    /// The auto-renew status that was known last before an instant, from what is about other transactions than one;
    /// `nil` for none.
    ///
    /// A body that does not say when it was written counts against one that does only if it was certainly written
    /// later:
    ///
    ///     chosen, renewal on      received 14:38:26, written seconds or days before
    ///     switched off 14:38:23   →  off
    func lastStatus(before instant: Int64, otherThan transaction: UInt64) -> Bool? {
        var at = settlement.order.partitioningIndex { settlement.statements[$0].time >= instant }
        var looked = 0
        var undated: (isOn: Bool, received: Int64)?
        while at > 0, looked < Settlement.reach {
            at -= 1
            looked += 1
            let statement = settlement.statements[settlement.order[at]]
            guard let isOn = statement.autoRenewStatus, statement.transaction != transaction else { continue }
            guard let received = statement.receivedAt, !statement.isV2, !settlement.saysWhen(settlement.order[at])
            else {
                guard let undated, undated.received - settlement.parameters.deliveryHorizon > statement.time
                else { return isOn }
                return undated.isOn
            }
            undated = undated ?? (isOn, received)
        }
        return undated?.isOn
    }

    /// Sets the gap to a lapse where the customer bought by hand after a period that ended with renewal off; what was
    /// refunded before its end is left to other facts.
    private func byHand(_ notification: Int, _ index: Int, _ facts: inout Facts) {
        guard settlement.table.timeline.byHand.contains(settlement.statements[notification].type) else { return }
        let row = settlement.history.rows[index]
        guard let previous = settlement.history.last(before: row) else { return }
        // A refund after the end did not end the period.
        if facts.says(.gap, FactValue.Gap.contiguous),
            let expires = previous.expires, row.purchase > expires, previous.cancellation.map({ $0 > expires }) ?? true,
            lastStatus(before: expires, otherThan: row.transaction) == false
        {
            facts.set(.gap, FactValue.Gap.lapse)
        }
    }

    /// Whether renewal was switched off after a transaction began, and then on: that is hardly a part of the purchase.
    ///
    /// A purchase switches it on once, so what switches it on again comes after a change that may not be in view.
    private func isSwitchedBackOn(_ index: Int, _ row: TimelineRow) -> Bool {
        let statement = settlement.statements[index]
        guard statement.autoRenewStatus == true else { return false }
        return settlement.othersAbout(index).contains { other in
            let before = settlement.statements[other]
            guard settlement.outcomes[other].disposition != .duplicate, tellsSwitch(before) else { return false }
            if before.autoRenewStatus == false {
                guard let changed = statement.ownTime, let time = before.ownTime ?? before.receivedAt else {
                    return false
                }
                return time > row.purchase && time < changed
            }
            guard before.autoRenewStatus == true, !before.isV2, let time = before.ownTime,
                abs(time - row.purchase) <= settlement.tolerance(before)
            else { return false }
            return time < statement.ownTime ?? statement.receivedAt ?? .min
        }
    }

    /// Whether a notification says that automatic renewal was switched on or off.
    private func tellsSwitch(_ statement: Statement) -> Bool {
        statement.isV2
            ? settlement.table.timeline.role(ofPair: statement.pair) == .switches
            : settlement.shape(of: statement)?.time == .statusChange
    }

    /// What the subscription was before a transaction began.
    private func priorState(_ index: Int, _ statement: Statement, _ course: Course) -> FactValue.PriorState {
        let row = settlement.history.rows[index]
        guard let previous = settlement.history.last(before: row) else { return .unknown }
        if previous.wasCancelledBefore(row.purchase + settlement.parameters.contiguous) { return .unknown }
        let active: FactValue.PriorState = previous.product == row.product ? .activeSame : .activeOther
        if let cancelled = previous.cancellation,
            abs(cancelled - row.purchase) <= settlement.parameters.contiguous
        {
            let isUpgrade =
                active == .activeOther && !wasRefunded(previous, before: row.purchase)
            return isUpgrade ? .activeOther : .lapsed
        }
        guard let end = previous.end else { return .unknown }
        if end >= row.purchase - settlement.parameters.contiguous { return active }
        let isOver =
            previous.end != previous.expires
            || settlement.history.isComplete(from: previous.purchase, to: row.purchase)
        return isOver ? .lapsed : priorState(bySilenceSince: end, previous, row, statement, course)
    }

    /// What the subscription was before a transaction, where no list shows the time between it and the one before.
    private func priorState(
        bySilenceSince end: Int64, _ previous: TimelineRow, _ row: TimelineRow, _ statement: Statement, _ course: Course
    ) -> FactValue.PriorState {
        if course.autoRenewStatus == false || course.ended || course.failedAt != nil { return .lapsed }
        // Silence is a lapse where Apple sends renewals, and notifications were received when the period ended.
        if row.purchase >= settlement.parameters.renewalsToldSince {
            let isInView = settlement.beginning.map { $0 < end } ?? false
            return isInView && !settlement.mayBeAfterView(end, statement) ? .lapsed : .unknown
        }
        guard course.autoRenewStatus == true else { return .unknown }
        // Renewed in silence, into the product that was to come.
        let running = course.nextProduct == TimelineID.none ? previous.product : course.nextProduct
        return running == row.product ? .activeSame : .activeOther
    }

    /// Sets whether its newest transaction was reported before.
    private func reportedBefore(_ index: Int, _ row: TimelineRow, _ facts: inout Facts) {
        if facts.says(.partnerPreference, FactValue.Answer.yes) { return }
        let statement = settlement.statements[index]
        let wasTold = settlement.othersAbout(index).contains { other in
            guard settlement.shape(of: settlement.statements[other])?.time == .purchase else {
                return settlement.table.timeline.role(ofPair: settlement.statements[other].pair) == .begins
            }
            return settlement.statements[other].type != statement.type
                || settlement.positions[other] < settlement.positions[index]
        }
        if wasTold {
            facts.set(.newTransaction, FactValue.Answer.no)
        } else if let received = statement.receivedAt {
            if received - row.purchase > settlement.parameters.deliveryHorizon {
                facts.set(.newTransaction, FactValue.Answer.no)
            } else if received - row.purchase < settlement.parameters.lateDelivery {
                facts.set(.newTransaction, FactValue.Answer.yes)
            }
        }
    }

    /// Sets whether a change of status without a date is about a new transaction, by how long after its beginning it was
    /// received.
    private func receivedWithPurchase(_ index: Int, _ row: TimelineRow, _ facts: inout Facts) {
        let statement = settlement.statements[index]
        guard statement.ownTime == nil, statement.says(.newTransaction, FactValue.Answer.unknown),
            let received = statement.receivedAt
        else { return }
        // What was switched off since may have been switched on again.
        let isOff = settlement.othersAbout(index).contains { other in
            let (switched, time) = (settlement.statements[other], settlement.statements[other].ownTime ?? .min)
            return tellsSwitch(switched) && switched.autoRenewStatus == false && time > row.purchase && time < received
        }
        if isOff, statement.autoRenewStatus == true { return }
        let distance = received - row.purchase
        if 0...settlement.tolerance(statement) ~= distance {
            facts.set(.newTransaction, FactValue.Answer.yes)
        } else if distance > settlement.parameters.deliveryHorizon {
            facts.set(.newTransaction, FactValue.Answer.no)
        }
    }
}
