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
        var place = V1Keys.Root.v2Data
        var transaction: [UInt8] = []
        var renewal: [UInt8] = []
        var appTransaction: [UInt8] = []
        /// The product of the transaction.
        var product: String?
    }

    /// The compact text of a JSON object; empty if there is nothing to say.
    static func text(of parts: Parts) -> [UInt8] {
        var details: [String: JSONValue] = [:]
        switch parts.place {
        case .v2Data: details = leftovers(parts.data, besides: data)
        case .v2Summary: add(leftovers(parts.data, besides: []), as: "summary", to: &details)
        case .v2ExternalPurchaseToken:
            add(leftovers(parts.data, besides: []), as: "external_purchase_token", to: &details)
        case .v2AppData: details = leftovers(parts.data, besides: data)
        case .v2UnclaimInfo: add(leftovers(parts.data, besides: []), as: "unclaim_info", to: &details)
        default: break
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
    /// - Parameters:
    ///   - whole: The text of the payload's object.
    ///   - parts: Its parts.
    /// - Returns: Members sorted by key, values as they were; nothing that could be a secret or a receipt.
    static func payload(_ whole: [UInt8], _ parts: Parts) -> [UInt8] {
        guard let tree = try? JSONTree(whole),
            case .object(var payload) = withoutSecrets(JSONValue(tree, naming: { $0 }))
        else {
            return []
        }
        // A blank one says nothing; the id that is made of the rest takes its place.
        if payload["notificationUUID"]?.string?.allSatisfy({ "0- ".contains($0) }) ?? false {
            payload["notificationUUID"] = nil
        }
        let key = parts.data.isEmpty ? "data" : V1Keys.root.name(parts.place.rawValue).description
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

    private static func leftovers(_ text: [UInt8], besides known: Set<String>) -> [String: JSONValue] {
        guard !text.isEmpty, let tree = try? JSONTree(text) else { return [:] }
        var members: [String: JSONValue] = [:]
        for (key, value) in tree.members where !known.contains(key) && !isSigned(key) && !isSecret(key) {
            if value.kind == .null || value.string == "" { continue }
            members[snakeCase(key)] = cleaned(JSONValue(value, naming: snakeCase))
        }
        return members
    }

    /// Without members that are signed or may be secret, however deep they are.
    private static func cleaned(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(cleaned))
        case .object(let members):
            return .object(members.filter { !isSigned($0.key) && !isSecret($0.key) }.mapValues(cleaned))
        default: return value
        }
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
