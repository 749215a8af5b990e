/// Settles an archive one subscription at a time: evidence in, verdicts out, both as bytes that can be spilled.
///
/// One for each worker; keeps its memory from one subscription to the next.
package final class SubscriptionJudge {
    /// How a timeline is settled and what of it is written.
    package struct Options: Sendable {
        /// Which events that V1 never sent are deduced.
        package var inference = SilentInference.off
        /// What counts as now, in milliseconds; `nil` takes the latest time of each subscription.
        package var asOf: Int64?
        /// When the view ends: what would have come later may be missing.
        ///
        /// `nil` takes ``asOf``.
        package var viewEnd: Int64?
        /// Whether a partner that is not in view may still be on its way at ``asOf``.
        package var waitsForPartners = false
        /// Which dispositions are left out.
        package var dropped: Set<Disposition> = []
        /// Whether the V1 records of subscriptions with both versions are compared with V2.
        package var judgesAgreement = false
        /// When notifications of each app arrived; what is missing is counted where it is known.
        package var deliveries: DeliverySpans?
        /// The instant for which ``SubscriptionJudge/figures`` count the state of each subscription; `nil` to count none.
        package var statesCountedAt: Int64?
        /// Whether each event of version 1 gets what version 2 says of its subscription: the status after it, and the app.
        package var tellsStatus = false
        /// The table that is made of each subscription in place of verdicts; `nil` for none.
        package var table: SubscriptionTable?
        /// The app and environment that rows are made of; a part that is `nil` takes any.
        package var app = RehearsedApp(bundleID: nil, environment: nil)
        /// What states are compared with; their differences are written in their place then.
        package var compared: ComparedTable?
        /// How its rows are written.
        package var format = TableFormat.ndjson

        package init() {}
    }

    /// More notifications than any real subscription has; what is beyond is settled in parts of as many, so that memory
    /// stays bounded whatever an archive holds.
    package static let most = 50_000

    /// How timelines are settled, from the next call on.
    package var options: Options
    /// When the first of the results since this was reset may change without a new notification; the greatest number for
    /// never.
    package var next = Int64.max
    private var settlement: Settlement
    /// Asked about what is alone; constant, so that a question copies nothing.
    private let alone = Settlement(.current)
    /// Settles the same without Apple's answers, where there are any: what differs rests on them.
    private lazy var baseline = Settlement(.current)
    private let output = OutputBuffer(capacity: 1024)
    /// The transactions of a notification that is alone.
    private var rowsAlone: [TimelineRow] = []
    private let judge: AgreementJudge?

    package init(_ options: Options) {
        self.options = options
        let table = DecisionTable.current
        settlement = Settlement(table)
        settlement.keepsDetails = options.table != nil || options.statesCountedAt != nil
        judge = options.judgesAgreement ? AgreementJudge(table) : nil
    }

    /// How many notifications were left out because their evidence is damaged; their events stay what the record alone
    /// gives.
    package private(set) var unsettled = 0

    /// Notifications that were surely sent and are not in the archive.
    package private(set) var missing = MissingNotifications()

    /// What the rows of the table hold so far.
    package private(set) var figures = TableFigures()
    /// What the states that were compared are matched by, those that are not known included.
    package private(set) var compared: Set<String> = []

    /// Settles one subscription; if Apple has answered about it, once more without the answers, into ``baseline``.
    ///
    /// - Returns: What was settled, without what is damaged; `nil` if nothing was.
    private func settle(
        _ part: Partition.Part, of evidence: [UnsafeRawBufferPointer], withLists: Bool
    ) -> Partition.Part? {
        var part = part
        settlement.viewEnd = options.viewEnd ?? options.asOf
        settlement.arrivals = options.waitsForPartners ? options.asOf.map(ViewClock.init) : nil
        if !settlement.settle(part, of: evidence, withLists: withLists) {
            let count = part.notifications.count
            part.filter { EvidenceReader.isReadable(evidence[$0]) }
            unsettled += count - part.notifications.count
            guard !part.isEmpty, settlement.settle(part, of: evidence, withLists: withLists) else { return nil }
        }
        if hasAnswers {
            baseline.keepsDetails = settlement.keepsDetails
            baseline.viewEnd = settlement.viewEnd
            baseline.arrivals = settlement.arrivals
            var rest = part
            rest.answers.removeAll()
            _ = baseline.settle(rest, of: evidence, withLists: withLists)
        }
        next = min(next, settlement.view.next, settlement.arrivals?.next ?? .max)
        return part
    }

    private var hasAnswers: Bool { settlement.answers.showsAnswer }

    // MARK: Tables

    /// Makes the rows of the table that the options ask for, of notifications that share a key.
    ///
    /// - Parameters:
    ///   - evidence: Of each notification, and of Apple's answers, in the order of input; at most ``most``.
    ///   - report: Gets what rows are sorted by, and the line; the bytes live during the call.
    package func rows(of evidence: [UnsafeRawBufferPointer], _ report: (RowOrder, UnsafeRawBufferPointer) -> Void) {
        guard let table = options.table else { return }
        let own = evidence.filter { EvidenceReader.header($0)?.originalTransactionID.isAbsent == false }
        let parts = Partition.subscriptions(of: own)
        // Production and sandbox may share a key; the latest time of both counts.
        let latest =
            table.asOf > .min || parts.count == 1
            ? nil
            : parts.compactMap { part in
                baseline.settle(part, of: own, withLists: true) ? baseline.latestDelivery : nil
            }.max()
        for part in parts where settle(part, of: own, withLists: true) != nil {
            if let deliveries = options.deliveries { missing.add(settlement, deliveries) }
            guard options.app.includes(settlement.app) else {
                figures.leftOut += 1
                continue
            }
            write(table.asOf == .min ? table.moved(to: latest ?? settlement.latestDelivery) : table, report)
        }
    }

    /// How many rows would be other ones without Apple's answers, or none.
    private func answered<Row: Hashable>(_ rows: [Row], _ make: (Settlement) -> [Row]) -> Int {
        guard hasAnswers else { return 0 }
        let before = Set(make(baseline))
        return rows.count { !before.contains($0) }
    }

    /// Writes the rows of a table about what was settled.
    private func write(_ table: SubscriptionTable, _ report: (RowOrder, UnsafeRawBufferPointer) -> Void) {
        switch table {
        case .state(let instant): writeState(at: instant, report)
        case .history(let instant):
            let states = StateHistory(settlement, until: instant).states
            guard let first = states.first else { return }
            figures.answered += answered(states) { StateHistory($0, until: instant).states }
            let order = RowOrder(first.originalTransactionID, first.environment, first.bundleID)
            for (index, state) in states.enumerated() { write(state, order.at(index), report) }
        case .transactions(let instant):
            let ledger = Ledger(settlement)
            next = min(next, ledger.nextEnd(after: instant, settlement) ?? .max)
            let rows = ledger.transactions(settlement, asOf: instant)
            guard let first = rows.first else { return }
            figures.answered += answered(rows) { Ledger($0).transactions($0, asOf: instant) }
            figures.unknown += rows.count { $0.certainty == .ambiguous || $0.certainty == .unknown }
            let order = RowOrder(first.originalTransactionID, first.environment, first.bundleID)
            for (index, row) in rows.enumerated() { write(row, order.at(index), report) }
        case .worklist(let instant):
            guard let item = WorklistItem(settlement, asOf: instant) else { return }
            let order = RowOrder(item.originalTransactionID, item.environment, item.bundleID)
            write(item, order.leading(item.isAccessOpen, index: 0), report)
        }
    }

    private func writeState(at instant: Int64, _ report: (RowOrder, UnsafeRawBufferPointer) -> Void) {
        guard let state = countedState(at: instant) else { return }
        let order = RowOrder(state.originalTransactionID, state.environment, state.bundleID)
        guard let theirs = options.compared else { return write(state, order, report) }
        for (index, difference) in compare(state, theirs).enumerated() {
            write(difference, order.leading(difference.changesAccess, index: index), report)
        }
    }

    /// Counts how subscriptions stand by what notifications about others list too, which no event is settled by.
    ///
    /// - Returns: Whether they were counted: false without such lists.
    private func countListedStates(of evidence: [UnsafeRawBufferPointer]) -> Bool {
        guard options.statesCountedAt != nil, evidence.contains(where: EvidenceReader.isListed) else { return false }
        for part in Partition.subscriptions(of: evidence) where settle(part, of: evidence, withLists: true) != nil {
            countState()
        }
        return true
    }

    /// Counts how a subscription stands at ``Options/statesCountedAt``.
    private func countState() {
        guard let instant = options.statesCountedAt, settlement.deliveries.contains(where: \.hasKey),
            let state = countedState(at: instant)
        else { return }
        if let theirs = options.compared { compare(state, theirs) }
    }

    /// The state at an instant; counts it, and whether it would be another one without Apple's answers.
    private func countedState(at instant: Int64) -> SubscriptionState? {
        let history = StateHistory(settlement, until: instant)
        next = min(next, history.nextChange ?? .max)
        guard let state = history.state(at: instant) else { return nil }
        figures.count(state)
        figures.answered += answered([state]) {
            StateHistory($0, until: instant).state(at: instant).map { [$0] } ?? []
        }
        return state
    }

    @discardableResult
    private func compare(_ state: SubscriptionState, _ theirs: ComparedTable) -> [StateDifference] {
        compared.insert(ComparedTable.key(state.originalTransactionID, state.environment))
        let differences = theirs.differences(from: state)
        figures.count(differences, ofKnown: state.certainty != .unknown)
        return differences
    }

    private func write(
        _ row: some TableRecord, _ order: RowOrder, _ report: (RowOrder, UnsafeRawBufferPointer) -> Void
    ) {
        output.removeAll()
        row.append(options.format, to: output)
        figures.rows += 1
        report(order, output.bytes)
    }

    /// The rows of a table that none of the states has, as differences, each with whether access differs.
    package func differences(
        in theirs: ComparedTable, without known: Set<String>, _ report: (Bool, UnsafeRawBufferPointer) -> Void
    ) {
        for difference in theirs.differences(without: known) {
            figures.count([difference], ofKnown: true)
            write(difference, RowOrder()) { report(difference.changesAccess, $1) }
        }
    }

    /// What was compared so far; empty if that was not asked for.
    package var agreement: AgreementTally { judge?.tally ?? AgreementTally() }

    /// Settles the notifications that share a key.
    ///
    /// - Parameters:
    ///   - evidence: Of each notification, and of Apple's answers, in the order of input; at most ``most``.
    ///   - positions: What ``agreement`` names each of them by.
    ///   - guests: Of notifications that name no purchase and may be about this one.
    ///   - reportGuest: Gets an index in `guests`, how far from this purchase it is, and a verdict; the caller keeps the
    ///     nearest purchase.
    ///   - report: Gets an index in `evidence` and a verdict on that notification's event, to be handed to
    ///     ``CorrectedLineWriter``; indices ascend, each comes at most once, and none where nothing changes. The bytes live during
    ///     the call.
    package func settle(
        _ evidence: [UnsafeRawBufferPointer], positions: [UInt64] = [], guests: [UnsafeRawBufferPointer] = [],
        reportGuest: (Int, Int64, UnsafeRawBufferPointer) -> Void = { _, _, _ in },
        _ report: (Int, UnsafeRawBufferPointer) -> Void
    ) {
        if evidence.count == 1, guests.isEmpty, countIfSettledAlone(evidence[0]) { return }
        let isCounted = countListedStates(of: evidence)
        let parts = Partition.subscriptions(of: evidence, withLists: false)
        // Reports have to ascend over all parts.
        var kept: [(index: Int, bytes: [UInt8])] = []
        for part in parts {
            guard let part = settle(part, of: evidence, withLists: false) else { continue }
            if let deliveries = options.deliveries { missing.add(settlement, deliveries) }
            if !isCounted { countState() }
            guard !part.notifications.isEmpty else {
                judge?.count(unnamed: settlement)
                continue
            }
            settlement.guestCancellations = Guests(settlement).cancellations(guests)
            compare(part, evidence, positions)
            if parts.count == 1 {
                write(part.notifications, report)
            } else {
                write(part.notifications) { kept.append(($0, Array($1))) }
            }
            var hosted = Guests(settlement)
            for match in hosted.matches(guests) {
                let verdict = Verdicts(hosted.settlement).verdict(match.index, dropping: options.dropped)
                guard let verdict else { continue }
                write(RecordVerdict(verdict: verdict)) { reportGuest(match.guest, match.cost, $0) }
            }
        }
        for item in kept.sorted(by: { $0.index < $1.index }) { item.bytes.withUnsafeBytes { report(item.index, $0) } }
    }

    /// Counts what is missing beside a single notification, if settling would not change it.
    ///
    /// - Returns: False if it has to be settled.
    private func countIfSettledAlone(_ evidence: UnsafeRawBufferPointer) -> Bool {
        guard options.inference == .off, options.statesCountedAt == nil, !options.tellsStatus,
            !options.waitsForPartners, !EvidenceReader.isAnswer(evidence),
            let opening = EvidenceReader.opening(evidence, .current), alone.staysAsItIs(opening)
        else { return false }
        guard let deliveries = options.deliveries, opening.hasList || opening.isInHistory else { return true }
        rowsAlone.removeAll(keepingCapacity: true)
        guard let statement = EvidenceReader.statement(evidence, .current, &rowsAlone) else { return false }
        missing.add(statement, showing: rowsAlone, begins: alone.beginsAlone(statement), deliveries)
        return true
    }

    /// Says what rests on Apple's answers, and compares the V1 records with what Apple says.
    private func compare(_ part: Partition.Part, _ evidence: [UnsafeRawBufferPointer], _ positions: [UInt64]) {
        if hasAnswers {
            settlement = AnswerEffect.flagged(settlement, without: baseline)
            judge?.compare(settlement, without: baseline)
        }
        judge?.compare(settlement, part.notifications.map { evidence[$0] }) { offset in
            let index = part.notifications[offset]
            return positions.indices.contains(index) ? positions[index] : UInt64(index)
        }
    }

    /// Writes the verdicts on the notifications of a settled subscription, and the events that are deduced of it.
    private func write(_ indices: [Int], _ report: (Int, UnsafeRawBufferPointer) -> Void) {
        let clock = ViewClock(options.asOf ?? settlement.latestTime)
        var silent = Deduction.events(of: settlement, options.inference, by: clock)[...]
        next = min(next, clock.next)
        let history = options.tellsStatus ? StateHistory(settlement, until: clock.now) : nil
        let bundleID = options.tellsStatus ? settlement.bundleID : .absent
        let verdicts = Verdicts(settlement)
        var arrivals: [UInt64: Set<Int64>] = [:]
        for (index, position) in indices.enumerated() {
            var verdict = verdicts.verdict(
                index, dropping: options.dropped, after: history?.standing(afterReportOf: index), bundleID: bundleID)
            if verdict?.disposition == .duplicate { verdict?.repetition = verdicts.repetition(index, &arrivals) }
            let following = silent.isEmpty ? silent : silent.prefix { $0.after == index }
            guard verdict != nil || !following.isEmpty else { continue }
            silent = silent.dropFirst(following.count)
            write(RecordVerdict(verdict: verdict, silent: Array(following))) { report(position, $0) }
        }
        next = min(next, settlement.view.next, settlement.arrivals?.next ?? .max)
    }

    private func write(_ record: consuming RecordVerdict, _ report: (UnsafeRawBufferPointer) -> Void) {
        output.removeAll()
        record.append(to: output)
        report(output.bytes)
    }
}
