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
    private var shown = EventDraft.Transaction()

    private static let numbers: [any WritableKeyPath<EventDraft.Transaction, Int64?> & Sendable] = [
        \.price, \.quantity, \.originalPurchasedAt,
    ]

    private static let texts: [any WritableKeyPath<EventDraft.Transaction, EventText> & Sendable] = [
        \.currency, \.storefront, \.productType, \.subscriptionGroupID,
    ]

    init(_ details: RowDetails) { shown = details.shown }

    init() {}

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        for field in Self.numbers { coder.signed(&shown[keyPath: field]) }
        for field in Self.texts { coder.text(&shown[keyPath: field]) }
    }

    /// Fills in what an event does not say.
    func complete(_ transaction: inout EventDraft.Transaction, _ arena: TextArena) {
        for field in Self.numbers where transaction[keyPath: field] == nil {
            transaction[keyPath: field] = shown[keyPath: field]
        }
        for field in Self.texts where transaction[keyPath: field].isAbsent {
            transaction[keyPath: field] = arena.keep(characters: shown[keyPath: field])
        }
    }
}
