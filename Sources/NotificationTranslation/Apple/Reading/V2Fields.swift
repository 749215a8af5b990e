/// What the walk through a version 2 payload found: ranges in one piece of memory that holds the payload and the
/// decoded payloads of the JWS inside it.
struct V2Fields: Sendable {
    /// One row: the scalars of the outermost object.
    var root = TextTable(width: KeyTable.capacity, rows: 1)
    /// One row: the scalars of `data` or of what takes its place.
    var data = TextTable(width: V2Keys.Data.allCases.count, rows: 1)
    var transaction = TextTable(width: V2Keys.Transaction.allCases.count, rows: 1)
    var renewal = TextTable(width: V2Keys.Renewal.allCases.count, rows: 1)
    var appTransaction = TextTable(width: V2Keys.AppTransaction.allCases.count, rows: 1)
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

    subscript(key: V1Keys.Root) -> JSONText { root.count > 0 ? root[0, key.rawValue] : .absent }

    subscript(key: V2Keys.Data) -> JSONText { data.count > 0 ? data[0, key.rawValue] : .absent }

    subscript(key: V2Keys.Transaction) -> JSONText {
        transaction.count > 0 ? transaction[0, key.rawValue] : .absent
    }

    subscript(key: V2Keys.Renewal) -> JSONText { renewal.count > 0 ? renewal[0, key.rawValue] : .absent }

    subscript(key: V2Keys.AppTransaction) -> JSONText {
        appTransaction.count > 0 ? appTransaction[0, key.rawValue] : .absent
    }

    /// Whether a date in it names no zone, as a database writes one.
    func hasZonelessDate(_ found: FoundNotification) -> Bool {
        func isAny(_ texts: [JSONText], _ memory: UnsafeRawPointer) -> Bool {
            texts.contains { TextView(memory: memory).zonelessDate($0) != nil }
        }
        let ofTransaction: [V2Keys.Transaction] = [
            .purchaseDate, .originalPurchaseDate, .expiresDate, .revocationDate, .signedDate,
        ]
        let ofRenewal: [V2Keys.Renewal] = [.gracePeriodExpiresDate, .renewalDate, .signedDate]
        return isAny([self[.v2SignedDate], self[.tokenCreationDate]], found.memory)
            || isAny(ofTransaction.map { self[$0] }, found.transactionMemory)
            || isAny(ofRenewal.map { self[$0] }, found.renewalMemory)
    }

    /// What the event says under a name that several parts of a payload have; `nil` for nothing.
    func held(_ key: String, _ found: FoundNotification) -> String? {
        let (own, view) = (TextView(memory: found.memory), TextView(memory: found.transactionMemory))
        let app = TextView(memory: found.appTransactionMemory)
        let places: [(JSONText, TextView)] =
            switch key {
            case "bundleId":
                [
                    (self[.bundleId as V2Keys.Data], own), (self[.bundleId as V2Keys.Transaction], view),
                    (self[.bundleId as V2Keys.AppTransaction], app),
                ]
            case "environment", "receiptType":
                [
                    (self[.environment as V2Keys.Data], own), (self[.environment as V2Keys.Transaction], view),
                    (self[.receiptType], app),
                ]
            case "appAppleId":
                [(self[.appAppleId as V2Keys.Data], own), (self[.appAppleId as V2Keys.AppTransaction], app)]
            case "bundleVersion", "applicationVersion":
                [(self[.bundleVersion], own), (self[.applicationVersion], app)]
            case "originalTransactionId" where hasTransaction:
                [(self[.originalTransactionId as V2Keys.Transaction], view)]
            case "originalTransactionId": [(self[.originalTransactionId as V2Keys.Data], own)]
            case "productId" where hasTransaction: [(self[.productId as V2Keys.Transaction], view)]
            case "productId": [(self[.productId as V2Keys.Data], own)]
            default: [(self[.appAccountToken as V2Keys.Transaction], view)]
            }
        return places.first { !$0.0.isBlank }.map { $0.1.string($0.0) }
    }

    var hasTransaction: Bool { transaction.count > 0 }
    var hasRenewal: Bool { renewal.count > 0 }
}
