/// An event that V1 never sent, deduced from what it did send.
package struct SilentEvent {
    /// The index of the notification it follows, the last it was deduced from.
    var after = 0
    /// The index of the rule in ``SilentTable/rules``.
    var rule = 0
    /// The index of the row in ``SilentTable/gaps`` that leaves open whether anything happened; -1 for none.
    var gap = -1
    /// When it happened; of a range the earliest instant.
    var time: Int64 = 0
    /// The number of the field the time was taken from; 0 for none.
    var field: UInt8 = 0
    /// The ids of the events it was deduced from.
    var derivedFrom: [EventDraft.ID] = []
    var environment = EventText.absent
    var bundleID = EventText.absent
    /// The transaction it is about.
    var transaction = NamedTransaction(.absent, TimelineRow())
    /// What an answer of Apple's shows of it beside that.
    var details: AnsweredDetails?
    /// The product of the next renewal, as it was stated last; a rehearsal writes it.
    var nextProduct = EventText.absent
    /// What it says about access.
    var access = Access.unaffected

    // MARK: In bytes

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        coder.position(&rule)
        coder.position(&gap)
        coder.signed(&time)
        coder.byte(&field)
        coder.list(&derivedFrom, of: .text(.absent)) { $0.id(&$1) }
        coder.text(&environment)
        coder.text(&bundleID)
        transaction.code(&coder)
        coder.optional(&details, of: AnsweredDetails()) { $1.code(&$0) }
        coder.text(&nextProduct)
        access.code(&coder)
        let table = SilentTable.current
        if !table.rules.indices.contains(rule) || gap != -1 && !table.gaps.indices.contains(gap) { coder.fail() }
    }

    // MARK: As an event

    /// The event, as a value that follows another.
    func event(after other: UnifiedEvent) -> UnifiedEvent {
        other.withDraft { other in withDraft(after: other) { UnifiedEvent($0) } }
    }

    /// Calls `body` with the event, as a draft that follows another; its texts live during the call.
    package func withDraft<Result>(after other: EventDraft, _ body: (inout EventDraft) -> Result) -> Result {
        let texts = TextArena()
        return withExtendedLifetime(texts) {
            var draft = draft(after: other, texts)
            return body(&draft)
        }
    }

    /// How sure it is that it happened as it is written.
    package var certainty: Certainty {
        SilentTable.current.rules[rule].candidates.isEmpty && gap < 0 ? .inferred : .ambiguous
    }

    private func draft(after other: EventDraft, _ texts: TextArena) -> EventDraft {
        let rule = SilentTable.current.rules[rule]
        let pair = rule.pair ?? 0
        let pairs = ([pair] + rule.candidates).map { Rule.Answer.pair($0) }
        let candidates = gap < 0 ? pairs : pairs + [.companion]
        let judgement = EventTable.current.judgement(.pair(pair), candidates)
        var event = EventDraft()
        event.id = .uuid(id)
        event.type = judgement.kind.text
        event.disposition = .inferred
        event.occurredAt = time
        event.occurredAtBasis = field == 0 ? .absent : TimeField.name(field)
        event.environment = texts.keep(characters: environment)
        event.bundleID = texts.keep(characters: bundleID)
        event.v2 = EventTable.current.names(ofPair: pair)
        event.certainty = certainty
        event.candidates.pairs = candidates.map { EventTable.current.names($0) }
        event.flags.known =
            rule.time == .range || rule.time == .retryEnd ? rule.flags.union(.timeRange) : rule.flags
        if gap >= 0 { event.flags.formUnion(SilentTable.current.gaps[gap].flags) }
        event.take(access)
        event.derivedFrom = derivedFrom.map { texts.keep($0.string) }
        event.transaction = transaction.draft(texts)
        details?.complete(&event.transactionFields, texts)
        if !nextProduct.isAbsent { event.renewalFields.autoRenewProductID = texts.keep(characters: nextProduct) }
        event.source.rulesVersion = DecisionTable.current.versionText.text
        event.source.input = other.source.input
        event.source.isReceiptRequested = other.source.isReceiptRequested
        return event
    }

    /// The id of the event, as it is written.
    var idText: String { id.string }

    private var id: EventID {
        let pair = EventTable.current.names(ofPair: SilentTable.current.rules[rule].pair ?? 0)
        return IDText.id { text in
            text.line("original_transaction_id=", transaction.originalTransactionID)
            text.line("\ntransaction_id=", transaction.row.number)
            if transaction.row.number == nil { text.line("", transaction.row.transactionText) }
            text.line("\npair=", pair.type)
            text.line("/", pair.subtype)
            text.line("\ntime=", time)
            text.line("\ninferred", .absent)
        }
    }
}

/// Which events that V1 never sent are deduced from what it did send.
@nonexhaustive
public enum SilentInference: String, Hashable, Sendable, Codable, CaseIterable {
    /// None; `none` in options.
    case off = "none"
    /// Those that the evidence proves.
    case safe
    /// Those that it makes likely, too.
    case all
}
