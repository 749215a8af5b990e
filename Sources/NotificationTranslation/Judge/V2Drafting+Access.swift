extension EventDraft {
    /// What an event of a type that this build does not know may do to access.
    var effectsOfUnknownType: AccessEffects {
        let isNamed = !(transaction?.originalTransactionID.isAbsent ?? true)
        let isNamedAlone = !(transaction?.transactionID.isAbsent ?? true)
        return AccessEffects(isNamed || isNamedAlone || subscriptionStatus != nil ? .open : .none)
    }
}

extension AccessState {
    /// What a version 2 payload says of access as of its signature; everything else of its event is filled in.
    init(version2 event: inout EventDraft, _ row: EventTable.Pair?) {
        self.init()
        let told = event.signedAt ?? event.occurredAt
        let moment = told ?? .max
        self.moment = told
        status = EventTable.current.access.status(event.subscriptionStatus)
        if event.subscriptionStatus == nil, row?.isOfGrace == true { status = .runs }
        if event.hasTransaction {
            let transaction = event.transactionFields
            hasOwn = !transaction.transactionID.isAbsent
            ownBegin = transaction.purchasedAt
            ownEnd = transaction.expiresAt
            cancelledAt = transaction.revokedAt
            isRefundedInPart = event.flags.known.contains(.refundPartial)
            isOwnOver =
                transaction.isUpgraded == true
                || !isRefundedInPart && transaction.revokedAt.map { $0 <= moment } ?? false
            isOwnUpgraded = transaction.isUpgraded == true
            isOneTime =
                row?.isSubscription != true
                && (transaction.productType.isAbsent
                    ? ownEnd == nil && !event.hasRenewal && status == nil
                    : !transaction.productType.hasSameBytes(as: .autoRenewable))
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
