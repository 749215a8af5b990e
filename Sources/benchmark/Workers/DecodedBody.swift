/// The members of a V1 body that the twenty fields are taken from.
struct DecodedBody: Decodable {
    struct UnifiedReceipt: Decodable {
        let rows: [Row]

        enum CodingKeys: String, CodingKey {
            case rows = "latest_receipt_info"
        }
    }

    struct Row: Decodable {
        let originalTransactionID: String?
        let transactionID: String?
        let productID: String?
        let purchaseDate: String?
        let originalPurchaseDate: String?
        let expiresDate: String?
        let cancellationDate: String?
        let cancellationReason: String?
        let webOrderLineItemID: String?
        let isTrialPeriod: String?
        let isInIntroOfferPeriod: String?
        let subscriptionGroupID: String?
        let ownership: String?
        let quantity: String?

        enum CodingKeys: String, CodingKey {
            case originalTransactionID = "original_transaction_id"
            case transactionID = "transaction_id"
            case productID = "product_id"
            case purchaseDate = "purchase_date_ms"
            case originalPurchaseDate = "original_purchase_date_ms"
            case expiresDate = "expires_date_ms"
            case cancellationDate = "cancellation_date_ms"
            case cancellationReason = "cancellation_reason"
            case webOrderLineItemID = "web_order_line_item_id"
            case isTrialPeriod = "is_trial_period"
            case isInIntroOfferPeriod = "is_in_intro_offer_period"
            case subscriptionGroupID = "subscription_group_identifier"
            case ownership = "in_app_ownership_type"
            case quantity
        }
    }

    let type: String
    let environment: String?
    let bundleID: String?
    let bundleVersion: String?
    let autoRenewStatus: String?
    let autoRenewProductID: String?
    let unifiedReceipt: UnifiedReceipt

    enum CodingKeys: String, CodingKey {
        case type = "notification_type"
        case environment
        case bundleID = "bid"
        case bundleVersion = "bvrs"
        case autoRenewStatus = "auto_renew_status"
        case autoRenewProductID = "auto_renew_product_id"
        case unifiedReceipt = "unified_receipt"
    }

    /// Appends the line of the newest transaction.
    func write(to output: inout [UInt8]) {
        var newest: Row?
        var newestDate = Int64.min
        for row in unifiedReceipt.rows {
            guard let date = row.purchaseDate.flatMap({ Int64($0) }), date > newestDate else { continue }
            newest = row
            newestDate = date
        }
        let fields: [(String, String?)] = [
            ("notification_type", type), ("environment", environment), ("bid", bundleID), ("bvrs", bundleVersion),
            ("auto_renew_status", autoRenewStatus), ("auto_renew_product_id", autoRenewProductID),
            ("original_transaction_id", newest?.originalTransactionID), ("transaction_id", newest?.transactionID),
            ("product_id", newest?.productID), ("purchase_date_ms", newest?.purchaseDate),
            ("original_purchase_date_ms", newest?.originalPurchaseDate), ("expires_date_ms", newest?.expiresDate),
            ("cancellation_date_ms", newest?.cancellationDate), ("cancellation_reason", newest?.cancellationReason),
            ("web_order_line_item_id", newest?.webOrderLineItemID), ("is_trial_period", newest?.isTrialPeriod),
            ("is_in_intro_offer_period", newest?.isInIntroOfferPeriod),
            ("subscription_group_identifier", newest?.subscriptionGroupID),
            ("in_app_ownership_type", newest?.ownership), ("quantity", newest?.quantity),
        ]
        var line = BodyText(style: .apple, capacity: 1024)
        line.open("{")
        for (key, value) in fields {
            if let value { line.string(key, value) } else { line.number(key, "null") }
        }
        line.close("}")
        line.endLine()
        output += line.bytes
    }
}
