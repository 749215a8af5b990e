extension Evidence {
    /// The version of the layout.
    static let layout: UInt8 = 3
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

extension UInt8 {
    /// The byte of evidence for a number that a notification does not state.
    static let notStated: UInt8 = 255
    /// The bit of a reason of a refund that was of a part only; 126 below it stands for no reason.
    static let inPart: UInt8 = 128

    /// Apple's number of a type of offer, as rows of evidence have it.
    init(_ offer: UnifiedEvent.OfferType) { self = UInt8(truncatingIfNeeded: offer.rawValue) }
}
