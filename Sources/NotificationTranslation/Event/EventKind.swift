/// What happened, in one word for both versions: `subscription.renewed`, `refund.issued` and so on.
///
/// The list is `kinds` in `Mappings/v2-to-event.json`; open, as it grows with Apple's. A kind that has no constant yet is a
/// literal.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenLiteral,
    ExpressibleByStringLiteral
{
    /// The kind as it is in the event.
    public var rawValue: String

    /// The kind of this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A type this build does not know.
    public static let unknown = Self(rawValue: "unknown")
}

extension EventTable {
    /// The names of an answer; both absent for a companion.
    func names(_ answer: Rule.Answer) -> EventDraft.Pair {
        guard case .pair(let index) = answer else { return EventDraft.Pair() }
        return names(ofPair: index)
    }

    func names(ofPair index: Int) -> EventDraft.Pair {
        EventDraft.Pair(
            type: pairs[index].texts.type.text, subtype: pairs[index].texts.subtype?.text ?? .absent)
    }
}

extension EventDraft {
    /// Its pair as the tables write it, `TYPE/SUBTYPE`.
    private var pairName: String { (v2.type.string ?? "") + "/" + (v2.subtype.string ?? "") }

    /// The `data.status` that the table says for its pair.
    var statusOfPair: Int64? { EventTable.current.access.statusesAfter[pairName] }

    /// The `data.status` of an auto-renewable subscription after an event; `nil` where it is not known, and for anything
    /// else that was bought.
    ///
    /// The table says what follows from the pair. Else the access that the event gives or leaves says it.
    var statusAfter: Int64? {
        let transaction = transactionFields
        let isSubscription =
            transaction.productType.isAbsent
            ? hasRenewal || transaction.expiresAt != nil
            : transaction.productType.hasSameBytes(as: .autoRenewable)
        guard hasTransaction, isSubscription, !v2.type.isAbsent else { return nil }
        let events = EventTable.current
        // Where it is open whether a grace period runs, either status is possible.
        if entitlement == .undecided, certainty != .exact { return nil }
        if let status = statusOfPair { return status }
        let effect = events.pair(pairName).map { events.pairs[$0].effect }
        switch entitlement {
        case .withdraw where effect == .cancels: return events.access.revoked
        case .unaffected where effect == .cancels:
            // What had ended is revoked too, unless something newer was bought.
            return flags.known.isDisjoint(with: .transactionNotLatest) ? events.access.revoked : nil
        case .withdraw, .unaffected:
            guard effect == .continues, let happened = occurredAt else { return nil }
            if transaction.revokedAt.map({ $0 <= happened }) == true { return events.access.revoked }
            let renews = hasRenewal ? renewalFields.autoRenewStatus : nil
            guard transaction.expiresAt.map({ $0 <= happened }) == true, let renews else { return nil }
            if renews == 0 { return events.access.statusesAfter["EXPIRED/"] }
            return renewalFields.inBillingRetry == true ? events.access.statusesAfter["DID_FAIL_TO_RENEW/"] : nil
        case .grant, .keep:
            // What came late may be kept by what was bought in the meantime.
            guard let until = accessUntil,
                until == transaction.expiresAt || flags.known.isDisjoint(with: .lateDelivery)
            else { return nil }
            let isGrace = hasRenewal && renewalFields.gracePeriodExpiresAt == until
            return isGrace && transaction.expiresAt != until ? events.access.grace : events.access.active
        default: return nil
        }
    }

    /// The renewal info that Apple would send with the type and subtype of this deduced event, as far as these determine
    /// it; `nil` if the event is not about a subscription.
    var renewalWithPair: EventDraft.Renewal? {
        guard transactionFields.expiresAt != nil else { return nil }
        let known = EventTable.current.access.renewalsAfter[pairName]
        var renewal = Renewal()
        let next = renewalFields.autoRenewProductID
        renewal.autoRenewProductID = next.isAbsent ? transactionFields.productID : next
        renewal.autoRenewStatus = known?.autoRenewStatus
        renewal.expirationIntent = known?.expirationIntent
        renewal.priceIncreaseStatus = known?.priceIncreaseStatus
        // Who still renews although the period ended is in billing retry.
        renewal.inBillingRetry = known?.expirationIntent.map { _ in known?.autoRenewStatus == 1 }
        return renewal
    }

    /// The latest time of the event that is known, for what counts as now; `nil` if it has no date.
    ///
    /// The earlier of its date and its receipt: nothing happens after it is reported. If the date is only a lower bound
    /// (a recovery within grace), the receipt, unless that is more than the longest grace period later.
    package var latestTime: Int64? {
        let isBound = flags.known.contains(.timeLowerBound)
        let reach = isBound ? DecisionTable.current.parameters.longestGrace : 0
        return occurredAt.map { known in
            let received = source.receivedAt ?? known
            return received <= known + reach ? received : known
        }
    }
}
