extension AppReceipt {
    /// Compares what an event says with what Apple signed.
    ///
    /// The receipt must have been verified, and the creation date compared with a clock where that matters: see
    /// ``ReceiptAge``.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - expected: Whom notifications have to be for.
    /// - Returns: How far it is proven.
    package func coverage(of event: UnifiedEvent, expecting expected: ExpectedApp = .any) -> ReceiptCoverage {
        var coverage = ReceiptCoverage()
        if let refusal = refusal(environment: event.environment?.rawValue, bundleID: event.bundleID, expected) {
            coverage.refusal = refusal
            if refusal == .receiptBundleID { coverage.contradicted = [.bundleID] }
            if refusal == .receiptKind { coverage.contradicted = [.environment] }
            return coverage
        }
        guard let claimed = event.transaction else { return coverage }
        guard claimed.transactionID != nil || claimed.originalTransactionID != nil else { return coverage }
        let records = transactions.filter { record in
            claimed.transactionID.map { isSame(record.transactionID, $0) }
                ?? isSame(record.originalTransactionID, claimed.originalTransactionID)
        }
        let coverages = records.map { record in
            var found = record.coverage(of: claimed)
            if claimed.isUpgraded == true, claimed.revokedAt == nil, !isUpgradePossible(of: record) {
                found.contradicted.insert(.revokedAt)
            }
            return found
        }
        // There is one record for a transaction; were there several, the one that agrees best would be the right one.
        guard var found = coverages.min(by: { $0.contradicted.count < $1.contradicted.count }) else {
            coverage.lacksTransaction = true
            return coverage
        }
        if event.bundleID == nil, expected.bundleIDs == nil { found.unproven.insert(.bundleID) }
        if event.environment == nil, expected.environment == nil { found.unproven.insert(.environment) }
        found.covers = found.contradicted.isEmpty && found.unproven.isEmpty ? .all : .some
        return found
    }

    /// Whether no cancellation was signed for a record, or another product of its subscription took its place then.
    ///
    /// The field `is_upgraded` is signed nowhere, so a refund could be hidden behind it. But receipts hold all
    /// transactions of a subscription, so the one that replaced it is there.
    private func isUpgradePossible(of record: Transaction) -> Bool {
        guard let cancelled = record.cancelledAt?.milliseconds else { return true }
        // An upgrade ends one period at the instant at which the next begins.
        let delivery = DecisionTable.current.parameters.delivery(isSandbox: kind.environment == .sandbox)
        return transactions.contains { other in
            guard let begun = other.purchasedAt?.milliseconds, other.originalTransactionID != nil else { return false }
            let (distance, overflows) = begun.subtractingReportingOverflow(cancelled)
            return !overflows && distance.magnitude <= delivery.tolerance.magnitude
                && isSame(other.originalTransactionID, record.originalTransactionID)
                && !isSame(other.productID, record.productID)
        }
    }
}

/// Whether two texts are both absent, or the same byte for byte.
///
/// `==` also takes texts for equal that Unicode calls canonically equivalent: the Kelvin sign (U+212A) is K to it.
private func isSame(_ one: String?, _ other: String?) -> Bool {
    one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
}

extension AppReceipt.Transaction {
    /// Compares the facts of a transaction with this record; ``ReceiptCoverage/covers`` is not set.
    ///
    /// With `absenceIsClaim`, a missing end or cancellation counts as a claim that there is none.
    func coverage(of claimed: UnifiedEvent.Transaction, absenceIsClaim: Bool = true) -> ReceiptCoverage {
        // A receipt has times in whole seconds, and 0 as the order line of a purchase without one.
        func seconds(_ time: EventTime?) -> String? { time.map { "\(CivilTime.floorDivide($0.milliseconds, 1000))" } }
        func line(_ id: String?) -> String? { id == "0" ? nil : id }
        var coverage = ReceiptCoverage()
        func compare(_ fact: ReceiptCoverage.Fact, _ claimed: String?, _ signed: String?, absenceClaims: Bool = false) {
            guard !isSame(claimed, signed) else { return }
            // What Apple signed without an end or a cancellation has none.
            if absenceClaims || claimed != nil && signed != nil {
                coverage.contradicted.insert(fact)
            } else if claimed != nil {
                coverage.unproven.insert(fact)
            }
        }
        compare(.transactionID, claimed.transactionID, transactionID)
        if claimed.transactionID == nil { coverage.unproven.insert(.transactionID) }
        compare(.originalTransactionID, claimed.originalTransactionID, originalTransactionID)
        compare(.productID, claimed.productID, productID)
        compare(.quantity, claimed.quantity?.description, quantity?.description)
        compare(.webOrderLineItemID, line(claimed.webOrderLineItemID), line(webOrderLineItemID?.description))
        if claimed.offerType == .introductory {
            let isTrial = claimed.offerDiscountType == .freeTrial
            compare(.offerType, "true", (isTrial ? isTrialPeriod : hasIntroductoryOffer)?.description)
        }
        compare(.purchasedAt, seconds(claimed.purchasedAt), seconds(purchasedAt))
        compare(.originalPurchasedAt, seconds(claimed.originalPurchasedAt), seconds(originalPurchasedAt))
        if claimed.expiresAt != nil || absenceIsClaim {
            compare(.expiresAt, seconds(claimed.expiresAt), seconds(expiresAt), absenceClaims: true)
        }
        // What an upgrade replaced was cancelled by that, and an event does not call it revoked.
        if claimed.revokedAt != nil || absenceIsClaim && claimed.isUpgraded != true {
            compare(.revokedAt, seconds(claimed.revokedAt), seconds(cancelledAt), absenceClaims: true)
        }
        return coverage
    }

    /// Whether it is a trial or has an introductory price; `nil` where the record does not say.
    private var hasIntroductoryOffer: Bool? {
        if isTrialPeriod == true || isInIntroOfferPeriod == true { return true }
        return isTrialPeriod == nil || isInIntroOfferPeriod == nil ? nil : false
    }
}
