/// What is in place of an id after somebody masked it: `[FILTERED]` of Rails, `***`, `REDACTED`, `1000000XXXXXXX`.
///
/// Such a value is the same for every customer. Taken for an id it would join all of them to one subscription, so it
/// counts as absent, and the event says so with FIELD_UNREADABLE. A pseudonym, such as a hash, is an id like any other.
extension TextView {
    /// Whether a range holds a mask where an id belongs.
    func isMasked(_ text: JSONText) -> Bool {
        if text.isBlank { return false }
        guard !text.hasEscapes else {
            return KeyLog.characters(text, memory).withUnsafeBytes { Self.isMasked($0) }
        }
        return Self.isMasked(bytes(text))
    }

    /// Whether a range holds nothing but hexadecimal digits, as a shared secret does.
    func isHexadecimal(_ text: JSONText) -> Bool {
        bytes(text).allSatisfy { Hexadecimal.value($0) != nil }
    }

    private static let maskingCharacters = Array("*[]<>{}#?".utf8)

    /// Bullets, an ellipsis, circles and blocks.
    private static let maskingSymbols: [StaticString] = ["•", "…", "●", "○", "◦", "█", "■", "▪", "∗"]

    private static let maskingWords: [StaticString] = [
        "redacted", "filtered", "masked", "hidden", "removed", "deleted", "scrubbed", "obfuscated", "anonymized",
        "anonymised", "confidential", "private", "secret", "null", "nil", "none", "nan", "undefined", "unknown", "n/a",
    ]

    private static func isMasked(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.allSatisfy({ $0 &- 0x30 <= 9 }) { return false }
        if bytes.contains(where: maskingCharacters.contains) || maskingSymbols.contains(where: bytes.holds) {
            return true
        }
        if let first = bytes.first, bytes.count > 2, bytes.allSatisfy({ $0 == first }) { return true }
        let crosses = bytes.count { $0 | 0x20 == UInt8(ascii: "x") }
        if crosses > 2, bytes.allSatisfy({ $0 &- 0x30 <= 9 || $0 | 0x20 == UInt8(ascii: "x") }) { return true }
        return maskingWords.contains { word in
            word.withUTF8Buffer { word in bytes.elementsEqual(word) { $0 | 0x20 == $1 | 0x20 } }
        }
    }
}

extension TextView {
    /// The longest id that is taken for one, in bytes.
    ///
    /// Apple's have 36 at most; keys of databases end at some hundred.
    static let longestID: UInt32 = 256

    /// Whether a range holds what no database takes as an id: NUL, or too many bytes.
    func isUnfit(_ text: JSONText) -> Bool { text.measure > Self.longestID && isUnfitText(text) }

    private func isUnfitText(_ text: JSONText) -> Bool {
        guard text.hasEscapes else { return true }
        let characters = KeyLog.characters(text, memory)
        return characters.count > Self.longestID || characters.contains(0)
    }
}

extension TextView {
    /// Whether the characters of an id or a date are a mask, a zero value or unfit, and so say nothing.
    static func saysNothing(_ characters: String) -> Bool {
        let bytes = [0] + Array(characters.utf8) + [UInt8](repeating: 0, count: 8)
        return bytes.withUnsafeBytes { bytes in
            guard let memory = bytes.baseAddress else { return true }
            let (view, text) = (TextView(memory: memory), JSONText(1, bytes.count - 8, escaped: false))
            return view.isZero(text) || view.isUnfit(text) || characters.utf8.contains(0) || view.isMasked(text)
        }
    }
}

extension TextTable {
    /// Makes unfit ids absent in all slots but some; returns whether there was any.
    mutating func clearUnfit(_ view: TextView, besides others: [Int] = []) -> Bool {
        guard largestMeasure > TextView.longestID else { return false }
        var isAny = false
        for row in 0..<count {
            for slot in 0..<width where view.isUnfit(self[row, slot]) && !others.contains(slot) {
                self[row, slot] = .absent
                isAny = true
            }
        }
        return isAny
    }

    /// Makes masked ids in some slots of a row absent; returns whether there was any.
    mutating func clearMasks(_ row: Int, _ slots: [Int], _ view: TextView) -> Bool {
        var isAny = false
        for slot in slots where view.isMasked(self[row, slot]) {
            self[row, slot] = .absent
            isAny = true
        }
        return isAny
    }
}

extension V1Fields {
    /// Makes masked ids absent.
    ///
    /// Whoever masks an id masks it everywhere, so that the first row represents all.
    func clearMasks(_ view: TextView) {
        clearUnfit(view)
        var isAny = view.isMasked(self[.originalTransactionID])
        if rows.count > 0, !isAny {
            isAny =
                view.isMasked(self[row: 0, .transactionID]) || view.isMasked(self[row: 0, .originalTransactionID])
        }
        if isAny { clearAllMasks(view) }
    }

    /// Makes ids absent that are too long, or hold NUL.
    private func clearUnfit(_ view: TextView) {
        for key in [
            V1Keys.Root.originalTransactionID, .webOrderLineItemID, .autoRenewProductID, .productID, .bid, .bvrs,
        ]
        where view.isUnfit(self[key]) {
            root[0, key.rawValue] = .absent
            hasMisplacedValue = true
        }
        if rows.clearUnfit(view) { hasMisplacedValue = true }
        if pending.clearUnfit(view) { hasMisplacedValue = true }
    }

    private func clearAllMasks(_ view: TextView) {
        let keys = V1Keys.Row.self
        let ids = [keys.transactionID, .originalTransactionID, .webOrderLineItemID].map(\.rawValue)
        let roots = [V1Keys.Root.originalTransactionID, .webOrderLineItemID].map(\.rawValue)
        if root.clearMasks(0, roots, view) { hasMisplacedValue = true }
        for row in 0..<rows.count where rows.clearMasks(row, ids, view) { hasMisplacedValue = true }
        for entry in 0..<pending.count {
            _ = pending.clearMasks(entry, [V1Keys.Pending.originalTransactionID.rawValue], view)
        }
    }
}

extension V2Fields {
    /// Makes a masked or unfit `notificationUUID` absent, and the unfit ids of `data`.
    mutating func clearMasks(_ view: TextView) {
        if view.isUnfit(root[0, V1Keys.Root.v2UUID.rawValue]) {
            root[0, V1Keys.Root.v2UUID.rawValue] = .absent
            hasUnreadablePart = true
        }
        if data.count > 0, data.clearUnfit(view, besides: V2Keys.parts) { hasUnreadablePart = true }
        guard root.clearMasks(0, [V1Keys.Root.v2UUID.rawValue], view) else { return }
        hasMaskedUUID = true
        hasUnreadablePart = true
    }

    /// Makes masked ids of the transaction and the renewal absent.
    mutating func clearMasksOfParts(_ transactionView: TextView, _ renewalView: TextView) {
        if transaction.clearUnfit(transactionView) { hasUnreadablePart = true }
        if renewal.clearUnfit(renewalView) { hasUnreadablePart = true }
        let keys = V2Keys.Transaction.self
        let ids = [keys.transactionId, .originalTransactionId, .webOrderLineItemId].map(\.rawValue)
        if transaction.count > 0, transaction.clearMasks(0, ids, transactionView) { hasUnreadablePart = true }
        let original = V2Keys.Renewal.originalTransactionId.rawValue
        if renewal.count > 0, renewal.clearMasks(0, [original], renewalView) { hasUnreadablePart = true }
    }
}
