/// What one notification states, read back from its ``Evidence``; texts point into that.
struct Statement {
    let bits: UInt8
    let environment: EventText
    let bundleID: EventText
    let originalTransactionID: EventText
    let id: EventDraft.ID
    /// The place of a V1 type in ``DecisionTable/types``; -1 for V2 and for a type this build does not know.
    var type = -1
    /// The V1 type, or the V2 pair as TYPE/SUBTYPE.
    var typeText = EventText.absent
    /// The place of a V2 pair in ``EventTable/pairs``; -1 for V1 and for a pair this build does not know.
    var pair = -1
    /// What the body gave by itself; V1 only.
    var facts = Facts.unknown
    /// When it happened, as far as the body says.
    var ownTime: Int64?
    /// How that stands to the time of what it says, as the body alone is read.
    var timing = TypeRules.Timing.own
    var ownField: UInt8 = 0
    var latestKnown: Int64?
    var latestField: UInt8 = 0
    var receivedAt: Int64?
    /// Of a body that names no purchase: what tells it from another of the same words; 0 for nothing.
    var fingerprint: UInt64 = 0
    /// The transaction it is about, and its product.
    var transaction = TimelineID.none
    var transactionText = EventText.absent
    var product = TimelineID.none
    /// The product of the next period.
    var nextProduct = TimelineID.none
    var nextProductText = EventText.absent
    /// 0, 1, or 255 for not stated; so are the two that follow.
    var autoRenewStatus: UInt8 = 255
    var intent: UInt8 = 255
    var consent: UInt8 = 255
    var nextOffer = TimelineID.none
    var graceUntil: Int64?
    /// Its list leaves out no transaction bought from then on; the greatest number where it shows no list.
    var completeFrom = Int64.max
    /// What it says about access by itself; `nil` where evidence does not say.
    var access: EvidenceAccess?
    /// The catalogue that facts of it are from; 0 for none.
    var catalogue: UInt64 = 0
    /// The transactions it shows.
    var rows = 0..<0

    init(_ header: EvidenceReader.Header) {
        bits = header.bits
        environment = header.environment
        bundleID = header.bundleID
        originalTransactionID = header.originalTransactionID
        id = header.id
    }

    var isV2: Bool { bits & EvidenceBits.isV2 != 0 }
    /// Whether it belongs to a subscription or purchase that it names.
    var hasKey: Bool { !originalTransactionID.isAbsent }
    var hasList: Bool { bits & EvidenceBits.list != 0 }

    /// Where it stands in the story: its own time, else when it was received, else the latest date it knows.
    var order: Int64 {
        switch timing {
        case .own: ownTime ?? receivedAt ?? latestKnown ?? Self.noTime
        case .since: receivedAt ?? ownTime ?? latestKnown ?? Self.noTime
        case .none: receivedAt ?? latestKnown ?? ownTime ?? Self.noTime
        }
    }

    /// Whether its own date is not the time of what it says.
    var isTimeless: Bool { timing == .none }

    /// Before everything, for what has no date at all; far enough from the end of the numbers to be reckoned with.
    private static let noTime = Int64.min / 4

    /// Whether its body was certainly written after an instant; what it lacks then is gone, and not yet to come.
    func isWrittenAfter(_ instant: Int64) -> Bool {
        guard let ownTime, !isTimeless else { return false }
        return ownTime > instant
    }

    func says<Value: FactValue.Value>(_ fact: Fact, _ value: Value) -> Bool {
        facts[fact.index] == value.rawValue
    }
}

/// One transaction of a subscription as some body showed it.
struct TimelineRow {
    var transaction = TimelineID.none
    /// The id, as a text or as the number it is.
    var transactionText = EventText.absent
    var number: Int64?
    var product = TimelineID.none
    var productText = EventText.absent
    var purchase: Int64 = 0
    var expires: Int64?
    var cancellation: Int64?
    /// When it had been cancelled before, where that was taken back or is dated otherwise now.
    var cancelledBefore: Int64?
    /// 0, 1, or 255 for not stated.
    var reason: UInt8 = 255
    var isUpgraded = false
    var offerType: UInt8 = 0
    var offerText = EventText.absent
    var offer = TimelineID.none
    /// The statement that showed it first, and the one that showed its cancellation first; -1 for none.
    var shownBy = -1
    var cancelledBy = -1
    /// When that one had certainly been written.
    var cancelledSince = Int64.min

    /// When the period ended: by itself, or with a refund before that.
    var end: Int64? {
        guard let expires else { return nil }
        guard let cancellation, !isUpgraded else { return expires }
        return min(expires, cancellation)
    }

    /// Whether it was cancelled by an instant and that was taken back since, nobody knows when.
    func wasCancelledBefore(_ instant: Int64) -> Bool { cancelledBefore.map { $0 <= instant } ?? false }

    /// The id as Apple writes it.
    var transactionID: String? { number.map { String($0) } ?? transactionText.string }
}

/// Ids and product names as numbers that are compared in place of the texts.
///
/// Apple's transaction ids are numbers themselves; anything else becomes a hash of 63 bits, which for two texts of one
/// subscription never collides in practice.
enum TimelineID {
    static let none: UInt64 = 0

    /// The number of an id that is written in 1 to 18 digits.
    static func number(_ text: EventText) -> Int64? {
        let bytes = text.bytes
        guard !text.hasEscapes, 1...18 ~= bytes.count, bytes[0] != 0x30 else { return nil }
        var value: Int64 = 0
        for byte in bytes {
            guard 0x30...0x39 ~= byte else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        return value
    }

    static func of(number: Int64) -> UInt64 { UInt64(bitPattern: number) & ~(1 << 63) }

    static func of(_ text: EventText) -> UInt64 {
        guard !text.isAbsent, !text.bytes.isEmpty else { return none }
        if let number = number(text) { return of(number: number) }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let bytes = text.bytes
        var at = 0
        while at + 8 <= bytes.count {
            hash =
                (hash ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
                &* 0x100_0000_01B3
            hash ^= hash >> 29
            at += 8
        }
        while at < bytes.count {
            hash = (hash ^ UInt64(bytes[at])) &* 0x100_0000_01B3
            at += 1
        }
        hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
        return hash | 1 << 63
    }
}
