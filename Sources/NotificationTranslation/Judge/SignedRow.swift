/// What a row of a body says of the facts that receipts have.
struct SignedRow {
    /// The facts but for dates.
    private(set) var facts = UnifiedEvent.Transaction()
    private let purchase: V1Date?
    private let originalPurchase: V1Date?
    let expires: V1Date?
    /// Also of a cancellation by an upgrade.
    private let cancellation: V1Date?
    private let isTrial: Bool?
    private let isIntroductory: Bool?
    /// Whether a missing end or cancellation counts as a claim that there is none.
    ///
    /// Not in single receipts of the first era, which leave out what is at the top level.
    private let absenceIsClaim: Bool

    init(_ fields: V1Fields, _ row: Int, _ view: TextView) {
        func text(_ key: V1Keys.Row) -> String? {
            let text = fields[row: row, key]
            return view.isZero(text) ? nil : view.string(text)
        }
        facts.transactionID = text(.transactionID)
        facts.originalTransactionID = text(.originalTransactionID)
        facts.productID = text(.productID)
        facts.webOrderLineItemID = text(.webOrderLineItemID)
        facts.quantity = view.count(fields[row: row, .quantity])
        purchase = fields.date(.purchase, row: row, view).date
        originalPurchase = fields.date(.originalPurchase, row: row, view).date
        expires = fields.date(.expires, row: row, view).date
        cancellation = fields.date(.cancellation, row: row, view).date
        isTrial = view.truth(fields[row: row, .isTrialPeriod])
        isIntroductory = view.truth(fields[row: row, .isInIntroOfferPeriod])
        absenceIsClaim = row < fields.unifiedRows
    }

    /// Whether no fact of the row differs from this record.
    func agrees(with record: AppReceipt.Transaction) -> Bool {
        var facts = facts
        facts.purchasedAt = purchase?.time(comparedWith: record.purchasedAt)
        facts.originalPurchasedAt = originalPurchase?.time(comparedWith: record.originalPurchasedAt)
        facts.expiresAt = expires?.time(comparedWith: record.expiresAt)
        facts.revokedAt = cancellation?.time(comparedWith: record.cancelledAt)
        guard record.coverage(of: facts, absenceIsClaim: absenceIsClaim).contradicted.isEmpty else { return false }
        func agree(_ claimed: Bool?, _ signed: Bool?) -> Bool {
            guard let claimed, let signed else { return true }
            return claimed == signed
        }
        return agree(isTrial, record.isTrialPeriod) && agree(isIntroductory, record.isInIntroOfferPeriod)
    }
}

extension V1Date {
    /// The signed time where a reading of this date is the same, to the second; else this date.
    fileprivate func time(comparedWith signed: EventTime?) -> EventTime {
        if let signed, canBe(signed) { return signed }
        return EventTime(milliseconds: milliseconds)
    }

    /// Whether it is this time, to the second, as receipts have it.
    ///
    /// A date in the hour that is repeated when daylight saving time ends is read as the earlier instant; the signed
    /// time may be one hour later.
    func canBe(_ time: EventTime) -> Bool {
        let own = milliseconds / 1000
        let signed = time.milliseconds / 1000
        return own == signed || isAmbiguous && own + 3600 == signed
    }
}
