/// What settling changes of an event that was judged alone; everything else of it stays.
///
/// Small enough to be kept for every notification of an archive: the decision is not in it, only what it was made of.
struct Verdict {
    /// The type and the facts that decide now; `nil` where the judgement stays.
    var judged: (type: Int, facts: Facts)?
    /// The pair of a companion that became the event; -1 for none.
    var pair = -1
    /// Whether that companion may be one all the same, because its event may be after the end of the view.
    var mayBePart = false
    /// The pair of the event that a companion is part of, whose kind it takes; -1 for none.
    var leadingPair = -1
    var disposition = Disposition.event
    /// A ceiling for the certainty.
    var limit: Certainty?
    var removedFlags = FlagSet()
    var addedFlags = FlagSet()
    var companionOf: EventDraft.ID?
    /// The id, where the canonical text belongs to another event.
    var id: EventID?
    /// When it happened and the number of the field that says so, where a rule changes that; ``TimeField/none`` where no
    /// date is left.
    var time: (milliseconds: Int64, field: UInt8)?
    /// The transaction it is about, where the body does not name it and others do.
    var transaction: NamedTransaction?
    /// What an answer of Apple's adds to the transaction.
    var details: AnsweredDetails?
    /// What it says about access, where that is other than before.
    var access: Access?
    /// How the subscription stood after it, as `data.status` says it, where that is asked for and known.
    var status: Int64?
    /// Why a duplicate is there, for reports.
    var repetition: Repetition?
    /// Whether the event is left out.
    var isDropped = false

    /// Whether every field stays.
    fileprivate var changesNothing: Bool {
        judged == nil && access == nil && removedFlags.isEmpty && addedFlags.isEmpty && companionOf == nil && id == nil
            && time == nil && transaction == nil && details == nil && status == nil && !isDropped
    }

    /// Sets or clears `RECEIPT_DATE_UNPROVEN` for a changed time.
    fileprivate mutating func updateUnprovenFlag(_ time: (milliseconds: Int64, field: UInt8), of statement: Statement) {
        removedFlags.formUnion(.receiptDateUnproven)
        if time.field == TimeField.receiptCreation, statement.unprovenDate == time.milliseconds {
            addedFlags.formUnion(.receiptDateUnproven)
        }
    }

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        coder.optional(&judged, of: (0, .unknown)) {
            $0.position(&$1.type)
            $1.facts.code(&$0)
        }
        coder.position(&pair)
        coder.truth(&mayBePart)
        coder.position(&leadingPair)
        coder.word(&disposition)
        coder.optional(&limit, of: .exact) { $0.word(&$1) }
        coder.flags(&removedFlags)
        coder.flags(&addedFlags)
        coder.optional(&companionOf, of: .text(.absent)) { $0.id(&$1) }
        coder.optional(&id, of: EventID(high: 0, low: 0)) { $0.id(&$1) }
        coder.optional(&time, of: (0, 0)) {
            $0.signed(&$1.milliseconds)
            $0.byte(&$1.field)
        }
        coder.optional(&transaction, of: NamedTransaction(.absent, TimelineRow())) { $1.code(&$0) }
        coder.optional(&details, of: AnsweredDetails()) { $1.code(&$0) }
        coder.optional(&access, of: .none) { $1.code(&$0) }
        coder.signed(&status)
        coder.optional(&repetition, of: .notKnown) { $0.word(&$1) }
        coder.truth(&isDropped)
    }
}

/// Why the same notification is there again.
package enum Repetition: String, Sendable, CaseIterable {
    /// With the same time of arrival: whoever kept the archive stored it again.
    case storedTwice = "stored_twice"
    /// It came at another time: Apple sent it again.
    case deliveredAgain = "delivered_again"
    /// The other version reports the same event.
    case bothVersions = "both_versions"
    /// The archive does not say when it came.
    case notKnown = "not_known"
}

extension Settlement {
    /// Why a duplicate is there; `arrivals` has those of the duplicates before it, by id.
    func repetition(_ place: Int, _ arrivals: inout [UInt64: Set<Int64>]) -> Repetition {
        let (statement, first) = (statements[place], outcomes[place].leader)
        let second = statement.receivedAt.map { CivilTime.floorDivide($0, 1000) }
        let known = arrivals[statement.id.number]
        if let second { arrivals[statement.id.number, default: []].insert(second) }
        if let second, known?.contains(second) == true { return .storedTwice }
        guard first >= 0 else { return .notKnown }
        if statements[first].isV2 != statement.isV2, known == nil { return .bothVersions }
        guard let second, let other = statements[first].receivedAt else { return .notKnown }
        return statements[first].isV2 == statement.isV2 && CivilTime.floorDivide(other, 1000) == second
            ? .storedTwice : .deliveredAgain
    }

    /// What settling changed of a notification's event; `nil` for nothing, and for companions that are to be written.
    func verdict(_ place: Int, dropping dropped: Set<Disposition>, status: Int64? = nil) -> Verdict? {
        let outcome = outcomes[place]
        var verdict = Verdict()
        verdict.disposition = outcome.disposition
        verdict.status = status
        verdict.isDropped = !dropped.isEmpty && dropped.contains(outcome.disposition)
        verdict.addedFlags = outcome.addedFlags
        if outcome.leader >= 0 {
            verdict.companionOf = id(of: outcome.leader)
            if outcome.disposition == .companion { verdict.leadingPair = outcomes[outcome.leader].pair }
        }
        if outcome.number > 1 { verdict.id = numberedID(place) }
        takeDecision(place, &verdict)
        takeTime(place, &verdict)
        takeDetails(place, &verdict)
        if let access = access(place), access != statements[place].access.access {
            verdict.access = access
            verdict.removedFlags.formUnion([.accessEndUnknown, .runningPeriodUnknown])
            verdict.addedFlags.formUnion(access.flag)
        }
        let wasCompanion = outcome.alone?.answer == .companion
        let isAsBefore =
            outcome.disposition != .duplicate && (outcome.disposition == .companion) == wasCompanion
            && verdict.changesNothing
        return isAsBefore ? nil : verdict
    }

    /// What the table says now, where that is other than of the body alone.
    private func takeDecision(_ place: Int, _ verdict: inout Verdict) {
        let outcome = outcomes[place]
        guard let decision = outcome.decision, let alone = outcome.alone else { return }
        verdict.limit = outcome.limit
        if outcome.isPromoted {
            verdict.pair = outcome.pair
            verdict.mayBePart = mayBeAfterView(statements[place].order, statements[place])
        }
        let isSame =
            decision.answer == alone.answer && decision.candidates == alone.candidates
            && decision.certainty == alone.certainty
        let isSameRule = decision.rule.id == alone.rule.id && decision.flags == alone.flags
        if !isSame || !isSameRule || outcome.isPromoted || outcome.disposition == .duplicate || outcome.limit != nil {
            verdict.judged = (statements[place].type, outcome.facts)
            verdict.removedFlags = alone.flags
            if !isSame { verdict.addedFlags.formUnion(.decidedByStream) }
        }
    }

    /// When it happened, where something else says that now.
    private func takeTime(_ place: Int, _ verdict: inout Verdict) {
        let (statement, outcome) = (statements[place], outcomes[place])
        if let decision = outcome.decision, let alone = outcome.alone,
            decision.timing != alone.timing || decision.timing == .since
        {
            verdict.time = time(place, decision.timing, &verdict)
            if let time = verdict.time { verdict.updateUnprovenFlag(time, of: statement) }
        }
        if isImported { takeTimeOfImport(place, &verdict) }
        if outcome.row >= 0 {
            verdict.removedFlags.formUnion([.lateDelivery, .timeAfterReceipt])
            verdict.time = time(place, outcome.decision?.timing == .since ? .since : .own, &verdict)
            verdict.removedFlags.subtract(verdict.addedFlags)
        }
        if outcome.disposition == .duplicate, let time = timeOfFirst(place, outcome.leader) {
            verdict.time = time
            verdict.updateUnprovenFlag(time, of: statements[outcome.leader])
            verdict.removedFlags.formUnion(.timeLowerBound)
            verdict.addedFlags.subtract(.timeLowerBound)
        }
        let isWeak = isWeak(place) || outcome.row >= 0 && outcome.bodyTime == nil
        if !statement.isV2, statement.hasKey, statement.receivedAt != nil, isWeak {
            verdict.removedFlags.formUnion(FlagSet.identityWeak.subtracting(outcome.addedFlags))
        }
    }

    /// The time of a notification whose arrival is that of an import.
    private func takeTimeOfImport(_ place: Int, _ verdict: inout Verdict) {
        verdict.removedFlags.formUnion(.lateDelivery)
        guard verdict.time == nil, !statements[place].isV2 else { return }
        let timing = statements[place].ownTime == nil ? .none : outcomes[place].decision?.timing ?? .own
        if timing != .own { verdict.time = time(place, timing, &verdict) ?? (0, TimeField.none) }
    }

    /// The transaction that others name, and what an answer of Apple's adds to it.
    private func takeDetails(_ place: Int, _ verdict: inout Verdict) {
        let (statement, outcome) = (statements[place], outcomes[place])
        verdict.details = completion(place).map(AnsweredDetails.init)
        if outcome.row >= 0 {
            verdict.transaction = NamedTransaction(statement.originalTransactionID, shownRows[outcome.row])
        } else if verdict.details != nil, statement.transactionText.isAbsent,
            let row = history.index(of: statement.transaction)
        {
            verdict.transaction = NamedTransaction(statement.originalTransactionID, history.rows[row])
        }
    }

    /// When it happened, where the rule that decides now takes its time from elsewhere than the first one did.
    private func time(
        _ place: Int, _ timing: TypeRules.Timing, _ verdict: inout Verdict
    ) -> (Int64, UInt8)? {
        var statement = statements[place]
        statement.timing = timing
        if timing == .own {
            verdict.removedFlags.formUnion(.timeLowerBound)
            guard let own = statement.ownTime else { return nil }
            if let told = statement.latestPossible, told.milliseconds < own {
                verdict.addedFlags.formUnion(.timeAfterReceipt)
                return told
            }
            if let received = statement.receivedAt {
                if received - own >= table.parameters.lateDelivery { verdict.addedFlags.formUnion(.lateDelivery) }
            }
            return (own, statement.ownField)
        }
        // What was received before its own date is dated by that already.
        if timing == .since, statement.receivedAt ?? .max < statement.ownTime ?? .min { return nil }
        verdict.removedFlags.formUnion(.lateDelivery)
        if let told = statement.latestPossible {
            verdict.removedFlags.formUnion(.timeLowerBound)
            guard timing == .since, let own = statement.ownTime else { return told }
            let (time, field) = told.milliseconds < own ? (own, statement.ownField) : told
            if let received = statement.receivedAt, received - time >= table.parameters.lateDelivery {
                verdict.addedFlags.formUnion(.lateDelivery)
            }
            return (time, field)
        }
        let own = statement.ownTime.map { ($0, statement.ownField) }
        let latest = statement.latestKnown.map { ($0, statement.latestField) }
        guard let known = timing == .since ? own ?? latest : latest ?? own else { return nil }
        verdict.addedFlags.formUnion(TimeField.isEnd(known.1) ? .timeFromEnd : .timeLowerBound)
        return known
    }

    /// When a notification delivered again was received first, or when V2 says that it happened, where its body does
    /// not say that.
    private func timeOfFirst(_ place: Int, _ first: Int) -> (Int64, UInt8)? {
        guard !statements[place].isV2, outcomes[place].decision?.timing != .own || statements[place].ownTime == nil
        else { return nil }
        if statements[first].isV2 {
            return statements[first].ownTime.map { own in
                // Nothing is reported before it happens.
                if let received = statements[place].receivedAt, received < own {
                    return (received, TimeField.receivedAt)
                }
                return (own, statements[first].ownField)
            }
        }
        guard let told = statements[first].latestPossible,
            told.milliseconds != statements[place].latestPossible?.milliseconds
        else {
            return nil
        }
        return told
    }

    /// The id of an event, as it is written.
    func id(of place: Int) -> EventDraft.ID {
        outcomes[place].number > 1 ? .uuid(numberedID(place)) : statements[place].id
    }

    /// The id of the canonical text, or of the `notificationUUID` as received and the subscription, with `#2`, `#3` …
    /// appended.
    private func numberedID(_ place: Int) -> EventID {
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
}

/// What settling makes of one record's event: the verdict on it, and the deduced events that follow it.
struct RecordVerdict {
    var verdict: Verdict?
    var silent: [SilentEvent] = []

    init(verdict: Verdict?, silent: [SilentEvent] = []) {
        self.verdict = verdict
        self.silent = silent
    }

    /// Reads one, whose texts are in the memory of `bytes`; `nil` for bytes that are none.
    ///
    /// No bytes change nothing.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { return }
        var reader = ByteReader(bytes)
        code(&reader)
        guard !reader.failed, reader.isAtEnd else { return nil }
    }

    mutating func append(to output: OutputBuffer) {
        var writer = ByteWriter(output)
        code(&writer)
    }

    /// Its parts; read by the same build only.
    private mutating func code(_ coder: inout some ByteCoder) {
        coder.optional(&verdict, of: Verdict()) { $1.code(&$0) }
        coder.list(&silent, of: SilentEvent()) { $1.code(&$0) }
    }
}
