/// What typed languages write for a field that is not there.
///
/// Go, C# and Java write a whole structure, so that an absent number becomes `0`, an absent text `""`, an absent date
/// `0001-01-01T00:00:00Z` or the first instant of 1970, an absent id of an account `00000000-0000-0000-0000-000000000000`.
/// Apple writes none of these in the fields where they count as absent here.
extension TextView {
    /// Whether a range is a zero value where a number, an id or a date belongs; also for a blank one.
    func isZero(_ text: JSONText) -> Bool {
        if text.isBlank { return true }
        // No date, number or id that is there begins with 0 or -; a date of 1969 or 1970 has a hyphen after its year.
        let first = memory.load(fromByteOffset: text.start, as: UInt8.self)
        if first == 0x30 || first == 0x2D || text.hasEscapes { return isZeroText(text) }
        return first == 0x31 && text.count > 18 && memory.load(fromByteOffset: text.start + 4, as: UInt8.self) == 0x2D
            && isZeroText(text)
    }

    private func isZeroText(_ text: JSONText) -> Bool {
        guard !text.hasEscapes else {
            return KeyLog.characters(text, memory).withUnsafeBytes { Self.isZero($0) }
        }
        return Self.isZero(bytes(text))
    }

    /// Midnight of 1 January of the year 1, in seconds and in milliseconds.
    private static let yearOne: [Int64] = [CivilTime.earliest, CivilTime.earliest / 1000]

    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let value = JSONNumber.rounded(bytes) { return value == 0 || yearOne.contains(value) }
        if bytes.starts(with: "0001-01-01".utf8) || bytes.starts(with: "0000-00-00".utf8) { return true }
        if bytes.count == 36, bytes.allSatisfy({ $0 == 0x30 || $0 == 0x2D }) { return true }
        return (AppleDate.milliseconds(bytes) ?? AppleDate.receiveTime(bytes)) == 0
    }

    /// Whether a range holds the word that a language or a table prints for a text that is not there.
    func isWordForNothing(_ text: JSONText) -> Bool {
        guard 3...9 ~= text.count, !text.hasEscapes else { return false }
        let bytes = bytes(text)
        return Self.wordsForNothing.contains { word in
            word.withUTF8Buffer { word in bytes.elementsEqual(word) { $0 | 0x20 == $1 | 0x20 } }
        }
    }

    private static let wordsForNothing: [StaticString] = ["null", "nil", "none", "nan", "undefined", "n/a"]

    /// A whole number of a kind that begins at 1: a quantity, a code of Apple's; 0 is absent.
    func count(_ text: JSONText) -> Int64? {
        integer(text).flatMap { $0 == 0 ? nil : $0 }
    }
}

extension TextTable {
    /// Makes the zero values of some slots of a row absent.
    mutating func clearZeros(_ row: Int, _ slots: [Int], _ view: TextView) {
        for slot in slots where !self[row, slot].isAbsent && view.isZero(self[row, slot]) { self[row, slot] = .absent }
    }
}

extension V2Fields {
    /// Makes the zero values of the payload and of `data` absent.
    mutating func clearZeros(_ view: TextView) {
        root.clearZeros(0, Self.zerosOfRoot, view)
        // Not every pair has a subtype, so that a column of subtypes is often without one.
        let subtype = V1Keys.Root.v2Subtype.rawValue
        if !root[0, subtype].isBlank, view.isWordForNothing(root[0, subtype]) { root[0, subtype] = .absent }
        if data.count > 0 { data.clearZeros(0, Self.zerosOfData, view) }
    }

    /// The same of its transaction and its renewal, each in memory of its own.
    mutating func clearZerosOfParts(_ transactionView: TextView, _ renewalView: TextView) {
        Self.clearZeros(ofTransaction: &transaction, transactionView)
        Self.clearZeros(ofRenewal: &renewal, renewalView)
    }

    /// Makes the zero values of a transaction absent.
    static func clearZeros(ofTransaction table: inout TextTable, _ view: TextView) {
        guard table.count > 0 else { return }
        table.clearZeros(0, zerosOfTransaction, view)
        let place = V2Keys.Transaction.self
        // 0 says "for another reason" of a refund, and is a price; without either it says nothing.
        if table[0, place.revocationDate.rawValue].isAbsent {
            table.clearZeros(0, [place.revocationReason.rawValue], view)
        }
        if table[0, place.currency.rawValue].isBlank { table.clearZeros(0, [place.price.rawValue], view) }
    }

    /// Makes the zero values of a renewal absent.
    static func clearZeros(ofRenewal table: inout TextTable, _ view: TextView) {
        if table.count > 0 { table.clearZeros(0, zerosOfRenewal, view) }
    }

    private static let zerosOfRoot = [V1Keys.Root.v2UUID, .v2SignedDate].map(\.rawValue)

    private static let zerosOfData = [
        V2Keys.Data.appAppleId, .status, .originalTransactionId, .tokenCreationDate,
    ].map(\.rawValue)

    private static let zerosOfTransaction = [
        V2Keys.Transaction.transactionId, .originalTransactionId, .webOrderLineItemId, .subscriptionGroupIdentifier,
        .purchaseDate, .originalPurchaseDate, .expiresDate, .quantity, .appAccountToken, .signedDate, .revocationDate,
        .offerType,
    ].map(\.rawValue)

    private static let zerosOfRenewal = [
        V2Keys.Renewal.originalTransactionId, .expirationIntent, .gracePeriodExpiresDate, .offerType, .signedDate,
        .renewalDate,
    ].map(\.rawValue)
}
