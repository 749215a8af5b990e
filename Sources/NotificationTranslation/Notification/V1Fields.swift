/// What the walk through a version 1 body found: ranges in the body, nothing copied, nothing judged.
struct V1Fields: Hashable, Sendable {
    /// One row: the scalars of the outermost object.
    var root = TextTable(width: KeyTable.capacity, rows: 1)
    /// Transactions, those of `unified_receipt` first, then the single ones of the first era.
    var rows = TextTable(width: V1Keys.Row.allCases.count)
    /// How many of `rows` come from `unified_receipt`.
    var unifiedRows = 0
    var pending = TextTable(width: V1Keys.Pending.allCases.count)
    var unifiedEnvironment = JSONText.absent
    /// Whether the body has a `unified_receipt` object at all.
    var hasUnifiedReceipt = false
    /// Whether a field held an object or array where a scalar belongs.
    var hasMisplacedValue = false

    mutating func removeAll() {
        root.removeAll()
        rows.removeAll()
        pending.removeAll()
        unifiedRows = 0
        unifiedEnvironment = .absent
        hasUnifiedReceipt = false
        hasMisplacedValue = false
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
    mutating func takeUnifiedReceipt(_ walker: inout JSONWalker) throws(JSONFault) {
        hasUnifiedReceipt = true
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: V1Keys.unified) {
            switch member.slot {
            case V1Keys.Unified.environment.rawValue where member.value.kind == .string:
                unifiedEnvironment = member.value.text
            case V1Keys.Unified.latestReceiptInfo.rawValue:
                try takeRows(member.value, &walker)
            case V1Keys.Unified.pendingRenewalInfo.rawValue:
                try takePending(member.value, &walker)
            default:
                try walker.skip(member.value)
            }
        }
        unifiedRows = rows.count
    }

    /// Takes a transaction or an array of them; anything else is no transaction.
    mutating func takeRows(_ value: JSONWalker.Value, _ walker: inout JSONWalker) throws(JSONFault) {
        switch value.kind {
        case .object:
            try takeRow(&walker)
        case .array:
            var array = try walker.enterArray()
            while let element = try walker.nextElement(of: &array) {
                if element.kind == .object { try takeRow(&walker) } else { try walker.skip(element) }
            }
        default:
            break
        }
    }

    @inline(__always)
    private mutating func takeRow(_ walker: inout JSONWalker) throws(JSONFault) {
        var misplaced = false
        var empty = true
        try rows.addRow { (row) throws(JSONFault) in
            try Self.takeScalars(&walker, V1Keys.row, into: row, &misplaced, &empty)
        }
        if empty { rows.removeLastRow() }
        if misplaced { hasMisplacedValue = true }
    }

    private mutating func takePending(_ value: JSONWalker.Value, _ walker: inout JSONWalker) throws(JSONFault) {
        switch value.kind {
        case .object:
            try takePendingEntry(&walker)
        case .array:
            var array = try walker.enterArray()
            while let element = try walker.nextElement(of: &array) {
                if element.kind == .object { try takePendingEntry(&walker) } else { try walker.skip(element) }
            }
        default:
            break
        }
    }

    private mutating func takePendingEntry(_ walker: inout JSONWalker) throws(JSONFault) {
        var misplaced = false
        var empty = true
        try pending.addRow { (row) throws(JSONFault) in
            try Self.takeScalars(&walker, V1Keys.pending, into: row, &misplaced, &empty)
        }
        if empty { pending.removeLastRow() }
        if misplaced { hasMisplacedValue = true }
    }

    /// Takes the known scalars of the object that `walker` stands before; `null` counts as absent.
    @inline(__always)
    static func takeScalars(
        _ walker: inout JSONWalker, _ table: KeyTable, into row: UnsafeMutableBufferPointer<JSONText>,
        _ misplaced: inout Bool, _ empty: inout Bool
    ) throws(JSONFault) {
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: table) {
            if member.value.kind.isScalar {
                if member.slot >= 0, member.value.kind != .null {
                    row[member.slot] = member.value.text
                    empty = false
                }
            } else {
                if member.slot >= 0 { misplaced = true }
                try walker.skip(member.value)
            }
        }
    }
}
