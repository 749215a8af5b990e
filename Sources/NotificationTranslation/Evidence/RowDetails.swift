/// What settling does not need to know of a transaction, and `state` and `transactions` tell of it.
struct RowDetails {
    var webOrderLineItemID = EventText.absent
    /// Where it is written in digits.
    var webOrderLineItemNumber: Int64?
    var quantity: Int64?
    var originalPurchase: Int64?
    var ownership = EventText.absent
    var appAccountToken = EventText.absent
    var productType = EventText.absent
    var subscriptionGroupID = EventText.absent
    var offerDiscountType = EventText.absent
    /// In thousandths of the currency's unit, as Apple gives it.
    var price: Int64?
    var currency = EventText.absent
    var storefront = EventText.absent
    /// Apple's `transactionReason`.
    var reason = EventText.absent
    /// Whether it was a trial for nothing; `nil` where nothing says that.
    var isTrial: Bool?

    init() {}

    /// Takes what a row of version 1 says.
    init(_ fields: borrowing V1Fields, row: Int, _ view: TextView) {
        webOrderLineItemID = EventText(fields[row: row, .webOrderLineItemID], in: view.memory)
        quantity = view.integer(fields[row: row, .quantity])
        originalPurchase = fields.date(.originalPurchase, row: row, view).date?.milliseconds
        ownership = EventText(fields[row: row, .inAppOwnershipType], in: view.memory)
        appAccountToken = EventText(fields[row: row, .appAccountToken], in: view.memory)
        subscriptionGroupID = EventText(fields[row: row, .subscriptionGroupIdentifier], in: view.memory)
        isTrial = view.truth(fields[row: row, .isTrialPeriod])
    }

    /// Takes what an event says of its transaction.
    init(_ transaction: EventDraft.Transaction) {
        webOrderLineItemID = transaction.webOrderLineItemID
        quantity = transaction.quantity
        originalPurchase = transaction.originalPurchasedAt
        ownership = transaction.ownership
        appAccountToken = transaction.appAccountToken
        productType = transaction.productType
        subscriptionGroupID = transaction.subscriptionGroupID
        offerDiscountType = transaction.offerDiscountType
        price = transaction.price
        currency = transaction.currency
        storefront = transaction.storefront
        if !offerDiscountType.isAbsent { isTrial = offerDiscountType.hasSameBytes(as: EventText("FREE_TRIAL")) }
    }

    /// Keeps what an earlier record gave and this one does not say.
    mutating func complete(from other: RowDetails) {
        if webOrderLineItemID.isAbsent, webOrderLineItemNumber == nil {
            webOrderLineItemID = other.webOrderLineItemID
            webOrderLineItemNumber = other.webOrderLineItemNumber
        }
        quantity = quantity ?? other.quantity
        originalPurchase = originalPurchase ?? other.originalPurchase
        price = price ?? other.price
        isTrial = isTrial ?? other.isTrial
        ownership = ownership.isAbsent ? other.ownership : ownership
        appAccountToken = appAccountToken.isAbsent ? other.appAccountToken : appAccountToken
        productType = productType.isAbsent ? other.productType : productType
        subscriptionGroupID = subscriptionGroupID.isAbsent ? other.subscriptionGroupID : subscriptionGroupID
        offerDiscountType = offerDiscountType.isAbsent ? other.offerDiscountType : offerDiscountType
        currency = currency.isAbsent ? other.currency : currency
        storefront = storefront.isAbsent ? other.storefront : storefront
        reason = reason.isAbsent ? other.reason : reason
    }

    /// The number of the line of the order; `nil` if absent.
    var lineItem: String? { webOrderLineItemNumber.map { String($0) } ?? webOrderLineItemID.string }
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
