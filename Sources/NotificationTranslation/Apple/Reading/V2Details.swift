/// What a version 2 payload says and no other field of an event holds.
///
/// Keys become snake_case, values stay as they are, times in milliseconds as Apple writes them. What several parts say
/// is here where one of them says something else than the event. Signatures are left out, and so is everything that
/// could be a secret or a receipt: those never leave the decoder.
///
///     {"data":{"consumptionRequestReason":"LEGAL","transactionInfo":{"transactionReason":"RENEWAL",…},…},…}
///     {"consumption_request_reason":"LEGAL","transaction":{"transaction_reason":"RENEWAL"}}
enum V2Details {
    /// Keys of the parts of a payload.
    private static let parts = KeyTable([
        "transactionInfo", "renewalInfo", "signedTransactionInfo", "signedRenewalInfo",
    ])

    /// The same of an app transaction, which is not read beside a transaction.
    private static let appParts = KeyTable(["appTransactionInfo", "signedAppTransactionInfo"])

    /// Keys of a transaction and of a renewal info that other fields of an event hold.
    private static let transaction = held(
        V2Keys.transaction, besides: ["signedDate", "revocationType", "revocationPercentage"])
    private static let renewal = held(V2Keys.renewal, besides: ["signedDate"])

    private static func held(_ keys: KeyTable, besides others: Set<String>) -> KeyTable {
        KeyTable(keeping: keys.allNames.filter { !V2Keys.shared.allNames.contains($0) && !others.contains($0) })
    }

    /// Whether the event holds a value in its field for a key that several parts have.
    typealias Holds = (_ value: JSONTree, _ key: V2Keys.Shared) -> Bool

    /// The parts of a payload; `nil` for one that is not there.
    struct Parts {
        /// `data`, or what takes its place.
        var data: JSONTree?
        var key = "data"
        var whole: JSONTree?
        /// The keys of its members that this build does not know.
        var unknown: Set<String> = []
        /// The names that others gave to parts that were read.
        var names: Set<String> = []
        var transaction: JSONTree?
        var renewal: JSONTree?
        var appTransaction: JSONTree?
    }

    /// The compact text of a JSON object; empty if there is nothing to say.
    static func text(of parts: Parts, _ holds: Holds) -> [UInt8] {
        func isPart(_ key: JSONTree) -> Bool {
            key.slot(in: Self.parts) >= 0 || parts.appTransaction != nil && key.slot(in: appParts) >= 0
                || parts.names.contains(key.characters)
        }
        func isRead(_ key: JSONTree) -> Bool { isPart(key) || key.says("status") }
        var details: [String: JSONValue] = [:]
        if !parts.unknown.isEmpty {
            // Where there is no `data`, its members are the payload's own.
            details = leftovers(parts.whole, parts.data == nil ? holds : { _, _ in false }) { key in
                !parts.unknown.contains(key.characters) || isRead(key)
            }
        }
        switch parts.key {
        case "data", "appData":
            details.merge(leftovers(parts.data, holds, besides: isRead)) { _, own in own }
        default:
            add(leftovers(parts.data, besides: isPart), as: BodyReshaper.snakeCase(parts.key), to: &details)
        }
        add(leftovers(parts.transaction, holds) { $0.slot(in: transaction) >= 0 }, as: "transaction", to: &details)
        add(leftovers(parts.renewal, holds) { $0.slot(in: renewal) >= 0 }, as: "renewal", to: &details)
        add(leftovers(parts.appTransaction, holds) { _ in false }, as: "app_transaction", to: &details)
        return text(of: details)
    }

    /// Details with more members, sorted by key as before.
    static func text(_ details: [UInt8], adding more: [String: JSONValue]) -> [UInt8] {
        guard !more.isEmpty else { return details }
        guard let tree = try? JSONTree(details), case .object(let members) = JSONValue(tree) else {
            return text(of: more)
        }
        return text(of: members.merging(more) { own, _ in own })
    }

    private static func text(of members: [String: JSONValue]) -> [UInt8] {
        members.isEmpty ? [] : JSONValue.object(members).bytes
    }

    /// The payload as it was received, with the decoded parts beside what was signed: the text of a JSON object, members
    /// sorted by key, values as they were; nothing that could be a secret or a receipt.
    static func payload(_ parts: Parts) -> [UInt8] {
        guard let whole = parts.whole, case .object(var payload) = withoutSecrets(JSONValue(whole))
        else { return [] }
        // A blank one says nothing, an unfit one is none; the id that is made of the rest takes its place.
        if let id = payload["notificationUUID"]?.string,
            id.allSatisfy({ "0- ".contains($0) }) || TextView.saysNothing(id)
        {
            payload["notificationUUID"] = nil
        }
        let key = parts.key
        var data: [String: JSONValue] = [:]
        if case .object(let members)? = payload[key] { data = members }
        for name in parts.names { (payload[name], data[name]) = (nil, nil) }
        let decoded = [
            ("transactionInfo", parts.transaction), ("renewalInfo", parts.renewal),
            ("appTransactionInfo", parts.appTransaction),
        ]
        for case (let name, let part?) in decoded {
            (payload[name], data[name]) = (nil, withoutSecrets(JSONValue(part)))
            // An object where Apple has a JWS is decoded already.
            let signed = "signed" + name.prefix(1).uppercased() + name.dropFirst()
            if case .object? = data[signed] { data[signed] = nil }
        }
        if !data.isEmpty { payload[key] = .object(data) }
        return JSONValue.object(payload).bytes
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
        let time = Int64(text) ?? Array(text.utf8).withUnsafeBytes { AppleDate.received($0)?.milliseconds }
        return time.map { .number(String($0)) } ?? value
    }

    private static func add(
        _ members: [String: JSONValue], as name: String, to details: inout [String: JSONValue]
    ) {
        guard !members.isEmpty else { return }
        var all = members
        if case .object(let others)? = details[name] { all.merge(others) { own, _ in own } }
        details[name] = .object(all)
    }

    /// The members of an object except known ones and those that repeat a field of the event.
    private static func leftovers(
        _ object: JSONTree?, _ holds: Holds = { _, _ in false }, besides isKnown: (JSONTree) -> Bool
    ) -> [String: JSONValue] {
        guard let object else { return [:] }
        var members: [String: JSONValue] = [:]
        for (name, value) in object.pairs where !isKnown(name) {
            if value.kind == .null || value.kind == .string && value.range.isBlank { continue }
            if let shared = V2Keys.Shared(rawValue: name.slot(in: V2Keys.shared)),
                holds(value, shared) || TextView.saysNothing(value.characters)
            {
                continue
            }
            let key = name.characters
            if isSecret(key) { continue }
            // A zero value; no date begins so.
            if key == "signedDate", value.characters.hasPrefix("0") || value.characters.hasPrefix("-") { continue }
            put(key, value, opens: true, into: &members)
        }
        return members
    }

    /// Puts in a value without what may be secret in it; of a JWS its payload, under the name without `signed`.
    private static func put(_ key: String, _ value: JSONTree, opens: Bool, into members: inout [String: JSONValue]) {
        let name = BodyReshaper.snakeCase(key)
        let isSigned = name.hasPrefix("signed_") && name != "signed_date"
        if let cleaned = cleaned(value, opens: opens), !isSigned || value.string != cleaned.string {
            members[isSigned ? String(name.dropFirst(7)) : name] = cleaned
        }
    }

    /// Without members that may be secret, however deep they are, and without signatures; a JWS as what is signed in it,
    /// if it is opened.
    private static func cleaned(_ value: JSONTree, opens: Bool) -> JSONValue? {
        switch value.kind {
        case .string:
            let isJWS = value.withCharacters { $0.count > 20 && SignedPayload.looksLikeOne($0) }
            guard isJWS else { return JSONValue(value) }
            let payload = value.withCharacters { text in
                SignedPayload(text).flatMap { StrictBase64.decoded(url: $0.payload) }
            }
            return opens ? payload.flatMap { try? JSONTree($0) }.flatMap { cleaned($0, opens: false) } : nil
        case .array: return .array(value.parts.compactMap { cleaned($0, opens: false) })
        case .object:
            var members: [String: JSONValue] = [:]
            for (key, value) in value.members where !isSecret(key) { put(key, value, opens: false, into: &members) }
            return .object(members)
        default: return JSONValue(value)
        }
    }

    /// Whether it is named like something of version 1 that never leaves the decoder.
    private static func isSecret(_ key: String) -> Bool {
        let name = key.utf8.filter { $0 != UInt8(ascii: "_") }.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return name.withUnsafeBytes { name in
            name.holds("password") || name.holds("secret")
                || name.holds("receipt") && !name.elementsEqual("receipttype".utf8)
                    && !name.starts(with: "receiptcreationdate".utf8)
        }
    }
}
