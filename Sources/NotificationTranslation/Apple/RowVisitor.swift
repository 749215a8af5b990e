/// Receives what is beside the type of a row, and passes on the notifications that the row can be an envelope of: those
/// of its type, and signed ones.
final class RowVisitor: FoundVisitor {
    /// Where what is found goes; `nil` to look only.
    private let outer: FoundVisitor?
    private let type: String
    /// Whether the row's type may be a name that Apple gave, and so has to agree.
    private let mayBeAppleType: Bool
    /// Whether the row's type is a name that Apple gave, as far as this build knows.
    let isAppleType: Bool
    /// The subtype that the row names, if it is one of Apple's.
    private let subtype: String?
    /// What the row says itself of the happening, under version 1's names; a body that says otherwise is another one.
    var own: [(key: V1Keys.Root, text: String)] = []
    /// Whether a body that is the row's was found.
    private(set) var foundBody = false
    /// Whether a notification of another type or happening was found.
    private(set) var foundOther = false
    /// Whether every notification is taken, as several are in the row.
    var takesAll = false

    init(_ outer: FoundVisitor?, type: String, subtype: String) {
        let letters = Self.letters(type)
        self.outer = outer
        self.type = letters
        let isOfVersion1 = V1NotificationType.all.contains { Self.letters($0.rawValue) == letters }
        mayBeAppleType = isOfVersion1 || type.utf8.allSatisfy { 0x41...0x5A ~= $0 || $0 == 0x5F || $0 == 0x20 }
        isAppleType =
            isOfVersion1 || mayBeAppleType && NotificationType.all.contains { Self.letters($0.rawValue) == letters }
        let subtype = Self.letters(subtype)
        self.subtype = NotificationSubtype.all.contains { Self.letters($0.rawValue) == subtype } ? subtype : nil
        super.init()
        passesOverForeign = 1
        searches = true
    }

    override func take(_ found: NotificationDecoder.Found) {
        guard found.finding != .foreign else { return }
        if takesAll || agrees(found) {
            foundBody = true
            outer?.visit(found)
        } else {
            foundOther = true
        }
    }

    /// What a row says of a happening beside its type.
    static let identities: [V1Keys.Root] = [
        .originalTransactionID, .webOrderLineItemID, .cancellationDateMs, .statusChangeDateMs,
    ]

    private func agrees(_ found: NotificationDecoder.Found) -> Bool {
        guard signed == nil, mayBeAppleType else { return true }
        let view = TextView(memory: found.memory)
        if found.finding == .v1 {
            let fields = found.holder.v1
            return Self.letters(view.string(fields[.notificationType])) == type
                && own.allSatisfy { fields[$0.key].isBlank || view.string(fields[$0.key]) == $0.text }
        }
        let fields = found.holder.v2
        guard Self.letters(view.string(fields[.v2Type as V1Keys.Root])) == type else { return false }
        guard let subtype else { return true }
        return Self.letters(view.string(fields[.v2Subtype as V1Keys.Root])) == subtype
    }

    /// The letters of a name in lower case: `DID_RENEW`, `didRenew` and `Did renew` are one.
    private static func letters(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
