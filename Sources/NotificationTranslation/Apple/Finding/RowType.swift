/// The type of a row, and whether a notification that is beside it is the row's: those of its type, and signed ones.
struct RowType {
    private let type: String
    /// Whether it may be a name that Apple gave, and so has to agree.
    private let mayBeAppleType: Bool
    /// Whether it is a name that Apple gave, as far as this build knows.
    let isAppleType: Bool
    /// The subtype that the row names, if it is one of Apple's.
    private let subtype: String?
    /// What the row says itself of the happening, under version 1's names; a body that says otherwise is another one.
    private let own: [(key: V1Keys.Root, text: String)]
    private let signedTexts: Int

    private static let identities: [V1Keys.Root] = [
        .originalTransactionID, .webOrderLineItemID, .cancellationDateMs, .statusChangeDateMs,
    ]

    /// Of the fields of a row that is in so many signed texts.
    init(_ fields: V1Fields, _ memory: UnsafeRawPointer, signedTexts: Int) {
        self.signedTexts = signedTexts
        let view = TextView(memory: memory)
        let type = view.string(fields[.notificationType].isBlank ? fields[.v2Type] : fields[.notificationType])
        let letters = Self.letters(type)
        self.type = letters
        let isOfVersion1 = KnownNames.typesOfVersion1.contains { Self.letters($0) == letters }
        mayBeAppleType = isOfVersion1 || type.utf8.allSatisfy { 0x41...0x5A ~= $0 || $0 == 0x5F || $0 == 0x20 }
        isAppleType =
            isOfVersion1 || mayBeAppleType && KnownNames.typesOfVersion2.contains { Self.letters($0) == letters }
        let subtype = Self.letters(view.string(fields[.v2Subtype]))
        self.subtype = KnownNames.subtypes.contains { Self.letters($0) == subtype } ? subtype : nil
        own = Self.identities.filter { !fields[$0].isBlank }.map { (key: $0, text: view.string(fields[$0])) }
    }

    func agrees(_ found: FoundNotification) -> Bool {
        guard found.signedTexts <= signedTexts, mayBeAppleType else { return true }
        if found.kind == .v1 {
            let (fields, view) = (found.holder.v1, TextView(memory: found.memory))
            return Self.letters(view.string(fields[.notificationType])) == type
                && own.allSatisfy { fields[$0.key].isBlank || view.string(fields[$0.key]) == $0.text }
        }
        let fields = found.holder.v2
        guard Self.letters(fields[.v2Type].string ?? "") == type else { return false }
        return subtype == nil || Self.letters(fields[.v2Subtype].string ?? "") == subtype
    }

    /// The letters of a name in lower case: `DID_RENEW`, `didRenew` and `Did renew` are one.
    private static func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
