/// The transaction of an event that the timeline determines, not the event's own body: of a deduced event, or of a
/// notification that names none.
struct NamedTransaction {
    var originalTransactionID = EventText.absent
    var row = TimelineRow()

    /// Appends it; read by the same build only.
    func append(to output: OutputBuffer) {
        output.append(text: originalTransactionID)
        output.append(text: row.transactionID ?? "")
        output.append(text: row.productText)
        output.append(signed: row.begin)
        output.append(signed: row.expires ?? .min)
        output.append(signed: row.cancellation ?? .min)
        output.append(row.reason)
        output.append(row.isUpgraded ? 1 : 0)
        output.append(row.offerType)
        output.append(text: row.offerText)
    }

    init(_ originalTransactionID: EventText, _ row: TimelineRow) {
        self.originalTransactionID = originalTransactionID
        self.row = row
    }

    init(_ reader: inout ByteReader) {
        originalTransactionID = reader.text()
        row.transactionText = reader.text()
        row.productText = reader.text()
        row.purchase = reader.signed()
        let expires = reader.signed()
        row.expires = expires == .min ? nil : expires
        let cancellation = reader.signed()
        row.cancellation = cancellation == .min ? nil : cancellation
        row.reason = reader.byte()
        row.isUpgraded = reader.byte() == 1
        row.offerType = reader.byte()
        row.offerText = reader.text()
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
    private var numbers: [Int64?]
    private var texts: [EventText]

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

    /// Appends it; read by the same build only.
    func append(to output: OutputBuffer) {
        for number in numbers { output.append(signed: number ?? .min) }
        for text in texts { output.append(text: text) }
    }

    init(_ reader: inout ByteReader) {
        numbers = Self.numbers.map { _ in reader.signed() }.map { $0 == .min ? nil : $0 }
        texts = Self.fields.map { _ in reader.text() }
    }

    /// The same with texts that last as long as what keeps them.
    func kept(_ arena: TextArena) -> AnsweredDetails {
        var kept = self
        kept.texts = texts.map { arena.keep(characters: $0) }
        return kept
    }

    /// Fills in what an event does not say.
    func complete(_ transaction: inout EventDraft.Transaction) {
        for (field, number) in zip(Self.numbers, numbers) where transaction[keyPath: field.0] == nil {
            transaction[keyPath: field.0] = number
        }
        for (field, text) in zip(Self.fields, texts) where transaction[keyPath: field.0].isAbsent {
            transaction[keyPath: field.0] = text
        }
    }
}
