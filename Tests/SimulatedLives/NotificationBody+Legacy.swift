extension NotificationBody {
    /// The single receipt object that stood at the top level until March 2021, in the style of iOS 6.
    mutating func setLegacyReceipt(in body: inout JSONMembers) {
        guard let row = legacyRow else { return }
        var isExpired = row.end <= notice.at
        if notice.type == "DID_CHANGE_RENEWAL_STATUS", layout.chance(20) { isExpired.toggle() }
        body.set(isExpired ? "latest_expired_receipt" : "latest_receipt", "ewoJInNpZ25hdHVyZSIg" + blob())
        body.set(isExpired ? "latest_expired_receipt_info" : "latest_receipt_info", receiptObject(of: row))
        if let cancelled = notice.cancelled, notice.type == "CANCEL" {
            body.setDate("cancellation_date", cancelled.cancellation)
            body.set("web_order_line_item_id", cancelled.webOrderLineItemId)
        }
    }

    private var legacyRow: ReceiptRow? { notice.cancelled ?? notice.state.rows.last }

    private func receiptObject(of row: ReceiptRow) -> JSONText {
        let isSandbox = setting.environment == .sandbox
        var members = JSONMembers()
        members.set("original_purchase_date_pst", row.originalPurchase.californiaText)
        members.set("quantity", "1")
        members.set("unique_vendor_identifier", "7C3F11A2-9D1E-4A57-8B60-2F7A5C0E9B14")
        members.set("bvrs", setting.version)
        members.set("expires_date_formatted", row.expires?.greenwichText)
        members.set("is_in_intro_offer_period", row.isIntroductory ? "true" : "false")
        members.set("purchase_date_ms", String(row.purchase))
        members.set("expires_date_formatted_pst", row.expires?.californiaText)
        members.set("is_trial_period", row.isTrial ? "true" : "false")
        members.set("item_id", String(1_400_000_000 + row.productId.utf8.reduce(0) { $0 * 31 % 9_999_991 + Int($1) }))
        members.set("unique_identifier", "00008020-000a1b2c3d4e5f60")
        members.set("original_transaction_id", row.originalTransactionId)
        if notice.at >= AppleCalendar.groupInLegacyObject { members.set("subscription_group_identifier", row.group) }
        members.set("app_item_id", setting.app.itemId)
        members.set("transaction_id", row.transactionId)
        members.set("web_order_line_item_id", row.webOrderLineItemId)
        members.set("version_external_identifier", isSandbox ? "0" : "8350119\(setting.version.prefix(2))")
        members.set("product_id", row.productId)
        members.set("purchase_date", row.purchase.greenwichText)
        members.set("original_purchase_date", row.originalPurchase.greenwichText)
        members.set("expires_date", row.expires.map { String($0) })
        members.set("purchase_date_pst", row.purchase.californiaText)
        members.set("bid", setting.app.bundleId)
        members.set("original_purchase_date_ms", String(row.originalPurchase))
        members.setDate("cancellation_date", row.cancellation)
        members.set("cancellation_reason", row.cancellationReason)
        return members.value
    }
}
