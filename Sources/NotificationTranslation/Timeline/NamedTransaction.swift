/// The transaction of an event that the timeline determines, not the event's own body: of a deduced event, or of a
/// notification that names none.
struct NamedTransaction {
    var originalTransactionID = EventText.absent
    var row = TimelineRow()

    init(_ originalTransactionID: EventText, _ row: TimelineRow) {
        self.originalTransactionID = originalTransactionID
        self.row = row
    }

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        coder.text(&originalTransactionID)
        coder.signed(&row.number)
        coder.text(&row.transactionText)
        coder.text(&row.productText)
        coder.signed(&row.purchase)
        coder.signed(&row.shownPurchase)
        coder.signed(&row.expires)
        coder.signed(&row.cancellation)
        coder.byte(&row.reason)
        coder.truth(&row.isUpgraded)
        coder.byte(&row.offerType)
        coder.text(&row.offerText)
    }

    /// The fields of an event; what no row shows stays absent.
    func draft(_ texts: TextArena) -> EventDraft.Transaction {
        var transaction = EventDraft.Transaction()
        transaction.originalTransactionID = texts.keep(characters: originalTransactionID)
        transaction.transactionID = texts.keep(row.transactionID)
        transaction.productID = texts.keep(characters: row.productText)
        if row.expires != nil { transaction.productType = .autoRenewable }
        transaction.purchasedAt = row.begin
        transaction.expiresAt = row.expires
        if row.isUpgraded {
            transaction.isUpgraded = true
        } else if let cancellation = row.cancellation {
            transaction.revokedAt = cancellation
            transaction.revocationReason = row.reason == .notStated ? nil : Int64(row.reason)
        }
        if row.offerType != 0 {
            transaction.offerType = Int64(row.offerType)
            transaction.offerID = texts.keep(characters: row.offerText)
        }
        return transaction
    }
}

/// What version 1 never carries of a transaction and an answer of Apple's shows.
struct AnsweredDetails {
    private var numbers: [Int64?] = []
    private var texts: [EventText] = []

    private static var numbers: [(WritableKeyPath<EventDraft.Transaction, Int64?>, KeyPath<RowDetails, Int64?>)] {
        [(\.price, \.price), (\.quantity, \.quantity), (\.originalPurchasedAt, \.originalPurchase)]
    }

    private static var fields: [(WritableKeyPath<EventDraft.Transaction, EventText>, KeyPath<RowDetails, EventText>)] {
        [
            (\.currency, \.currency), (\.storefront, \.storefront), (\.productType, \.productType),
            (\.subscriptionGroupID, \.subscriptionGroupID),
        ]
    }

    init(_ details: RowDetails) {
        numbers = Self.numbers.map { details[keyPath: $0.1] }
        texts = Self.fields.map { details[keyPath: $0.1] }
    }

    init() {}

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        coder.list(&numbers, of: nil) { $0.signed(&$1) }
        coder.list(&texts, of: .absent) { $0.text(&$1) }
        if numbers.count != Self.numbers.count || texts.count != Self.fields.count { coder.fail() }
    }

    /// Fills in what an event does not say.
    func complete(_ transaction: inout EventDraft.Transaction, _ arena: TextArena) {
        for (field, number) in zip(Self.numbers, numbers) where transaction[keyPath: field.0] == nil {
            transaction[keyPath: field.0] = number
        }
        for (field, text) in zip(Self.fields, texts) where transaction[keyPath: field.0].isAbsent {
            transaction[keyPath: field.0] = arena.keep(characters: text)
        }
    }
}
