/// The names that tables give to pairs, rules and flags, kept in memory as events need them.
final class EventNames: Sendable {
    let events: EventTable
    let rulesVersion: KeptText
    let flags: [KeptText]
    private let pairs: [Pair]
    private let types: [Pair]
    private let rules: [KeptText]

    private struct Pair {
        let type: KeptText
        let subtype: KeptText?
        let kind: KeptText
        let kindWhenOn: KeptText

        init(_ pair: EventTable.Pair) {
            type = KeptText(pair.type)
            subtype = pair.subtype.map(KeptText.init)
            kind = KeptText(pair.kind)
            kindWhenOn = KeptText(pair.kindWhenOn)
        }
    }

    /// The names of this build's tables.
    static let current = EventNames(.current, .current)

    init(_ table: DecisionTable, _ flags: FlagTable) {
        events = table.events
        rulesVersion = KeptText(table.version)
        self.flags = flags.rows.map { KeptText($0.flag) }
        pairs = table.events.pairs.map(Pair.init)
        types = table.events.types.map(Pair.init)
        rules = table.types.flatMap { $0.rules.map { KeptText($0.id) } }
    }

    /// The names of an answer; both absent for a companion.
    func pair(_ answer: Rule.Answer) -> EventDraft.Pair {
        guard case .pair(let place) = answer else { return EventDraft.Pair() }
        return pair(place)
    }

    func pair(_ place: Int) -> EventDraft.Pair {
        EventDraft.Pair(type: pairs[place].type.text, subtype: pairs[place].subtype?.text ?? .absent)
    }

    func kind(ofPair place: Int) -> EventText { pairs[place].kind.text }

    /// The `data.status` of an auto-renewable subscription after an event; `nil` where it is not known, and for anything
    /// else that was bought.
    ///
    /// The table says what follows from the pair. Else the access that the event gives or leaves says it.
    func status(after event: EventDraft) -> Int64? {
        let transaction = event.transactionFields
        let isSubscription =
            transaction.productType.isAbsent
            ? event.hasRenewal || transaction.expiresAt != nil
            : transaction.productType.hasSameBytes(as: .autoRenewable)
        guard event.hasTransaction, isSubscription, let type = event.v2.type.string else { return nil }
        let pair = type + "/" + (event.v2.subtype.string ?? "")
        if let status = events.access.statusesAfter[pair] { return status }
        let effect = events.pair(pair).map { events.pairs[$0].effect }
        switch event.entitlement {
        case .withdraw where effect == .cancels: return events.access.revoked
        case .unaffected where effect == .cancels:
            // What had ended is revoked too, unless something newer was bought.
            return event.flags.known.isDisjoint(with: .transactionNotLatest) ? events.access.revoked : nil
        case .withdraw, .unaffected:
            guard effect == .continues, let happened = event.occurredAt else { return nil }
            if transaction.revokedAt.map({ $0 <= happened }) == true { return events.access.revoked }
            let renews = event.hasRenewal ? event.renewalFields.autoRenewStatus : nil
            guard transaction.expiresAt.map({ $0 <= happened }) == true, let renews else { return nil }
            if renews == 0 { return events.access.statusesAfter["EXPIRED/"] }
            return event.renewalFields.inBillingRetry == true ? events.access.statusesAfter["DID_FAIL_TO_RENEW/"] : nil
        case .grant, .keep:
            // What came late may be kept by what was bought in the meantime.
            guard let until = event.accessUntil,
                until == transaction.expiresAt || event.flags.known.isDisjoint(with: .lateDelivery)
            else { return nil }
            let isGrace = event.hasRenewal && event.renewalFields.gracePeriodExpiresAt == until
            return isGrace && transaction.expiresAt != until ? events.access.grace : events.access.active
        default: return nil
        }
    }

    /// What the renewal info says that Apple sends with the pair of a deduced event; `nil` where the pair does not say it.
    func renewal(with event: EventDraft) -> EventDraft.Renewal? {
        let pair = (event.v2.type.string ?? "") + "/" + (event.v2.subtype.string ?? "")
        guard event.hasTransaction, let known = events.access.renewalsAfter[pair] else { return nil }
        var renewal = EventDraft.Renewal()
        renewal.autoRenewProductID = event.transactionFields.productID
        renewal.autoRenewStatus = known.autoRenewStatus
        renewal.expirationIntent = known.expirationIntent
        // Who still renews although the period ended is in billing retry.
        renewal.inBillingRetry = known.expirationIntent.map { _ in known.autoRenewStatus == 1 }
        return renewal
    }

    /// The kind of a V2 payload's pair, or of its type alone, where the payload says whether automatic renewal is on.
    func kind(ofPair place: Int?, ofType type: Int, isOn: Bool) -> EventText {
        let row = place.map { pairs[$0] } ?? types[type]
        return isOn ? row.kindWhenOn.text : row.kind.text
    }

    func type(_ place: Int) -> EventText { types[place].type.text }

    func rule(_ number: Int) -> EventText { rules[number].text }

    /// The place of a type in the table, by its name as it is in a record.
    func typePlace(_ text: JSONText, _ view: TextView) -> Int? {
        for (place, type) in types.enumerated() where view.same(text, type.type.text) { return place }
        return events.type(view.string(text).trimmed)
    }
}

/// A key of the contract.
struct EventKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ key: StaticString) { stringValue = key.description }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// What happened, in one word for both versions: `subscription.renewed`, `refund.issued` and so on.
///
/// The list is `kinds` in `Mappings/v2-to-event.json`; open, as it grows with Apple's.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The kind as it is in the event.
    public var rawValue: String

    /// The kind of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A type this build does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// The kinds this build knows, in the order of the table.
    public static var allKnown: [EventKind] {
        EventTable.current.kinds.map { EventKind(rawValue: $0.kind) }
    }
}
