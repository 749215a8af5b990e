/// What is in place of an id after somebody masked it: `[FILTERED]` of Rails, `***`, `REDACTED`, `1000000XXXXXXX`.
///
/// Such a value is the same for every customer. Taken for an id it would join all of them to one subscription, so it
/// counts as absent, and the event says so with FIELD_UNREADABLE. A pseudonym, such as a hash, is an id like any other.
extension TextView {
    /// Whether a range holds a mask where an id belongs.
    func isMasked(_ text: JSONText) -> Bool {
        !text.isBlank && text.withCharacters(in: memory, Self.isMasked)
    }

    private static let maskingCharacters = Array("*[]<>{}#?".utf8)

    /// Bullets, an ellipsis, circles and blocks.
    private static let maskingSymbols: [StaticString] = ["•", "…", "●", "○", "◦", "█", "■", "▪", "∗"]

    private static let maskingWords: [StaticString] =
        wordsForNothing + [
            "redacted", "filtered", "masked", "hidden", "removed", "deleted", "scrubbed", "obfuscated", "anonymized",
            "anonymised", "confidential", "private", "secret", "unknown",
        ]

    private static func isMasked(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.allSatisfy({ $0 &- 0x30 <= 9 }) { return false }
        if bytes.contains(where: maskingCharacters.contains) || maskingSymbols.contains(where: bytes.holds) {
            return true
        }
        if let first = bytes.first, bytes.count > 2, !(0x61...0x7A ~= first | 0x20), bytes.allSatisfy({ $0 == first }) {
            return true
        }
        let crosses = bytes.count { $0 | 0x20 == UInt8(ascii: "x") }
        if crosses > 2, bytes.allSatisfy({ $0 &- 0x30 <= 9 || $0 | 0x20 == UInt8(ascii: "x") }) { return true }
        return isOne(bytes, of: maskingWords)
    }

    /// The longest id that is taken for one, in bytes.
    ///
    /// Apple's have 36 at most; keys of databases end at some hundred.
    static let longestID: UInt32 = 256

    /// Whether a range holds what no database takes as an id: NUL, or too many bytes.
    func isUnfit(_ text: JSONText) -> Bool {
        // Above it are also all texts with escapes.
        guard text.measure > Self.longestID else { return false }
        guard text.hasEscapes else { return true }
        // Only the escape of NUL matters, and PHP escapes the slashes of every date.
        if text.count <= Self.longestID, !bytes(text).holds("u0000") { return false }
        let characters = KeyLog.characters(text, memory)
        return characters.count > Self.longestID || characters.contains(0)
    }

    /// Whether the characters of an id or a date are a mask, a zero value or unfit, and so say nothing.
    static func saysNothing(_ characters: String) -> Bool {
        Array(characters.utf8).withUnsafeBytes { bytes in
            bytes.isEmpty || isZero(bytes) || bytes.count > longestID || bytes.contains(0) || isMasked(bytes)
        }
    }
}

extension TextTable {
    /// Makes unwanted texts absent in some slots of every row; returns whether there was any.
    @discardableResult mutating func clear(_ slots: some Sequence<Int>, where isUnwanted: (JSONText) -> Bool) -> Bool {
        var isAny = false
        for row in 0..<count {
            for slot in slots where isUnwanted(self[row, slot]) {
                self[row, slot] = .absent
                isAny = true
            }
        }
        return isAny
    }

    /// Makes unfit ids absent in all slots; returns whether there was any.
    mutating func clearUnfit(_ view: TextView) -> Bool { clear(0..<width, where: view.isUnfit) }
}

extension V1Fields {
    /// Ids of the outermost object; of the first two masks are made absent, too.
    private static let idsOfRoot = [
        V1Keys.Root.originalTransactionID, .webOrderLineItemID, .autoRenewProductID, .productID, .bid, .bvrs,
    ].map(\.rawValue)

    /// Makes ids absent that are masked, too long, or hold NUL.
    ///
    /// Whoever masks an id masks it everywhere, so that the first row represents all.
    func clearMasks(_ view: TextView) {
        if root.clear(Self.idsOfRoot, where: view.isUnfit) { hasMisplacedValue = true }
        if rows.clearUnfit(view) { hasMisplacedValue = true }
        if pending.clearUnfit(view) { hasMisplacedValue = true }
        let isInRow =
            rows.count > 0
            && (view.isMasked(self[row: 0, .transactionID]) || view.isMasked(self[row: 0, .originalTransactionID]))
        guard isInRow || view.isMasked(self[.originalTransactionID]) else { return }
        let ids = [V1Keys.Row.transactionID, .originalTransactionID, .webOrderLineItemID].map(\.rawValue)
        if root.clear(Self.idsOfRoot.prefix(2), where: view.isMasked) { hasMisplacedValue = true }
        if rows.clear(ids, where: view.isMasked) { hasMisplacedValue = true }
        pending.clear([V1Keys.Pending.originalTransactionID.rawValue], where: view.isMasked)
    }
}

extension V2Fields {
    /// Makes absent what says nothing in the payload and in `data`: zero values, masks and unfit ids.
    mutating func clearEmpty() {
        let (id, view) = (V1Keys.Root.v2UUID.rawValue, root.view)
        root.table.clear([id, V1Keys.Root.v2SignedDate.rawValue], where: view.isZero)
        // Not every pair has a subtype, so that a column of subtypes is often without one.
        root.table.clear([V1Keys.Root.v2Subtype.rawValue], where: view.isWordForNothing)
        data.table.clear(Self.zerosOfData, where: view.isZero)
        let isUnfit = (
            root.table.clear([id], where: view.isUnfit), data.table.clear(V2Keys.shortTexts, where: view.isUnfit)
        )
        hasMaskedUUID = root.table.clear([id], where: view.isMasked)
        if isUnfit.0 || isUnfit.1 || hasMaskedUUID { hasUnreadablePart = true }
    }

    /// The same of the transaction and the renewal, each in memory of its own.
    mutating func clearEmptyParts() {
        transaction.table.clearZeros(of: .transaction, transaction.view)
        renewal.table.clearZeros(of: .renewal, renewal.view)
        let ids = [V2Keys.Transaction.transactionId, .originalTransactionId, .webOrderLineItemId].map(\.rawValue)
        let original = V2Keys.Renewal.originalTransactionId.rawValue
        let unreadable = [
            transaction.table.clearUnfit(transaction.view), renewal.table.clearUnfit(renewal.view),
            transaction.table.clear(ids, where: transaction.view.isMasked),
            renewal.table.clear([original], where: renewal.view.isMasked),
        ]
        if unreadable.contains(true) { hasUnreadablePart = true }
    }
}
