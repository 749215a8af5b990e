/// What settling does not need to know of a transaction, and `state` and `transactions` tell of it.
struct RowDetails {
    /// What an event says of it; ids, dates and the offer are those of its row.
    var shown = EventDraft.Transaction()
    /// The line of the order, where it is written in digits.
    var webOrderLineItemNumber: Int64?
    /// Apple's `transactionReason`.
    var reason = EventText.absent
    /// Whether it was a trial for nothing; `nil` where nothing says that.
    var isTrial: Bool?

    /// What never changes after the purchase.
    private static let constant: [any WritableKeyPath<EventDraft.Transaction, EventText> & Sendable] = [
        \.ownership, \.productType,
    ]
    private static let texts =
        constant + [\.appAccountToken, \.subscriptionGroupID, \.offerDiscountType, \.currency, \.storefront]

    init() {}

    /// Takes what a row of version 1 says.
    init(_ fields: V1Fields, row: Int, _ view: TextView) {
        shown.webOrderLineItemID = EventText(fields[row: row, .webOrderLineItemID], in: view.memory)
        shown.quantity = view.integer(fields[row: row, .quantity])
        shown.originalPurchasedAt = fields.date(.originalPurchase, row: row, view).date?.milliseconds
        shown.ownership = EventText(fields[row: row, .inAppOwnershipType], in: view.memory)
        shown.appAccountToken = EventText(fields[row: row, .appAccountToken], in: view.memory)
        shown.subscriptionGroupID = EventText(fields[row: row, .subscriptionGroupIdentifier], in: view.memory)
        isTrial = view.truth(fields[row: row, .isTrialPeriod])
    }

    /// Takes what an event says of its transaction.
    init(_ transaction: EventDraft.Transaction) {
        shown = transaction
        let discount = transaction.offerDiscountType
        if !discount.isAbsent { isTrial = discount.hasSameBytes(as: EventText("FREE_TRIAL")) }
    }

    /// Takes what an event of version 2 says of its transaction.
    init(_ event: inout EventDraft) {
        self.init(event.transactionFields)
        let stated = JSONTree.parsed(event.details)?["transaction"]?["transaction_reason"]
        reason = Self.reasons.first { stated?.says($0) ?? false }.map { EventText($0) } ?? .absent
    }

    private static let reasons: [StaticString] = ["PURCHASE", "RENEWAL"]

    /// Whether another record gives another `transactionReason`, ownership or product type; what is absent differs from
    /// nothing.
    func contradicts(_ other: RowDetails) -> Bool {
        func differ(_ one: EventText, _ other: EventText) -> Bool {
            !one.isAbsent && !other.isAbsent && !one.hasSameBytes(as: other)
        }
        return differ(reason, other.reason)
            || Self.constant.contains { differ(shown[keyPath: $0], other.shown[keyPath: $0]) }
    }

    /// Keeps what an earlier record gave and this one does not say.
    mutating func complete(from other: RowDetails) {
        if shown.webOrderLineItemID.isAbsent, webOrderLineItemNumber == nil {
            shown.webOrderLineItemID = other.shown.webOrderLineItemID
            webOrderLineItemNumber = other.webOrderLineItemNumber
        }
        for field in Self.texts where shown[keyPath: field].isAbsent {
            shown[keyPath: field] = other.shown[keyPath: field]
        }
        shown.quantity = shown.quantity ?? other.shown.quantity
        shown.originalPurchasedAt = shown.originalPurchasedAt ?? other.shown.originalPurchasedAt
        shown.price = shown.price ?? other.shown.price
        isTrial = isTrial ?? other.isTrial
        reason = reason.isAbsent ? other.reason : reason
    }
}

/// What settling does not need to know of what one notification shows.
struct ShownDetails {
    /// The number of the app.
    var appAppleID = EventText.absent
    /// Of each transaction, in the order of the rows.
    var rows: [RowDetails] = []
    /// The transactions that are left out of the rows, so that settling never depends on details.
    var more: [(row: TimelineRow, details: RowDetails)] = []
    /// The purchases that a notification without a key may be about.
    var possibleSubjects: [Subject] = []

    /// A purchase that a notification without a key may be about.
    struct Subject {
        var originalTransactionID = EventText.absent
        /// When the receipt says that it was cancelled.
        var cancelled: Int64?
    }
}
