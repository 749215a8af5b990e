/// What one body shows of the subscription it is about.
package struct Shown: Sendable {
    /// When Apple wrote it.
    package let at: Instant
    let rows: [ReceiptRow]
    let renewal: RenewalState?
    let statusChangedAt: Instant?

    init(of notice: Notice, in account: Account) {
        at = notice.at
        renewal = notice.state.renewal
        statusChangedAt = notice.statusChangedAt
        if notice.signed != nil {
            rows =
                (notice.state.rows.last { $0.transactionId == notice.transactionId } ?? notice.state.rows.last)
                .map { [$0] } ?? []
        } else {
            let id = notice.state.originalTransactionId
            rows = notice.rows(in: account).filter { $0.originalTransactionId == id }
        }
    }

    /// Apple's fields in short, without those that say nothing here.
    package var summary: String {
        var words: [String] = []
        if let renewal {
            words.append("renews \(renewal.autoRenews ? "on" : "off") to \(Shown.short(renewal.nextProductId))")
            if let intent = renewal.expirationIntent { words.append("intent \(intent)") }
            if let isInRetry = renewal.isInRetry { words.append("retry \(isInRetry)") }
            if let grace = renewal.graceUntil { words.append("grace until \(CivilTime(grace).text)") }
            if let consent = renewal.priceConsent { words.append("consent \(consent)") }
            if renewal.promotionalOfferId != nil || renewal.offerCode != nil { words.append("offer waits") }
        }
        if let statusChangedAt { words.append("status changed \(CivilTime(statusChangedAt).text)") }
        let lines = rows.suffix(4).map { "\n        " + Shown.line($0) }
        return words.joined(separator: ", ") + (rows.count > 4 ? "\n        …" : "") + lines.joined()
    }

    private static func line(_ row: ReceiptRow) -> String {
        var text = "\(row.transactionId) \(short(row.productId)) \(CivilTime(row.purchase).text)"
        if let expires = row.expires { text += " to \(CivilTime(expires).text)" }
        if let cancelled = row.cancellation {
            text += " cancelled \(CivilTime(cancelled).text) reason \(row.cancellationReason ?? "-")"
        }
        if row.isUpgraded { text += " upgraded" }
        if row.isTrial { text += " trial" }
        if row.promotionalOfferId != nil || row.offerCode != nil { text += " offer" }
        if row.ownership == .familyShared { text += " family" }
        return text
    }

    private static func short(_ product: String) -> String {
        product.split(separator: ".").suffix(2).joined(separator: ".")
    }
}

extension Instant {
    /// `2020-07-16 14:36:42`.
    package var clockText: String { CivilTime(self).text }
}
