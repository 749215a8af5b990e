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
struct SettledStory {
    private let settlement: Settlement
    private let clock: StoryClock
    private let parameters: Parameters
    /// The notifications about each transaction, and those that report a failed renewal.
    private let notifications: [UInt64: [Int]]
    private let failures: [Int]
    /// The notifications that show each transaction as the newest, in the order of the story.
    private let shown: [UInt64: [Int]]

    init(_ settlement: Settlement, _ clock: StoryClock) {
        self.settlement = settlement
        self.clock = clock
        parameters = settlement.parameters
        notifications = Dictionary(grouping: settlement.story) { settlement.statements[$0].transaction }
        failures = settlement.story.filter { settlement.isEvent($0) && settlement.role($0) == .fails }
        shown = Dictionary(grouping: settlement.story.filter { settlement.outcomes[$0].disposition != .duplicate }) {
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
        notifications(about: transaction).contains { place in
            let statement = settlement.statements[place]
            if statement.isV2 { return statement.pair >= 0 && body(statement.pair) }
            return settlement.outcomes[place].disposition == .event && body(settlement.outcomes[place].pair)
        }
    }

    /// The notifications about a transaction, in the order of the story.
    func notifications(about transaction: UInt64) -> [Int] { notifications[transaction] ?? [] }

    /// The notifications that show a transaction as the newest, in the order of the story, each once.
    func showing(_ row: TimelineRow) -> [Int] { shown[row.transaction] ?? [] }

    /// Where in the story the notifications from an instant on begin.
    func place(from instant: Int64) -> Int {
        settlement.story.firstPlace { settlement.statements[$0].order >= instant }
    }

    func role(_ place: Int) -> TimelineRules.Role? { settlement.isEvent(place) ? settlement.role(place) : nil }

    /// The first notification with a role within a stretch of time.
    func first(_ role: TimelineRules.Role, from start: Int64, to end: Int64, where body: (Statement) -> Bool) -> Int? {
        for place in settlement.story[self.place(from: start)...] {
            let statement = settlement.statements[place]
            if statement.order > end { return nil }
            if self.role(place) == role, body(statement) { return place }
        }
        return nil
    }

    // MARK: How periods ended

    /// Finds out how a period ended.
    func end(of row: TimelineRow, next: TimelineRow?) -> PeriodEnd? {
        guard let expires = row.expires else { return nil }
        var end = PeriodEnd(expires: expires, until: next?.purchase ?? .max)
        end.failure = failures.first { place in
            let statement = settlement.statements[place]
            return statement.transaction == row.transaction
                || abs((statement.ownTime ?? .min / 2) - expires) <= parameters.contiguous
        }
        end.failure = end.failure ?? retryNotification(row, end)
        end.graceEnd =
            showing(row).lazy.compactMap { settlement.statements[$0].graceUntil }.max()
            ?? end.failure.flatMap { settlement.statements[$0].graceUntil }
        end.switchedOff = isContinued(row, end, next: next) ? nil : switchedOff(after: end, row)
        if let place = end.switchedOff {
            let instant = settlement.statements[place].order
            let isInGrace = end.graceEnd.map { instant < $0 } ?? false
            let isAtEnd = instant >= expires + parameters.retryLastDay
            end.gaveUp = isAtEnd ? .atRetryEnd : isInGrace ? .inGrace : .inRetry
        } else if end.failure != nil,
            settlement.answers.intent(of: row.transaction, from: end.expires, until: end.until) == .voluntary
        {
            end.gaveUp = .inRetry
        }
        let over = expires + parameters.retryEnd
        end.isRetryOver = end.until >= over && clock.hasReached(over + (next == nil ? parameters.deliveryHorizon : 0))
        setStatus(&end, row)
        return end
    }

    /// The first notification after the end of a period that says it is in billing retry.
    private func retryNotification(_ row: TimelineRow, _ end: PeriodEnd) -> Int? {
        showing(row).first { place in
            let statement = settlement.statements[place]
            return statement.isInBillingRetry && statement.order >= end.expires && statement.order <= end.until
        }
    }

    /// The first notification after the end of a period that switches renewal off, if none switches it on again.
    private func switchedOff(after end: PeriodEnd, _ row: TimelineRow) -> Int? {
        var off: Int?
        for place in settlement.story[place(from: end.expires + 1)...] {
            let statement = settlement.statements[place]
            if statement.order >= end.until { break }
            guard role(place) == .switches, statement.transaction == row.transaction, let isOn = autoRenews(place),
                isDated(place) || end.failure != nil && statement.receivedAt != nil
            else { continue }
            off = isOn ? nil : off ?? place
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
        if let answered, answered.isOn, answered.at > change.map({ settlement.statements[$0].order }) ?? .min {
            (end.status, end.statusNotification) = (.on, nil)
            return
        }
        let later = shown.first { place in
            !isWritten(place, by: end.expires) && autoRenews(place) == false
                && !(tellsChange(place) && isDated(place)) && settlement.statements[place].order < end.until
        }
        guard end.status != .off, end.status != .offOrEnded, let later, settlement.statements[later].hasList else {
            return
        }
        end.status = .offAfter
        end.statusNotification = later
    }

    /// Whether a notification certainly says what was so by an instant.
    private func isWritten(_ place: Int, by instant: Int64) -> Bool {
        let statement = settlement.statements[place]
        return max(statement.order, isDated(place) ? statement.order : statement.receivedAt ?? .max) <= instant
    }

    /// What says last, by an instant, whether renewal is on, and whether that is sure.
    private func lastChange(_ shown: [Int], by instant: Int64) -> (place: Int?, isSure: Bool) {
        var change: Int?
        var isSure = true
        for place in shown where isWritten(place, by: instant) {
            let statement = settlement.statements[place]
            let isOther = change.map { autoRenews($0) != autoRenews(place) } ?? false
            if tellsChange(place) {
                isSure = isDated(place) || !isOther
                change = place
            } else if let known = change, isOther,
                writtenFrom(place) > settlement.statements[known].order + settlement.tolerance(statement)
            {
                // A change between the two is not in view.
                isSure = false
                change = place
            }
        }
        return (change, isSure)
    }

    /// Whether a switch-off at the end of a period may itself be that end.
    private func mayBeEnd(_ place: Int, _ end: PeriodEnd) -> Bool {
        settlement.statements[place].order >= end.expires - parameters.atBoundary && settlement.mayBe(place, .ends)
    }

    /// Whether a notification reports a change of status.
    private func tellsChange(_ place: Int) -> Bool {
        let statement = settlement.statements[place]
        if statement.isV2 { return true }
        return statement.type >= 0 && settlement.table.types[statement.type].time == .statusChange
    }

    /// Whether a notification says when its event happened.
    func isDated(_ place: Int) -> Bool {
        let statement = settlement.statements[place]
        return statement.ownTime != nil && !statement.isTimeless
    }

    /// The earliest instant at which a notification may have been written, to know whether its body saw a change.
    func writtenFrom(_ place: Int) -> Int64 {
        let statement = settlement.statements[place]
        guard let ownTime = statement.ownTime, !statement.isTimeless else {
            let delivered = statement.receivedAt.map { $0 - parameters.deliveryHorizon }
            return [statement.latestKnown, delivered].compactMap(\.self).max()
                ?? statement.order - parameters.deliveryHorizon
        }
        return ownTime - (TimeField.isPurchase(statement.ownField) ? parameters.chargedAhead : 0)
    }

    /// Whether a notification says that renewal is on; `nil` where it says nothing.
    func autoRenews(_ place: Int) -> Bool? { settlement.statements[place].autoRenewStatus }

    /// A notification about the period that says why it ended.
    func intent(of row: TimelineRow, _ end: PeriodEnd) -> Int? {
        showing(row).first { place in
            let statement = settlement.statements[place]
            // The App Store may date what it does at the end shortly before it.
            let start = end.expires - settlement.tolerance(statement)
            return 1...5 ~= statement.intent && statement.order >= start && statement.order < end.until
        }
    }

    /// Whether a notification says that the subscription continued where a period ended.
    func isContinued(_ row: TimelineRow, _ end: PeriodEnd, next: TimelineRow?) -> Bool {
        let start = place(from: end.expires - settlement.tolerance(settlement.statements[row.shownBy]))
        return settlement.story[start...].prefix { settlement.statements[$0].order <= end.until }.contains { place in
            let isRenewal = SilentTable.current.continues.contains(settlement.outcomes[place].pair)
            guard role(place) == .begins, isRenewal else { return false }
            // One whose transaction no body shows may be about any.
            let transaction = settlement.statements[place].transaction
            return transaction == next?.transaction || settlement.history.index(of: transaction) == nil
        }
    }
}
