extension Settlement {
    /// What is known of the subscription on the way through its story.
    struct Course {
        /// The last auto-renew status stated, 255 for none.
        var autoRenewStatus: UInt8 = 255
        /// The product that was last said to come.
        var nextProduct = TimelineID.none
        var nextProductOf = TimelineID.none
        /// When the period ended whose renewal failed and that nobody has closed since.
        var failedAt: Int64?
        var ended = false
    }

    /// Judges everyone again, now with the neighbours in view; one that stands alone says no more than it said alone.
    func decide() {
        let isAlone = outcomes.count { $0.disposition != .duplicate } < 2
        if !isAlone { judgeInTurn() }
        judgeRepeats()
    }

    private func judgeInTurn() {
        var course = Course()
        for place in story where outcomes[place].disposition != .duplicate {
            let statement = statements[place]
            if statement.type >= 0 {
                let facts = facts(place, course)
                outcomes[place].facts = facts
                if facts != statement.facts {
                    outcomes[place].take(cache.decision(type: statement.type, facts: facts))
                }
            }
            follow(place, &course)
        }
    }

    /// A notification delivered again says what the first delivery says.
    private func judgeRepeats() {
        for place in story where outcomes[place].disposition == .duplicate {
            let first = outcomes[place].leader
            guard statements[first].type == statements[place].type, let decision = outcomes[first].decision else {
                continue
            }
            outcomes[place].facts = outcomes[first].facts
            outcomes[place].decision = decision
            outcomes[place].pair = outcomes[first].pair
        }
    }

    /// Lets the course go on over one notification.
    private func follow(_ place: Int, _ course: inout Course) {
        let statement = statements[place]
        if statement.autoRenewStatus <= 1 { course.autoRenewStatus = statement.autoRenewStatus }
        if statement.nextProduct != TimelineID.none {
            course.nextProduct = statement.nextProduct
            course.nextProductOf = statement.transaction
        }
        switch table.timeline.role(ofPair: outcomes[place].pair) {
        case .begins:
            course.failedAt = nil
            course.ended = false
        case .fails:
            course.failedAt = statement.isV2 ? shownRows[statement.rows].first?.expires : statement.ownTime
            course.ended = false
        case .ends:
            course.failedAt = nil
            course.ended = true
        case .switches:
            if let failed = course.failedAt, statement.autoRenewStatus == 0, statement.order > failed {
                course.failedAt = nil
                course.ended = true
            }
        case .refunds, .restores, .plans, .asks, .offers, nil:
            break
        }
    }

    /// The facts of the body and those of the story.
    private func facts(_ place: Int, _ course: Course) -> Facts {
        let statement = statements[place]
        var facts = statement.facts
        let rules = table.shape(ofType: statement.type)
        partners(place, &facts)
        facts.set(.openFailure, openFailure(statement, course))
        guard statement.says(.subject, FactValue.Subject.certain) else { return facts }
        if rules.transaction == .cancelled { cancelledRow(place, &facts) }
        if rules.transaction == .atTime { refundNear(statement, &facts) }
        if let row = history.index(of: statement.transaction), rules.transaction != .cancelled {
            neighbours(row, statement, &facts)
            if statement.says(.gap, FactValue.Gap.unknown) || statement.says(.gap, FactValue.Gap.first) {
                facts.set(.priorState, priorState(row, statement, course))
            }
            if rules.transaction == .atTime { receivedWithPurchase(statement, history.rows[row], &facts) }
            if rules.transaction == .newest, rules.time == .purchase,
                statement.says(.newTransaction, .unknown as FactValue.Answer)
            {
                newTransaction(place, history.rows[row], &facts)
            }
        }
        if course.nextProduct != TimelineID.none, course.nextProductOf == statement.transaction {
            facts.set(
                .lastPreference, course.nextProduct == statement.product ? FactValue.Product.same : .different)
        }
        return facts
    }

    // MARK: Partners

    private func partners(_ place: Int, _ facts: inout Facts) {
        let statement = statements[place]
        for partner in table.timeline.partners where partner.of >> UInt64(statement.type) & 1 == 1 {
            if facts[partner.fact] == FactValue.Answer.yes.rawValue { continue }
            let isThere = anyTied(place, by: partner.bond) { other in
                let candidate = statements[other]
                if candidate.isV2 { return partner.pairs.contains(candidate.pair) }
                guard candidate.type >= 0, partner.types >> UInt64(candidate.type) & 1 == 1 else { return false }
                return partner.conditions.allSatisfy {
                    $0.allowed >> UInt16(outcomes[other].facts[$0.fact]) & 1 == 1
                }
            }
            if !isThere, statement.order >= openSince { continue }
            facts[partner.fact] = (isThere ? FactValue.Answer.yes : .no).rawValue
        }
    }

    private func openFailure(_ statement: Statement, _ course: Course) -> FactValue.Answer {
        if let failed = course.failedAt, statement.order - failed < table.parameters.retryEnd {
            let last = history.last(before: statement.order, otherThan: statement.transaction)
            let isRecovered = last.map { history.rows[$0].purchase >= failed - table.parameters.contiguous } ?? false
            return isRecovered ? .no : .yes
        }
        return statement.order >= table.parameters.failuresToldSince ? .no : .unknown
    }

    // MARK: Transactions

    /// What a longer history tells of the period before, where the body's own did not.
    private func neighbours(_ place: Int, _ statement: Statement, _ facts: inout Facts) {
        guard statement.says(.gap, FactValue.Gap.unknown) else { return }
        let row = history.rows[place]
        guard let last = history.last(before: row.purchase, otherThan: row.transaction) else { return }
        let previous = history.rows[last]
        let isSame = previous.product == row.product
        var isUpgraded = previous.isUpgraded
        if let cancelled = previous.cancellation, !isSame, abs(cancelled - row.purchase) <= table.parameters.contiguous
        {
            isUpgraded = true
        }
        guard let end = isUpgraded ? previous.expires : previous.end else { return }
        let gap = table.parameters.gap(row.purchase - end)
        let isKnown = history.isComplete(from: previous.purchase, to: row.purchase)
        guard isKnown || gap == .overlap || gap == .contiguous else { return }
        facts.set(.gap, gap)
        facts.set(.productChanged, isSame ? FactValue.Answer.no : .yes)
        facts.set(.previousUpgraded, isUpgraded ? FactValue.Answer.yes : .no)
    }

    /// What the subscription was before a transaction began.
    private func priorState(_ place: Int, _ statement: Statement, _ course: Course) -> FactValue.PriorState {
        let row = history.rows[place]
        guard let last = history.last(before: row.purchase, otherThan: row.transaction) else { return .unknown }
        let previous = history.rows[last]
        let active: FactValue.PriorState = previous.product == row.product ? .activeSame : .activeOther
        if let cancelled = previous.cancellation, abs(cancelled - row.purchase) <= table.parameters.contiguous {
            return active == .activeOther ? .activeOther : .lapsed
        }
        guard let end = previous.end else { return .unknown }
        if end >= row.purchase - table.parameters.contiguous { return active }
        if history.isComplete(from: previous.purchase, to: row.purchase) || previous.end != previous.expires {
            return .lapsed
        }
        if course.autoRenewStatus == 0 || course.ended || course.failedAt != nil { return .lapsed }
        if row.purchase >= table.parameters.renewalsToldSince { return .lapsed }
        guard course.autoRenewStatus == 1 else { return .unknown }
        // Renewed in silence, into the product that was to come.
        let running = course.nextProduct == TimelineID.none ? previous.product : course.nextProduct
        return running == row.product ? .activeSame : .activeOther
    }

    /// Whether its newest transaction was told before.
    private func newTransaction(_ place: Int, _ row: TimelineRow, _ facts: inout Facts) {
        if facts[Fact.partnerPreference.index] == FactValue.Answer.yes.rawValue { return }
        let statement = statements[place]
        let wasTold = anyOfTransaction(place) { other in
            let type = statements[other].type
            guard type >= 0, table.shape(ofType: type).time == .purchase else {
                return table.timeline.role(ofPair: statements[other].pair) == .begins
            }
            return type != statement.type || rank[other] < rank[place]
        }
        if wasTold {
            facts.set(.newTransaction, FactValue.Answer.no)
        } else if let received = statement.receivedAt {
            if received - row.purchase > table.parameters.deliveryHorizon {
                facts.set(.newTransaction, FactValue.Answer.no)
            } else if received - row.purchase < table.parameters.lateDelivery {
                facts.set(.newTransaction, FactValue.Answer.yes)
            }
        }
    }

    /// A change of status without its own date, received as soon as its newest transaction began.
    private func receivedWithPurchase(_ statement: Statement, _ row: TimelineRow, _ facts: inout Facts) {
        guard statement.ownTime == nil, statement.says(.newTransaction, FactValue.Answer.unknown),
            let received = statement.receivedAt
        else { return }
        let distance = received - row.purchase
        if 0...tolerance(statement) ~= distance {
            facts.set(.newTransaction, FactValue.Answer.yes)
        } else if distance > table.parameters.deliveryHorizon {
            facts.set(.newTransaction, FactValue.Answer.no)
        }
    }

    /// What became of a cancelled period: another product in its place, or nothing.
    private func cancelledRow(_ place: Int, _ facts: inout Facts) {
        let statement = statements[place]
        guard !statement.says(.cancelledRow, FactValue.CancelledRow.upgraded),
            let index = history.index(of: statement.transaction)
        else { return }
        let row = history.rows[index]
        guard let at = statement.ownTime ?? row.cancellation else { return }
        if row.isUpgraded {
            facts.set(.cancelledRow, FactValue.CancelledRow.upgraded)
            return
        }
        if let expires = row.expires, expires < at - table.parameters.contiguous {
            facts.set(.cancelledRow, FactValue.CancelledRow.over)
            return
        }
        let isReplaced = history.near(at, within: table.parameters.contiguous).contains { other in
            history.rows[other].transaction != row.transaction && history.rows[other].product != row.product
        }
        if isReplaced {
            facts.set(.cancelledRow, FactValue.CancelledRow.superseded)
        } else if statement.says(.cancelledRow, FactValue.CancelledRow.unknown),
            history.isComplete(from: row.purchase, to: at)
        {
            facts.set(.cancelledRow, FactValue.CancelledRow.plain)
        }
    }

    /// Whether a refund came with a change of status, where the body shows no list.
    private func refundNear(_ statement: Statement, _ facts: inout Facts) {
        guard statement.says(.refundNear, FactValue.Answer.unknown), let changed = statement.ownTime else { return }
        let isNear = history.hasRefund(near: changed, within: tolerance(statement))
        facts.set(.refundNear, isNear ? FactValue.Answer.yes : .no)
    }
}
