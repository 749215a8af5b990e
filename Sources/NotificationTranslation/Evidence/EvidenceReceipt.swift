/// What the receipt of a V1 body says of its event, at the very end of its ``Evidence``.
///
/// A byte (what it covers by its place in ``ReceiptCoverage/Covers/allCases``, and ``Bits``), then the creation date in
/// milliseconds. Present only if a receipt was verified, or one that was not dates the event
/// (``Statement/unprovenDate``).
struct EvidenceReceipt: Equatable {
    private struct Bits: OptionSet {
        let rawValue: UInt8

        static let covers = Self(rawValue: 3)
        /// It contradicts the event or is of another app.
        static let contradicted = Self(rawValue: 4)
        /// It is of another app or environment, or too old for the policy.
        static let refused = Self(rawValue: 8)
        /// It was not verified.
        static let unproven = Self(rawValue: 16)
    }

    /// When Apple made it.
    var createdAt: Int64
    /// How much of the event it proves.
    var covers: ReceiptCoverage.Covers
    /// Whether a fact of the event differs from it.
    var isContradicted: Bool
    /// Whether it has no say about the event.
    var isRefused: Bool
    /// Whether it was not verified, so that it says nothing but a date.
    var isUnproven = false

    /// Whether the event cannot have happened after ``createdAt``: body and receipt belong together.
    var datesEvent: Bool { !isContradicted && !isRefused }

    /// Whether the transaction of the event is in it as the event says.
    var bearsOut: Bool { covers != .nothing && !isContradicted && !isRefused }

    /// What is known of an event's receipt; `nil` for nothing.
    init?(_ event: inout EventDraft) {
        if event.flags.known.isSuperset(of: .receiptDateUnproven), let created = event.occurredAt {
            createdAt = created
            covers = .nothing
            isContradicted = false
            isRefused = false
            isUnproven = true
            return
        }
        guard event.source.receiptPresence == .found, let created = event.source.receiptFields.createdAt,
            CivilTime.earliest...CivilTime.latest ~= created
        else { return nil }
        createdAt = created
        covers = event.source.receiptFields.covers
        isRefused = !event.source.receiptFields.code.isAbsent
        let contrary = FlagSet.receiptContradictsRow.union(.receiptOtherBundle)
        isContradicted = !contrary.isDisjoint(with: event.flags.known)
    }

    init(_ bytes: inout ByteReader) {
        let bits = Bits(rawValue: bytes.byte())
        let place = Int(bits.intersection(.covers).rawValue)
        let all = ReceiptCoverage.Covers.allCases
        let known: Bits = [.covers, .contradicted, .refused, .unproven]
        if !bits.isSubset(of: known) || !all.indices.contains(place) { bytes.fail() }
        covers = all.indices.contains(place) ? all[place] : .nothing
        isContradicted = bits.contains(.contradicted)
        isRefused = bits.contains(.refused)
        isUnproven = bits.contains(.unproven)
        createdAt = bytes.signed()
        if !(CivilTime.earliest...CivilTime.latest ~= createdAt) {
            bytes.fail()
            createdAt = 0
        }
    }

    func append(to output: OutputBuffer) {
        var bits = Bits(
            rawValue: UInt8(truncatingIfNeeded: ReceiptCoverage.Covers.allCases.firstIndex(of: covers) ?? 0))
        if isContradicted { bits.insert(.contradicted) }
        if isRefused { bits.insert(.refused) }
        if isUnproven { bits.insert(.unproven) }
        output.append(bits.rawValue)
        output.append(signed: createdAt)
    }
}
