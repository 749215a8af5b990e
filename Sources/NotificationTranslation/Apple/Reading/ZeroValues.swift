/// What typed languages write for a field that is not there.
///
/// Go, C# and Java write a whole structure, so that an absent number becomes `0`, an absent text `""`, an absent date
/// `0001-01-01T00:00:00Z` or the first instant of 1970, an absent id of an account `00000000-0000-0000-0000-000000000000`.
/// Apple writes none of these in the fields where they count as absent here.
extension TextView {
    /// Whether a range is a zero value where a number, an id or a date belongs; also for a blank one.
    func isZero(_ text: JSONText) -> Bool {
        text.isBlank || text.withCharacters(in: memory, Self.isZero)
    }

    /// Midnight of 1 January of the year 1, in seconds and in milliseconds.
    private static let yearOne: [Int64] = [CivilTime.earliest, CivilTime.earliest / 1000]

    static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // No date, number or id that is there begins with 0 or -; a date of 1969 or 1970 has a hyphen after its year.
        guard let first = bytes.first,
            first == 0x30 || first == 0x2D || first == 0x31 && bytes.count > 18 && bytes[4] == 0x2D
        else { return false }
        if let value = JSONNumber.rounded(bytes) { return value == 0 || yearOne.contains(value) }
        if bytes.starts(with: "0001-01-01".utf8) || bytes.starts(with: "0000-00-00".utf8) { return true }
        if bytes.count == 36, bytes.allSatisfy({ $0 == 0x30 || $0 == 0x2D }) { return true }
        return (AppleDate.written(bytes)?.milliseconds ?? AppleDate.received(bytes)?.milliseconds) == 0
    }

    /// Whether a range holds the word that a language or a table prints for a text that is not there.
    func isWordForNothing(_ text: JSONText) -> Bool {
        3...9 ~= text.count && !text.hasEscapes && Self.isOne(bytes(text), of: Self.wordsForNothing)
    }

    static let wordsForNothing: [StaticString] = ["null", "nil", "none", "nan", "undefined", "n/a"]

    /// Whether bytes are one of some words, in any case.
    static func isOne(_ bytes: UnsafeRawBufferPointer, of words: [StaticString]) -> Bool {
        words.contains { word in bytes.elementsEqual(word.bytes) { $0 | 0x20 == $1 | 0x20 } }
    }

    /// A whole number of a kind that begins at 1: a quantity, a code of Apple's; 0 is absent.
    func count(_ text: JSONText) -> Int64? { integer(text).flatMap { $0 == 0 ? nil : $0 } }
}

extension TextTable {
    /// Makes the zero values of a part absent.
    mutating func clearZeros(of kind: SignedPayloadKind, _ view: TextView) {
        switch kind {
        case .transaction:
            clear(V2Fields.zerosOfTransaction, where: view.isZero)
            guard count > 0 else { return }
            // 0 says "for another reason" of a refund, and is a price; without either it says nothing.
            let key = V2Keys.Transaction.self
            if self[0, key.revocationDate.rawValue].isAbsent {
                clear([key.revocationReason.rawValue], where: view.isZero)
            }
            if self[0, key.currency.rawValue].isBlank { clear([key.price.rawValue], where: view.isZero) }
        case .renewal: clear(V2Fields.zerosOfRenewal, where: view.isZero)
        case .appTransaction, .notification: clear(0..<width, where: view.isZero)
        }
    }
}

extension V2Fields {
    static let zerosOfData = [
        V2Keys.Data.appAppleId, .status, .originalTransactionId, .tokenCreationDate,
    ].map(\.rawValue)

    fileprivate static let zerosOfTransaction = [
        V2Keys.Transaction.transactionId, .originalTransactionId, .webOrderLineItemId, .subscriptionGroupIdentifier,
        .purchaseDate, .originalPurchaseDate, .expiresDate, .quantity, .appAccountToken, .signedDate, .revocationDate,
        .offerType,
    ].map(\.rawValue)

    fileprivate static let zerosOfRenewal = [
        V2Keys.Renewal.originalTransactionId, .expirationIntent, .gracePeriodExpiresDate, .offerType, .signedDate,
        .renewalDate,
    ].map(\.rawValue)
}
