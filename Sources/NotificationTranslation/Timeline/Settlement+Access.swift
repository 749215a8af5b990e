extension Settlement {
    /// When a notification was told: received, or signed, or else when it says that it happened.
    func told(_ place: Int) -> Int64 {
        let statement = statements[place]
        return statement.receivedAt ?? statement.signedAt ?? statement.order
    }

    /// Collects what all notifications say about access; to be called when their meaning is settled.
    func collectAccess() {
        accessHistory.removeAll()
        let failures = failedEnds()
        for row in history.rows { accessHistory.add(row, paidSince: paidSince(row, failures)) }
        for found in history.contradictions where found.before >= 0 && found.after >= 0 {
            let shown = shownRows[statements[found.before].rows]
            guard let row = shown.first(where: { $0.transaction == found.transaction }) else { continue }
            switch found.kind {
            case .restored:
                guard let cancelled = row.cancellation else { continue }
                let restored = min(statements[found.after].order, firstShownAgain(found) ?? .max)
                accessHistory.add(cancelled: cancelled, restored: restored, of: found.transaction)
            case .extended:
                guard let expires = row.expires else { continue }
                accessHistory.add(endingBefore: expires, toldAt: told(found.after), of: found.transaction)
            }
        }
        let statuses = EventTable.current.access
        for place in story {
            let statement = statements[place]
            if let until = statement.graceUntil {
                accessHistory.add(
                    graceUntil: until, of: shownRows[statement.rows].first?.purchase, at: statement.order)
            }
            if outcomes[place].disposition == .event, table.timeline.role(ofPair: outcomes[place].pair) == .ends {
                accessHistory.add(endingAt: statement.order)
            }
            if let signed = statement.signature, let status = statuses.status(statement.access?.status) {
                accessHistory.add(status, renewsAt: statement.access?.renewsAt, at: signed)
            }
        }
        accessHistory.close()
    }

    /// When a transaction that was cancelled twice was first told without a cancellation in between: the first one had
    /// been taken back by some time before the second, so this body is more likely right than outdated.
    private func firstShownAgain(_ contradiction: RowHistory.Contradiction) -> Int64? {
        guard !contradiction.isCertain else { return nil }
        let cancelled = told(contradiction.before)
        var first: Int64?
        _ = anyAbout(contradiction.transaction) { other in
            let moment = told(other)
            if moment > cancelled, moment < first ?? .max,
                shownRows[statements[other].rows].contains(where: {
                    $0.transaction == contradiction.transaction && $0.cancellation == nil
                })
            {
                first = moment
            }
            return false
        }
        return first
    }

    /// The ends of periods whose renewal failed at first, ascending.
    private func failedEnds() -> [Int64] {
        story.compactMap { place in
            guard isTold(place), role(place) == .fails else { return nil }
            return statements[place].isV2
                ? shownRows[statements[place].rows].first?.expires : statements[place].ownTime
        }.sorted()
    }

    /// From when on a transaction is paid for.
    ///
    /// A renewal may be charged up to a day ahead. One that failed at first and succeeded within the grace period is
    /// dated to the end of the period before, though nobody had paid for it until then.
    private func paidSince(_ row: TimelineRow, _ failures: [Int64]) -> Int64 {
        if row.shownBy >= 0 {
            let shown = told(row.shownBy)
            if shown < row.purchase, row.purchase - shown <= table.parameters.chargedAhead { return shown }
        }
        let place = failures.firstPlace { $0 >= row.purchase - table.parameters.contiguous }
        guard place < failures.count, failures[place] <= row.purchase + table.parameters.contiguous else {
            return row.purchase
        }
        // A body shows no transaction that nobody paid for.
        var begun = row.shownBy >= 0 ? told(row.shownBy) : nil
        _ = anyAbout(row.transaction) { other in
            if isTold(other), role(other) == .begins { begun = min(begun ?? .max, told(other)) }
            return false
        }
        return max(row.purchase, begun ?? row.purchase)
    }

    /// What an event says about access with all others in view; `nil` where its own word stays.
    func access(_ place: Int) -> Access? {
        let outcome = outcomes[place]
        switch outcome.disposition {
        case .companion, .duplicate: return Access.none
        case .unmapped: return nil
        case .event, .inferred: break
        }
        guard isAccessCollected, statements[place].access != nil, outcome.pair >= 0 else {
            return outcome.isPromoted ? Access(entitlement: .undecided, flag: .runningPeriodUnknown) : nil
        }
        if !statements[place].isV2, !statements[place].says(.subject, FactValue.Subject.certain) { return nil }
        // An upgrade to a plan that nothing shows.
        if !outcome.addedFlags.isDisjoint(with: .transactionUncertain) {
            return Access(entitlement: .undecided, flag: .accessEndUnknown)
        }
        return state(place).access(effects(place))
    }

    /// What all pairs that are possible do to access.
    private func effects(_ place: Int) -> AccessEffects {
        let pairs = table.events.pairs
        let outcome = outcomes[place]
        var effects = AccessEffects(pairs[outcome.pair].effect)
        for candidate in outcome.decision?.candidates ?? [] {
            switch candidate {
            case .pair(let pair): effects.insert(AccessEffects(pairs[pair].effect))
            case .companion: if !outcome.isPromoted { effects.insert(AccessEffects(.none)) }
            }
        }
        return effects
    }

    private func state(_ place: Int) -> AccessState {
        let statement = statements[place]
        let moment = told(place)
        var state = AccessState()
        state.moment = moment
        let shown = shownRows[statement.rows].first { $0.transaction == statement.transaction }
        if let row = shown ?? history.index(of: statement.transaction).map({ history.rows[$0] }) {
            take(row, isShown: shown != nil, statement, &state)
        }
        if let shown, !statement.isV2 { state.isRefundShown = shown.cancellation != nil && !shown.isUpgraded }
        state.mayBeReplaced = isAboutCancelled(statement) && mayBeAfterView(statement.order, statement)
        state.isComplete = statement.showsAllAccess
        // A purchase without a time and without a transaction may have been made after the end of all known periods.
        let isAfterAll = statement.transaction == TimelineID.none && isUndated(statement) && role(place) == .begins
        if !isAfterAll { state.otherEnd = accessHistory.runningEnd(at: moment, otherThan: statement.transaction) }
        take(accessHistory.grace(at: moment), &state)
        guard let signed = statement.signature else { return state }
        let own = EventTable.current.access.status(statement.access?.status).map { status in
            (status: status, renewsAt: statement.access?.renewsAt)
        }
        let latest = accessHistory.status(after: signed, by: moment, own: own)
        state.status = latest?.status
        if own != nil || latest != nil { state.isComplete = true }
        if state.status == .runs, state.otherEnd == nil, let end = latest?.renewsAt, end > moment, end != state.ownEnd {
            state.otherEnd = end
        }
        return state
    }

    private func take(_ grace: (end: Int64, isRefunded: Bool)?, _ state: inout AccessState) {
        guard let grace else { return }
        state.isGraceRefunded = grace.isRefunded
        if !grace.isRefunded { state.graceEnd = grace.end }
    }

    /// Takes what is known of the own transaction, by the body itself or by what others had told at the moment.
    private func take(
        _ row: TimelineRow, isShown: Bool, _ statement: Statement, _ state: inout AccessState
    ) {
        let moment = state.moment ?? .max
        state.hasOwn = true
        state.ownEnd = isShown ? row.expires : accessHistory.end(of: row.transaction, knownAt: moment) ?? row.expires
        state.cancelledAt = row.cancellation ?? (statement.isTimeless ? nil : statement.ownTime)
        let isUpgraded = row.isUpgraded && row.cancellation ?? .min <= moment
        state.isOwnOver =
            isUpgraded || row.cancellation.map { $0 <= moment } ?? false
            || accessHistory.isOver(
                row.transaction, at: moment, unlessShownAt: statement.signature)
        state.isRefundProven = isRefundProven(row.transaction, statement, by: moment)
        if state.isRefundProven { state.isOwnOver = true }
        state.isOwnLatest =
            !isUpgraded
            && !accessHistory.hasLater(than: row.purchase, of: row.transaction, at: moment)
        let isSubscription = statement.type >= 0 && table.shape(ofType: statement.type).subject == .subscription
        state.isOneTime = row.expires == nil && !isSubscription && statement.access?.status == nil
    }

    /// Whether a receipt that is newer than the statement's own proves a refund from before a moment.
    func isRefundProven(_ transaction: UInt64, _ statement: Statement, by moment: Int64) -> Bool {
        guard let receipt = statement.receipt, let place = history.index(of: transaction) else { return false }
        let row = history.rows[place]
        guard let cancelled = row.cancellation, cancelled <= moment, !row.isUpgraded, let proven = row.provenAt else {
            return false
        }
        return receipt.createdAt < proven
    }

    /// What a deduced event says about access, judged by what had happened until it was shown, or happened itself.
    ///
    /// - Parameters:
    ///   - event: The event, but for its access.
    ///   - pairs: The pairs it may represent.
    ///   - tellers: The notifications it was deduced from; all of them are needed to show it.
    /// - Returns: What it says.
    func access(of event: SilentEvent, _ pairs: [Int], shownBy tellers: [Int]) -> Access {
        var effects = AccessEffects(rawValue: 0)
        for pair in pairs { effects.insert(AccessEffects(table.events.pairs[pair].effect)) }
        var state = AccessState()
        let moment = tellers.map(told).reduce(event.time, max)
        state.moment = moment
        take(event.transaction.row, isShown: false, statements[event.after], &state)
        state.cancelledAt = event.transaction.row.cancellation ?? event.time
        state.isOneTime = event.transaction.row.expires == nil
        state.isComplete = tellers.contains { statements[$0].showsAllAccess }
        state.otherEnd = accessHistory.runningEnd(at: moment, otherThan: event.transaction.row.transaction)
        if event.time < moment { take(accessHistory.grace(at: moment), &state) }
        if let latest = accessHistory.status(after: event.time, by: moment) {
            state.status = latest.status
            state.isComplete = true
            if state.otherEnd == nil, latest.status == .runs { state.otherEnd = latest.renewsAt }
        }
        return state.access(effects)
    }
}
