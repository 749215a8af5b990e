/// A record of the fixtures with one canary in it.
struct CanaryCase: Sendable {
    /// The number in the canary.
    var number: Int
    var record: [UInt8]
    /// Whether the canary sits where an event shows what stands there, and can be read.
    var mayBeShown: Bool
    /// Where it is and how it is broken, for people.
    var name: String
}

extension CanaryCase {
    /// How the text at the place of a string is written, made of the canary and the key it belongs to.
    private static let ofStrings: [(name: String, isReadable: Bool, write: @Sendable (String, String) -> String)] = [
        ("clean", true, { canary, _ in "\"\(canary)\"" }),
        ("escaped", true, { canary, _ in "\"\(escaped(canary))\"" }),
        ("long", true, { canary, _ in "\"" + String(repeating: canary + " ", count: 40) + "\"" }),
        ("bad escape", false, { canary, _ in "\"\(canary)\\q\"" }),
        ("bad hexadecimal", false, { canary, _ in "\"\(canary)\\u00zz\"" }),
        ("control character", false, { canary, _ in "\"\(canary)\u{1}\"" }),
        ("invalid UTF-8", false, { canary, _ in "\"\(canary)\u{F0001}\"" }),
        ("lone surrogate", false, { canary, _ in "\"\(canary)\\ud800\"" }),
        ("duplicate key", false, { canary, key in "\"\(canary)\",\"\(key)\":\"\(canary)\"" }),
        ("array", true, { canary, _ in "[\"\(canary)\"]" }),
        ("object", true, { canary, _ in "{\"\(canary)\":\"\(canary)\"}" }),
        ("word", false, { canary, _ in canary }),
        ("number", false, { canary, _ in "1\(canary)" }),
        ("open", false, { canary, _ in "\"\(canary)" }),
        ("cut inside", false, { canary, _ in "\"\(canary)\u{F0002}" }),
        ("cut behind", false, { canary, _ in "\"\(canary)\"\u{F0002}" }),
        ("no comma", false, { canary, _ in "\"\(canary)\" \"\(canary)\"" }),
        ("comma too many", false, { canary, _ in "\"\(canary)\",," }),
        ("trailing content", false, { canary, _ in "\"\(canary)\"}}}}}}\"\(canary)\"" }),
        (
            "too deep", false,
            { canary, _ in
                String(repeating: "[", count: 80) + "\"\(canary)\"" + String(repeating: "]", count: 80)
            }
        ),
        (
            "a body with a bad type", false,
            { canary, _ in "\"{\\\"notification_type\\\":5,\\\"password\\\":\\\"\(canary)\\\"}\"" }
        ),
        (
            "a broken body", false,
            { canary, _ in "\"{\\\"notification_type\\\":\\\"CANCEL\\\",\\\"\(canary)\\\"" + "\"" }
        ),
        (
            "a broken JWS", true,
            { canary, _ in
                let part = String(decoding: CanarySearch.base64(Array("{\"a\":\"\(canary)\"}".utf8)), as: UTF8.self)
                return "\"eyJhbGciOiJFUzI1NiJ9.\(part).\(canary)\""
            }
        ),
    ]

    /// Those of them that are a text like any other where an event shows what stands there.
    private static let texts: Set<String> = ["a body with a bad type", "a broken body", "a broken JWS"]

    /// The same for the place of a key.
    private static let ofKeys: [(name: String, isReadable: Bool, write: @Sendable (String) -> String)] = [
        ("clean key", true, { "\"\($0)\"" }),
        ("escaped key", true, { "\"\(escaped($0))\"" }),
        ("bad escape in a key", false, { "\"\($0)\\q\"" }),
        ("control character in a key", false, { "\"\($0)\u{1}\"" }),
        ("invalid UTF-8 in a key", false, { "\"\($0)\u{F0001}\"" }),
        ("key twice", false, { "\"\($0)\":1,\"\($0)\"" }),
        ("key without colon", false, { "\"\($0)\" 1,\"x\"" }),
        ("key without quotes", false, { $0 }),
        ("cut behind a key", false, { "\"\($0)\"\u{F0002}" }),
    ]

    /// Values that events show: what the contract lists, by the keys of both versions.
    ///
    /// Everything else is a leak.
    private static let shown: Set<String> = [
        // What is not 2.0 stands in the details.
        "version",
        "notification_type", "environment", "bid", "bvrs", "product_id", "transaction_id", "original_transaction_id",
        "web_order_line_item_id", "subscription_group_identifier", "in_app_ownership_type", "auto_renew_product_id",
        "offer_code_ref_name", "promotional_offer_id", "app_account_token", "app_item_id",
        "notificationType", "subtype", "notificationUUID", "bundleId", "bundleVersion", "appAppleId", "productId",
        "transactionId", "originalTransactionId", "webOrderLineItemId", "subscriptionGroupIdentifier", "type",
        "inAppOwnershipType", "appAccountToken", "offerIdentifier", "offerDiscountType", "storefront", "currency",
        "autoRenewProductId", "applicationVersion", "receiptType",
    ]

    /// Objects of version 2 whose members stand in `details` where no other field of an event holds them.
    private static let detailed = [
        ".data.", ".summary.", ".appData.", ".externalPurchaseToken.", ".unclaimInfo.", ".transactionInfo.",
        ".renewalInfo.", "\".transactionReason", "\".storefrontId",
    ]

    /// Where a payload has its signed parts, and what is read as one of them where signatures are not checked.
    private static let decoded: Set<String> = [
        "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
    ]
    private static let readAsParts: Set<String> = ["object", "a broken JWS"]

    /// Whether an event may show what stands at a place: a field of the contract, or a detail of version 2 that is
    /// neither signed nor named like a secret.
    private static func isShown(_ place: CanaryPlace, _ way: String) -> Bool {
        if !place.isKey, shown.contains(place.key) { return true }
        let isOfVersion2 = place.path.hasPrefix("#.") || detailed.contains { place.path.contains($0) }
        let name = place.key.lowercased()
        // A signed part that this build does not know is read as one, too.
        let isPart = decoded.contains(place.key) || isOfVersion2 && name.hasPrefix("signed")
        if isPart, readAsParts.contains(way) { return true }
        return isOfVersion2 && !name.hasPrefix("signed") && !name.contains("password") && !name.contains("receipt")
    }

    private static func escaped(_ canary: String) -> String {
        let stem = CanarySearch.stem.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
        return stem + canary.dropFirst(CanarySearch.stem.count).replacing("/", with: "\\/")
    }

    /// The bytes of a replacement, in which two private characters stand for what no string can hold.
    private static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xF0001: bytes.append(0xFF)
            case 0xF0002: bytes.append(CanaryWriter.cut)
            default: bytes += Array(String(Character(scalar)).utf8)
            }
        }
        return bytes
    }

    /// Each kind of place once in each way, wherever it comes first; within a text of JSON or a signed payload in every
    /// third way.
    static let some = Result {
        var cases: [CanaryCase] = []
        try forEach(everything: false) { cases.append($0) }
        return cases
    }

    /// Calls `visit` with every place of every fixture with a canary, whole and broken; or, not asked for everything,
    /// with ``some``.
    static func visit(everything: Bool, _ visit: (CanaryCase) throws -> Void) throws {
        if everything { try forEach(everything: true, visit) } else { try some.get().forEach(visit) }
    }

    private static func forEach(everything: Bool, _ visit: (CanaryCase) throws -> Void) throws {
        var seen: Set<String> = []
        var number = 0
        for (file, body) in try records() {
            var writer = CanaryWriter()
            guard let whole = try? writer.write(body) else { continue }
            for (index, place) in writer.places.enumerated() {
                let ways = place.isKey ? ofKeys.count : ofStrings.count
                for way in 0..<ways {
                    let isFirst = seen.insert("\(place.path) \(place.isKey) \(way)").inserted
                    let isNew = everything || isFirst && (place.range != nil || seen.count % 3 == 0)
                    let name = place.isKey ? ofKeys[way].name : ofStrings[way].name
                    guard isNew, place.isKey || !isShown(place, name) || !texts.contains(ofStrings[way].name)
                    else { continue }
                    number += 1
                    let canary = CanarySearch.canary(number)
                    let text = bytes(place.isKey ? ofKeys[way].write(canary) : ofStrings[way].write(canary, place.key))
                    try visit(
                        CanaryCase(
                            number: number, record: try record(whole, place, index, text, body),
                            mayBeShown: isShown(place, name)
                                && (place.isKey ? ofKeys[way].isReadable : ofStrings[way].isReadable),
                            name: "\(file) \(place.path): \(name)"))
                }
            }
        }
    }

    private static func record(
        _ whole: [UInt8], _ place: CanaryPlace, _ index: Int, _ text: [UInt8], _ body: [UInt8]
    ) throws -> [UInt8] {
        guard let range = place.range else {
            var writer = CanaryWriter()
            writer.replacement = (index, text)
            return try writer.write(body)
        }
        return Array((whole[..<range.lowerBound] + text + whole[range.upperBound...]).prefix { $0 != CanaryWriter.cut })
    }

    /// The records of all fixtures, each also inside an envelope that has secrets of its own.
    private static func records() throws -> [(name: String, record: [UInt8])] {
        var records: [(String, [UInt8])] = []
        var writer = CanaryWriter()
        for table in try Command.files(in: "Fixtures") where table != "README.md" {
            for folder in try Command.files(in: "Fixtures/" + table) {
                let path = table + "/" + folder
                let files = table == "archive" ? [path] : [path + "/input.json", path + "/input.ndjson"]
                for file in files {
                    guard let text = try? Command.file("Fixtures/" + file) else { continue }
                    let bytes = Array(text.utf8)
                    let isWhole = (try? writer.write(bytes)) != nil
                    let lines = isWhole ? [bytes] : bytes.split(separator: 0x0A).map(Array.init)
                    records += lines.map { (file, $0) }
                }
            }
        }
        let first =
            records.filter { $0.0.hasPrefix("v1-to-v2") }.prefix(1)
            + records.filter { $0.0.hasPrefix("v2-") }.prefix(1)
        for (file, record) in first {
            let body = String(
                decoding: try JSONEncoder().encode(String(decoding: record, as: UTF8.self)), as: UTF8.self)
            let received = #""received_at":"2021-06-01T09:00:12Z""#
            let text = #"{"headers":{"authorization":"x"},"ip":"x",\#(received),"body":\#(body)}"#
            records.append(("enveloped/" + file, Array(text.utf8)))
        }
        return records
    }
}
