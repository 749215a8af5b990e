/// Makes V1 bodies as a server would have kept them, one line each; nothing of a real store is in them.
///
/// The same profile and seed give the same lines for ever. What varies is what varies between apps and servers: the
/// order of members (unified receipt first or last, eight orders of the members of a transaction), optional members,
/// rows in any order, the style of the text.
struct BodyGenerator {
    private var random: SeededRandom
    private let profile: Profile
    private var orders: [[Int]]

    private static let weights: [(type: String, weight: Double)] = [
        ("DID_RENEW", 46), ("DID_CHANGE_RENEWAL_STATUS", 20), ("INITIAL_BUY", 9), ("DID_FAIL_TO_RENEW", 8),
        ("INTERACTIVE_RENEWAL", 5), ("DID_RECOVER", 4), ("CANCEL", 2), ("REFUND", 2), ("DID_CHANGE_RENEWAL_PREF", 2),
        ("PRICE_INCREASE_CONSENT", 0.5), ("CONSUMPTION_REQUEST", 0.5), ("REVOKE", 0.5), ("RENEWAL", 0.5),
    ]
    private static let bundles = [
        "com.example.fitness", "com.example.reader.pro", "com.acme.MusicBox", "org.sample.weather-plus",
        "com.example.games.PuzzleQuest",
    ]
    private static let plans = [
        ("weekly", 7), ("monthly", 30), ("quarterly", 91), ("yearly", 365), ("family.monthly", 30),
    ]
    private static let offers = [
        "spring_2020", "Black Friday", "réabonnement -50%", "新規登録キャンペーン", "win-back/90d", "he said \"yes\"",
    ]
    private static let ended: Set = ["CANCEL", "REFUND", "REVOKE"]

    init(_ profile: Profile, seed: UInt64) {
        self.profile = profile
        random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(profile.rawValue.utf8.count))
        let keys = TransactionRow.keys
        orders = [Array(keys.indices), keys.indices.sorted { keys[$0] < keys[$1] }]
        for _ in 0..<6 { orders.append(keys.indices.shuffled(using: &random)) }
    }

    /// The next body and its line end.
    mutating func line() -> [UInt8] {
        let type = pickType()
        let bundle = random.pick(Self.bundles)
        let (count, receiptSize) = profile.sizes(&random)
        let (head, rows) = transactions(count, type, bundle)
        let isSandbox = random.happens(0.04)
        let receipt = receipt(receiptSize)
        let repeatsReceipt = profile != .small && profile != .heavy && random.happens(0.3)
        let isRenewing = Self.ended.contains(type) ? false : random.happens(0.75)
        let order = random.pick(orders)
        let receiptFirst = random.happens(0.5)

        var text = BodyText(style: profile.style(&random), capacity: receiptSize * 2 + count * 1300 + 2048)
        text.open("{")
        let unified: (inout BodyGenerator, inout BodyText) -> Void = { generator, text in
            text.open("{", key: "unified_receipt")
            text.number("status", "0")
            text.string("environment", isSandbox ? "Sandbox" : "Production")
            if receiptFirst { text.base64("latest_receipt", receipt) }
            text.open("[", key: "latest_receipt_info")
            for row in rows {
                text.open("{")
                for place in order {
                    if let value = row.values[place] { text.string(TransactionRow.keys[place], value) }
                }
                text.close("}")
            }
            text.close("]")
            if !receiptFirst { text.base64("latest_receipt", receipt) }
            generator.pending(&text, head, type, isRenewing)
            text.close("}")
        }
        let unifiedFirst = random.happens(0.5)
        if unifiedFirst { unified(&self, &text) }
        text.string("notification_type", type)
        text.string("password", random.hexadecimal(32))
        text.string("environment", isSandbox ? "Sandbox" : "PROD")
        text.string("auto_renew_product_id", head["product_id"] ?? "")
        text.string("auto_renew_status", isRenewing ? "true" : "false")
        text.string("bid", bundle)
        text.string("bvrs", String(random.number(in: 1...999)))
        let original = head["original_transaction_id"] ?? "0"
        if random.happens(0.5) {
            text.number("original_transaction_id", original)
        } else {
            text.string("original_transaction_id", original)
        }
        if type == "DID_CHANGE_RENEWAL_STATUS" {
            let changed = (head["purchase_date_ms"].flatMap { Int($0) } ?? 0) + 86_400_000
            for (suffix, value) in TransactionRow.spellings(changed) {
                text.string("auto_renew_status_change_date" + suffix, value)
            }
        }
        if repeatsReceipt { text.base64("latest_receipt", receipt) }
        if !unifiedFirst { unified(&self, &text) }
        text.close("}")
        text.endLine()
        return text.bytes
    }

    private mutating func pickType() -> String {
        var rest = random.share() * 100
        for (type, weight) in Self.weights {
            rest -= weight
            if rest < 0 { return type }
        }
        return Self.weights[0].type
    }

    /// Real ones are PKCS #7 containers, whose base64 begins with `MII`.
    private mutating func receipt(_ size: Int) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes = Array("MII".utf8)
        bytes.reserveCapacity(size + 10)
        while bytes.count < size {
            var bits = random.next()
            for _ in 0..<10 {
                bytes.append(alphabet[Int(bits & 63)])
                bits >>= 6
            }
        }
        bytes.removeLast(bytes.count - size / 4 * 4)
        return bytes
    }

    private mutating func transactions(
        _ count: Int,
        _ type: String,
        _ bundle: String
    ) -> (head: TransactionRow, rows: [TransactionRow]) {
        var (plan, days) = random.pick(Self.plans)
        if (count - 1) * days > 12 * 365 { (plan, days) = ("monthly", 30) }  // none before the store opened
        let period = days * 86_400_000
        let newest = 1_590_000_000_000 + random.number(in: 0...99_999_999) * 1000
        let hasUpgrades = random.happens(0.5)
        let hasOffers = random.happens(0.4)
        let hasPromotions = random.happens(0.5)
        var common = TransactionRow()
        common["quantity"] = "1"
        common["product_id"] = "\(bundle).\(plan).v\(random.number(in: 1...9))"
        common["original_transaction_id"] = random.digits(15)
        common["subscription_group_identifier"] = random.digits(8)
        common["in_app_ownership_type"] = type == "REVOKE" || random.happens(0.05) ? "FAMILY_SHARED" : "PURCHASED"
        if random.happens(0.7) {
            let hex = random.hexadecimal(32)
            var token = ""
            for (place, digit) in hex.enumerated() {
                token += [8, 12, 16, 20].contains(place) ? "-\(digit)" : "\(digit)"
            }
            common["app_account_token"] = token
        }
        common.date("original_purchase_date", newest - (count - 1) * period)
        var rows: [TransactionRow] = []
        for place in 0..<count {
            let bought = newest - place * period + (place > 0 ? random.number(in: 0...3_599_999) : 0)
            var row = common
            row["transaction_id"] = random.digits(15)
            row["web_order_line_item_id"] = random.digits(15)
            row.date("purchase_date", bought)
            row.date("expires_date", bought + period)
            let isFirst = place == count - 1
            row["is_trial_period"] = isFirst && count % 3 == 0 ? "true" : "false"
            row["is_in_intro_offer_period"] = isFirst && count % 5 == 0 ? "true" : "false"
            if place == 0 && Self.ended.contains(type) || random.happens(0.02) {
                row.date("cancellation_date", bought + period / 3)
                row["cancellation_reason"] = random.pick(["0", "1"])
            }
            if hasUpgrades { row["is_upgraded"] = random.happens(0.03) ? "true" : "false" }
            if hasOffers { row["offer_code_ref_name"] = random.pick(Self.offers) }
            if hasPromotions { row["promotional_offer_id"] = "promo.\(plan).\(random.digits(6))" }
            rows.append(row)
        }
        let head = rows[0]
        let shape = random.share()
        if shape > 0.95 { rows.shuffle(using: &random) } else if shape > 0.85 { rows.reverse() }
        return (head, rows)
    }

    private mutating func pending(
        _ text: inout BodyText,
        _ head: TransactionRow,
        _ type: String,
        _ isRenewing: Bool
    ) {
        text.open("[", key: "pending_renewal_info")
        let product = head["product_id"] ?? ""
        for place in 0..<random.pick([1, 1, 1, 1, 1, 2, 2, 3]) {
            let name = place == 0 ? product : "\(product).addon\(place)"
            text.open("{")
            text.string("auto_renew_product_id", name)
            text.string(
                "original_transaction_id",
                place == 0 ? head["original_transaction_id"] ?? "" : random.digits(15)
            )
            text.string("product_id", name)
            text.string("auto_renew_status", isRenewing ? "1" : "0")
            if type == "DID_FAIL_TO_RENEW" {
                text.string("is_in_billing_retry_period", "1")
                text.string("expiration_intent", "2")
                if random.happens(0.4) {
                    let end = (head["expires_date_ms"].flatMap { Int($0) } ?? 0) + 16 * 86_400_000
                    for (suffix, value) in TransactionRow.spellings(end) {
                        text.string("grace_period_expires_date" + suffix, value)
                    }
                }
            } else if random.happens(0.15) {
                text.string("expiration_intent", String(random.number(in: 1...5)))
                text.string("is_in_billing_retry_period", "0")
            }
            if type == "PRICE_INCREASE_CONSENT" { text.string("price_consent_status", random.pick(["0", "1"])) }
            text.close("}")
        }
        text.close("]")
    }
}
