/// Writes a notice as the body that Apple posted.
struct NotificationBody: Sendable {
    let notice: Notice
    let account: Account
    let setting: Setting
    /// Decides row order, key order and other freedoms; the same for every delivery of a notice.
    var layout: SeededGenerator
    /// Decides the receipt blobs, which differ in every delivery.
    var blobs: SeededGenerator

    mutating func bytes() -> [UInt8] {
        var body = JSONMembers()
        body.set("notification_type", notice.type)
        body.set("environment", setting.environment == .production ? "PROD" : "Sandbox")
        body.set("password", setting.password)
        if let renewal = notice.state.renewal {
            body.set("auto_renew_product_id", renewal.nextProductId)
            body.set("auto_renew_status", renewal.autoRenews ? "true" : "false")
        }
        if !(notice.statusChangedAt != nil && layout.chance(setting.manner == .loose ? 8 : 2)) {
            body.setDate("auto_renew_status_change_date", notice.statusChangedAt)
        }
        setIdentifiers(in: &body)
        if notice.shape != .unified { setLegacyReceipt(in: &body) }
        if notice.shape != .legacy { body.set("unified_receipt", unifiedReceipt()) }
        if layout.chance(40) { body.shuffle(with: &layout) }
        return body.value.bytes
    }

    private mutating func setIdentifiers(in body: inout JSONMembers) {
        if notice.shape != .legacy, notice.at >= AppleCalendar.bundleAtTop {
            body.set("bid", setting.app.bundleId)
            body.set("bvrs", setting.version)
        }
        if setting.era == .unified, layout.chance(3), let intent = notice.state.renewal?.expirationIntent {
            body.set("expiration_intent", layout.chance(50) ? .string(intent) : .number(Int64(intent) ?? 0))
        }
        let id = notice.state.originalTransactionId
        switch topLevelId {
        case .absent: break
        case .string: body.set("original_transaction_id", id)
        case .number: body.set("original_transaction_id", .number(Int64(id) ?? 0))
        }
    }

    private var topLevelId: Setting.TopLevelId {
        mutating get {
            switch setting.era {
            case .legacy: .absent
            case .transition: layout.chance(2) ? .string : .absent
            case .unified:
                notice.at >= AppleCalendar.originalTransactionAtTop || notice.state.renewal == nil
                    ? setting.topLevelId : .absent
            }
        }
    }

    mutating func unifiedReceipt() -> JSONText {
        var receipt = JSONMembers()
        receipt.set("environment", setting.environment == .production ? "Production" : "Sandbox")
        receipt.set("latest_receipt", "MII" + blob())
        if notice.listing != .none {
            receipt.set("latest_receipt_info", .array(orderedRows().map(unifiedRow)))
        }
        let entries = pendingEntries()
        if !entries.isEmpty { receipt.set("pending_renewal_info", .array(entries)) }
        let isWord = notice.at < AppleCalendar.statusBecomesNumber && layout.chance(60)
        receipt.set("status", isWord ? .string("OK") : .number(0))
        return receipt.value
    }

    private mutating func orderedRows() -> [ReceiptRow] {
        let rows = notice.listing.rows(of: account.rows(with: notice.state, at: notice.at))
        switch setting.rowOrder {
        case .newestFirst: return rows.reversed()
        case .oldestFirst: return rows
        case .shuffled: return layout.shuffled(rows)
        }
    }

    private func unifiedRow(_ row: ReceiptRow) -> JSONText {
        var members = JSONMembers()
        members.set("quantity", "1")
        members.set("product_id", row.productId)
        members.set("transaction_id", row.transactionId)
        members.set("original_transaction_id", row.originalTransactionId)
        members.set("web_order_line_item_id", row.webOrderLineItemId)
        members.setDate("purchase_date", row.purchase)
        members.setDate("original_purchase_date", row.originalPurchase)
        members.setDate("expires_date", row.expires)
        members.setDate("cancellation_date", row.cancellation)
        members.set("cancellation_reason", row.cancellationReason)
        members.set("is_trial_period", row.isTrial ? "true" : "false")
        if row.expires != nil { members.set("is_in_intro_offer_period", row.isIntroductory ? "true" : "false") }
        if row.isUpgraded { members.set("is_upgraded", "true") }
        members.set("promotional_offer_id", row.promotionalOfferId)
        members.set("offer_code_ref_name", row.offerCode)
        members.set("subscription_group_identifier", row.group)
        if notice.at >= AppleCalendar.ownershipInRows { members.set("in_app_ownership_type", row.ownership.rawValue) }
        members.set("app_account_token", row.appAccountToken)
        return members.value
    }

    private mutating func pendingEntries() -> [JSONText] {
        let states = [notice.state] + account.neighbours(of: notice.state, at: notice.at)
        return layout.shuffled(states).compactMap { state in
            guard let renewal = state.renewal, let row = state.rows.last else { return nil }
            var members = JSONMembers()
            members.set("auto_renew_product_id", renewal.nextProductId)
            members.set("product_id", row.productId)
            members.set("original_transaction_id", state.originalTransactionId)
            members.set("auto_renew_status", renewal.autoRenews ? "1" : "0")
            members.set("expiration_intent", renewal.expirationIntent)
            members.set("is_in_billing_retry_period", renewal.isInRetry.map { $0 ? "1" : "0" })
            members.setDate("grace_period_expires_date", renewal.graceUntil)
            members.set("price_consent_status", renewal.priceConsent)
            members.set("promotional_offer_id", renewal.promotionalOfferId)
            members.set("offer_code_ref_name", renewal.offerCode)
            return members.value
        }
    }

    mutating func blob() -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let length = blobs.number(setting.receiptLength) / 4 * 4
        return String((0..<max(1, length - 3)).map { _ in blobs.pick(alphabet) })
    }
}
