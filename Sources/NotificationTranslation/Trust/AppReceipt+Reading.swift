extension AppReceipt {
    /// Reads the content of a container, verified or not: what is read before that is good for nothing but to choose, by
    /// ``createdAt``, the time that certificates are judged at.
    ///
    /// - Throws: `receipt.content`, `receipt.duplicate-attribute`, `receipt.bad-attribute`, `receipt.no-creation-date`.
    package init(_ bytes: [UInt8], in content: Range<Int>) throws(AuthenticityError) {
        let attributes = try ReceiptAttributes(bytes, in: content)
        let records = try attributes.records.enumerated().map { index, record throws(AuthenticityError) in
            try AuthenticityError.inside("in_app[\(index)]") { () throws(AuthenticityError) in
                try Transaction(ReceiptAttributes(bytes, in: record, of: 1700...1763))
            }
        }
        guard let kind = try attributes.string(0, "receipt_type") else {
            throw AuthenticityError(.receiptContent, path: "receipt_type")
        }
        guard let bundleID = try attributes.string(2, "bundle_id") else {
            throw AuthenticityError(.receiptContent, path: "bundle_id")
        }
        guard let createdAt = try attributes.date(12, "receipt_creation_date") else {
            throw AuthenticityError(.receiptUndated)
        }
        self.init(kind: Kind(rawValue: kind), bundleID: bundleID, createdAt: createdAt)
        transactions = records
        // Nothing depends on these two, so they may be anything.
        applicationVersion = try? attributes.string(3, "application_version")
        originalApplicationVersion = try? attributes.string(19, "original_application_version")
        expiresAt = try attributes.date(21, "expiration_date")
    }
}

extension AppReceipt.Transaction {
    fileprivate init(_ attributes: ReceiptAttributes) throws(AuthenticityError) {
        self.init()
        quantity = try attributes.integer(1701, "quantity")
        productID = try attributes.string(1702, "product_id")
        transactionID = try attributes.string(1703, "transaction_id")
        purchasedAt = try attributes.date(1704, "purchase_date")
        originalTransactionID = try attributes.string(1705, "original_transaction_id")
        originalPurchasedAt = try attributes.date(1706, "original_purchase_date")
        expiresAt = try attributes.date(1708, "expires_date")
        webOrderLineItemID = try attributes.integer(1711, "web_order_line_item_id")
        cancelledAt = try attributes.date(1712, "cancellation_date")
        isTrialPeriod = try attributes.integer(1713, "is_trial_period").map { $0 != 0 }
        isInIntroOfferPeriod = try attributes.integer(1719, "is_in_intro_offer_period").map { $0 != 0 }
    }
}

/// The attributes of a receipt or of one of its records: a SET of `SEQUENCE { type, version, value }`.
///
///     31 82 01 2C                       SET
///        30 1B                          SEQUENCE
///           02 01 02                    type 2: the bundle id
///           02 01 01                    version 1
///           04 12                       value
///              0C 10 636F6D2E…          UTF8String
///        30 …
///
/// Apple writes them in no order, and adds types that nobody documents; those are passed over. All but type 17, which is
/// a record, appear once. A value is one whole element of the type that Apple writes there.
private struct ReceiptAttributes {
    private let bytes: [UInt8]
    /// Where the content of each value is, by its type.
    private var values: [Int64: Range<Int>] = [:]
    private(set) var records: [Range<Int>] = []

    /// Reads those of some types.
    ///
    /// - Throws: `receipt.content` if the range is not one whole SET of them, `receipt.duplicate-attribute`.
    init(
        _ bytes: [UInt8], in range: Range<Int>, of types: ClosedRange<Int64> = .min ... .max
    ) throws(AuthenticityError) {
        self.bytes = bytes
        var outer = DERReader(bytes, in: range)
        guard var set = outer.enter(.set), outer.isAtEnd else { throw AuthenticityError(.receiptContent) }
        while !set.isAtEnd {
            guard var parts = set.enter(), let type = parts.integer(), parts.integer() != nil,
                let value = parts.next(.octetString), parts.isAtEnd
            else { throw AuthenticityError(.receiptContent) }
            guard type != 17 else {
                records.append(value.content)
                continue
            }
            guard types.contains(type) else { continue }
            guard values.updateValue(value.content, forKey: type) == nil else {
                throw AuthenticityError(.receiptDuplicate, path: type == 12 ? "receipt_creation_date" : "")
            }
        }
    }

    /// What `read` makes of the value of a type; `nil` if there is none.
    private func value<Value>(
        _ type: Int64, _ name: String, _ read: (inout DERReader) -> Value?
    ) throws(AuthenticityError) -> Value? {
        guard let range = values[type] else { return nil }
        var reader = DERReader(bytes, in: range)
        guard let value = read(&reader), reader.isAtEnd else { throw AuthenticityError(.receiptAttribute, path: name) }
        return value
    }

    func integer(_ type: Int64, _ name: String) throws(AuthenticityError) -> Int64? {
        try value(type, name) { $0.integer() }
    }

    /// A text, `nil` if it is empty.
    func string(_ type: Int64, _ name: String) throws(AuthenticityError) -> String? {
        let text = try value(type, name) { reader in
            (reader.next(.utf8) ?? reader.next(.ia5)).flatMap { String(validating: bytes[$0.content], as: UTF8.self) }
        }
        return text?.isEmpty == true ? nil : text
    }

    /// A date as `2020-11-03T09:12:44Z`, `nil` if it is empty.
    func date(_ type: Int64, _ name: String) throws(AuthenticityError) -> EventTime? {
        guard let text = try string(type, name) else { return nil }
        // A date that no calendar has is read as a later one: it must be what it is written as.
        guard let time = EventTime(text), text == time.description.prefix(19) + "Z" else {
            throw AuthenticityError(.receiptAttribute, path: name)
        }
        return time
    }
}
