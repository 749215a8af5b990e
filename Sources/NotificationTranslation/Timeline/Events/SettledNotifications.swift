/// What is known of how a period ended.
struct PeriodEnd {
    let expires: Int64
    /// When the next transaction begins; the greatest number where none does.
    let until: Int64
    /// The notification that reports the failed renewal.
    var failure: Int?
    /// When the billing grace period ends, where there is one.
    var graceEnd: Int64?
    /// The notification that switched renewal off after the end, and that was not taken back.
    var switchedOff: Int?
    var gaveUp = SilentValue.GaveUp.no
    var isRetryOver = false
    var status = SilentValue.Status.unknown
    /// The notification that shows the status.
    var statusNotification: Int?

    init(expires: Int64, until: Int64) {
        self.expires = expires
        self.until = until
    }

    /// Sets what rules ask of it.
    func set(_ facts: inout SilentFacts) {
        facts.set(.failure, failure != nil)
        facts.set(.gaveUp, gaveUp)
        facts.set(.retryOver, isRetryOver)
        facts.set(.status, status)
    }

    /// The notifications that report it.
    var notifications: [Int] { [failure, switchedOff, statusNotification].compactMap { $0 } }
}

/// The notifications of a settled subscription by transaction, time and role, and how its periods ended.
struct SettledNotifications {
    private let settlement: Settlement
    private let clock: ViewClock
    private let parameters: Parameters
    /// The notifications about each transaction, and those that report a failed renewal.
    private let notifications: [UInt64: [Int]]
    private let failures: [Int]
    /// The notifications that report the beginning of a transaction that no body shows.
    private let beginningsUnseen: [Int]
    /// The notifications that show each transaction as the newest, in the order of events.
    private let shown: [UInt64: [Int]]

    init(_ settlement: Settlement, _ clock: ViewClock) {
        self.settlement = settlement
        self.clock = clock
        parameters = settlement.parameters
        notifications = Dictionary(grouping: settlement.order) { settlement.statements[$0].transaction }
        failures = settlement.order.filter { settlement.isEvent($0) && settlement.role($0) == .fails }
        beginningsUnseen = settlement.order.filter {
            settlement.isEvent($0) && settlement.role($0) == .begins
                && settlement.history.index(of: settlement.statements[$0].transaction) == nil
        }
        shown = Dictionary(grouping: settlement.order.filter { settlement.outcomes[$0].disposition != .duplicate }) {
            let statement = settlement.statements[$0]
            return settlement.shownRows[statement.rows].first?.transaction ?? statement.transaction
        }
    }

    // MARK: What was reported

    /// Whether something holds of the pair of an event about a transaction.
    ///
    /// Companions and repeated deliveries of version 1 are not events. What version 2 reports counts, also where
    /// version 1 told it before.
    func events(about transaction: UInt64, _ body: (Int) -> Bool) -> Bool {
        notifications(about: transaction).contains { index in
            let statement = settlement.statements[index]
            if statement.isV2 { return statement.pair >= 0 && body(statement.pair) }
            return settlement.outcomes[index].disposition == .event && body(settlement.outcomes[index].pair)
        }
    }

    /// The notifications about a transaction, in the order of events.
    func notifications(about transaction: UInt64) -> [Int] { notifications[transaction] ?? [] }

    /// The notifications that show a transaction as the newest, in the order of events, each once.
    func showing(_ row: TimelineRow) -> [Int] { shown[row.transaction] ?? [] }

    /// Where in the order the notifications from an instant on begin.
    func position(from instant: Int64) -> Int {
        settlement.order.partitioningIndex { settlement.statements[$0].time >= instant }
    }

    func role(_ index: Int) -> TimelineRules.Role? { settlement.isEvent(index) ? settlement.role(index) : nil }

    /// The first notification with a role within a stretch of time.
    func first(_ role: TimelineRules.Role, from start: Int64, to end: Int64, where body: (Statement) -> Bool) -> Int? {
        for index in settlement.order[position(from: start)...] {
            let statement = settlement.statements[index]
            if statement.time > end { return nil }
            if self.role(index) == role, body(statement) { return index }
        }
        return nil
    }

    // MARK: How periods ended

    /// Finds out how a period ended.
    func end(of row: TimelineRow, next: TimelineRow?) -> PeriodEnd? {
        guard let expires = row.expires else { return nil }
        var end = PeriodEnd(expires: expires, until: next?.purchase ?? .max)
        end.failure = failures.first { index in
            let statement = settlement.statements[index]
            return statement.transaction == row.transaction
                || abs((statement.ownTime ?? .min / 2) - expires) <= parameters.contiguous
        }
        end.failure = end.failure ?? retryNotification(row, end)
        end.graceEnd =
            showing(row).lazy.compactMap { settlement.statements[$0].graceUntil }.max()
            ?? end.failure.flatMap { settlement.statements[$0].graceUntil }
        end.switchedOff = isContinued(row, end, next: next) ? nil : switchedOff(after: end, row)
        if let index = end.switchedOff {
            let instant = settlement.statements[index].time
            let isInGrace = end.graceEnd.map { instant < $0 } ?? false
            let isAtEnd = instant >= expires + parameters.retryLastDay
            end.gaveUp = isAtEnd ? .atRetryEnd : isInGrace ? .inGrace : .inRetry
        } else if end.failure != nil,
            settlement.answers.intent(of: row.transaction, from: end.expires, until: end.until) == .voluntary
        {
            end.gaveUp = .inRetry
        }
        let over = expires + parameters.retryEnd
        end.isRetryOver =
            end.until >= over && clock.hasReached(over + (next == nil ? parameters.deliveryHorizon : 0))
            && !mayHaveBegunUnseen(from: expires, to: over)
        setStatus(&end, row)
        return end
    }

    /// Whether a transaction that no body shows is reported to have begun between two instants, or without any date.
    private func mayHaveBegunUnseen(from start: Int64, to end: Int64) -> Bool {
        beginningsUnseen.contains {
            start...end ~= settlement.statements[$0].time || settlement.statements[$0].isUndated
        }
    }

    /// The first notification after the end of a period that says it is in billing retry.
    private func retryNotification(_ row: TimelineRow, _ end: PeriodEnd) -> Int? {
        showing(row).first { index in
            let statement = settlement.statements[index]
            return statement.isInBillingRetry && statement.time >= end.expires && statement.time <= end.until
        }
    }

    /// The first notification after the end of a period that switches renewal off, if none switches it on again.
    private func switchedOff(after end: PeriodEnd, _ row: TimelineRow) -> Int? {
        var off: Int?
        for index in settlement.order[position(from: end.expires + 1)...] {
            let statement = settlement.statements[index]
            if statement.time >= end.until { break }
            guard role(index) == .switches, statement.transaction == row.transaction, let isOn = autoRenews(index),
                isDated(index) || end.failure != nil && statement.receivedAt != nil
            else { continue }
            off = isOn ? nil : off ?? index
        }
        return off
    }

    /// The auto-renew status at the end of a period, by the notifications about it.
    ///
    /// A change of status says when it was made. Anything else says what was so when its body was written, which is
    /// known roughly: at the first attempt, which nobody may have received, and of a renewal hours before it begins.
    private func setStatus(_ end: inout PeriodEnd, _ row: TimelineRow) {
        let shown = showing(row).filter { autoRenews($0) != nil }
        let (change, isSure) = lastChange(shown, by: end.expires)
        end.statusNotification = change
        if let change, let isOn = autoRenews(change) {
            // A body without any time says "on", and may have been written after the last change.
            let mayBeOn = shown.contains {
                autoRenews($0) == true && settlement.statements[$0].receivedAt == nil && !isDated($0)
            }
            // That it is off without a change that says so leaves open what else is not in view.
            let off: SilentValue.Status = mayBeEnd(change, end) ? .offOrEnded : .off
            end.status = isOn ? isSure ? .on : .unknown : isSure && !mayBeOn ? off : .offAfter
        }
        // An answer of Apple's leads until something newer.
        let answered = settlement.answers.autoRenews(after: row.transaction, by: end.expires)
        if let answered, answered.isOn, answered.at > change.map({ settlement.statements[$0].time }) ?? .min {
            (end.status, end.statusNotification) = (.on, nil)
            return
        }
        let later = shown.first { index in
            !isWritten(index, by: end.expires) && autoRenews(index) == false
                && !(tellsChange(index) && isDated(index)) && settlement.statements[index].time < end.until
        }
        guard end.status != .off, end.status != .offOrEnded, let later, settlement.statements[later].hasList else {
            return
        }
        end.status = .offAfter
        end.statusNotification = later
    }

    /// Whether a notification certainly says what was so by an instant.
    private func isWritten(_ index: Int, by instant: Int64) -> Bool {
        let statement = settlement.statements[index]
        return max(statement.time, isDated(index) ? statement.time : statement.receivedAt ?? .max) <= instant
    }

    /// What says last, by an instant, whether renewal is on, and whether that is sure.
    private func lastChange(_ shown: [Int], by instant: Int64) -> (index: Int?, isSure: Bool) {
        var change: Int?
        var isSure = true
        for index in shown where isWritten(index, by: instant) {
            let statement = settlement.statements[index]
            let isOther = change.map { autoRenews($0) != autoRenews(index) } ?? false
            if tellsChange(index) {
                isSure = isDated(index) || !isOther
                change = index
            } else if let known = change, isOther,
                writtenFrom(index) > settlement.statements[known].time + settlement.tolerance(statement)
            {
                // A change between the two is not in view.
                isSure = false
                change = index
            }
        }
        return (change, isSure)
    }

    /// Whether a switch-off at the end of a period may itself be that end.
    private func mayBeEnd(_ index: Int, _ end: PeriodEnd) -> Bool {
        settlement.statements[index].time >= end.expires - parameters.atBoundary && settlement.mayBe(index, .ends)
    }

    /// Whether a notification reports a change of status.
    private func tellsChange(_ index: Int) -> Bool {
        let statement = settlement.statements[index]
        if statement.isV2 { return true }
        return statement.type >= 0 && settlement.table.types[statement.type].time == .statusChange
    }

    /// Whether a notification says when its event happened.
    func isDated(_ index: Int) -> Bool {
        let statement = settlement.statements[index]
        return statement.ownTime != nil && !statement.isTimeless
    }

    /// The earliest instant at which a notification may have been written, to know whether its body saw a change.
    func writtenFrom(_ index: Int) -> Int64 {
        let statement = settlement.statements[index]
        guard let ownTime = statement.ownTime, !statement.isTimeless else {
            let delivered = statement.receivedAt.map { $0 - parameters.deliveryHorizon }
            return [statement.latestKnown, delivered].compactMap(\.self).max()
                ?? statement.time - parameters.deliveryHorizon
        }
        return ownTime - (TimeField.isPurchase(statement.ownField) ? parameters.chargedAhead : 0)
    }

    /// Whether a notification says that renewal is on; `nil` where it says nothing.
    func autoRenews(_ index: Int) -> Bool? { settlement.statements[index].autoRenewStatus }

    /// A notification about the period that says why it ended.
    func intent(of row: TimelineRow, _ end: PeriodEnd) -> Int? {
        showing(row).first { index in
            let statement = settlement.statements[index]
            // The App Store may date what it does at the end shortly before it.
            let start = end.expires - settlement.tolerance(statement)
            return 1...5 ~= statement.intent && statement.time >= start && statement.time < end.until
        }
    }

    /// Whether a notification says that the subscription continued where a period ended.
    func isContinued(_ row: TimelineRow, _ end: PeriodEnd, next: TimelineRow?) -> Bool {
        // What renews a period may be charged, and reported, before its end.
        let start = position(from: end.expires - settlement.delivery(settlement.statements[row.shownBy]).chargedAhead)
        return settlement.order[start...].prefix { settlement.statements[$0].time <= end.until }.contains { index in
            let isRenewal = SilentTable.current.continues.contains(settlement.outcomes[index].pair)
            guard role(index) == .begins, isRenewal else { return false }
            // One whose transaction no body shows may be about any.
            let transaction = settlement.statements[index].transaction
            return transaction == next?.transaction || settlement.history.index(of: transaction) == nil
        }
    }
}
