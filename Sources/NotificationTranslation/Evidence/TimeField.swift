/// The fields that times are taken from, by number; only ever added to.
enum TimeField {
    static let names: [StaticString] = [
        "?", "purchase_date_ms", "purchase_date", "purchase_date_pst", "expires_date_ms", "expires_date",
        "expires_date_formatted", "expires_date_pst", "expires_date_formatted_pst", "cancellation_date_ms",
        "cancellation_date", "cancellation_date_pst", "auto_renew_status_change_date_ms",
        "auto_renew_status_change_date", "auto_renew_status_change_date_pst", "signedDate", "tokenCreationDate",
        "purchaseDate", "revocationDate", .receivedAt, "grace_period_expires_date_ms",
        "receipt_creation_date", "original_purchase_date_ms", "original_purchase_date", "original_purchase_date_pst",
        "grace_period_expires_date", "grace_period_expires_date_pst", "originalPurchaseDate", "expiresDate",
        "gracePeriodExpiresDate", "renewalDate",
    ]

    /// The number of no field.
    static let none = UInt8.max
    /// The number of the receive time.
    static let receivedAt = number(of: EventText(.receivedAt))
    /// The number of the creation date of a receipt.
    static let receiptCreation = number(of: EventText("receipt_creation_date"))

    /// The number of a name; 0 for one that is none of them.
    static func number(of name: EventText) -> UInt8 { UInt8(names.firstIndex { EventText($0) == name } ?? 0) }

    /// Whether a field is the end of a period, which may be later than everything reported.
    static func isEnd(_ number: UInt8) -> Bool {
        let name = name(number).string ?? ""
        return name.hasPrefix("expires") || name.hasPrefix("grace_period")
    }

    static func name(_ number: UInt8) -> EventText {
        Int(number) < names.count ? EventText(names[Int(number)]) : EventText(names[0])
    }
}

extension UInt8 {
    /// The number in evidence that stands for one which a notification does not state.
    static let notStated: UInt8 = 255

    /// Apple's number of a type of offer, as rows of evidence have it.
    init(_ offer: UnifiedEvent.OfferType) { self = UInt8(truncatingIfNeeded: offer.rawValue) }

    /// One of Apple's small numbers.
    init(stated value: Int64?) { self = value.flatMap { UInt8(exactly: $0) } ?? .notStated }
}
