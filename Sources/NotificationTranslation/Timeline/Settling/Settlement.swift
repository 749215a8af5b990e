/// The notifications of one subscription, and what each of them means once all of them are in view.
///
/// A value: ``settle(_:answers:)`` makes it in steps. Most of them are types that take a settlement and return the changed
/// one; the short ones are methods here. Their order matters:
///
/// 1. Before the order is made, times and transactions may change: arrivals of an import are forgotten, and what a body
///    lacks of its transaction is taken from the others.
/// 2. They are put in the order of the events that they report, not of their arrival, and deliveries of the same
///    notification are found.
/// 3. The transactions are collected, each once: further ids of a restored purchase become its first one. Switches of
///    automatic renewal are moved to the period that they are about.
/// 4. From the first to the last, the facts that only neighbours give are added to those of the body, and the same
///    decision table is asked again. What comes later still has the facts of its body then. Of the notifications that
///    report one beginning, one stays the event (``Beginnings``). After this the order and the history stay as they are;
///    only ``NewPlans`` changes statements, and ``following`` is not rebuilt. Companions are pointed at the event they
///    are part of; one whose event never arrived becomes it.
/// 5. What V1 and V2 both report is V2's event, and the V1 record its duplicate.
///
/// What reads it afterwards changes nothing: ``SettledAccess``, ``PeriodReports``, ``SettledNotifications``, ``Deduction``,
/// ``Ledger``, ``StateHistory`` and ``Verdicts``. Two steps may follow: ``AnswerEffect`` flags what rests on Apple's answers,
/// and ``Guests`` adds notifications to a copy.
struct Settlement {
    let table: DecisionTable
    let cache: DecisionCache
    /// What states follow from where no notification says it; tests leave out one rule.
    var states = SilentTable.current.states
    /// Of each statement; the memory is not ours.
    private(set) var evidence: [UnsafeRawBufferPointer] = []
    /// In the order they were handed in.
    var statements: [Statement] = []
    var outcomes: [NotificationOutcome] = []
    /// Their indices in the order of events.
    var order: [Int] = []
    /// The reverse: where in that order each index is.
    var positions: [Int] = []
    /// The rows that the statements show, then those of answers, then rows that only others show and an outcome is about.
    var shownRows: [TimelineRow] = []
    /// What settling does not need to know of each statement; empty unless ``keepsDetails``.
    private(set) var details: [ShownDetails] = []
    /// Whether ``details`` are wanted.
    var keepsDetails = false
    var history: RowHistory
    /// What the notifications say about access; `nil` for one that is alone.
    var accessHistory: AccessHistory?
    /// What Apple's answers show.
    var answers: AnswerLedger
    /// Of what was delivered more than once, the earliest arrival.
    var firstArrivals: [Int: Int64] = [:]
    /// Whether a notification still names no transaction after ``TransactionNaming``.
    var hasUnnamed = false
    /// Whether nothing says when some notification was.
    private(set) var hasUndated = false
    /// The first notification in that order that something dates.
    private(set) var firstDated: Int?
    /// For each statement the next one about the same transaction, and the first of each transaction.
    private(set) var following: [Int] = []
    private(set) var firstOfTransaction: [UInt64: Int] = [:]

    /// Tells whether a partner that is not in view may still be on its way; `nil` where everything has arrived.
    var arrivals: ViewClock?
    /// When cancellations were made that guests may report, which name no purchase.
    var guestCancellations: [Int64] = []
    /// When the view ends, in milliseconds: a notification that was sent later is not in it.
    ///
    /// `nil` is the latest time of any notification that is settled, and the greatest number means that nothing is
    /// missing. ``arrivals`` is used instead if it is set.
    var viewEnd: Int64?
    /// Whether the times of arrival are those of an import, so that none is used.
    private(set) var isImported = false
    /// Tells whether a notification that was sent at an instant is in the view.
    private(set) var view = ViewClock(.min)

    /// How many neighbours are looked at before a search is given up: far more than any real act has.
    static let reach = 256

    /// The constants of the table.
    var parameters: Parameters { table.parameters }

    init(_ table: DecisionTable = .current) {
        self.table = table
        cache = DecisionCache(table)
        history = RowHistory(table.parameters)
        answers = AnswerLedger([], table, &shownRows)
    }

    /// Takes in the evidence of one subscription and settles it.
    ///
    /// - Parameters:
    ///   - evidence: Of each notification, in the order of input; the memory must outlive the use of the results.
    ///   - answers: The evidence of Apple's answers, in any order; of the same memory.
    /// - Returns: False if some of it is not evidence; nothing is settled then.
    mutating func settle(_ evidence: [UnsafeRawBufferPointer], answers: [UnsafeRawBufferPointer] = []) -> Bool {
        guard read(evidence, answers) else { return false }
        // Before the order: times and transactions may still change.
        forgetImport()
        view = ViewClock(max(viewEnd ?? .min, latestTime))
        run(Recoveries.self) { $0.name() }
        run(TransactionNaming.self) { $0.name() }
        // Dates are looked for by the transaction that was named.
        run(Recoveries.self) { $0.date() }
        run(SharedRefunds.self) { $0.assign() }
        // The order, and what was delivered again.
        arrange()
        run(Redeliveries.self) { $0.find() }
        // The transactions.
        collectRows()
        if run(RestoredPurchases.self, { $0.merge() }) { collectRows() }
        run(RenewalSwitches.self) {
            $0.moveToRunningPeriod()
            $0.moveToBegunPeriod()
        }
        flagOutdatedReceipts()
        linkByTransaction()
        // Outcomes.
        run(ContextJudgement.self) { $0.judge() }
        run(Companions.self) { $0.point() }
        // Companions look for the transaction that ended, versions are joined by the one that began.
        run(NewPlans.self) { $0.name() }
        // Both versions.
        run(VersionPairs.self) { $0.join() }
        // Duplicates get the certainty of their event: those of one version, and those that VersionPairs made.
        run(Redeliveries.self) { $0.level() }
        findFirstArrivals()
        accessHistory = isAlone ? nil : AccessHistory(self)
        return true
    }

    /// Hands itself to a step and takes back what that makes of it.
    @discardableResult
    mutating func run<Step: SettlingStep & ~Copyable, Result>(_: Step.Type, _ body: (inout Step) -> Result) -> Result {
        var step = Step(settlement: consume self)
        let result = body(&step)
        self = step.settlement
        return result
    }

    /// Settles one subscription of those that share a key; what others list counts for states and transactions only.
    mutating func settle(_ part: Partition.Part, of evidence: [UnsafeRawBufferPointer], withLists: Bool) -> Bool {
        let answers = part.answers + (withLists ? part.lists : [])
        return settle(part.notifications.map { evidence[$0] }, answers: answers.map { evidence[$0] })
    }

    private mutating func read(_ evidence: [UnsafeRawBufferPointer], _ answers: [UnsafeRawBufferPointer]) -> Bool {
        statements.removeAll(keepingCapacity: true)
        shownRows.removeAll(keepingCapacity: true)
        details.removeAll(keepingCapacity: true)
        self.evidence = evidence
        for bytes in evidence {
            var shown = ShownDetails()
            guard let statement = EvidenceReader.statement(bytes, table, &shownRows, &shown) else { return false }
            statements.append(statement)
            if keepsDetails { details.append(shown) }
        }
        self.answers = AnswerLedger(answers, table, &shownRows)
        outcomes.removeAll(keepingCapacity: true)
        outcomes.append(contentsOf: repeatElement(NotificationOutcome(), count: statements.count))
        for index in statements.indices { judgeAlone(index) }
        statements.lendArrivals()
        return true
    }

    /// Whether settling certainly changes nothing of a notification that is alone, as of most; tests compare the two.
    ///
    /// An archive of small bodies of as many subscriptions takes a third longer without it.
    ///
    /// - Parameter statement: The notification without the transactions that it shows.
    /// - Returns: Whether it stays.
    func staysAsItIs(_ statement: Statement) -> Bool {
        if let received = statement.receivedAt, let own = statement.ownTime, wasImported(received, after: own) {
            return false
        }
        if statement.isV2 { return true }
        guard statement.type >= 0, !isAboutCancelled(statement), !isRecovery(statement) else { return false }
        let decision = cache.decision(type: statement.type, facts: statement.facts)
        let isWeak = statement.ownTime == nil || decision.timing != .own
        return decision.answer != .companion && !(isWeak && statement.receivedAt != nil)
    }

    /// Whether a notification says by itself that its transaction began.
    func beginsAlone(_ statement: Statement) -> Bool {
        guard statement.type >= 0 else { return table.timeline.role(ofPair: statement.pair) == .begins }
        let decision = cache.decision(type: statement.type, facts: statement.facts)
        guard case .pair(let pair) = decision.answer else { return false }
        return table.timeline.role(ofPair: pair) == .begins
    }

    // MARK: Preparation

    /// Forgets when the notifications were received, if most that carry a date of their own came longer after it than
    /// Apple delivers; and what bodies without a date of their own seemed to be by that.
    private mutating func forgetImport() {
        let lateness = statements.compactMap { statement -> Bool? in
            let signed = statement.isV2 ? [statement.signature, statement.ownTime].compactMap(\.self).max() : nil
            guard let received = statement.receivedAt, let own = signed ?? statement.ownTime, statement.timing == .own
            else { return nil }
            return wasImported(received, after: own)
        }
        isImported = lateness.count(where: \.self) * 2 > lateness.count
        guard isImported else { return }
        for index in statements.indices where statements[index].receivedAt != nil {
            statements[index].importedAt = statements[index].receivedAt
            statements[index].receivedAt = nil
            guard statements[index].type >= 0, statements[index].ownTime == nil else { continue }
            statements[index].facts.set(.era, FactValue.Era.unknown)
            statements[index].facts.set(.changedAt, FactValue.ChangedAt.unknown)
            decide(index)
        }
    }

    private func wasImported(_ received: Int64, after own: Int64) -> Bool {
        received - own > parameters.importedAfter
    }

    /// Judges one by its body alone.
    mutating func judgeAlone(_ index: Int) {
        let statement = statements[index]
        outcomes[index].facts = statement.facts
        if statement.type >= 0 {
            let decision = cache.decision(type: statement.type, facts: statement.facts)
            statements[index].timing = decision.timing
            outcomes[index].alone = decision
            outcomes[index].take(decision)
        } else if statement.pair >= 0 {
            outcomes[index].pair = statement.pair
        } else {
            outcomes[index].disposition = .unmapped
        }
    }

    /// Puts them in their order (``EventOrder``).
    private mutating func arrange() {
        order.removeAll(keepingCapacity: true)
        order.append(contentsOf: statements.indices)
        if statements.count > 1 {
            let story = EventOrder(settlement: self)
            order.sort { story.comes($0, before: $1) }
        }
        positions.removeAll(keepingCapacity: true)
        positions.append(contentsOf: repeatElement(0, count: statements.count))
        for (number, index) in order.enumerated() { positions[index] = number }
        firstDated = order.first { !statements[$0].isUndated }
        hasUndated = statements.contains(where: \.isUndated)
        following.removeAll(keepingCapacity: true)
        following.append(contentsOf: repeatElement(-1, count: statements.count))
        firstOfTransaction.removeAll(keepingCapacity: true)
    }

    private mutating func flagOutdatedReceipts() {
        for index in order where statements[index].receipt != nil {
            let isLate = isRefundProven(statements[index].transaction, statements[index], by: arrival(of: index))
            if isLate || history.outdated.contains(index) { outcomes[index].addedFlags.formUnion(.receiptOutdated) }
        }
    }

    /// Makes the lists in which neighbours about one transaction are searched: repeated deliveries are not in them.
    private mutating func linkByTransaction() {
        guard statements.count > 1 || !answers.isEmpty else { return }
        for index in order.reversed() where outcomes[index].disposition != .duplicate {
            let transaction = statements[index].transaction
            guard transaction != TimelineID.none else { continue }
            following[index] = firstOfTransaction.updateValue(index, forKey: transaction) ?? -1
        }
    }

    private mutating func collectRows() {
        history = RowHistory(parameters)
        for index in order where !showsSameAgain(index) {
            history.add(shownRows[statements[index].rows], of: statements[index], index)
        }
        let (order, statements) = (order, statements)
        for answer in answers.answers {
            history.complete(by: shownRows[answer.rows], of: answer) { instant in
                order.isEmpty ? -1 : order[max(0, order.partitioningIndex { statements[$0].time > instant } - 1)]
            }
        }
        history.close()
    }

    /// Whether a redelivery shows the transactions as its first delivery did: it was written then, and says nothing of
    /// the time since.
    private func showsSameAgain(_ index: Int) -> Bool {
        let first = outcomes[index].leader
        guard outcomes[index].disposition == .duplicate, first >= 0, !statements[first].isV2,
            statements[index].receipt == nil
        else { return false }
        let (rows, before) = (shownRows[statements[index].rows], shownRows[statements[first].rows])
        return rows.count == before.count && zip(rows, before).allSatisfy { $0.isSame(as: $1) }
    }

    /// The earliest arrival of every notification that others deliver again.
    mutating func findFirstArrivals() {
        firstArrivals.removeAll(keepingCapacity: true)
        for index in order where outcomes[index].disposition == .duplicate && outcomes[index].leader >= 0 {
            let leader = outcomes[index].leader
            guard let received = statements[index].receivedAt else { continue }
            let first = firstArrivals[leader] ?? statements[leader].receivedAt ?? .max
            firstArrivals[leader] = min(first, received)
        }
    }

    // MARK: What several steps do

    /// Two records of one reception, which two logs kept, have times closer together than this.
    static let keptTwice: Int64 = 1000

    /// Says that a notification cannot be distinguished with certainty from another one that says the same.
    mutating func doubt(_ index: Int) {
        outcomes[index].limit = .inferred
        if !statements[index].isV2 { outcomes[index].addedFlags.formUnion(.identityWeak) }
    }

    /// Asks the decision table again; `facts` defaults to the facts of the notification.
    mutating func decide(_ index: Int, _ facts: Facts? = nil) {
        outcomes[index].facts = facts ?? statements[index].facts
        outcomes[index].take(cache.decision(type: statements[index].type, facts: outcomes[index].facts))
    }

    /// Assigns a V1 notification to another transaction than the one that its body suggests.
    mutating func move(_ notification: Int, to row: TimelineRow, at index: Int? = nil) {
        outcomes[notification].row = index ?? shownRows.count
        outcomes[notification].bodyTime = statements[notification].ownTime
        statements[notification].transaction = row.transaction
        statements[notification].product = row.product
        if index == nil { shownRows.append(row) }
    }

    /// Whether one of the pairs that the table leaves possible has a role.
    func mayBe(_ index: Int, _ role: TimelineRules.Role) -> Bool {
        outcomes[index].decision?.candidates.contains { candidate in
            guard case .pair(let pair) = candidate else { return false }
            return table.timeline.role(ofPair: pair) == role
        } ?? false
    }

    /// Makes a V1 record the duplicate of a V2 notification.
    mutating func join(_ index: Int, to counterpart: Int) {
        outcomes[index].disposition = .duplicate
        outcomes[index].leader = counterpart
        // What V2 contradicts is not proven; the record's own reading stays, so that a report can count it.
        let isExact = outcomes[index].decision?.certainty == .exact
        if isExact, outcomes[index].pair != statements[counterpart].pair { outcomes[index].limit = .inferred }
    }
}

/// A step of settling: it takes a settlement, changes its own copy, and gives that back.
protocol SettlingStep: ~Copyable {
    var settlement: Settlement { get }

    init(settlement: Settlement)
}
