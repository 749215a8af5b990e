extension V2Drafting {
    /// Says what the event does to access: as Apple's `data.status` says, else as far as the payload's dates show.
    func access(_ event: inout EventDraft, isSubscription: Bool) {
        guard event.disposition == .event else { return }
        event.take(AccessState(version2: &event, isSubscription: isSubscription).access(event.candidates.effects))
    }
}

extension AccessState {
    /// What a version 2 payload says of access as of its signature; everything else of its event is filled in.
    init(version2 event: inout EventDraft, isSubscription: Bool) {
        self.init()
        let told = event.signedAt ?? event.occurredAt
        let moment = told ?? .max
        self.moment = told
        status = EventTable.current.access.status(event.subscriptionStatus)
        if event.hasTransaction {
            let transaction = event.transactionFields
            hasOwn = !transaction.transactionID.isAbsent
            ownEnd = transaction.expiresAt
            cancelledAt = transaction.revokedAt
            isOwnOver = transaction.isUpgraded == true || transaction.revokedAt.map { $0 <= moment } ?? false
            isOneTime =
                transaction.productType.isAbsent
                ? !isSubscription && ownEnd == nil && !event.hasRenewal && status == nil
                : !transaction.productType.hasSameBytes(as: .autoRenewable)
            isOwnLatest = transaction.isUpgraded != true
        }
        guard event.hasRenewal else {
            isComplete = status != nil
            return
        }
        let renewal = event.renewalFields
        if let end = renewal.renewsAt, end != ownEnd {
            if end > moment { otherEnd = end }
            if let ownEnd, end > ownEnd { isOwnLatest = false }
        }
        if let grace = renewal.gracePeriodExpiresAt, grace > moment { graceEnd = grace }
        isComplete = status != nil || renewal.inBillingRetry == true || renewal.expirationIntent != nil
    }
}
