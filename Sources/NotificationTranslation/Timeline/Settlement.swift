/// Settles the notifications of one subscription: what each of them means once all of them are in view.
///
/// ``settle(_:answers:)`` lists the steps; their order matters:
///
/// 1. Before the order is made, times and transactions may change: arrivals of an import are forgotten, and what a body
///    lacks of its transaction is taken from the others.
/// 2. They are put in the order of the events that they report, not of their arrival, and deliveries of the same
///    notification are found.
/// 3. The transactions are collected, each once: further ids of a restored purchase become its first one.
/// 4. From the first to the last, the facts that only neighbours give are added to those of the body, and the same
///    decision table is asked again. What comes later still has the facts of its body then. From here on only outcomes
///    change. Companions are pointed at the event they are part of; one whose event never arrived becomes it.
/// 5. What V1 and V2 both report is V2's event, and the V1 record its duplicate.
///
/// One for each worker; keeps its memory, and knows nothing of the subscriptions before.
struct Settlement {
    let table: DecisionTable
    var parameters: Parameters { table.parameters }
    let cache: DecisionCache
    /// Of each statement; the memory is not ours.
    private var evidence: [UnsafeRawBufferPointer] = []
    /// In the order they were handed in.
    var statements: [Statement] = []
    var outcomes: [NotificationOutcome] = []
    /// Their places in the order of the story.
    var story: [Int] = []
    /// The reverse: where in the story each place is.
    var rank: [Int] = []
    /// The rows that the statements show, then those of answers, then rows that only others show and an outcome is about.
    var shownRows: [TimelineRow] = []
    /// What settling needs not know of each statement; empty unless ``keepsDetails``.
    private var details: [ShownDetails] = []
    /// Whether ``details`` are wanted.
    var keepsDetails = false
    var history: RowHistory
    /// What the notifications say about access; `nil` for one that is alone, until somebody asks.
    var accessHistory: AccessHistory?
    /// What Apple's answers show.
    var answers: AnswerLedger
    /// Of what was delivered more than once, the earliest arrival.
    var firstArrivals: [Int: Int64] = [:]
    /// Whether a notification still names no transaction after ``nameTransactions()``.
    var hasUnnamed = false
    /// Whether nothing says when some notification was.
    private(set) var hasUndated = false
    /// The first notification of the story that something dates.
    private(set) var firstDated: Int?
    /// For each statement the next one about the same transaction, and the first of each transaction.
    private var following: [Int] = []
    private var firstOfTransaction: [UInt64: Int] = [:]

    /// Tells whether a partner that is not in view may still be on its way; `nil` where everything has arrived.
    var arrivals: StoryClock?
    /// When cancellations were made that guests may report, which name no purchase.
    var guestCancellations: [Int64] = []
    /// When the view ends, in milliseconds: a notification that was sent later is not in it.
    ///
    /// `nil` is the latest time of any notification that is settled, and the greatest number means that nothing is
    /// missing. ``arrivals`` is used instead if it is set.
    var viewEnd: Int64?
    /// Whether the times of arrival are those of an import, so that none is used.
    private(set) var isImported = false
    /// The latest time of any notification that is settled.
    private var lastTold = Int64.min

    /// How many neighbours are looked at before a search is given up: far more than any real act has.
    static let reach = 256

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
        lastTold = latestTime
        self = Recoveries.named(self)
        self = TransactionNaming.named(self)
        self = Recoveries.dated(self)
        self = SharedRefunds.assigned(self)
        // The order, and what was delivered again.
        arrange()
        self = Redeliveries.found(self)
        // The transactions.
        collectRows()
        var restored = RestoredPurchases(settlement: self)
        if restored.merge() {
            self = restored.settlement
            collectRows()
        }
        self = RenewalSwitches.moved(self)
        flagOutdatedReceipts()
        linkByTransaction()
        // Outcomes.
        self = StoryJudgement.judged(self)
        self = Companions.pointed(self)
        self = NewPlans.named(self)
        // Both versions.
        self = VersionPairs.joined(self)
        self = Redeliveries.levelled(self)
        findFirstArrivals()
        accessHistory = isAlone ? nil : AccessHistory(self)
        return true
    }

    /// Settles one subscription of those that share a key.
    mutating func settle(_ part: Partition.Part, of evidence: [UnsafeRawBufferPointer]) -> Bool {
        settle(part.notifications.map { evidence[$0] }, answers: part.answers.map { evidence[$0] })
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
        for place in statements.indices { judgeAlone(place) }
        return true
    }

    /// Whether settling certainly changes nothing of a notification that is alone, as of most; tests compare the two.
    ///
    /// An archive of small bodies of as many subscriptions takes a third longer without it.
    ///
    /// - Parameter evidence: Of the notification.
    /// - Returns: Whether it stays.
    func staysAsItIs(_ evidence: UnsafeRawBufferPointer) -> Bool {
        guard let statement = EvidenceReader.opening(evidence, table) else { return false }
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
        for place in statements.indices where statements[place].receivedAt != nil {
            statements[place].importedAt = statements[place].receivedAt
            statements[place].receivedAt = nil
            guard statements[place].type >= 0, statements[place].ownTime == nil else { continue }
            statements[place].facts.set(.era, FactValue.Era.unknown)
            statements[place].facts.set(.changedAt, FactValue.ChangedAt.unknown)
            outcomes[place].facts = statements[place].facts
            outcomes[place].take(cache.decision(type: statements[place].type, facts: statements[place].facts))
        }
    }

    private func wasImported(_ received: Int64, after own: Int64) -> Bool {
        received - own > parameters.importedAfter
    }

    /// Judges one by its body alone.
    mutating func judgeAlone(_ place: Int) {
        let statement = statements[place]
        outcomes[place].facts = statement.facts
        if statement.type >= 0 {
            let decision = cache.decision(type: statement.type, facts: statement.facts)
            statements[place].timing = decision.timing
            outcomes[place].alone = decision
            outcomes[place].take(decision)
        } else if statement.pair >= 0 {
            outcomes[place].pair = statement.pair
        } else {
            outcomes[place].disposition = .unmapped
        }
    }

    /// Puts them in the order of the events that they report; where that says nothing, by content.
    ///
    /// Only of what nothing dates, the input position says which was first.
    private mutating func arrange() {
        story.removeAll(keepingCapacity: true)
        story.append(contentsOf: statements.indices)
        if statements.count > 1 { story = story.sorted { comes($0, before: $1) } }
        rank.removeAll(keepingCapacity: true)
        rank.append(contentsOf: repeatElement(0, count: statements.count))
        for (place, index) in story.enumerated() { rank[index] = place }
        firstDated = story.first { !isUndated(statements[$0]) }
        hasUndated = statements.contains(where: isUndated)
        following.removeAll(keepingCapacity: true)
        following.append(contentsOf: repeatElement(-1, count: statements.count))
        firstOfTransaction.removeAll(keepingCapacity: true)
    }

    private func comes(_ one: Int, before other: Int) -> Bool {
        let (a, b) = (statements[one], statements[other])
        if a.order != b.order { return a.order < b.order }
        let (first, second) = (urgency(a), urgency(b))
        if first != second { return first < second }
        if let left = a.receivedAt, let right = b.receivedAt, left != right { return left < right }
        let (isUndated, isOtherUndated) = (isUndated(a), isUndated(b))
        if isUndated != isOtherUndated { return isOtherUndated }
        if let left = a.importedAt, let right = b.importedAt, left != right { return left < right }
        if isUndated, a.importedAt == nil, b.importedAt == nil { return one < other }
        if a.type != b.type { return a.type < b.type }
        let (left, right) = (a.id.number, b.id.number)
        if left != right { return left < right }
        let (shown, otherShown) = (lastShown(a), lastShown(b))
        if shown != otherShown { return shown < otherShown }
        if (a.receivedAt == nil) != (b.receivedAt == nil) { return a.receivedAt != nil }
        // What was imported, or received in one millisecond, is in any order. Of two that say the same it does not matter
        // which is the first.
        guard a.importedAt != nil && b.importedAt != nil || a.receivedAt != nil && b.receivedAt != nil else {
            return one < other
        }
        let isSame = evidence[one].elementsEqual(evidence[other])
        return isSame ? one < other : evidence[one].lexicographicallyPrecedes(evidence[other])
    }

    /// The latest date among the transactions that a body shows: it was written after that.
    private func lastShown(_ statement: Statement) -> Int64 {
        shownRows[statement.rows].reduce(.min) { max($0, $1.purchase, $1.cancellation ?? .min) }
    }

    /// Whether nothing says when it was, neither its envelope nor its body.
    func isUndated(_ statement: Statement) -> Bool {
        statement.receivedAt == nil && (statement.ownTime == nil || statement.isTimeless)
    }

    /// Among notifications of one instant: what ended before what began, what began before what changed.
    private func urgency(_ statement: Statement) -> Int {
        guard let shape = shape(of: statement) else { return 5 }
        if statement.isTimeless { return 4 }
        switch shape.time {
        case .expiry: return 0
        case .cancellation: return 1
        case .purchase: return 2
        case .statusChange: return 3
        case nil: return 4
        }
    }

    private mutating func flagOutdatedReceipts() {
        for place in story where statements[place].receipt != nil {
            let isLate = isRefundProven(statements[place].transaction, statements[place], by: arrival(of: place))
            if isLate || history.outdated.contains(place) { outcomes[place].addedFlags.formUnion(.receiptOutdated) }
        }
    }

    /// Makes the lists in which neighbours about one transaction are searched: repeated deliveries are not in them.
    private mutating func linkByTransaction() {
        guard statements.count > 1 || !answers.isEmpty else { return }
        for place in story.reversed() where outcomes[place].disposition != .duplicate {
            let transaction = statements[place].transaction
            guard transaction != TimelineID.none else { continue }
            following[place] = firstOfTransaction.updateValue(place, forKey: transaction) ?? -1
        }
    }

    private mutating func collectRows() {
        history.removeAll()
        for place in story where !showsSameAgain(place) {
            history.add(shownRows[statements[place].rows], of: statements[place], place)
        }
        let (story, statements) = (story, statements)
        for answer in answers.answers {
            history.complete(by: shownRows[answer.rows], of: answer) { instant in
                story.isEmpty ? -1 : story[max(0, story.firstPlace { statements[$0].order > instant } - 1)]
            }
        }
        history.close()
    }

    /// Whether a redelivery shows the transactions as its first delivery did: it was written then, and says nothing of
    /// the time since.
    private func showsSameAgain(_ place: Int) -> Bool {
        let first = outcomes[place].leader
        guard outcomes[place].disposition == .duplicate, first >= 0, !statements[first].isV2,
            statements[place].receipt == nil
        else { return false }
        let (rows, before) = (shownRows[statements[place].rows], shownRows[statements[first].rows])
        return rows.count == before.count && zip(rows, before).allSatisfy { $0.isSame(as: $1) }
    }

    /// The notifications, and behind them Apple's answers: what tables are made of.
    var deliveries: [Statement] { answers.isEmpty ? statements : statements + answers.answers }

    /// What settling needs not know of a delivery; empty unless ``keepsDetails``.
    func details(_ place: Int) -> ShownDetails {
        if details.indices.contains(place) { return details[place] }
        let answer = place - statements.count
        return answers.shownDetails.indices.contains(answer) ? answers.shownDetails[answer] : ShownDetails()
    }

    /// Where in the story a delivery is; an answer comes after every notification of its time.
    func rank(_ place: Int) -> Int { rank.indices.contains(place) ? rank[place] : place }

    // MARK: Questions

    /// Whether a receipt that is newer than the statement's own proves a refund from before a moment.
    func isRefundProven(_ transaction: UInt64, _ statement: Statement, by moment: Int64) -> Bool {
        guard let receipt = statement.receipt, let place = history.index(of: transaction) else { return false }
        let row = history.rows[place]
        guard let cancelled = row.cancellation, cancelled <= moment, !row.isUpgraded, let proven = row.provenAt else {
            return false
        }
        return receipt.createdAt < proven
    }

    func isRecovery(_ statement: Statement) -> Bool {
        table.timeline.recovers.contains(statement.type)
    }

    /// Whether its canonical text says nothing of when it happened.
    func isWeak(_ place: Int) -> Bool {
        statements[place].ownTime == nil || outcomes[place].alone?.rule.isTimeless ?? true
    }

    /// Two records of one reception, which two logs kept, have times closer together than this.
    static let keptTwice: Int64 = 1000

    /// Says that a notification cannot be distinguished with certainty from another one that says the same.
    mutating func doubt(_ place: Int) {
        outcomes[place].limit = .inferred
        if !statements[place].isV2 { outcomes[place].addedFlags.formUnion(.identityWeak) }
    }

    /// Which state that changes back and forth a notification reports.
    func chain(_ place: Int) -> Association.Chain? {
        switch role(place) {
        case .plans where statements[place].nextProduct != TimelineID.none: .plans
        case .switches where statements[place].autoRenewStatus != nil: .switches
        case .refunds where !statements[place].isUnnamedRefund: .refunds
        case .restores: .refunds
        default: nil
        }
    }

    /// The transaction that a notification shows as the newest.
    func newest(_ place: Int) -> UInt64 {
        let statement = statements[place]
        return shownRows[statement.rows].first?.transaction ?? statement.transaction
    }

    /// Makes a V1 record the duplicate of a V2 notification.
    mutating func join(_ place: Int, to twin: Int) {
        outcomes[place].disposition = .duplicate
        outcomes[place].leader = twin
        // What V2 contradicts is not proven; the record's own reading stays, so that a report can count it.
        let isExact = outcomes[place].decision?.certainty == .exact
        if isExact, outcomes[place].pair != statements[twin].pair { outcomes[place].limit = .inferred }
    }

    func isEvent(_ place: Int) -> Bool { outcomes[place].disposition == .event }

    func role(_ place: Int) -> TimelineRules.Role? { table.timeline.role(ofPair: outcomes[place].pair) }

    /// When the transaction that a V2 notification shows was revoked.
    func shownCancellation(_ place: Int) -> Int64? {
        shownRows[statements[place].rows].first.flatMap { $0.isUpgraded ? nil : $0.cancellation }
    }

    /// The cancellations of this purchase that guests may report, which a deduced event would tell again; to be set
    /// before anything is deduced.
    mutating func lookAtGuests(_ evidence: [UnsafeRawBufferPointer]) {
        guestCancellations.removeAll(keepingCapacity: true)
        guard !evidence.isEmpty, let host = statements.first else { return }
        let subject = TimelineID.of(host.originalTransactionID)
        for bytes in evidence {
            guard let opening = EvidenceReader.opening(bytes, table), shape(of: opening)?.time == .cancellation
            else { continue }
            for meant in EvidenceReader.possibleSubjects(bytes, table)
            where TimelineID.of(meant.originalTransactionID) == subject {
                guard let cancelled = meant.cancelled else { continue }
                let isLate = opening.receivedAt.map { $0 - cancelled > parameters.deliveryHorizon } ?? false
                if !isLate { guestCancellations.append(cancelled) }
            }
        }
    }

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
    func row(_ statement: Statement) -> EventTable.Pair? {
        if statement.pair >= 0 { return table.events.pairs[statement.pair] }
        let type = statement.typeText.string?.prefix { $0 != "/" }
        return type.flatMap { table.events.type(String($0)) }.map { table.events.types[$0] }
    }

    /// Whether nothing but the body of the only notification says what it does to access.
    var isAlone: Bool { statements.count == 1 && !isImported && answers.isEmpty }

    /// The id of an event, as it is written.
    func id(of place: Int) -> EventDraft.ID {
        outcomes[place].number > 1 ? .uuid(numberedID(place)) : statements[place].id
    }

    /// The id of the canonical text, or of the `notificationUUID` as received and the subscription, with `#2`, `#3` …
    /// appended.
    func numberedID(_ place: Int) -> EventID {
        let statement = statements[place]
        // The text is that of the body, also where neighbours give it another transaction.
        let ownTime = outcomes[place].row < 0 ? statement.ownTime : outcomes[place].bodyTime
        return IDText.id { text in
            if statement.isV2 {
                switch statement.id {
                case .uuid(let id): text.uuid(id)
                case .text(let id): text.line("", id)
                }
                text.line("\noriginal_transaction_id=", statement.originalTransactionID)
                text.line("\n", .absent)
            } else {
                text.notification(
                    bundleID: statement.bundleID, environment: statement.environment, type: statement.typeText,
                    originalTransactionID: statement.originalTransactionID, transactionID: statement.transactionText,
                    time: isWeak(place) ? nil : ownTime,
                    autoRenewStatus: statement.autoRenewStatus,
                    autoRenewProductID: statement.nextProductText)
            }
            text.number(outcomes[place].number)
        }
    }

    /// Whether an answer says that a transaction was upgraded, and another one replaced it at an instant.
    func isUpgradeAnswered(_ index: Int, at instant: Int64) -> Bool {
        let row = history.rows[index]
        guard row.fate == .upgraded, let next = history.rows.dropFirst(index + 1).first else { return false }
        return next.product != row.product && abs(next.purchase - instant) <= parameters.contiguous
    }

    /// What answers add to the transaction of a V1 event; `nil` for nothing.
    func completion(_ place: Int) -> RowDetails? {
        let statement = statements[place]
        guard !statement.isV2, outcomes[place].disposition != .duplicate,
            let details = answers.details[statement.transaction]
        else { return nil }
        return details
    }

    /// The latest time of any notification.
    ///
    /// Nothing has happened after it was told; a date of a wrong row may say so.
    var latestTime: Int64 { Self.latest(of: statements) }

    /// The same of any delivery.
    var latestDelivery: Int64 { Self.latest(of: deliveries) }

    private static func latest(of statements: [Statement]) -> Int64 {
        statements.reduce(.min) { max($0, min($1.order, $1.receivedAt ?? .max)) }
    }

    // MARK: Neighbours

    /// How far apart two instants of one act may be.
    func tolerance(_ statement: Statement) -> Int64 {
        statement.isSandbox ? parameters.sameTimeSandbox : parameters.sameTimeProduction
    }

    /// Looks through the notifications about the same transaction, in the order of the story, deliveries of others
    /// left out, until `body` says true.
    func anyOfTransaction(_ place: Int, where body: (Int) -> Bool) -> Bool {
        anyAbout(statements[place].transaction) { $0 != place && body($0) }
    }

    /// The same of any transaction, by its number.
    func anyAbout(_ transaction: UInt64, where body: (Int) -> Bool) -> Bool {
        any(from: firstOfTransaction[transaction] ?? -1, where: body)
    }

    /// The same of those that come later in the story.
    func anyLaterOfTransaction(_ place: Int, where body: (Int) -> Bool) -> Bool {
        any(from: following.indices.contains(place) ? following[place] : -1, where: body)
    }

    private func any(from first: Int, where body: (Int) -> Bool) -> Bool {
        var next = first
        var looked = 0
        while next >= 0, looked < Self.reach {
            if body(next) { return true }
            next = following[next]
            looked += 1
        }
        return false
    }

    /// Looks through the notifications of the same instant until `body` says true.
    func anyOfInstant(_ place: Int, where body: (Int) -> Bool) -> Bool {
        anyInReach(place, within: parameters.contiguous, where: body)
    }

    /// Looks through the notifications at most `time` before or after one, without deliveries of others, until `body`
    /// says true.
    func anyInReach(_ place: Int, within time: Int64, where body: (Int) -> Bool) -> Bool {
        let statement = statements[place]
        for step in [-1, 1] {
            var at = rank[place] + step
            var looked = 0
            while story.indices.contains(at), looked < Self.reach {
                let other = story[at]
                guard abs(statements[other].order - statement.order) <= time else { break }
                if outcomes[other].disposition != .duplicate, body(other) { return true }
                at += step
                looked += 1
            }
        }
        return false
    }

    /// Looks through the notifications that a bond ties to one.
    func anyTied(_ place: Int, by bond: TimelineRules.Bond, where body: (Int) -> Bool) -> Bool {
        // What names no transaction is tied by its time alone.
        let isUnnamed = statements[place].transaction == TimelineID.none
        switch bond {
        case .transaction:
            return isUnnamed ? anyOfInstant(place, where: body) : anyOfTransaction(place, where: body)
        case .instant: return anyOfInstant(place, where: body)
        case .act:
            return anyOfTransaction(place) { isOfOneAct(place, $0) && body($0) }
                || anyOfInstant(place) { !begin(place, $0) && body($0) }
                || successor(of: statements[place]).map { anyAbout($0, where: body) } ?? false
        case .preference:
            let next = statements[place].nextProduct
            if isUnnamed {
                // Where Apple shows all that was bought, nothing but a choice of a plan is near.
                let isComplete = answers.completeUntil ?? .min >= statements[place].order
                let reach = isComplete ? parameters.attemptSlack : parameters.contiguous
                return anyInReach(place, within: reach) { statements[$0].nextProduct == next && body($0) }
            }
            return anyOfTransaction(place) {
                let isOfOneAct = isOfOneAct(place, $0) || isUndated(place) && isUndated($0)
                return statements[$0].nextProduct == next && isOfOneAct && body($0)
            }
        }
    }

    /// What replaced the transaction that a cancellation is about, if the receipt marks it as upgraded.
    ///
    /// The cancellation of a renewal that was charged ahead is dated hours after the upgrade.
    func successor(of statement: Statement) -> UInt64? {
        guard isAboutCancelled(statement), let place = history.index(of: statement.transaction),
            history.rows[place].isUpgraded, place + 1 < history.rows.count,
            history.rows[place + 1].product != history.rows[place].product
        else { return nil }
        return history.rows[place + 1].transaction
    }

    /// Whether only bounds are known of when it happened, so that its distance from others says nothing.
    private func isUndated(_ place: Int) -> Bool { !saysWhen(place) && statements[place].receivedAt == nil }

    /// Whether two notifications about one transaction are near enough in time to be of one act.
    private func isOfOneAct(_ one: Int, _ other: Int) -> Bool {
        let distance = abs(statements[one].order - statements[other].order)
        return distance
            <= (saysWhen(one) && saysWhen(other) ? tolerance(statements[one]) : parameters.deliveryHorizon)
    }

    /// Whether a partner of a notification may still be on its way, because Apple may still try.
    func mayStillArrive(_ statement: Statement) -> Bool {
        guard let arrivals else { return false }
        return !arrivals.isLater(than: statement.order, by: parameters.deliveryHorizon)
    }

    /// Whether a notification that was sent at an instant may be missing, because the view ends before Apple gives up
    /// its delivery.
    ///
    /// The sandbox delivers once.
    ///
    /// - Parameters:
    ///   - instant: When it would have been sent.
    ///   - statement: A notification of the same environment.
    /// - Returns: False only if it would be in view.
    func mayBeAfterView(_ instant: Int64, _ statement: Statement) -> Bool {
        let delivery = statement.isSandbox ? tolerance(statement) : parameters.deliveryHorizon
        if let arrivals { return !arrivals.isLater(than: instant, by: delivery) }
        return max(viewEnd ?? .min, lastTold) <= instant + delivery
    }

    /// When the first notification in view reports something; an undated one does not count.
    var beginning: Int64? { firstDated.map { statements[$0].order } }

    /// Whether a notification says itself when it happened.
    func saysWhen(_ place: Int) -> Bool {
        let statement = statements[place]
        return statement.ownTime != nil && statement.timing == .own
    }

    /// Whether two notifications are about two transactions that began, so that each is an act of its own; a
    /// cancellation is about the one that ended.
    private func begin(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (statements[one], statements[other])
        guard left.transaction != right.transaction, left.transaction != TimelineID.none,
            right.transaction != TimelineID.none
        else { return false }
        return !isAboutCancelled(left) && !isAboutCancelled(right)
    }

    /// Whether a notification is about a transaction that was cancelled.
    func isAboutCancelled(_ statement: Statement) -> Bool {
        shape(of: statement)?.transaction == .cancelled
    }

    /// How the type of a notification is read; `nil` for V2 and unknown types.
    func shape(of statement: Statement) -> TypeRules.Shape? {
        statement.type >= 0 ? table.shape(ofType: statement.type) : nil
    }
}

/// What became of one notification.
struct NotificationOutcome {
    /// What the table says of its body alone, and with its neighbours; `nil` for V2 and unknown types.
    var alone: Decision?
    var decision: Decision?
    var facts = Facts.unknown
    /// The pair it represents, by place; -1 for none.
    var pair = -1
    var disposition = Disposition.event
    /// The place of the leading event, of the first delivery, or of V2's report of the same; -1 for none.
    var leader = -1
    /// The row of ``Settlement/shownRows`` that it is about, where that is not the body's choice; -1 for none.
    var row = -1
    /// When it happened by its body, where ``row`` is another one.
    var bodyTime: Int64?
    /// Which event with the same canonical text it reports, from 1.
    var number = 1
    /// A ceiling for the certainty.
    var limit: Certainty?
    var addedFlags = FlagSet()
    /// A companion that became the event: the pair is not the decision's.
    var isPromoted = false
}

extension NotificationOutcome {
    /// Takes over what a decision says.
    mutating func take(_ decision: Decision) {
        self.decision = decision
        switch decision.answer {
        case .pair(let place):
            pair = place
            disposition = .event
        case .companion:
            pair = -1
            disposition = .companion
        }
    }
}
