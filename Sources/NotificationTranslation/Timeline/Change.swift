/// A ``Verdict`` in the words of an event: the fields that are other than before, `nil` where one stays.
struct Change {
    var id: EventDraft.ID?
    var type: EventText?
    var disposition: Disposition
    var time: (milliseconds: Int64?, field: EventText)?
    var access: (entitlement: Entitlement, until: Int64?)?
    var pair: EventDraft.Pair?
    var certainty: Certainty?
    var candidates: [EventDraft.Pair]?
    var removedFlags: FlagSet
    var addedFlags: FlagSet
    var companionOf: EventDraft.ID?
    var status: Int64?
    var rule: EventText?
    var transaction: EventDraft.Transaction?
    /// What an answer of Apple's adds to the transaction.
    var details: AnsweredDetails?
    /// What the texts of ``transaction`` and ``details`` point into.
    private var texts: TextArena?

    /// A verdict in words; `decision` gives what ``DecisionTable/current`` says of facts, asked or remembered.
    init(_ verdict: Verdict, _ decision: (_ type: Int, _ facts: Facts) -> Decision) {
        id = verdict.id.map { .uuid($0) }
        disposition = verdict.disposition
        time = verdict.time.map { time in
            time.field == TimeField.none ? (nil, .absent) : (time.milliseconds, TimeField.name(time.field))
        }
        removedFlags = verdict.removedFlags
        addedFlags = verdict.addedFlags
        companionOf = verdict.companionOf
        status = verdict.status
        if let judged = verdict.judged, judged.type < DecisionTable.current.types.count {
            take(decision(judged.type, judged.facts), verdict)
        }
        if verdict.leadingPair >= 0, verdict.leadingPair < EventTable.current.pairs.count {
            type = EventTable.current.pairs[verdict.leadingPair].texts.kind.text
        }
        if verdict.transaction != nil || verdict.details != nil {
            let texts = TextArena()
            transaction = verdict.transaction?.draft(texts)
            details = verdict.details?.kept(texts)
            self.texts = texts
        }
        access = verdict.access.map { ($0.entitlement, $0.until) }
    }

    private mutating func take(_ decision: Decision, _ verdict: Verdict) {
        let answer: Rule.Answer = verdict.pair >= 0 ? .pair(verdict.pair) : decision.answer
        var possible = decision.candidates
        let certainty = verdict.limit.map { decision.certainty.atMost($0) } ?? decision.certainty
        if certainty != .exact {
            possible.removeAll { $0 == answer }
            possible.insert(answer, at: 0)
        }
        if verdict.pair >= 0 {
            possible.removeAll { $0 == .companion }
            if verdict.mayBePart { possible.append(.companion) }
        }
        let judgement = Judgement(answer, possible, .current)
        self.certainty = certainty
        candidates = possible.map { EventTable.current.names($0) }
        type = judgement.kind.text
        pair = EventTable.current.names(answer)
        rule = decision.rule.text.text
        addedFlags.formUnion(decision.flags)
    }
}

extension EventDraft.Transaction {
    /// Takes what is the same for all periods of a subscription.
    mutating func takeSubscription(of other: EventDraft.Transaction) {
        subscriptionGroupID = other.subscriptionGroupID
        originalPurchasedAt = other.originalPurchasedAt
        quantity = other.quantity
        ownership = other.ownership
        appAccountToken = other.appAccountToken
    }
}

extension EventDraft {
    /// Applies what settling a timeline changed; texts may point into the change from then on.
    mutating func apply(_ change: Change) {
        if let id = change.id { self.id = id }
        if let type = change.type { self.type = type }
        disposition = change.disposition
        if let time = change.time {
            occurredAt = time.milliseconds
            occurredAtBasis = time.field
        }
        if var transaction = change.transaction {
            if let own = self.transaction { transaction.takeSubscription(of: own) }
            self.transaction = transaction
        }
        if hasTransaction { change.details?.complete(&transactionFields) }
        if let access = change.access {
            entitlement = access.entitlement
            accessUntil = access.until
        }
        if let pair = change.pair { v2 = pair }
        if let certainty = change.certainty { self.certainty = certainty }
        if let pairs = change.candidates { candidates = Candidates(pairs: pairs) }
        flags.recognize()
        flags.known = flags.known.subtracting(change.removedFlags).union(change.addedFlags)
        if let status = change.status { subscriptionStatus = status }
        if let leader = change.companionOf { companionOf = leader }
        if let rule = change.rule { source.rule = rule }
    }
}

extension UnifiedEvent {
    /// Applies what settling a timeline changed.
    mutating func apply(_ change: Change) {
        self = withDraft { draft in
            draft.apply(change)
            return UnifiedEvent(draft)
        }
    }
}
