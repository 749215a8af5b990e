/// Rewrites a body that was stored in another shape into Apple's shape, so that one decoder reads all.
///
///     {"notificationType":"CANCEL","unifiedReceipt":"{\"latestReceiptInfo\":[…]}"}
///     {"notification_type":"CANCEL","unified_receipt":{"latest_receipt_info":[…]}}
///
/// Texts that hold JSON where an object or array belongs are put in as what they hold, keys that hold paths are put
/// where the path leads, and keys in another case get Apple's. Values are copied as they are. Nothing is guessed: what
/// has no place in Apple's shape stays where it was, and is passed over by the decoder as any other unknown key.
struct BodyReshaper {
    /// The case that keys get; `untyped` leaves all as it is but for ``TypedValues``.
    enum Casing {
        case asIs, snake, camel, untyped
    }

    private indirect enum Node {
        case scalar([UInt8])
        case object([Member])
        case array([Node])
    }

    private struct Member {
        var key: [UInt8]
        var value: Node
    }

    /// How often a body is rewritten: capitals first, then the case of version 1, then texts inside.
    static let mostReshapings = 3

    let casing: Casing
    /// Dates that named no zone; they were read as UTC, like times of arrival, or as the Pacific time that a key says.
    private(set) var zonelessDates = 0
    /// Whether fields of one transaction at the top level are put into a transaction.
    private let gathersRow: Bool

    init(_ casing: Casing, gathersRow: Bool) {
        self.casing = casing
        self.gathersRow = gathersRow
    }

    /// Appends an object in Apple's shape.
    mutating func reshape(_ object: JSONTree, to output: OutputBuffer) {
        var members = members(object, texts: 0)
        if casing != .camel { members = unfolded(members) }
        write(.object(members), to: output)
    }

    // MARK: Reading

    /// Texts inside texts that are read.
    private static let mostTexts = 3

    private mutating func members(_ object: JSONTree, texts: Int) -> [Member] {
        var members: [Member] = []
        var met: Set<[UInt8]> = []
        for (name, tree) in object.pairs {
            let key = recased(name.withCharacters { Array($0) })
            var value = node(tree, texts: texts, mayHoldJSON: Self.receiptKeys.contains(key))
            if case .scalar(let bytes) = value, let zone = Self.zone(ofDate: key) {
                value = .scalar(withZone(bytes, zone))
            }
            guard tree.kind != .null, met.insert(key).inserted else { continue }
            members.append(Member(key: key, value: value))
        }
        return members
    }

    private mutating func node(_ value: JSONTree, texts: Int, mayHoldJSON: Bool) -> Node {
        switch value.kind {
        case .object: return .object(members(value, texts: texts))
        case .array: return .array(value.parts.map { node($0, texts: texts, mayHoldJSON: mayHoldJSON) })
        case .string where mayHoldJSON && texts < Self.mostTexts:
            guard TextView(memory: value.memory).holdsJSON(value.range),
                let held = try? JSONTree(value.withCharacters { Array($0) })
            else { return .scalar(Array(value.quotedBytes)) }
            return node(held, texts: texts + 1, mayHoldJSON: false)
        default: return .scalar(Array(value.quotedBytes))
        }
    }

    /// The zone of a date of version 1 whose text names none, as its name says; `nil` if the key is not of a date.
    ///
    /// Dates of version 2 are read as UTC where they are read.
    private static func zone(ofDate key: [UInt8]) -> String? {
        let name = String(decoding: key, as: UTF8.self)
        if name.hasSuffix("_date_pst") || name.hasSuffix("_date_formatted_pst") { return " America/Los_Angeles" }
        return name.hasSuffix("_date") || name.hasSuffix("_date_formatted") ? "Z" : nil
    }

    /// A string of a date with a zone if it names none; anything else as it is.
    private mutating func withZone(_ string: [UInt8], _ zone: String) -> [UInt8] {
        guard string.count > 20, string.first == 0x22 else { return string }
        let text = string.dropFirst().dropLast()
        let isZoneless = Array(text).withUnsafeBytes { CivilTime.read($0).map { !$0.hasZone } } ?? false
        guard isZoneless else { return string }
        zonelessDates += 1
        return [0x22] + text + Array(zone.utf8) + [0x22]
    }

    // MARK: Keys

    /// Keys whose values are objects or arrays, and which tables keep as texts.
    private static let receiptKeys = Set(
        (BodyOddities.prefixes.map { "\($0)" } + [
            "unified_receipt.latest_receipt_info", "unified_receipt.pending_renewal_info",
            "unified_receipt_latest_receipt_info", "unified_receipt_pending_renewal_info", "data", "summary", "appData",
            "externalPurchaseToken", "unclaimInfo", "transactionInfo", "renewalInfo", "appTransactionInfo",
            "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
        ]).map { Array($0.utf8) })

    /// Names that others gave to Apple's fields.
    private static let otherNames: [(name: String, apple: String)] = [
        ("cancel_date", "cancellation_date"), ("cancel_date_ms", "cancellation_date_ms"),
        ("cancel_reason", "cancellation_reason"), ("notificationUuid", "notificationUUID"),
        ("autoRenewProductID", "autoRenewProductId"),
    ]

    private func recased(_ key: [UInt8]) -> [UInt8] {
        let key =
            switch casing {
            case .asIs, .untyped: key
            case .snake: Self.snakeCase(key)
            case .camel: Self.camelCase(key)
            }
        guard casing != .asIs, let other = Self.otherNames.first(where: { key.elementsEqual($0.name.utf8) }) else {
            return key
        }
        return Array(other.apple.utf8)
    }

    private static func isCapital(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

    /// `originalTransactionId` (or `…ID`) as `original_transaction_id`.
    static func snakeCase(_ key: [UInt8]) -> [UInt8] {
        var snake: [UInt8] = []
        for (place, byte) in key.enumerated() {
            guard isCapital(byte) else {
                snake.append(byte)
                continue
            }
            let endsRun = place + 1 < key.count && !isCapital(key[place + 1]) && key[place + 1] != 0x5F
            if place > 0, snake.last != 0x5F, !isCapital(key[place - 1]) || endsRun { snake.append(0x5F) }
            snake.append(byte + 0x20)
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

    // MARK: Paths

    /// A path that a key holds.
    private struct Path {
        var isUnified = false
        var list: String?
        var index: Int?
        var field: [UInt8] = []

        /// The path of a key such as `unified_receipt.latest_receipt_info[0].product_id`; `nil` for a plain key.
        init?(_ key: [UInt8]) {
            var rest = key[...]
            isUnified = Path.take("unified_receipt", &rest)
            list = ["latest_receipt_info", "latest_expired_receipt_info", "pending_renewal_info"].first {
                Path.take($0, &rest)
            }
            guard isUnified || list != nil, rest.count < key.count, isUnified || !rest.isEmpty else { return nil }
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            if list != nil, 1...4 ~= digits.count {
                index = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                rest = rest.dropFirst(digits.count).drop(while: Path.isSeparator)
            }
            field = Array(rest)
            if list == nil, field.isEmpty { return nil }
        }

        private static func isSeparator(_ byte: UInt8) -> Bool { ".[]/:_".utf8.contains(byte) }

        private static func take(_ name: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
            guard rest.starts(with: name.utf8) else { return false }
            let tail = rest.dropFirst(name.utf8.count)
            guard tail.first.map(isSeparator) ?? true else { return false }
            rest = tail.drop(while: isSeparator)
            return true
        }
    }

    /// Members with those of `unified_receipt` whose keys are paths beside it.
    private func lifted(_ members: [Member]) -> [Member] {
        let unified = Array("unified_receipt".utf8)
        return members.flatMap { member -> [Member] in
            guard member.key == unified, case .object(let fields) = member.value else { return [member] }
            let paths = fields.filter { Path($0.key) != nil }
            let others = fields.filter { Path($0.key) == nil }
            return [Member(key: unified, value: .object(others))]
                + paths.map { Member(key: unified + [0x2E] + $0.key, value: $0.value) }
        }
    }

    /// Puts members whose keys are paths where those lead, and the fields of a transaction into one.
    private func unfolded(_ members: [Member]) -> [Member] {
        let members = lifted(members)
        var root: [Member] = []
        var unified: [Member] = []
        var rows: [String: [Int: [Member]]] = [:]
        for member in members {
            guard let path = Path(member.key) else {
                root.append(member)
                continue
            }
            guard let list = path.list else {
                unified.append(Member(key: path.field, value: member.value))
                continue
            }
            let place = (path.isUnified ? "unified_receipt/" : path.index == nil ? "single/" : "list/") + list
            if path.field.isEmpty, path.index == nil {
                unified.append(Member(key: Array(list.utf8), value: member.value))
            } else if path.field.isEmpty, case .object(let fields) = member.value {
                rows[place, default: [:]][path.index ?? 0, default: []] += fields
            } else {
                let field = Member(key: path.field, value: member.value)
                rows[place, default: [:]][path.index ?? 0, default: []].append(field)
            }
        }
        if gathersRow, rows.isEmpty, unified.isEmpty { gatherRow(&root) }
        for (place, list) in rows.sorted(by: { $0.key < $1.key }) {
            let objects = list.sorted { $0.key < $1.key }.map { Node.object($0.value) }
            let parts = place.split(separator: "/")
            let key = Array(parts[1].utf8)
            switch parts[0] {
            case "unified_receipt": unified.append(Member(key: key, value: .array(objects)))
            case "single": root.append(Member(key: key, value: objects[0]))
            default: root.append(Member(key: key, value: .array(objects)))
            }
        }
        guard !unified.isEmpty else { return root }
        let key = Array("unified_receipt".utf8)
        if let place = root.firstIndex(where: { $0.key == key }) {
            if case .object(let fields) = root[place].value { root[place].value = .object(fields + unified) }
        } else {
            root.append(Member(key: key, value: .object(unified)))
        }
        return root
    }

    /// Copies the fields of one transaction, and those of one renewal, from the top level into an object of their own.
    private func gatherRow(_ root: inout [Member]) {
        gather(&root, V1Keys.row, "latest_receipt_info", besides: ["bid", "bvrs"], isList: false)
        gather(&root, V1Keys.pending, "pending_renewal_info", besides: ["auto_renew_status"], isList: true)
    }

    private func gather(
        _ root: inout [Member], _ keys: KeyTable, _ name: String, besides others: [String], isList: Bool
    ) {
        guard !root.contains(where: { $0.key.elementsEqual(name.utf8) }) else { return }
        let names = keys.allNames.filter { !others.contains($0) }
        let ownNames = V1Keys.root.allNames
        let fields = root.filter { member in names.contains { member.key.elementsEqual($0.utf8) } }
        let isThere = fields.contains { field in !ownNames.contains { field.key.elementsEqual($0.utf8) } }
        guard isThere else { return }
        let object = Node.object(fields)
        root.append(Member(key: Array(name.utf8), value: isList ? .array([object]) : object))
    }

    // MARK: Writing

    private func write(_ node: Node, to output: OutputBuffer) {
        switch node {
        case .scalar(let bytes):
            bytes.withUnsafeBytes { output.append($0) }
        case .array(let nodes):
            output.append(0x5B)
            for (place, node) in nodes.enumerated() {
                if place > 0 { output.append(0x2C) }
                write(node, to: output)
            }
            output.append(0x5D)
        case .object(let members):
            output.append(0x7B)
            var written: Set<[UInt8]> = []
            for member in members where written.insert(member.key).inserted {
                output.append(written.count > 1 ? ",\"" : "\"")
                member.key.withUnsafeBytes { JSONEscapes.escape($0, into: output) }
                output.append("\":")
                write(member.value, to: output)
            }
            output.append(0x7D)
        }
    }
}
