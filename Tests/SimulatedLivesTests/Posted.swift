import FoundationEssentials

/// A version 1 body, decoded as strictly as Apple documents it: what must be text is text.
struct Posted: Decodable {
    struct Unified: Decodable {
        var environment: String
        var latest_receipt: String
        var latest_receipt_info: [[String: String]]?
        var pending_renewal_info: [[String: String]]?
    }

    var notification_type: String
    var environment: String
    var password: String?
    var auto_renew_status: String?
    var auto_renew_product_id: String?
    var auto_renew_status_change_date: String?
    var auto_renew_status_change_date_ms: String?
    var auto_renew_status_change_date_pst: String?
    var cancellation_date_ms: String?
    var web_order_line_item_id: String?
    var bid: String?
    var latest_receipt: String?
    var latest_expired_receipt: String?
    var latest_receipt_info: [String: String]?
    var latest_expired_receipt_info: [String: String]?
    var unified_receipt: Unified?

    init(_ body: [UInt8]) throws {
        self = try JSONDecoder().decode(Posted.self, from: Data(body))
    }

    var legacyObject: [String: String]? { latest_receipt_info ?? latest_expired_receipt_info }
    var isSandbox: Bool { environment == "Sandbox" }
}
