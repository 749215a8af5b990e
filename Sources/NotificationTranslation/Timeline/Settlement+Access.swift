extension Settlement {
    /// When a notification arrived, or was signed; where neither is known, when it says that it happened.
    func arrival(of place: Int) -> Int64 {
        let statement = statements[place]
        return statement.receivedAt ?? statement.signedAt ?? statement.order
    }

    /// The earliest arrival of a happening in view, of either version.
    func firstArrival(of place: Int) -> Int64 { firstArrivals[place] ?? arrival(of: place) }

    /// The earliest arrival of every notification that others deliver again.
    mutating func findFirstArrivals() {
        firstArrivals.removeAll(keepingCapacity: true)
        for place in story where outcomes[place].disposition == .duplicate && outcomes[place].leader >= 0 {
            let leader = outcomes[place].leader
            guard let received = statements[place].receivedAt else { continue }
            let first = firstArrivals[leader] ?? statements[leader].receivedAt ?? .max
            firstArrivals[leader] = min(first, received)
        }
    }

    /// Whether a notification of it, or a transaction with an end, shows that it is a subscription.
    func showsSubscription() -> Bool {
        shownRows.contains { $0.expires != nil } || deliveries.contains(where: isOfSubscription)
    }

    private func isOfSubscription(_ statement: Statement) -> Bool {
        guard statement.isV2 else {
            return shape(of: statement)?.subject == .subscription
        }
        // By itself it was judged as one: the end of what gives access is missing.
        let isOpen = !statement.access.access.flag.isDisjoint(with: .accessEndUnknown)
        return isOpen || statement.access.status != nil || row(statement)?.isSubscription ?? false
    }

    /// The row of the V2 pair of a notification, else that of its type; `nil` for a type that this build does not know.
    private func row(_ statement: Statement) -> EventTable.Pair? {
        if statement.pair >= 0 { return table.events.pairs[statement.pair] }
        let type = statement.typeText.string?.prefix { $0 != "/" }
        return type.flatMap { table.events.type(String($0)) }.map { table.events.types[$0] }
    }

    /// Whether nothing but the body of the only notification says what it does to access.
    var isAlone: Bool { statements.count == 1 && !isImported && answers.isEmpty }

    /// What all notifications say about access, once their meaning is settled.
    func collectedAccess() -> AccessHistory { accessHistory ?? AccessHistory(accessReports()) }

    func accessReports() -> AccessHistory.Reports {
        var reports = AccessHistory.Reports()
        reports.isSubscription = showsSubscription()
        let (failures, changes) = (failedEnds(), periodChanges())
        reports.rows = history.rows.map { row in
            (row, paidSince(row, failures), changes[row.transaction] ?? PeriodChanges())
        }
        func addGrace(_ statement: Statement, at moment: Int64) {
            guard let until = statement.graceUntil else { return }
            reports.graces.append(.init(at: moment, value: (until, shownRows[statement.rows].first?.purchase)))
        }
        for place in story {
            let statement = statements[place]
            // A failure may be announced before the period ends, by which it is sorted.
            addGrace(statement, at: min(arrival(of: place), statement.order))
            if outcomes[place].disposition == .event, role(place) == .ends { reports.endings.append(statement.order) }
            if let signed = statement.signature,
                let status = EventTable.current.access.status(statement.access.status)
            {
                reports.statuses.append(.init(at: signed, value: (status, statement.access.renewsAt)))
            }
        }
        for answer in answers.answers {
            if let time = answer.ownTime { addGrace(answer, at: time) }
        }
        return reports
    }

    /// What was said of each transaction that a later notification changes.
    func periodChanges() -> [UInt64: PeriodChanges] {
        var changes: [UInt64: PeriodChanges] = [:]
        for found in history.contradictions where found.before >= 0 && found.after >= 0 {
            let shown = shownRows[statements[found.before].rows].first { $0.transaction == found.transaction }
            switch found.kind {
            case .restored:
                guard let cancelled = shown?.cancellation else { continue }
                let restored = min(
                    statements[found.after].order, firstShownAgain(found, cancelledAt: cancelled) ?? .max)
                guard cancelled < restored else { continue }
                changes[found.transaction, default: PeriodChanges()].gaps.append(cancelled..<restored)
            case .extended:
                guard let expires = shown?.expires else { continue }
                changes[found.transaction, default: PeriodChanges()].add(expires, until: firstArrival(of: found.after))
            }
        }
        return changes
    }

    /// When a cancellation that was taken back was first missing, after the last body that shows it.
    ///
    /// A body that lacks it is more likely right than outdated if it was certainly written after the cancellation, once a
    /// later one shows that it was taken back; or if the transaction was cancelled again.
    private func firstShownAgain(_ contradiction: RowHistory.Contradiction, cancelledAt cancelled: Int64) -> Int64? {
        var first: Int64?
        _ = anyAbout(contradiction.transaction) { other in
            let statement = statements[other]
            let isLater =
                arrival(of: other) > arrival(of: contradiction.before)
                && (!contradiction.isCertain || statement.isWrittenAfter(cancelled)
                    || arrival(of: other) > cancelled + table.parameters.deliveryHorizon)
            let moment = contradiction.isCertain ? statement.order : arrival(of: other)
            if isLater, moment < first ?? .max,
                shownRows[statement.rows].contains(where: {
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
    func failedEnds() -> [Int64] {
        story.compactMap { place in
            guard isEvent(place), role(place) == .fails else { return nil }
            return statements[place].isV2
                ? shownRows[statements[place].rows].first?.expires : statements[place].ownTime
        }.sorted()
    }

    /// From when on a transaction is paid for.
    ///
    /// A renewal may be charged up to a day ahead. One that failed at first and succeeded within the grace period is
    /// dated to the end of the period before, though nobody had paid for it until then.
    func paidSince(_ row: TimelineRow, _ failures: [Int64]) -> Int64 {
        if row.shownBy >= 0, !row.isAnswered {
            let shown = arrival(of: row.shownBy)
            if shown < row.purchase, row.purchase - shown <= table.parameters.chargedAhead { return shown }
        }
        let place = failures.firstPlace { $0 >= row.purchase - table.parameters.contiguous }
        guard place < failures.count, failures[place] <= row.purchase + table.parameters.contiguous else {
            return row.purchase
        }
        // A body shows no transaction that nobody paid for.
        var begun = row.shownBy >= 0 && !row.isAnswered ? firstArrival(of: row.shownBy) : nil
        _ = anyAbout(row.transaction) { other in
            begun = min(begun ?? .max, firstArrival(of: other))
            return false
        }
        return max(row.purchase, begun ?? row.purchase)
    }

    /// What an event says about access with all others in view; `nil` where its own word stays.
    func access(_ place: Int) -> Access? {
        let outcome = outcomes[place]
        switch outcome.disposition {
        case .companion, .duplicate: return Access.none
        case .event, .inferred, .unmapped: break
        }
        guard !isAlone, statements[place].isV2 || outcome.pair >= 0 else {
            return outcome.isPromoted ? Access(entitlement: .undecided, flag: .runningPeriodUnknown) : nil
        }
        let accessHistory = collectedAccess()
        if !statements[place].isV2, !statements[place].says(.subject, FactValue.Subject.certain) { return nil }
        // An upgrade to a plan that nothing shows.
        if !outcome.addedFlags.isDisjoint(with: .transactionUncertain) {
            return Access(entitlement: .undecided, flag: .accessEndUnknown)
        }
        guard outcome.pair < 0 else { return state(place, accessHistory).access(effects(place)) }
        let row = row(statements[place])
        // What is said by no status says nothing else than alone.
        guard row != nil || statements[place].access.status != nil else { return nil }
        var state = state(place, accessHistory)
        state.mapping = row == nil ? .none : .typeOnly
        return state.access(AccessEffects(row?.effect ?? .open))
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

    private func state(_ place: Int, _ accessHistory: AccessHistory) -> AccessState {
        let statement = statements[place]
        let told = firstArrival(of: place)
        // A slow clock dates an arrival before what it tells.
        let act = statement.ownTime.flatMap { time in
            0...tolerance(statement) ~= time - told ? time : nil
        }
        let moment = act ?? told
        var state = AccessState()
        state.moment = moment
        let shown = shownRows[statement.rows].first { $0.transaction == statement.transaction }
        if let row = shown ?? history.index(of: statement.transaction).map({ history.rows[$0] }) {
            take(row, isShown: shown != nil, statement, accessHistory, &state)
        }
        if let shown, !statement.isV2 { state.isRefundShown = shown.cancellation != nil && !shown.isUpgraded }
        state.isEndReported =
            statement.intent != .notStated || accessHistory.hasEnding(from: state.ownEnd ?? .max, to: moment)
        state.mayBeReplaced = isAboutCancelled(statement) && mayBeAfterView(statement.order, statement)
        state.isComplete = statement.showsAllAccess || isAnswered(place, at: moment)
        // A purchase without a time and without a transaction may have been made after the end of all known periods.
        let isAfterAll = statement.transaction == TimelineID.none && isUndated(statement) && role(place) == .begins
        if !isAfterAll { state.otherEnd = accessHistory.runningEnd(at: moment, otherThan: statement.transaction) }
        state.take(accessHistory.grace(at: moment))
        guard let signed = statement.signature else { return state }
        // What ended its transaction since outranks its status.
        let isOwnOverSince = state.isOwnOver && shown?.cancellation == nil
        let own =
            isOwnOverSince
            ? nil
            : EventTable.current.access.status(statement.access.status).map { status in
                (status: status, renewsAt: statement.access.renewsAt)
            }
        let latest = accessHistory.status(after: signed, by: moment, own: own)
        state.status = latest?.status
        if own != nil || latest != nil { state.isComplete = true }
        if state.status == .runs, state.otherEnd == nil, let end = latest?.renewsAt, end > moment, end != state.ownEnd {
            state.otherEnd = end
        }
        return state
    }

    /// Whether a complete history shows every period that ran at a moment, and no renewal was failing then, so that no
    /// grace period ran.
    private func isAnswered(_ place: Int, at moment: Int64) -> Bool {
        guard let until = answers.completeUntil, until >= moment else { return false }
        let first = story.firstPlace { statements[$0].order >= moment - table.parameters.longestGrace }
        return !story[first...].prefix { statements[$0].order <= moment }.contains { role($0) == .fails }
    }

    /// Takes what is known of the own transaction, by the body itself or by what others had told at the moment; a refund
    /// until `restored` was taken back.
    private func take(
        _ row: TimelineRow, isShown: Bool, _ statement: Statement, restored: Int64? = nil,
        _ accessHistory: AccessHistory, _ state: inout AccessState
    ) {
        let moment = state.moment ?? .max
        state.hasOwn = true
        state.ownBegin = row.purchase
        state.ownEnd = isShown ? row.expires : accessHistory.end(of: row.transaction, knownAt: moment) ?? row.expires
        state.cancelledAt = row.cancellation ?? (statement.isTimeless ? nil : statement.ownTime)
        let isUpgraded = row.isUpgraded && row.cancellation ?? .min <= moment
        state.isOwnUpgraded = isUpgraded
        state.isRefundedInPart = row.isInPart
        // A purchase without an end is in no period of the history of access.
        let known = row.expires == nil ? history.index(of: row.transaction) : nil
        let refunded = known.flatMap { history.rows[$0].endedEarly }
        let isRefundedSince = refunded.map { $0 <= moment && $0 > restored ?? statement.signature ?? .min } ?? false
        state.isOwnOver =
            isUpgraded || isRefundedSince || row.endedEarly.map { $0 <= moment && $0 > restored ?? .min } ?? false
            || accessHistory.isOver(
                row.transaction, at: moment, unlessShownAt: restored.map { $0 + 1 } ?? statement.signature)
        state.isRefundProven = isRefundProven(row.transaction, statement, by: moment)
        if state.isRefundProven { state.isOwnOver = true }
        state.isOwnLatest =
            !isUpgraded
            && !accessHistory.hasLater(than: row.purchase, of: row.transaction, at: moment)
        state.isOneTime = row.expires == nil && !accessHistory.isSubscription
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

    /// What a deduced event says about access, judged at its own time: what came later does not change it.
    ///
    /// - Parameters:
    ///   - event: The event, but for its access.
    ///   - pairs: The pairs it may represent.
    ///   - tellers: The notifications it was deduced from; all of them are needed to show it.
    /// - Returns: What it says.
    func access(of event: SilentEvent, _ pairs: [Int], shownBy tellers: [Int]) -> Access {
        let accessHistory = collectedAccess()
        var effects = AccessEffects(rawValue: 0)
        for pair in pairs { effects.insert(AccessEffects(table.events.pairs[pair].effect)) }
        if event.gap >= 0 { effects.insert(AccessEffects(.none)) }
        var state = AccessState()
        state.moment = event.time
        let row = event.transaction.row
        let isRestored = effects == AccessEffects(.restores)
        take(
            row, isShown: false, statements[event.after], restored: isRestored ? event.time : nil, accessHistory, &state
        )
        // An extension is known to those that show it.
        let shown = tellers.map(firstArrival).reduce(event.time, max)
        state.ownEnd = accessHistory.end(of: row.transaction, knownAt: shown) ?? row.expires
        state.cancelledAt = row.cancellation ?? event.time
        state.isComplete = tellers.contains { statements[$0].showsAllAccess }
        state.otherEnd = accessHistory.runningEnd(at: event.time, otherThan: row.transaction)
        state.take(accessHistory.grace(at: event.time))
        return state.access(effects)
    }
}
