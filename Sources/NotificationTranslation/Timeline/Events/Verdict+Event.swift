extension EventDraft.Transaction {
    /// Takes what is the same for all periods of a subscription.
    package mutating func takeSubscription(of other: EventDraft.Transaction) {
        subscriptionGroupID = other.subscriptionGroupID
        originalPurchasedAt = other.originalPurchasedAt
        quantity = other.quantity
        ownership = other.ownership
        appAccountToken = other.appAccountToken
    }
}

extension EventDraft {
    /// Applies what settling a timeline changed.
    ///
    /// - Parameters:
    ///   - verdict: What changes.
    ///   - texts: What texts of the event point into from then on.
    ///   - decision: What ``DecisionTable/current`` says of a type and its facts, asked or remembered.
    mutating func apply(_ verdict: Verdict, _ texts: TextArena, _ decision: (_ type: Int, _ facts: Facts) -> Decision) {
        if let id = verdict.id { self.id = .uuid(id) }
        disposition = verdict.disposition
        flags.recognize()
        flags.known = flags.known.subtracting(verdict.removedFlags).union(verdict.addedFlags)
        if let judged = verdict.judged, judged.type < DecisionTable.current.types.count {
            take(decision(judged.type, judged.facts), verdict)
        }
        if verdict.leadingPair >= 0, verdict.leadingPair < EventTable.current.pairs.count {
            type = EventTable.current.pairs[verdict.leadingPair].texts.kind.text
        }
        if let time = verdict.time {
            let isKnown = time.field != TimeField.none
            (occurredAt, occurredAtBasis) = isKnown ? (time.milliseconds, TimeField.name(time.field)) : (nil, .absent)
        }
        take(transaction: verdict, texts)
        if let access = verdict.access { (entitlement, accessUntil) = (access.entitlement, access.until) }
        (subscriptionStatus, renewalAfter) = (verdict.status ?? subscriptionStatus, verdict.autoRenewStatus)
        if let leader = verdict.companionOf { companionOf = leader }
    }

    private mutating func take(transaction verdict: Verdict, _ texts: TextArena) {
        if var transaction = verdict.transaction?.draft(texts) {
            if let own = self.transaction { transaction.takeSubscription(of: own) }
            self.transaction = transaction
        }
        if hasTransaction { verdict.details?.complete(&transactionFields, texts) }
    }

    /// Applies what settling a timeline changed, with decisions that are remembered.
    package mutating func apply(_ verdict: Verdict, _ texts: TextArena, _ cache: DecisionCache) {
        apply(verdict, texts, cache.decision)
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
        let judgement = EventTable.current.judgement(answer, possible)
        self.certainty = certainty
        candidates = Candidates(pairs: possible.map { EventTable.current.names($0) })
        type = judgement.kind.text
        v2 = EventTable.current.names(answer)
        source.rule = decision.rule.text.text
        flags.known.formUnion(decision.flags)
    }
}

extension UnifiedEvent {
    /// Applies what settling a timeline changed.
    mutating func apply(_ verdict: Verdict) {
        let texts = TextArena()
        self = withExtendedLifetime(texts) {
            withDraft { draft in
                draft.apply(verdict, texts, DecisionTable.current.decision)
                return UnifiedEvent(draft)
            }
        }
    }
}
