/// Rewrites a body that was stored in another shape into Apple's shape, so that one decoder reads all.
///
///     {"notificationType":"CANCEL","unifiedReceipt":"{\"latestReceiptInfo\":[…]}"}
///     {"notification_type":"CANCEL","unified_receipt":{"latest_receipt_info":[…]}}
///
/// Texts that hold JSON where an object or array belongs are put in as what they hold, columns such as
/// `unified_receipt.latest_receipt_info` are put into the object that they name, and keys in another case get Apple's.
/// Scalar values stay, but a date without a zone gets one; members that are null or repeated are dropped. Nothing is
/// guessed: unknown keys stay, and the decoder passes over them.
struct BodyReshaper {
    /// The case that keys get; `untyped` leaves all as it is but for ``TypedValues``.
    enum Casing {
        case asIs, snake, camel, untyped
    }

    /// How often a body is rewritten: capitals first, then the case of version 1, then texts inside.
    static let mostReshapings = 3

    let casing: Casing
    /// Dates that named no zone; they were read as UTC, like times of arrival, or as the Pacific time that a key says.
    var zonelessDates = 0
    /// Whether fields of one transaction at the top level are put into a transaction.
    let gathersRow: Bool

    /// Appends an object in Apple's shape.
    mutating func reshape(_ object: JSONTree, to output: OutputBuffer) {
        var members = members(object, texts: 0)
        if casing != .camel {
            let columns = takeColumns(&members)
            if gathersRow, columns.isEmpty {
                gather(&members, V1Keys.row, "latest_receipt_info", besides: ["bid", "bvrs"], isList: false)
                gather(&members, V1Keys.pending, "pending_renewal_info", besides: ["auto_renew_status"], isList: true)
            }
            if case .object(let fields) = members["unified_receipt"] ?? .object([:]), !columns.isEmpty {
                members["unified_receipt"] = .object(fields.merging(columns) { own, _ in own })
            }
        }
        JSONValue.object(members).append(to: output)
    }

    // MARK: Reading

    private mutating func members(_ object: JSONTree, texts: Int) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (name, tree) in object.pairs {
            let key = recased(name.characters)
            let field = BodyOddities.column(of: key) ?? key
            var value = reshaped(tree, texts: texts, mayHoldJSON: Self.receiptKeys.contains(field))
            if case .string(let text) = value, let zone = Self.zone(ofDate: key) {
                value = .string(withZone(text, zone))
            }
            guard tree.kind != .null, members[key] == nil else { continue }
            members[key] = value
        }
        return members
    }

    private mutating func reshaped(_ value: JSONTree, texts: Int, mayHoldJSON: Bool) -> JSONValue {
        switch value.kind {
        case .object: return .object(members(value, texts: texts))
        case .array: return .array(value.parts.map { reshaped($0, texts: texts, mayHoldJSON: mayHoldJSON) })
        // Of texts inside texts three are read.
        case .string where mayHoldJSON && texts < 3:
            guard TextView(memory: value.memory).holdsJSON(value.range),
                let held = try? JSONTree(value.withCharacters { Array($0) })
            else { return JSONValue(value) }
            return reshaped(held, texts: texts + 1, mayHoldJSON: false)
        // A number keeps its digits, however many there are: who reads it says whether they are too many.
        case .number: return .number(value.characters)
        default: return JSONValue(value)
        }
    }

    /// The zone of a date of version 1 whose text names none, as its name says; `nil` if the key is not of a date.
    ///
    /// Dates of version 2 are read as UTC where they are read.
    private static func zone(ofDate key: String) -> String? {
        if key.hasSuffix("_date_pst") || key.hasSuffix("_date_formatted_pst") { return " America/Los_Angeles" }
        return key.hasSuffix("_date") || key.hasSuffix("_date_formatted") ? "Z" : nil
    }

    /// The text of a date with a zone if it names none; anything else as it is.
    private mutating func withZone(_ text: String, _ zone: String) -> String {
        let isZoneless = Array(text.utf8).withUnsafeBytes { CivilTime.read($0).map { !$0.hasZone } } ?? false
        guard isZoneless else { return text }
        zonelessDates += 1
        return text + zone
    }

    // MARK: Keys

    /// Keys whose values are objects or arrays, and which tables keep as texts.
    private static let receiptKeys = Set(
        BodyOddities.prefixes + [
            "data", "summary", "appData", "externalPurchaseToken", "unclaimInfo", "transactionInfo", "renewalInfo",
            "appTransactionInfo", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
        ])

    /// Names that others gave to Apple's fields, with Apple's.
    private static let otherNames = [
        "cancel_date": "cancellation_date", "cancel_date_ms": "cancellation_date_ms",
        "cancel_reason": "cancellation_reason", "notificationUuid": "notificationUUID",
        "autoRenewProductID": "autoRenewProductId",
    ]

    private func recased(_ key: String) -> String {
        let recased =
            switch casing {
            case .asIs, .untyped: key
            case .snake: Self.snakeCase(key)
            case .camel: String(decoding: Self.camelCase(Array(key.utf8)), as: UTF8.self)
            }
        return casing == .asIs ? key : Self.otherNames[recased] ?? recased
    }

    private static func isCapital(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

    /// `originalTransactionId` (or `…ID`) as `original_transaction_id`.
    static func snakeCase(_ key: [UInt8]) -> [UInt8] {
        var snake: [UInt8] = []
        for (place, byte) in key.enumerated() {
            let begins = isCapital(byte) && place > 0 && snake.last != 0x5F
            let endsRun = place + 1 < key.count && !isCapital(key[place + 1]) && key[place + 1] != 0x5F
            if begins, !isCapital(key[place - 1]) || endsRun { snake.append(0x5F) }
            snake.append(isCapital(byte) ? byte + 0x20 : byte)
        }
        return snake
    }

    static func snakeCase(_ name: String) -> String {
        String(decoding: snakeCase(Array(name.utf8)), as: UTF8.self)
    }

    /// `original_transaction_id` or `OriginalTransactionId` as `originalTransactionId`.
    static func camelCase(_ key: [UInt8]) -> [UInt8] {
        var camel: [UInt8] = []
        var raises = false
        for byte in key {
            if byte == 0x5F, !camel.isEmpty {
                raises = true
            } else if camel.isEmpty, isCapital(byte) {
                camel.append(byte + 0x20)
            } else {
                camel.append(raises && 0x61...0x7A ~= byte ? byte - 0x20 : byte)
                raises = false
            }
        }
        return camel
    }

    /// Takes out the members that are columns of `unified_receipt`, by their names in it.
    private func takeColumns(_ members: inout [String: JSONValue]) -> [String: JSONValue] {
        var columns: [String: JSONValue] = [:]
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let field = BodyOddities.column(of: key) else { continue }
            members[key] = nil
            columns[field] = columns[field] ?? value
        }
        return columns
    }

    /// Copies the fields of one transaction or one renewal from the top level into an object of their own.
    private func gather(
        _ root: inout [String: JSONValue], _ keys: KeyTable, _ name: String, besides others: Set<String>, isList: Bool
    ) {
        let fields = root.filter { keys.holds(Array($0.key.utf8)) && !others.contains($0.key) }
        guard root[name] == nil, fields.contains(where: { !V1Keys.root.holds(Array($0.key.utf8)) }) else { return }
        root[name] = isList ? .array([.object(fields)]) : .object(fields)
    }
}
