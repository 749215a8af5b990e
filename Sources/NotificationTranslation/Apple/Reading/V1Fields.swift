/// What the walk through a version 1 body found: ranges in the body, nothing copied, nothing judged.
///
/// A reference, so that drafting, facts and rows all look at one value without counting references to its tables. A
/// decoder fills its own again and again.
final class V1Fields {
    // Run-time exclusivity checks on `root`, `rows`, `singles` and `pending` cost 15 % of a small record.
    /// One row: the scalars of the outermost object.
    @exclusivity(unchecked) var root = TextTable(width: KeyTable.capacity, rows: 1)
    /// Transactions, those of `unified_receipt` first, then the single ones of the first era.
    @exclusivity(unchecked) var rows = TextTable(width: V1Keys.Row.allCases.count)
    /// The single transactions, until ``closeRows()`` puts them after the others.
    @exclusivity(unchecked) private var singles = TextTable(width: V1Keys.Row.allCases.count, rows: 2)
    /// How many of `rows` come from `unified_receipt`.
    var unifiedRows = 0
    /// How many of `rows`, the last ones, come from the verified receipt; see ``ReceiptRows``.
    var receiptRows = 0
    @exclusivity(unchecked) var pending = TextTable(width: V1Keys.Pending.allCases.count)
    var unifiedEnvironment = JSONText.absent
    /// The receipt of `unified_receipt`: read by ``ReceiptJudge`` alone, else only distinguished from another.
    private var unifiedLatestReceipt = JSONText.absent
    /// Whether a field held an object or array where a scalar belongs, or the other way round.
    var hasMisplacedValue = false
    /// Whether the transactions at the top level are a list such as that of `unified_receipt`, not single ones.
    private var singlesAreList = false
    /// What of the body is not in the shape that Apple sends.
    var oddities: BodyOddities = []
    /// The single transactions that say again what a row before them says, where there are so many that looking for
    /// each would take quadratic time; `nil` where ``isRow(_:of:_:)`` looks for itself.
    private(set) var repeats: Set<Int>?

    func removeAll() {
        root.removeAll()
        rows.removeAll()
        singles.removeAll()
        pending.removeAll()
        unifiedRows = 0
        receiptRows = 0
        unifiedEnvironment = .absent
        unifiedLatestReceipt = .absent
        hasMisplacedValue = false
        singlesAreList = false
        oddities = []
        repeats = nil
    }

    /// How many rows say which purchase is meant: those of the body, if it has any.
    var subjectRows: Int { rows.count > receiptRows ? rows.count - receiptRows : rows.count }

    /// Makes them the same as others, with every text copied after what `buffer` holds.
    func copy(_ other: V1Fields, from memory: UnsafeRawPointer, to buffer: OutputBuffer) {
        (root, rows, pending) = (other.root, other.rows, other.pending)
        (unifiedRows, receiptRows, repeats) = (other.unifiedRows, other.receiptRows, other.repeats)
        (unifiedEnvironment, unifiedLatestReceipt) = (other.unifiedEnvironment, other.unifiedLatestReceipt)
        (hasMisplacedValue, oddities) = (other.hasMisplacedValue, other.oddities)
        let copied = { (text: JSONText) in
            guard !text.isAbsent else { return text }
            let begin = buffer.count
            buffer.append(UnsafeRawBufferPointer(start: memory + text.start, count: text.count))
            return JSONText(begin, buffer.count, escaped: text.hasEscapes)
        }
        root.copyTexts(copied)
        rows.copyTexts(copied)
        pending.copyTexts(copied)
        unifiedEnvironment = copied(unifiedEnvironment)
        unifiedLatestReceipt = copied(unifiedLatestReceipt)
    }

    /// The receipt that is verified, where receipts are: that of `unified_receipt`, else one of the first era.
    var receipt: JSONText {
        guard unifiedLatestReceipt.isBlank else { return unifiedLatestReceipt }
        return self[.latestReceipt].isBlank ? self[.latestExpiredReceipt] : self[.latestReceipt]
    }

    subscript(key: V1Keys.Root) -> JSONText { root[0, key.rawValue] }

    subscript(row row: Int, key: V1Keys.Row) -> JSONText { rows[row, key.rawValue] }

    subscript(pending entry: Int, key: V1Keys.Pending) -> JSONText { pending[entry, key.rawValue] }

    /// A number that distinguishes a body that names no purchase from another of the same words; 0 where it has nothing
    /// to make one of.
    ///
    /// It is made of the ids of the rows and of the receipts or, without receipts, of the dates of the first row. 16 bits
    /// of it come from the secret, which differs from app to app; they are too few to guess it. The 16 bits above those
    /// come from the receipts, which may be made anew for each delivery.
    func fingerprint(_ memory: UnsafeRawPointer) -> UInt64 {
        guard root.count > 0 else { return 0 }
        func mix(_ start: UInt64, _ text: JSONText) -> UInt64 {
            if text.isBlank { return start }
            var hash = StableHash(start ^ StableHash.start ^ UInt64(text.count))
            hash.addWords(TextView(memory: memory).bytes(text))
            return hash.mixed
        }
        var receipts = [unifiedLatestReceipt, self[.latestReceipt], self[.latestExpiredReceipt]].reduce(0, mix)
        if receipts == 0, rows.count > 0 {
            // The receipts were removed, and the ids masked; the dates differ from customer to customer.
            let dates = [V1Keys.Row.purchaseDateMs, .purchaseDate, .expiresDateMs]
            receipts = dates.map { self[row: 0, $0] }.reduce(0, mix)
        }
        let secret = self[.password].isBlank ? 0 : mix(0, self[.password]) >> 48 | 1
        // Rows come in any order.
        let ids = (0..<rows.count).reduce(0) { $0 &+ mix(0, self[row: $1, .originalTransactionID]) }
        return (ids == 0 ? receipts : ids) << 32 | receipts & 0xFFFF << 16 | secret
    }

    /// Makes absent what typed languages write into the ids and codes of the outermost object for "not there", and
    /// gives the row that `web_order_line_item_id` names the cancellation that is beside it.
    func completeRoot(_ memory: UnsafeRawPointer) {
        let view = TextView(memory: memory)
        root.clear(Self.numbersOfRoot) { view.same($0, "0") }
        clearMasks(view)
        nameUnnamed(view)
        if rows.count - unifiedRows > 8 { findRepeats(view) }
        if !self[.webOrderLineItemID].isBlank { nameCancelledRow(view) }
        noteTexts(view)
    }

    /// Ids and codes of the outermost object.
    private static let numbersOfRoot = [
        V1Keys.Root.originalTransactionID, .webOrderLineItemID, .expirationIntent,
    ].map(\.rawValue)

    private func findRepeats(_ view: TextView) {
        var known: Set<String> = []
        var repeats: Set<Int> = []
        for row in 0..<rows.count where !self[row: row, .transactionID].isBlank {
            let isNew = known.insert(view.string(self[row: row, .transactionID])).inserted
            if !isNew, row >= unifiedRows { repeats.insert(row) }
        }
        self.repeats = repeats
    }

    /// Notes texts where receipts belong.
    private func noteTexts(_ view: TextView) {
        for key in [V1Keys.Root.unifiedReceipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .pendingRenewalInfo]
        where !self[key].isBlank {
            if view.holdsJSON(self[key]) {
                oddities.insert(.texts)
            } else {
                hasMisplacedValue = true
            }
        }
    }

    /// Bodies of CANCEL up to 2021 state the cancellation at the top level, and some of them nowhere else.
    private func nameCancelledRow(_ view: TextView) {
        for row in 0..<rows.count where view.same(self[row: row, .webOrderLineItemID], self[.webOrderLineItemID]) {
            guard date(.cancellation, row: row, view).date == nil else { continue }
            for (source, target) in [
                (V1Keys.Root.cancellationDate, V1Keys.Row.cancellationDate),
                (.cancellationDateMs, .cancellationDateMs), (.cancellationDatePst, .cancellationDatePst),
            ] { rows[row, target.rawValue] = self[source] }
        }
    }

    /// Reads `unified_receipt`, and notes signs that it was rewritten: Apple may add members, but sends at least one that is
    /// known.
    func takeUnifiedReceipt(_ value: JSONWalker.Value, _ walker: inout JSONWalker) throws(JSONFault) {
        guard value.kind == .object else { return try note(value, &walker) }
        let odditiesBefore = oddities
        var (isKnown, isUnknown) = (false, false)
        var object = try walker.enter()
        while let member = try walker.nextMember(of: &object, known: V1Keys.unified) {
            if member.slot >= 0 {
                isKnown = true
            } else if member.value.kind != .null {
                isUnknown = true
                noteUnknown(member, walker.memory)
            }
            switch member.slot {
            case V1Keys.Unified.environment.rawValue where member.value.kind == .string:
                unifiedEnvironment = member.value.text
            case V1Keys.Unified.latestReceipt.rawValue where member.value.kind == .string:
                unifiedLatestReceipt = member.value.text
            case V1Keys.Unified.latestReceiptInfo.rawValue:
                try takeRows(member.value, &walker, V1Keys.row, into: &rows)
            case V1Keys.Unified.pendingRenewalInfo.rawValue:
                try takeRows(member.value, &walker, V1Keys.pending, into: &pending)
            default:
                try walker.skip(member.value)
            }
        }
        if isUnknown, !isKnown, oddities == odditiesBefore { hasMisplacedValue = true }
    }

    /// Notes how a member that Apple does not send in `unified_receipt` came there: a column, a key in another case, a type
    /// of a database, or a field of a transaction.
    private func noteUnknown(_ member: JSONWalker.Member, _ memory: UnsafeRawPointer) {
        let key = KeyLog.characters(member.key, memory)
        noteKey(key, V1Keys.unified)
        oddities.formUnion(BodyOddities.of(member.key, member.value, memory).intersection(.paths))
        if TypedValues.isName(key) { oddities.insert(.typedValues) }
        if V1Keys.row.holds(key) || V1Keys.pending.holds(key) { hasMisplacedValue = true }
    }

    /// Notes a key that a table has in snake_case.
    private func noteKey(_ key: [UInt8], _ table: KeyTable) {
        if table.holds(BodyReshaper.snakeCase(key)) { oddities.insert(.receiptInCamelCase) }
    }

    /// Takes `latest_receipt_info` or `latest_expired_receipt_info` of the outermost object.
    ///
    /// An array of several is a list that was moved there from `unified_receipt`, and so is one whose rows have their
    /// end where that has it; a single transaction in an array is one.
    func takeSingle(_ value: JSONWalker.Value, _ walker: inout JSONWalker) throws(JSONFault) {
        let before = singles.count
        try takeRows(value, &walker, V1Keys.row, into: &singles)
        guard value.kind == .array, singles.count > before else { return }
        let end = V1Keys.Row.expiresDateMs.rawValue
        let endsAsInList = (before..<singles.count).contains { !singles[$0, end].isBlank }
        if singles.count > before + 1 || endsAsInList { singlesAreList = true }
    }

    /// Puts the single transactions after those of `unified_receipt`, whichever came first in the body.
    func closeRows() {
        unifiedRows = rows.count == 0 && singlesAreList ? singles.count : rows.count
        for single in 0..<singles.count { rows.append(single, of: singles) }
    }

    /// Takes an object or an array of them as rows of a table; anything else is none.
    func takeRows(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ keys: KeyTable, into table: inout TextTable
    ) throws(JSONFault) {
        switch value.kind {
        case .object:
            try takeRow(&walker, keys, into: &table)
        case .array:
            var array = try walker.enter()
            while let element = try walker.nextElement(of: &array) {
                if element.kind == .object {
                    try takeRow(&walker, keys, into: &table)
                } else {
                    try note(element, &walker)
                }
            }
        default:
            try note(value, &walker)
        }
    }

    /// Passes what is where an object belongs, and notes it: JSON in a text, which can be read, or something else.
    private func note(_ value: JSONWalker.Value, _ walker: inout JSONWalker) throws(JSONFault) {
        switch value.kind {
        case .null: break
        case .string where TextView(memory: walker.memory).holdsJSON(value.text): oddities.insert(.texts)
        case .string where value.text.isBlank: break
        default: hasMisplacedValue = true
        }
        try walker.skip(value)
    }

    /// Takes the object that `walker` is before as a row.
    private func takeRow(_ walker: inout JSONWalker, _ keys: KeyTable, into table: inout TextTable) throws(JSONFault) {
        let start = walker.at
        var found: BodyOddities = []
        try table.addRow { (row) throws(JSONFault) in
            try Self.takeScalars(&walker, keys, into: row, &found)
        }
        note(found)
        if Self.lastIsUnnamed(table) {
            takeUnnamed(try JSONTree(walker.memory, start..<walker.at), keys, into: &table)
        }
    }

    /// The same of an object that was taken apart.
    func takeRow(_ object: JSONTree, _ keys: KeyTable, into table: inout TextTable) throws(JSONFault) {
        let (row, found) = try TextTable.row(of: object, keys)
        table.append(0, of: row)
        note(found)
        if Self.lastIsUnnamed(table) { takeUnnamed(object, keys, into: &table) }
    }

    /// Whether the last row does not name its transaction or, in `pending_renewal_info`, its product, as one does that
    /// means something.
    private static func lastIsUnnamed(_ table: TextTable) -> Bool {
        let isRow = table.width == V1Keys.Row.allCases.count
        let name = isRow ? V1Keys.Row.transactionID.rawValue : V1Keys.Pending.productID.rawValue
        return table[table.count &- 1, name].count < 2
    }

    /// Notes what was met where a scalar belongs.
    func note(_ found: BodyOddities) {
        guard !found.isEmpty else { return }
        oddities.formUnion(found)
        if found.contains(.misplaced) { hasMisplacedValue = true }
    }

    /// Removes the last row if it says nothing, and notes why it may be that it names nothing: its keys are in another
    /// case, or its values in types of a database.
    private func takeUnnamed(_ object: JSONTree, _ keys: KeyTable, into table: inout TextTable) {
        let isEmpty = (0..<table.width).allSatisfy { table[table.count - 1, $0].isAbsent }
        if isEmpty || Self.isVoid(table, object.memory) { table.removeLastRow() }
        if TypedValues.isWrapping(object) { return note(.typedValues) }
        var isUnknown = false
        for (name, value) in object.pairs where name.slot(in: keys) < 0 && value.kind != .null {
            guard value.kind != .string || !value.range.isBlank else { continue }
            noteKey(name.withCharacters { Array($0) }, keys)
            isUnknown = true
        }
        if isEmpty, isUnknown, !oddities.contains(.receiptInCamelCase) { hasMisplacedValue = true }
    }

    /// Whether the last row holds nothing but what typed languages write for an object that is not there.
    private static func isVoid(_ table: TextTable, _ memory: UnsafeRawPointer) -> Bool {
        let view = TextView(memory: memory)
        return (0..<table.width).allSatisfy { slot in
            let text = table[table.count - 1, slot]
            return view.isZero(text) || view.truth(text) == false
        }
    }

    /// Takes the known scalars of the object that `walker` is before; `null` counts as absent.
    ///
    /// Objects and arrays in the place of scalars are what was found.
    private static func takeScalars(
        _ walker: inout JSONWalker, _ keys: KeyTable, into row: UnsafeMutableBufferPointer<JSONText>,
        _ found: inout BodyOddities
    ) throws(JSONFault) {
        var object = try walker.enter()
        while true {
            walker.takeTexts(of: &object, known: keys, into: row)
            guard let member = try walker.nextMember(of: &object, known: keys) else { break }
            if member.value.kind.isScalar {
                if member.slot >= 0, member.value.kind != .null {
                    row[member.slot] = try member.value.read(in: walker.memory)
                }
            } else {
                let value = try walker.tree(of: member.value)
                if member.slot >= 0 { found.formUnion(.inPlaceOfScalar(value)) }
            }
        }
    }
}
