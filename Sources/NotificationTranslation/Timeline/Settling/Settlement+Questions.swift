/// What steps ask about one notification.
extension Settlement {
    func isAboutCancelled(_ statement: Statement) -> Bool { shape(of: statement)?.transaction == .cancelled }

    /// How sure the pair of a notification is.
    func sureness(of index: Int) -> Certainty {
        let certainty = outcomes[index].decision?.certainty ?? (statements[index].isV2 ? .exact : .inferred)
        return outcomes[index].limit.map(certainty.atMost) ?? certainty
    }

    /// How the type of a notification is read; `nil` for V2 and unknown types.
    func shape(of statement: Statement) -> TypeRules.Shape? {
        statement.type >= 0 ? table.shape(ofType: statement.type) : nil
    }

    /// When Apple delivers in the environment of a notification.
    func delivery(_ statement: Statement) -> DeliveryModel { parameters.delivery(isSandbox: statement.isSandbox) }

    /// How far apart two instants of one act may be.
    func tolerance(_ statement: Statement) -> Int64 { delivery(statement).tolerance }

    /// Whether a receipt that is newer than the statement's own proves a refund from before a moment.
    func isRefundProven(_ transaction: UInt64, _ statement: Statement, by moment: Int64) -> Bool {
        guard let receipt = statement.receipt, let index = history.index(of: transaction) else { return false }
        let row = history.rows[index]
        guard let cancelled = row.cancellation, cancelled <= moment, !row.isUpgraded, let proven = row.provenAt else {
            return false
        }
        return receipt.createdAt < proven
    }

    /// Whether it reports that a failed renewal succeeded.
    func isRecovery(_ statement: Statement) -> Bool { table.timeline.recovers.contains(statement.type) }

    /// Whether it says nothing of when it happened, by the rule that decides of its body alone; no V2 notification has
    /// such a rule, so always of these.
    func isWeak(_ index: Int) -> Bool {
        statements[index].ownTime == nil || outcomes[index].alone?.rule.isTimeless ?? true
    }

    /// Which state that changes back and forth a notification reports.
    func chain(_ index: Int) -> Association.Chain? {
        switch role(index) {
        case .plans where statements[index].nextProduct != TimelineID.none: .plans
        case .switches where statements[index].autoRenewStatus != nil: .switches
        case .refunds where !statements[index].isUnnamedRefund: .refunds
        case .restores: .refunds
        default: nil
        }
    }

    /// The transaction that a notification shows as the newest.
    func newest(_ index: Int) -> UInt64 {
        let statement = statements[index]
        return shownRows[statement.rows].first?.transaction ?? statement.transaction
    }

    /// Whether it is an event of its own.
    func isEvent(_ index: Int) -> Bool { outcomes[index].disposition == .event }

    /// What its pair does to a subscription.
    func role(_ index: Int) -> TimelineRules.Role? { table.timeline.role(ofPair: outcomes[index].pair) }

    /// When the transaction that a V2 notification shows was revoked.
    func shownCancellation(_ index: Int) -> Int64? {
        shownRows[statements[index].rows].first.flatMap { $0.isUpgraded ? nil : $0.cancellation }
    }

    /// When a notification arrived, or was signed; where neither is known, when it says that it happened.
    func arrival(of index: Int) -> Int64 {
        let statement = statements[index]
        return statement.receivedAt ?? statement.signedAt ?? statement.time
    }

    /// The earliest arrival of a happening in view, of either version.
    func firstArrival(of index: Int) -> Int64 { firstArrivals[index] ?? arrival(of: index) }

    /// Whether a notification of it, or a transaction with an end, shows that it is a subscription.
    func showsSubscription() -> Bool {
        shownRows.contains { $0.expires != nil } || deliveries.contains(where: isOfSubscription)
    }

    private func isOfSubscription(_ statement: Statement) -> Bool {
        guard statement.isV2 else { return shape(of: statement)?.subject == .subscription }
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
    func id(of index: Int) -> EventDraft.ID {
        outcomes[index].number > 1 ? .uuid(numberedID(index)) : statements[index].id
    }

    /// The id of the canonical text, or of the `notificationUUID` as received and the subscription, with `#2`, `#3` …
    /// appended.
    func numberedID(_ index: Int) -> EventID {
        let statement = statements[index]
        // The text is that of the body, also where neighbours give it another transaction.
        let ownTime = outcomes[index].row < 0 ? statement.ownTime : outcomes[index].bodyTime
        return IDText.id { text in
            if statement.isV2 {
                switch statement.id {
                case .uuid(let id): text.uuid(id)
                case .text(let id): text.line("", id)
                }
                text.line("\noriginal_transaction_id=", statement.originalTransactionID)
                text.line("\n", .absent)
            } else if !statement.idText.isAbsent {
                text.line("", statement.idText)
            } else {
                text.notification(
                    bundleID: statement.bundleID, environment: statement.environment, type: statement.typeText,
                    originalTransactionID: statement.originalTransactionID, transactionID: statement.transactionText,
                    time: isWeak(index) ? nil : ownTime,
                    autoRenewStatus: statement.autoRenewStatus,
                    autoRenewProductID: statement.nextProductText)
            }
            text.number(outcomes[index].number)
        }
    }

    /// Whether an answer says that a transaction was upgraded, and another one replaced it at an instant.
    func isUpgradeAnswered(_ index: Int, at instant: Int64) -> Bool {
        let row = history.rows[index]
        guard row.fate == .upgraded, let next = history.rows.dropFirst(index + 1).first else { return false }
        return next.product != row.product && abs(next.purchase - instant) <= parameters.contiguous
    }

    /// What answers add to the transaction of a V1 event; `nil` for nothing.
    func completion(_ index: Int) -> RowDetails? {
        let statement = statements[index]
        guard !statement.isV2, outcomes[index].disposition != .duplicate,
            let details = answers.details[statement.transaction]
        else { return nil }
        return details
    }

    /// The latest time of any notification.
    ///
    /// Nothing has happened after it was told; a date of a wrong row may say so.
    var latestTime: Int64 { statements.reduce(.min) { max($0, min($1.time, $1.receivedAt ?? .max)) } }

    /// The latest arrival or signature of any delivery; where no arrival is known, its time counts.
    var latestDelivery: Int64 {
        deliveries.reduce(.min) { max($0, $1.receivedAt ?? $1.time, $1.signature ?? .min) }
    }

    // MARK: The view

    /// Whether a partner of a notification may still be on its way, because Apple may still try.
    func mayStillArrive(_ statement: Statement) -> Bool {
        guard let arrivals else { return false }
        return !arrivals.isLater(than: statement.time, by: delivery(statement).horizon)
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
        !(arrivals ?? view).isLater(than: instant, by: delivery(statement).horizon)
    }

    /// When the first notification in view reports something; an undated one does not count.
    var beginning: Int64? { firstDated.map { statements[$0].time } }

    /// Whether a notification says itself when it happened.
    func saysWhen(_ index: Int) -> Bool {
        let statement = statements[index]
        return statement.ownTime != nil && statement.timing == .own
    }

    // MARK: With answers

    /// The notifications, and behind them Apple's answers: what tables are made of.
    var deliveries: [Statement] { answers.isEmpty ? statements : statements + answers.answers }

    /// What settling does not need to know of a delivery; empty unless ``keepsDetails``.
    func details(_ index: Int) -> ShownDetails {
        if details.indices.contains(index) { return details[index] }
        let answer = index - statements.count
        return answers.shownDetails.indices.contains(answer) ? answers.shownDetails[answer] : ShownDetails()
    }

    /// The position in the order of events; of an answer its index, which is larger than every position.
    func position(_ index: Int) -> Int { positions.indices.contains(index) ? positions[index] : index }
}

extension Settlement {
    /// The app that a delivery names; absent where none does.
    var bundleID: EventText { deliveries.lazy.map(\.bundleID).first { !$0.isAbsent && !$0.bytes.isEmpty } ?? .absent }

    /// The app and environment that the deliveries name.
    var app: RehearsedApp {
        RehearsedApp(
            bundleID: bundleID.string, environment: deliveries.lazy.compactMap(\.environment.string).first)
    }
}
