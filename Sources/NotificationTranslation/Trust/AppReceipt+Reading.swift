extension AppReceipt {
    /// Reads the content of a container, verified or not: what is read before that is good for nothing but to choose, by
    /// ``createdAt``, the time that certificates are judged at.
    ///
    /// - Throws: `receipt.content`, `receipt.duplicate-attribute`, `receipt.bad-attribute`, `receipt.no-creation-date`.
    package init(_ bytes: [UInt8], in content: Range<Int>) throws(AuthenticityError) {
        var kind: String?
        var bundleID: String?
        var createdAt: EventTime?
        var seen: Set<Int64> = []
        self.init(kind: .production, bundleID: "", createdAt: EventTime(milliseconds: 0))
        try ReceiptAttribute.forEach(bytes, in: content) { (attribute) throws(AuthenticityError) in
            if attribute.type == 17 {
                do throws(AuthenticityError) {
                    transactions.append(try Transaction(bytes, in: attribute.value))
                } catch {
                    throw error.inside("in_app[\(transactions.count)]")
                }
                return
            }
            guard seen.insert(attribute.type).inserted else {
                let name = attribute.type == 12 ? "receipt_creation_date" : ""
                throw AuthenticityError(.receiptDuplicate, path: name)
            }
            func value(_ name: StaticString) -> ReceiptValue { ReceiptValue(bytes, attribute.value, name) }
            switch attribute.type {
            case 0: kind = try value("receipt_type").string()
            case 2: bundleID = try value("bundle_id").string()
            case 3: applicationVersion = value("application_version").anyString()
            case 12: createdAt = try value("receipt_creation_date").date()
            case 19:
                originalApplicationVersion = value("original_application_version").anyString()
            case 21: expiresAt = try value("expiration_date").date()
            default: break
            }
        }
        guard let kind else { throw AuthenticityError(.receiptContent, path: "receipt_type") }
        guard let bundleID else { throw AuthenticityError(.receiptContent, path: "bundle_id") }
        guard let createdAt else { throw AuthenticityError(.receiptUndated) }
        self.kind = Kind(rawValue: kind)
        self.bundleID = bundleID
        self.createdAt = createdAt
    }
}

extension AppReceipt.Transaction {
    /// The types of attributes of a record are together; each appears once.
    private static let types: ClosedRange<Int64> = 1700...1763

    fileprivate init(_ bytes: [UInt8], in range: Range<Int>) throws(AuthenticityError) {
        self.init()
        var seen: Set<Int64> = []
        try ReceiptAttribute.forEach(bytes, in: range) { (attribute) throws(AuthenticityError) in
            guard Self.types.contains(attribute.type) else { return }
            guard seen.insert(attribute.type).inserted else { throw AuthenticityError(.receiptDuplicate) }
            func value(_ name: StaticString) -> ReceiptValue { ReceiptValue(bytes, attribute.value, name) }
            switch attribute.type {
            case 1701: quantity = try value("quantity").integer()
            case 1702: productID = try value("product_id").string()
            case 1703: transactionID = try value("transaction_id").string()
            case 1704: purchasedAt = try value("purchase_date").date()
            case 1705: originalTransactionID = try value("original_transaction_id").string()
            case 1706: originalPurchasedAt = try value("original_purchase_date").date()
            case 1708: expiresAt = try value("expires_date").date()
            case 1711: webOrderLineItemID = try value("web_order_line_item_id").integer()
            case 1712: cancelledAt = try value("cancellation_date").date()
            case 1713: isTrialPeriod = try value("is_trial_period").integer() != 0
            case 1719: isInIntroOfferPeriod = try value("is_in_intro_offer_period").integer() != 0
            default: break
            }
        }
    }
}

/// The value of one attribute: one whole element of the type that Apple writes there.
private struct ReceiptValue {
    private let reader: DERReader
    private let name: StaticString

    init(_ bytes: [UInt8], _ range: Range<Int>, _ name: StaticString) {
        reader = DERReader(bytes, in: range)
        self.name = name
    }

    private var refusal: AuthenticityError { AuthenticityError(.receiptAttribute, path: "\(name)") }

    /// The text of a UTF8String or IA5String.
    private func text() throws(AuthenticityError) -> Range<Int> {
        var reader = reader
        guard let element = reader.next(), reader.isAtEnd,
            element.tag == DERReader.Tag.utf8 || element.tag == DERReader.Tag.ia5
        else { throw refusal }
        return element.content
    }

    /// A text, `nil` if it is empty.
    func string() throws(AuthenticityError) -> String? {
        let text = reader.bytes[try text()]
        guard let string = String(validating: text, as: UTF8.self) else { throw refusal }
        return string.isEmpty ? nil : string
    }

    /// A text that nothing depends on; `nil` if it is not a text.
    func anyString() -> String? {
        do throws(AuthenticityError) { return try string() } catch { return nil }
    }

    func integer() throws(AuthenticityError) -> Int64 {
        var reader = reader
        guard let value = reader.integer(), reader.isAtEnd else { throw refusal }
        return value
    }

    /// A date as `2020-11-03T09:12:44Z`, `nil` if it is empty.
    func date() throws(AuthenticityError) -> EventTime? {
        let text = try text()
        if text.isEmpty { return nil }
        let milliseconds = reader.bytes.withUnsafeBytes { bytes -> Int64? in
            let date = UnsafeRawBufferPointer(rebasing: bytes[text])
            guard date.count == 20, date[10] == 0x54, date[19] == 0x5A, let time = CivilTime.milliseconds(rfc3339: date)
            else { return nil }
            // A date that no calendar has is read as a later one: it must be what it is written as.
            var isWritten = false
            CivilTime.withText(time) { isWritten = $0.prefix(19).elementsEqual(date.prefix(19)) }
            return isWritten ? time : nil
        }
        guard let milliseconds else { throw refusal }
        return EventTime(milliseconds: milliseconds)
    }
}

/// An attribute of a receipt or of one of its records: of a SET of `SEQUENCE { type, version, value }`.
///
///     31 82 01 2C                       SET
///        30 1B                          SEQUENCE
///           02 01 02                    type 2: the bundle id
///           02 01 01                    version 1
///           04 12                       value
///              0C 10 636F6D2E…          UTF8String
///        30 …
///
/// Apple writes them in no order, and adds types that nobody documents; those are passed over.
struct ReceiptAttribute {
    var type: Int64
    /// Where the content of its value is.
    var value: Range<Int>

    /// Hands the attributes of a range to `take`, one after the other.
    ///
    /// - Throws: `receipt.content` if the range is not one whole SET of them, or what `take` throws.
    static func forEach(
        _ bytes: [UInt8], in range: Range<Int>, _ take: (ReceiptAttribute) throws(AuthenticityError) -> Void
    ) throws(AuthenticityError) {
        var outer = DERReader(bytes, in: range)
        guard let set = outer.next(DERReader.Tag.set), outer.isAtEnd else { throw AuthenticityError(.receiptContent) }
        var reader = DERReader(bytes, in: set.content)
        while !reader.isAtEnd {
            guard var parts = reader.sequence(), let type = parts.integer(), parts.integer() != nil,
                let value = parts.next(DERReader.Tag.octetString), parts.isAtEnd
            else { throw AuthenticityError(.receiptContent) }
            try take(ReceiptAttribute(type: type, value: value.content))
        }
    }
}
