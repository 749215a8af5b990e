/// What the walk through a version 2 payload found: ranges in the payload and in the decoded payloads of the JWS inside it.
struct V2Fields {
    /// The known scalars of one object (no row if it is absent), and the memory they point into.
    struct Part {
        var table: TextTable
        var view: TextView

        subscript(slot: Int) -> V2Value {
            V2Value(text: table.count > 0 ? table[0, slot] : .absent, view: view)
        }
    }

    /// The outermost object.
    var root: Part
    /// `data` or what takes its place.
    var data: Part
    var transaction: Part
    var renewal: Part
    var appTransaction: Part
    /// Whether there is `data`, or an object that takes its place.
    var hasDataObject = false
    /// What it says and no other field of an event holds, as the text of a JSON object; empty for nothing.
    var details: [UInt8] = []
    /// The whole payload, where it is to be passed on.
    var original: [UInt8] = []
    /// Whether a JWS inside the payload could not be read.
    var hasUnreadablePart = false
    /// Whether the payload held a mask in place of its `notificationUUID`.
    var hasMaskedUUID = false
    /// Whether a signed text was blanked or redacted, and what was beside it was read.
    var hasLostSignedText = false
    /// Whether two places state the same part differently.
    var placesDisagree = false

    /// A payload of which no field is known yet.
    init(_ memory: UnsafeRawPointer) {
        func part(_ width: Int) -> Part {
            Part(table: TextTable(width: width, rows: 1), view: TextView(memory: memory))
        }
        root = part(KeyTable.capacity)
        data = part(V2Keys.data.count)
        transaction = part(V2Keys.transaction.count)
        renewal = part(V2Keys.renewal.count)
        appTransaction = part(V2Keys.appTransaction.count)
    }

    subscript(key: V1Keys.Root) -> V2Value { root[key.rawValue] }
    subscript(data key: V2Keys.Data) -> V2Value { data[key.rawValue] }
    subscript(transaction key: V2Keys.Transaction) -> V2Value { transaction[key.rawValue] }
    subscript(renewal key: V2Keys.Renewal) -> V2Value { renewal[key.rawValue] }
    subscript(app key: V2Keys.AppTransaction) -> V2Value { appTransaction[key.rawValue] }

    var hasTransaction: Bool { transaction.table.count > 0 }
    var hasRenewal: Bool { renewal.table.count > 0 }

    /// Whether a date in it names no zone, as a database writes one.
    var hasZonelessDate: Bool {
        let ofTransaction: [V2Keys.Transaction] = [
            .purchaseDate, .originalPurchaseDate, .expiresDate, .revocationDate, .signedDate,
        ]
        let ofRenewal: [V2Keys.Renewal] = [.gracePeriodExpiresDate, .renewalDate, .signedDate]
        let dates =
            [self[.v2SignedDate], self[data: .tokenCreationDate]] + ofTransaction.map { self[transaction: $0] }
            + ofRenewal.map { self[renewal: $0] }
        return dates.contains { $0.view.zonelessDate($0.text) != nil }
    }

    /// Whether the event holds a value in its field for a key that several parts of a payload have.
    func holds(_ value: JSONTree, as key: V2Keys.Shared) -> Bool {
        let values =
            switch key {
            case .bundleId: [self[data: .bundleId], self[transaction: .bundleId], self[app: .bundleId]]
            case .environment, .receiptType:
                [self[data: .environment], self[transaction: .environment], self[app: .receiptType]]
            case .appAppleId: [self[data: .appAppleId], self[app: .appAppleId]]
            case .bundleVersion, .applicationVersion: [self[data: .bundleVersion], self[app: .applicationVersion]]
            case .originalTransactionId where hasTransaction: [self[transaction: .originalTransactionId]]
            case .originalTransactionId: [self[data: .originalTransactionId]]
            case .productId where hasTransaction: [self[transaction: .productId]]
            case .productId: [self[data: .productId]]
            case .appAccountToken: [self[transaction: .appAccountToken]]
            }
        guard let own = values.first(where: { !$0.isBlank }) else { return false }
        return value.withCharacters { one in
            own.text.withCharacters(in: own.view.memory) { one.elementsEqual($0) }
        }
    }
}

/// A value of a payload: its range, and what that is in.
struct V2Value {
    var text: JSONText
    var view: TextView

    var isBlank: Bool { text.isBlank }
    /// As it goes into an event.
    var eventText: EventText { EventText(text, in: view.memory) }
    var string: String? { isBlank ? nil : view.string(text) }
    var integer: Int64? { view.integer(text) }
    var truth: Bool? { view.truth(text) }
    /// A whole number; a column of a database holds `true` for 1.
    var number: Int64? { integer ?? truth.map { $0 ? 1 : 0 } }
    /// Milliseconds since 1970 of a time, as digits or as text.
    var time: Int64? { view.milliseconds(text) ?? view.instant(text) }
}
