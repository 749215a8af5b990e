/// What the verified receipt of a V1 body says of its event.
struct EvidenceReceipt: Equatable {
    /// When Apple made it.
    var createdAt: Int64
    /// How much of the event it proves.
    var covers = UnifiedEvent.ReceiptProof.Covers.nothing
    /// Whether a fact of the event differs from it.
    var isContradicted = false
    /// Whether it has no say about the event.
    var isRefused = false

    /// Whether the event cannot have happened after ``createdAt``: body and receipt belong together.
    var datesEvent: Bool { !isContradicted && !isRefused }

    /// Whether the transaction of the event is in it as the event says.
    var bearsOut: Bool { covers != .nothing && !isContradicted && !isRefused }

    init(createdAt: Int64) { self.createdAt = createdAt }

    /// What is known of an event's receipt; `nil` for nothing.
    init?(_ event: inout EventDraft) {
        guard event.source.hasReceipt, let created = event.source.receiptFields.createdAt,
            CivilTime.earliest...CivilTime.latest ~= created
        else { return nil }
        createdAt = created
        covers = event.source.receiptFields.covers
        isRefused = !event.source.receiptFields.code.isAbsent
        let contrary = FlagSet.receiptContradictsRow.union(.receiptOtherBundle)
        isContradicted = !contrary.isDisjoint(with: event.flags.known)
    }
}
