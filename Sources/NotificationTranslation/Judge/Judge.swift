/// Judges notifications, one at a time: what the decoder found becomes an event.
///
/// Every event of this package that comes from a notification is made here: those of the library, of archives and of
/// `pipe`, and the one that `explain` gives reasons for. The callers differ only in what they do with the event.
///
/// 1. ``V1Drafting`` reads the body with ``FactFinder``, asks the decision table through ``DecisionCache``, and fills
///    in the event; ``V2Drafting`` does so for V2.
/// 2. The text that the id of a V1 event is made of is written, from the body alone.
/// 3. ``ReceiptJudge`` compares it with the receipt, where the policy asks for that. If ``ReceiptRows`` completes the
///    body by transactions of the receipt, the first step is done again; the text stays.
///
/// One for each worker; it keeps its memory from notification to notification.
package final class Judge {
    let table: DecisionTable
    private let receipts: ReceiptJudge?
    private let trustsUnproven: Bool
    private let receiptRows = ReceiptRows()
    /// The text that the id of the last V1 event is made of: from the body alone, without arrival or receipt.
    private let idText = OutputBuffer(capacity: 1024)
    /// The length of ``idText`` if the evidence has to store it, because the event may name another transaction; else 0.
    private var keptTextEnd = 0
    /// The body that the last event was judged from, where missing rows came from its receipt.
    private var completed: UnsafeRawPointer?
    // Run-time exclusivity checks on `cache`, `reading` and `event` cost 2 % more instructions for a small record.
    @exclusivity(unchecked) private var cache: DecisionCache
    /// What was read of the V1 body that was judged last.
    @exclusivity(unchecked) private(set) var reading = V1Reading()
    /// The event of the notification that was judged last.
    @exclusivity(unchecked) package var event = EventDraft()

    /// A judge of that policy, which knows of products what notifications say.
    package init(_ policy: TrustPolicy) {
        table = DecisionTable.current
        receipts = ReceiptJudge(policy)
        trustsUnproven = policy.trustsUnproven
        cache = DecisionCache(table)
    }

    /// Judges what a decoder found.
    ///
    /// The event of a V1 notification has no id yet: ``makeID()`` makes it. The event points into the memory of the body.
    ///
    /// - Returns: Why the policy refuses it; `nil` if ``event`` is its event.
    package func judge(_ found: FoundNotification) -> NotificationError? {
        (keptTextEnd, completed) = (0, nil)
        var refusal: NotificationError?
        if found.kind == .v1 {
            refusal = judge(version1: found.holder.v1, found.memory, found.receivedAt, found.authenticity)
        } else {
            event = EventDraft()
            V2Drafting(fields: found.holder.v2, found: found).draft(&event)
            event.source.isReceiptRequested = receipts != nil
            event.source.authenticity = found.authenticity
        }
        if found.doubts.contains(.otherType) { event.flags.formUnion(.placesDisagree) }
        if found.doubts.contains(.unreadable) { event.flags.formUnion(.fieldUnreadable) }
        if found.doubts.contains(.version) { event.flags.formUnion(.versionUncertain) }
        return refusal
    }

    private func judge(
        version1 fields: V1Fields, _ memory: UnsafeRawPointer, _ receivedAt: Int64?, _ authenticity: Authenticity
    ) -> NotificationError? {
        let drafting = draft(fields, memory, receivedAt)
        reading.subject.dependsOnArrival ? writeText(ofBody: fields, memory) : writeText()
        event.source.authenticity = authenticity
        guard let receipts else { return nil }
        var genuine: AppReceipt?
        if let refusal = receipts.judge(&event, fields, memory, authenticity, &genuine) { return refusal }
        guard let genuine, receiptRows.complete(fields, memory, with: genuine), let completed = receiptRows.memory
        else {
            drafting.applyReceiptDate(&event, &reading)
            return nil
        }
        // The completed body in place of the one that was judged.
        (keptTextEnd, self.completed) = (idText.count, completed)
        let isWeak = !event.flags.known.isDisjoint(with: .identityWeak)
        let again = draft(receiptRows.fields, completed, receivedAt)
        // What the receipt adds is not in the text.
        if isWeak { event.flags.formUnion(.identityWeak) }
        event.source.authenticity = authenticity
        receipts.judgeCompleted(&event, receiptRows.fields, completed, with: genuine)
        again.applyReceiptDate(&event, &reading)
        return nil
    }

    private func draft(
        _ fields: V1Fields, _ memory: UnsafeRawPointer, _ receivedAt: Int64?, isForID: Bool = false
    ) -> V1Drafting {
        event = EventDraft()
        reading = V1Reading()
        let finder = FactFinder(
            table: table, fields: fields, view: TextView(memory: memory), receivedAt: receivedAt, isForID: isForID)
        let drafting = V1Drafting(finder: finder)
        drafting.draft(&event, &reading, &cache)
        return drafting
    }

    /// The event as a value of its own.
    var unifiedEvent: UnifiedEvent { UnifiedEvent(event) }

    /// Gives the event of a V1 notification its id.
    package func makeID() { event.id = .uuid(EventID(namespaced: idText)) }

    /// Writes the text of the id from the body alone.
    private func writeText(ofBody fields: V1Fields, _ memory: UnsafeRawPointer) {
        let judged = (event, reading)
        _ = draft(fields, memory, nil, isForID: true)
        writeText()
        let isWeak = reading.time == nil
        (event, reading) = judged
        keptTextEnd = idText.count
        if isWeak { event.flags.formUnion(.identityWeak) }
    }

    private func writeText() {
        let transaction = event.transaction ?? EventDraft.Transaction()
        idText.removeAll()
        IDText(idText).notification(
            bundleID: event.bundleID, environment: event.environment, type: typeName,
            originalTransactionID: transaction.originalTransactionID, transactionID: transaction.transactionID,
            time: reading.time?.milliseconds, autoRenewStatus: event.renewalFields.autoRenewStatus.map { $0 == 1 },
            autoRenewProductID: event.renewalFields.autoRenewProductID)
    }

    /// Apple's current name of the type; the name as received for one this build does not know.
    private var typeName: EventText { reading.type.map { table.types[$0].text.text } ?? event.source.type }

    /// Appends the evidence that a timeline needs of the notification that was judged last.
    package func writeEvidence(of found: FoundNotification, _ writer: EvidenceWriter, to output: OutputBuffer) {
        guard found.kind == .v1 else { return writer.write(&event, found.attempts, to: output) }
        let text =
            keptTextEnd > 0 ? UnsafeRawBufferPointer(rebasing: idText.bytes[EventID.namespaceSize..<keptTextEnd]) : nil
        writer.write(
            &event, &reading, completed == nil ? found.holder.v1 : receiptRows.fields,
            TextView(memory: completed ?? found.memory), type: typeName, idText: text.map { EventText($0) } ?? .absent,
            to: output)
    }

    /// Appends what the V1 notification that was judged last shows of other purchases, each as evidence of its own.
    ///
    /// Where the policy requires proof, a notification without the shared secret gives none: a receipt was compared with
    /// the purchase of the event only.
    ///
    /// - Parameters:
    ///   - found: The notification.
    ///   - writer: Writes evidence.
    ///   - output: Where the evidence goes.
    ///   - mark: Called after each piece with the time that it speaks of.
    package func writeLists(
        of found: FoundNotification, _ writer: EvidenceWriter, to output: OutputBuffer, _ mark: (Int64?) -> Void
    ) {
        guard found.kind == .v1, trustsUnproven || found.authenticity != .unverified,
            let listed = StoreAnswer(
                listedIn: &event, &reading, completed == nil ? found.holder.v1 : receiptRows.fields,
                TextView(memory: completed ?? found.memory))
        else { return }
        writer.write(listed, receivedAt: nil, to: output, mark)
    }

    /// Why the V1 notification that was judged last became what it became: the facts, the rule, the alternatives.
    var translation: Translation {
        guard let type = reading.type else {
            return Translation(answer: nil, transactionCertainty: .unknown, adjustments: [], evidence: [])
        }
        let decision = cache.decision(type: type, facts: reading.facts)
        // The row is certain if the subscription is and the body points at it.
        let isCertain = reading.subject.isCertain && !decision.flags.contains(.transactionUncertain)
        let asked = Set(decision.type.rules.flatMap { $0.conditions.map(\.fact) })
        return Translation(
            answer: MappingTable.Answer(decision),
            transactionCertainty: reading.notified == nil ? .unknown : isCertain ? .exact : .ambiguous,
            adjustments: decision.adjustments,
            evidence: Fact.allCases.filter { asked.contains($0.index) }.map { fact in
                Translation.KnownFact(fact: fact.name, value: reading.facts[fact])
            })
    }
}
