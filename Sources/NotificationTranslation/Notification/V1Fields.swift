/// What the walk through a version 1 body found: ranges in the body, nothing copied, nothing judged.
///
/// A reference, so that drafting, facts and rows all look at one value without counting references to its tables. A
/// decoder fills its own again and again; once a ``V1Notification`` holds one, nobody changes it any more.
final class V1Fields: Hashable, @unchecked Sendable {
    /// One row: the scalars of the outermost object.
    @exclusivity(unchecked) var root = TextTable(width: KeyTable.capacity, rows: 1)
    /// Transactions, those of `unified_receipt` first, then the single ones of the first era.
    @exclusivity(unchecked) var rows = TextTable(width: V1Keys.Row.allCases.count)
    /// The single transactions, until ``closeRows()`` puts them behind the others.
    @exclusivity(unchecked) private var singles = TextTable(width: V1Keys.Row.allCases.count, rows: 2)
    /// How many of `rows` come from `unified_receipt`.
    @exclusivity(unchecked) var unifiedRows = 0
    @exclusivity(unchecked) var pending = TextTable(width: V1Keys.Pending.allCases.count)
    @exclusivity(unchecked) var unifiedEnvironment = JSONText.absent
    /// Whether a field held an object or array where a scalar belongs.
    @exclusivity(unchecked) var hasMisplacedValue = false

    init() {}

    /// The same fields, for someone who changes or keeps them.
    init(copying other: V1Fields) {
        copy(other)
    }

    /// Makes them the same as others.
    func copy(_ other: V1Fields) {
        root = other.root
        rows = other.rows
        singles = other.singles
        unifiedRows = other.unifiedRows
        pending = other.pending
        unifiedEnvironment = other.unifiedEnvironment
        hasMisplacedValue = other.hasMisplacedValue
    }

    static func == (one: V1Fields, other: V1Fields) -> Bool {
        one.root == other.root && one.rows == other.rows && one.pending == other.pending
            && one.unifiedRows == other.unifiedRows && one.unifiedEnvironment == other.unifiedEnvironment
            && one.hasMisplacedValue == other.hasMisplacedValue
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rows)
        hasher.combine(pending)
    }

    func removeAll() {
        root.removeAll()
        rows.removeAll()
        singles.removeAll()
        pending.removeAll()
        unifiedRows = 0
        unifiedEnvironment = .absent
        hasMisplacedValue = false
    }

    /// Forgets the ranges of the shared secret and the receipts.
    func forgetSecrets() {
        singles = TextTable(width: singles.width, rows: 0)
        guard root.count > 0 else { return }
        for key in [V1Keys.Root.password, .latestReceipt, .latestExpiredReceipt, .signedPayload] {
            root[0, key.rawValue] = .absent
        }
    }

    @inline(__always)
    subscript(key: V1Keys.Root) -> JSONText { root[0, key.rawValue] }

    @inline(__always)
    subscript(row row: Int, key: V1Keys.Row) -> JSONText { rows[row, key.rawValue] }

    @inline(__always)
    subscript(pending entry: Int, key: V1Keys.Pending) -> JSONText { pending[entry, key.rawValue] }
}

extension V1Fields {
    /// Takes the object that `walker` stands before as `unified_receipt`.
    func takeUnifiedReceipt(_ walker: inout JSONWalker, _ orders: KeyOrders) throws(JSONFault) {
        let keys = orders.unified
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: keys) {
            switch member.slot {
            case V1Keys.Unified.environment.rawValue where member.value.kind == .string:
                unifiedEnvironment = walker.settled(member.value.text)
            case V1Keys.Unified.latestReceiptInfo.rawValue:
                try Self.takeRows(member.value, &walker, orders.row, into: &rows, &hasMisplacedValue)
            case V1Keys.Unified.pendingRenewalInfo.rawValue:
                try Self.takeRows(member.value, &walker, orders.pending, into: &pending, &hasMisplacedValue)
            default:
                try walker.skip(member.value)
            }
        }
    }

    /// Takes `latest_receipt_info` or `latest_expired_receipt_info` of the outermost object.
    func takeSingle(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ orders: KeyOrders
    ) throws(JSONFault) {
        try Self.takeRows(value, &walker, orders.row, into: &singles, &hasMisplacedValue)
    }

    /// Puts the single transactions behind those of `unified_receipt`, whichever stood first in the body.
    func closeRows() {
        unifiedRows = rows.count
        for single in 0..<singles.count {
            rows.addRow { (row: UnsafeMutableBufferPointer<JSONText>) in
                for slot in 0..<row.count { row[slot] = singles[single, slot] }
            }
        }
    }

    /// Takes an object or an array of them as rows of a table; anything else is none.
    private static func takeRows(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ keys: KeyOrder,
        into table: inout TextTable, _ misplaced: inout Bool
    ) throws(JSONFault) {
        switch value.kind {
        case .object:
            try takeRow(&walker, keys, into: &table, &misplaced)
        case .array:
            var array = try walker.enterArray()
            while let element = try walker.nextElement(of: &array) {
                if element.kind == .object {
                    try takeRow(&walker, keys, into: &table, &misplaced)
                } else {
                    try walker.skip(element)
                }
            }
        case .null:
            break
        default:
            misplaced = true
        }
    }

    @inline(never)
    private static func takeRow(
        _ walker: inout JSONWalker, _ keys: KeyOrder, into table: inout TextTable, _ misplaced: inout Bool
    ) throws(JSONFault) {
        var empty = true
        try table.addRow { (row) throws(JSONFault) in
            try takeScalars(&walker, keys, into: row, &misplaced, &empty)
        }
        if empty { table.removeLastRow() }
    }

    /// Takes the known scalars of the object that `walker` stands before; `null` counts as absent.
    @inline(never)
    static func takeScalars(
        _ walker: inout JSONWalker, _ keys: KeyOrder, into row: UnsafeMutableBufferPointer<JSONText>,
        _ misplaced: inout Bool, _ empty: inout Bool
    ) throws(JSONFault) {
        var object = try walker.enterObject()
        while true {
            if walker.takeTexts(of: &object, known: keys, into: row) {
                empty = false
                if walker.leaves(object) { break }
            }
            guard let member = try walker.step(in: &object, known: keys.table) else { break }
            if member.value.kind.isScalar {
                if member.slot >= 0, member.value.kind != .null {
                    row[member.slot] = walker.settled(member.value.text)
                    empty = false
                }
            } else {
                if member.slot >= 0 { misplaced = true }
                try walker.skip(member.value)
            }
        }
    }
}
