/// What a version 2 payload says and no other field of an event holds.
///
/// Keys become snake_case, values stay as they are, times in milliseconds as Apple writes them. Signatures and the
/// dates of signing are left out, and so is everything that could be a secret or a receipt: those never leave the
/// decoder.
///
///     {"data":{"consumptionRequestReason":"LEGAL","transactionInfo":{"transactionReason":"RENEWAL",…},…},…}
///     {"consumption_request_reason":"LEGAL","transaction":{"transaction_reason":"RENEWAL"}}
enum V2Details {
    /// Keys of `data` that other fields of an event hold.
    private static let data: Set<String> = [
        "environment", "appAppleId", "bundleId", "bundleVersion", "status", "transactionInfo", "renewalInfo",
        "appTransactionInfo", "originalTransactionId", "productId",
    ]

    /// Keys of the parts of a payload.
    private static let parts: Set<String> = ["transactionInfo", "renewalInfo", "appTransactionInfo"]

    /// Whether the value of a key says which app a payload is about.
    static func namesApp(_ key: String) -> Bool { ["environment", "appAppleId", "bundleId"].contains(key) }

    /// Keys of a transaction that other fields of an event hold.
    private static let transaction: Set<String> = [
        "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
        "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity", "type",
        "appAccountToken", "inAppOwnershipType", "environment", "revocationDate", "revocationReason", "isUpgraded",
        "offerType", "offerIdentifier", "offerDiscountType", "price", "currency", "storefront",
    ]

    /// Keys of a renewal info that other fields of an event hold; its product stays where it is another one than the
    /// transaction's.
    private static let renewal: Set<String> = [
        "originalTransactionId", "autoRenewProductId", "autoRenewStatus", "expirationIntent",
        "isInBillingRetryPeriod", "gracePeriodExpiresDate", "priceIncreaseStatus", "offerType", "offerIdentifier",
        "environment", "renewalDate", "appAccountToken",
    ]

    /// Keys of an app transaction that other fields of an event hold.
    private static let appTransaction: Set<String> = ["receiptType", "appAppleId", "bundleId", "applicationVersion"]

    /// The parts of a payload as texts of JSON objects; empty for one that is not there.
    struct Parts {
        /// `data`, or what takes its place.
        var data: [UInt8] = []
        /// The key of that.
        var key = "data"
        /// The whole payload; empty where nobody asks for it.
        var whole: [UInt8] = []
        /// The keys of its members that this build does not know.
        var unknown: Set<String> = []
        var transaction: [UInt8] = []
        var renewal: [UInt8] = []
        var appTransaction: [UInt8] = []
        /// The product of the transaction.
        var product: String?
    }

    /// The compact text of a JSON object; empty if there is nothing to say.
    static func text(of parts: Parts) -> [UInt8] {
        var details: [String: JSONValue] = [:]
        if !parts.unknown.isEmpty {
            // Where there is no `data`, its members are the payload's own.
            details = leftovers(parts.whole, only: parts.unknown, besides: parts.data.isEmpty ? data : [])
        }
        switch parts.key {
        case "data", "appData":
            details.merge(leftovers(parts.data, besides: data)) { _, own in own }
        default:
            add(leftovers(parts.data, besides: Self.parts), as: snakeCase(parts.key), to: &details)
        }
        add(leftovers(parts.transaction, besides: transaction), as: "transaction", to: &details)
        var coming = leftovers(parts.renewal, besides: renewal)
        if coming["product_id"]?.string == parts.product { coming["product_id"] = nil }
        add(coming, as: "renewal", to: &details)
        add(leftovers(parts.appTransaction, besides: appTransaction), as: "app_transaction", to: &details)
        guard !details.isEmpty else { return [] }
        let output = OutputBuffer(capacity: 256)
        JSONValue.object(details).append(to: output)
        return Array(output.bytes)
    }

    /// The payload as it was received, with the decoded parts beside what was signed: the text of a JSON object.
    ///
    /// - Parameter parts: Its parts, and the text of its object.
    /// - Returns: Members sorted by key, values as they were; nothing that could be a secret or a receipt.
    static func payload(_ parts: Parts) -> [UInt8] {
        guard let tree = try? JSONTree(parts.whole),
            case .object(var payload) = withoutSecrets(JSONValue(tree, naming: { $0 }))
        else {
            return []
        }
        // A blank one says nothing; the id that is made of the rest takes its place.
        if payload["notificationUUID"]?.string?.allSatisfy({ "0- ".contains($0) }) ?? false {
            payload["notificationUUID"] = nil
        }
        let key = parts.key
        var data: [String: JSONValue] = [:]
        if case .object(let members)? = payload[key] { data = members }
        let decoded = [
            ("transactionInfo", parts.transaction), ("renewalInfo", parts.renewal),
            ("appTransactionInfo", parts.appTransaction),
        ]
        for (name, text) in decoded {
            guard !text.isEmpty, let tree = try? JSONTree(text) else { continue }
            data[name] = withoutSecrets(JSONValue(tree) { $0 })
            // An object where Apple has a JWS is decoded already.
            let signed = "signed" + name.prefix(1).uppercased() + name.dropFirst()
            if case .object? = data[signed] { data[signed] = nil }
        }
        if !data.isEmpty { payload[key] = .object(data) }
        let output = OutputBuffer(capacity: 4096)
        JSONValue.object(payload).append(to: output)
        return Array(output.bytes)
    }

    /// Without members that may be secret, however deep they are.
    private static func withoutSecrets(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(withoutSecrets))
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.filter { !isSecret($0.key) }.map { key, value in
                        (key, key.hasSuffix("Date") ? milliseconds(value) : withoutSecrets(value))
                    }))
        case .number(let text):
            // What some languages make of a whole number, 1234567890.0, is read as one here too.
            .number(text.hasSuffix(".0") && !text.contains("e") ? String(text.dropLast(2)) : text)
        default: value
        }
    }

    /// A time in milliseconds, as Apple writes it: databases and typed languages write texts too.
    private static func milliseconds(_ value: JSONValue) -> JSONValue {
        if case .number(let text) = value, let time = text.split(separator: ".").first.flatMap({ Int64($0) }) {
            return .number(String(time))
        }
        guard case .string(let text) = value else { return withoutSecrets(value) }
        let time = Int64(text) ?? Array(text.utf8).withUnsafeBytes { AppleDate.receiveTime($0) }
        return time.map { .number(String($0)) } ?? value
    }

    private static func add(
        _ members: [String: JSONValue], as name: String, to details: inout [String: JSONValue]
    ) {
        if !members.isEmpty { details[name] = .object(members) }
    }

    private static func leftovers(
        _ text: [UInt8], only wanted: Set<String>? = nil, besides known: Set<String>
    ) -> [String: JSONValue] {
        guard !text.isEmpty, let tree = try? JSONTree(text) else { return [:] }
        var members: [String: JSONValue] = [:]
        for (key, value) in tree.members where !known.contains(key) && !isSigned(key) && !isSecret(key) {
            if let wanted, !wanted.contains(key) { continue }
            if value.kind == .null || value.string == "" || value.string.map(isJWS) == true { continue }
            members[snakeCase(key)] = cleaned(JSONValue(value, naming: snakeCase))
        }
        return members
    }

    /// Without members that are signed or may be secret, however deep they are.
    private static func cleaned(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.filter { !isJWS($0) }.map(cleaned))
        case .object(let members):
            return .object(
                members.filter { !isSigned($0.key) && !isSecret($0.key) && !isJWS($0.value) }.mapValues(cleaned))
        default: return value
        }
    }

    private static func isJWS(_ value: JSONValue) -> Bool { value.string.map(isJWS) ?? false }

    private static func isJWS(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { SignedPayload.looksLikeOne($0) }
    }

    /// Whether it is a JWS inside the payload, or when it was signed.
    private static func isSigned(_ key: String) -> Bool { key.hasPrefix("signed") }

    /// Whether it is named like something of version 1 that never leaves the decoder.
    private static func isSecret(_ key: String) -> Bool {
        let name = key.lowercased()
        return name.contains("password") || name.contains("secret")
            || name.contains("receipt") && !name.hasPrefix("receiptcreationdate")
    }

    /// `consumptionRequestReason` as `consumption_request_reason`; `appAppleID` as `app_apple_id`.
    static func snakeCase(_ key: String) -> String {
        var name = ""
        var wasUpper = true
        for scalar in key.unicodeScalars {
            let isUpper = ("A"..."Z").contains(scalar)
            if isUpper, !wasUpper { name += "_" }
            name += isUpper ? scalar.properties.lowercaseMapping : String(scalar)
            wasUpper = isUpper || scalar == "_"
        }
        return name
    }
}
