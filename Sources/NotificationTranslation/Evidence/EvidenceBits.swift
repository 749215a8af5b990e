extension Evidence {
    /// The version of the layout.
    static let layout: UInt8 = 4
}

/// The second byte of ``Evidence``.
struct EvidenceBits: OptionSet {
    let rawValue: UInt8

    static let isV2 = Self(rawValue: 1)
    static let ownTime = Self(rawValue: 2)
    static let latestKnown = Self(rawValue: 4)
    static let receivedAt = Self(rawValue: 8)
    static let list = Self(rawValue: 16)
    static let leftOut = Self(rawValue: 32)
    static let idIsBytes = Self(rawValue: 64)
    static let fingerprint = Self(rawValue: 128)
}

/// The third byte of ``Evidence``.
struct EvidenceExtras: OptionSet {
    let rawValue: UInt8

    /// What settling needs not know of the transactions follows them.
    static let details = Self(rawValue: 1)
    /// It is an answer of Apple's: it shows transactions and a state, and reports no act.
    static let isAnswer = Self(rawValue: 2)
}

extension UInt8 {
    /// The byte of evidence for a number that a notification does not state.
    static let notStated: UInt8 = 255
    /// The bit of a reason of a refund that was of a part only; 126 below it stands for no reason.
    static let inPart: UInt8 = 128

    /// Apple's number of a type of offer, as rows of evidence have it.
    init(_ offer: UnifiedEvent.OfferType) { self = UInt8(truncatingIfNeeded: offer.rawValue) }
}

/// The first byte of a transaction in ``Evidence``.
struct RowBits: OptionSet {
    let rawValue: UInt8

    /// The id is a number, written as the distance from the last one.
    static let numericID = Self(rawValue: 1)
    /// It ends where the newer one begins.
    static let contiguous = Self(rawValue: 2)
    static let expires = Self(rawValue: 4)
    static let cancelled = Self(rawValue: 8)
    static let upgraded = Self(rawValue: 16)
    static let offer = Self(rawValue: 32)
    static let trial = Self(rawValue: 64)
    static let introductory = Self(rawValue: 128)
}

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
    static let receivedAt = number(of: StaticString.receivedAt)
    /// The number of the creation date of a receipt.
    static let receiptCreation = number(of: "receipt_creation_date" as StaticString)

    /// The number of a field of a table.
    static func number(of name: StaticString) -> UInt8 {
        for (number, known) in names.enumerated()
        where known.utf8CodeUnitCount == name.utf8CodeUnitCount
            && (known.utf8Start == name.utf8Start || EventText(known).string == EventText(name).string)
        {
            return UInt8(number)
        }
        return 0
    }

    /// The number of a name.
    static func number(of name: String) -> UInt8 {
        UInt8(names.firstIndex { EventText($0).string == name } ?? 0)
    }

    /// Whether a field is the end of a period, which may be later than everything reported.
    static func isEnd(_ number: UInt8) -> Bool {
        let name = name(number).string ?? ""
        return name.hasPrefix("expires") || name.hasPrefix("grace_period")
    }

    /// The name of a number.
    static func name(_ number: UInt8) -> EventText {
        Int(number) < names.count ? EventText(names[Int(number)]) : EventText(names[0])
    }
}
