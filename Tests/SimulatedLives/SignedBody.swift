/// Writes a notification of version 2 as Apple documents it: `responseBodyV2`, or the
/// `responseBodyV2DecodedPayload` that an archive keeps after it has been verified.
struct SignedBody: Sendable {
    enum Form: Sendable { case signed, decodedWithSignedParts, decoded }

    let notice: Notice
    let signed: Notice.Signed
    let setting: Setting
    /// Decides the signatures, which nobody can check.
    var random: SeededGenerator

    mutating func bytes() -> [UInt8] {
        var payload = JSONMembers()
        payload.set("notificationType", signed.pair.type)
        payload.set("subtype", signed.pair.subtype)
        payload.set("notificationUUID", signed.uuid)
        payload.set("data", data())
        payload.set("version", "2.0")
        if notice.at >= AppleCalendar.outerSignedDate { payload.set("signedDate", .number(notice.at)) }
        guard setting.signedForm == .signed else { return payload.value.bytes }
        return JSONText.object([("signedPayload", .string(jws(payload.value)))]).bytes
    }

    private mutating func data() -> JSONText {
        var data = JSONMembers()
        if setting.environment == .production {
            data.set("appAppleId", .number(Int64(setting.app.itemId) ?? 0))
        }
        data.set("bundleId", setting.app.bundleId)
        data.set("bundleVersion", setting.version)
        data.set("environment", environment)
        let rows = notice.state.rows
        let row = rows.last { $0.transactionId == notice.transactionId } ?? rows.last
        if let row { add(transactionInfo(of: row), as: "TransactionInfo", to: &data) }
        if let renewal = notice.state.renewal, let last = rows.last {
            add(renewalInfo(renewal, of: last), as: "RenewalInfo", to: &data)
            if notice.at >= AppleCalendar.refundReversals { data.set("status", .number(status(renewal, of: last))) }
        }
        return data.value
    }

    private mutating func add(_ info: JSONText, as name: String, to data: inout JSONMembers) {
        if setting.signedForm == .decoded {
            data.set(name.prefix(1).lowercased() + name.dropFirst(), info)
        } else {
            data.set("signed" + name, jws(info))
        }
    }

    var environment: String { setting.environment == .production ? "Production" : "Sandbox" }

    func transactionInfo(of row: ReceiptRow) -> JSONText {
        var info = JSONMembers()
        info.set("transactionId", row.transactionId)
        info.set("originalTransactionId", row.originalTransactionId)
        info.set("webOrderLineItemId", row.webOrderLineItemId)
        info.set("bundleId", setting.app.bundleId)
        info.set("productId", row.productId)
        info.set("subscriptionGroupIdentifier", row.group)
        info.set("purchaseDate", .number(row.purchase))
        info.set("originalPurchaseDate", .number(row.originalPurchase))
        if let expires = row.expires { info.set("expiresDate", .number(expires)) }
        info.set("quantity", .number(1))
        info.set("type", productType(of: row))
        info.set("appAccountToken", row.appAccountToken)
        info.set("inAppOwnershipType", row.ownership.rawValue)
        if row.isUpgraded { info.set("isUpgraded", .bool(true)) }
        if let revoked = row.cancellation, !row.isUpgraded {
            info.set("revocationReason", .number(row.cancellationReason == "1" ? 1 : 0))
            info.set("revocationDate", .number(revoked))
        }
        finish(
            &info, isIntroductory: row.isTrial || row.isIntroductory, promotional: row.promotionalOfferId,
            code: row.offerCode)
        return info.value
    }

    func renewalInfo(_ renewal: RenewalState, of row: ReceiptRow) -> JSONText {
        var info = JSONMembers()
        if let intent = renewal.expirationIntent { info.set("expirationIntent", .number(Int64(intent) ?? 5)) }
        info.set("originalTransactionId", row.originalTransactionId)
        info.set("autoRenewProductId", renewal.nextProductId)
        info.set("productId", row.productId)
        info.set("autoRenewStatus", .number(renewal.autoRenews ? 1 : 0))
        if let isInRetry = renewal.isInRetry { info.set("isInBillingRetryPeriod", .bool(isInRetry)) }
        if let consent = renewal.priceConsent { info.set("priceIncreaseStatus", .number(Int64(consent) ?? 0)) }
        if let end = renewal.graceUntil { info.set("gracePeriodExpiresDate", .number(end)) }
        finish(&info, isIntroductory: false, promotional: renewal.promotionalOfferId, code: renewal.offerCode)
        if renewal.autoRenews, let expires = row.expires { info.set("renewalDate", .number(expires)) }
        return info.value
    }

    /// The offer, if there is one, and what stands at the end of every part.
    private func finish(_ info: inout JSONMembers, isIntroductory: Bool, promotional: String?, code: String?) {
        let type: Int64 = code != nil ? 3 : promotional != nil ? 2 : isIntroductory ? 1 : 0
        if type > 0 { info.set("offerType", .number(type)) }
        info.set("offerIdentifier", code ?? promotional)
        info.set("signedDate", .number(notice.at))
        info.set("environment", environment)
    }

    private func productType(of row: ReceiptRow) -> String {
        if row.expires != nil { return "Auto-Renewable Subscription" }
        if row.productId.contains("season") { return "Non-Renewing Subscription" }
        let isConsumable = setting.app.oneTimeProducts.contains { $0.productId == row.productId && $0.isConsumable }
        return isConsumable ? "Consumable" : "Non-Consumable"
    }

    /// 1 active, 2 expired, 3 in billing retry, 4 in grace, 5 revoked.
    func status(_ renewal: RenewalState, of row: ReceiptRow) -> Int64 {
        if row.cancellation != nil { return 5 }
        let at = notice.signed?.statedAt ?? notice.at
        guard let expires = row.expires, expires <= at else { return 1 }
        guard renewal.isInRetry == true else { return 2 }
        return (renewal.graceUntil ?? 0) > at ? 4 : 3
    }

    mutating func jws(_ payload: JSONText) -> String {
        let header = JSONText.object([
            ("alg", .string("ES256")), ("x5c", .array([.string("MIIEMDCCA7ag"), .string("MIIDFjCCApyg")])),
        ])
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let signature = String((0..<85).map { _ in random.pick(alphabet) }) + "A"
        return "\(header.base64URL).\(payload.base64URL).\(signature)"
    }
}
