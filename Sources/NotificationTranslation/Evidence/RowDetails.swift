/// What settling needs not know of a transaction, and `state` and `transactions` tell of it.
///
/// In evidence: a varint of ``Bits``, then what they announce in their order. Numbers are signed varints; the original
/// purchase is the distance from the purchase; texts are numbers among the texts of the evidence, as products are.
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

    private struct Bits: OptionSet {
        let rawValue: UInt64

        static let lineItemNumber = Self(rawValue: 1)
        static let lineItem = Self(rawValue: 1 << 1)
        static let quantity = Self(rawValue: 1 << 2)
        static let original = Self(rawValue: 1 << 3)
        static let price = Self(rawValue: 1 << 4)
        static let trialKnown = Self(rawValue: 1 << 5)
        static let trial = Self(rawValue: 1 << 6)
        /// The texts follow, one bit each.
        static let texts = 7
    }

    /// The texts that are numbers in evidence, in their order there.
    private enum Text: Int, CaseIterable {
        case ownership, appAccountToken, productType, subscriptionGroupID, offerDiscountType, currency, storefront,
            reason

        var bit: Bits { Bits(rawValue: 1 << (Bits.texts + rawValue)) }
    }

    private subscript(text: Text) -> EventText {
        get {
            switch text {
            case .ownership: ownership
            case .appAccountToken: appAccountToken
            case .productType: productType
            case .subscriptionGroupID: subscriptionGroupID
            case .offerDiscountType: offerDiscountType
            case .currency: currency
            case .storefront: storefront
            case .reason: reason
            }
        }
        set {
            switch text {
            case .ownership: ownership = newValue
            case .appAccountToken: appAccountToken = newValue
            case .productType: productType = newValue
            case .subscriptionGroupID: subscriptionGroupID = newValue
            case .offerDiscountType: offerDiscountType = newValue
            case .currency: currency = newValue
            case .storefront: storefront = newValue
            case .reason: reason = newValue
            }
        }
    }

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

    func append(to output: OutputBuffer, purchase: Int64, number: (EventText) -> Int) {
        let lineItem = webOrderLineItemNumber ?? TimelineID.number(webOrderLineItemID)
        var bits: Bits = lineItem != nil ? .lineItemNumber : webOrderLineItemID.isAbsent ? [] : .lineItem
        if quantity != nil { bits.insert(.quantity) }
        if originalPurchase != nil { bits.insert(.original) }
        if price != nil { bits.insert(.price) }
        if let isTrial { bits.formUnion(isTrial ? [.trialKnown, .trial] : .trialKnown) }
        for text in Text.allCases where !self[text].isAbsent { bits.insert(text.bit) }
        output.append(varint: bits.rawValue)
        if let lineItem { output.append(signed: lineItem) }
        if bits.contains(.lineItem) { output.append(text: webOrderLineItemID) }
        if let quantity { output.append(signed: quantity) }
        if let originalPurchase { output.append(signed: originalPurchase &- purchase) }
        if let price { output.append(signed: price) }
        for text in Text.allCases where bits.contains(text.bit) { output.append(varint: UInt64(number(self[text]))) }
    }

    init(_ reader: inout ByteReader, purchase: Int64, text: (UInt64) -> EventText?) {
        let bits = Bits(rawValue: reader.varint())
        if bits.contains(.lineItemNumber) { webOrderLineItemNumber = reader.signed() }
        if bits.contains(.lineItem) { webOrderLineItemID = reader.text() }
        if bits.contains(.quantity) { quantity = reader.signed() }
        if bits.contains(.original) {
            let original = purchase &+ reader.signed()
            if CivilTime.earliest...CivilTime.latest ~= original { originalPurchase = original } else { reader.fail() }
        }
        if bits.contains(.price) { price = reader.signed() }
        if bits.contains(.trialKnown) { isTrial = bits.contains(.trial) }
        for place in Text.allCases where bits.contains(place.bit) {
            if let text = text(reader.varint()) { self[place] = text } else { reader.fail() }
        }
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
        for text in Text.allCases where self[text].isAbsent { self[text] = other[text] }
    }

    /// The number of the line of the order; `nil` if absent.
    var lineItem: String? { webOrderLineItemNumber.map { String($0) } ?? webOrderLineItemID.string }
}

/// What settling needs not know of what one notification shows.
///
/// In evidence: the number of the app as a text, the ``RowDetails`` of each of its transactions, then, counted, those
/// that evidence without details leaves out, each with its details.
struct ShownDetails {
    /// The number of the app.
    var appAppleID = EventText.absent
    /// Of each transaction, in the order of the rows.
    var rows: [RowDetails] = []
    /// The transactions that are left out of the rows, so that settling never depends on details.
    var more: [(row: TimelineRow, details: RowDetails)] = []
}
