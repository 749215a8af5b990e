/// What one notification states, read back from its ``Evidence``; texts point into that.
struct Statement {
    let bits: EvidenceBits
    let extras: EvidenceExtras
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
    /// How that relates to the time of the event, as the body alone is read.
    var timing = TypeRules.Timing.own
    var ownField: UInt8 = 0
    var latestKnown: Int64?
    var latestField: UInt8 = 0
    var receivedAt: Int64?
    /// When it was signed, of V2 that is dated by something else.
    var signedAt: Int64?
    /// Of a body that names no purchase: what distinguishes it from another of the same words; 0 for nothing.
    var fingerprint: UInt64 = 0
    /// The same without what comes from its receipt, which may be made anew for each delivery.
    var fingerprintOfRows: UInt64 { fingerprint & ~0xFFFF_0000 }
    /// The transaction it is about, and its product.
    var transaction = TimelineID.none
    var transactionText = EventText.absent
    var product = TimelineID.none
    /// The product of the next period.
    var nextProduct = TimelineID.none
    var nextProductText = EventText.absent
    /// Whether renewal is switched on; `nil` where it does not say.
    var autoRenewStatus: Bool?
    /// Why it expired, in Apple's numbers, or not stated.
    var intent = UInt8.notStated
    /// Whether it says that the subscription is in billing retry.
    var isInBillingRetry = false
    /// Whether the customer agreed to a higher price; `nil` where it does not say.
    var consent: Bool?
    var nextOffer = TimelineID.none
    var graceUntil: Int64?
    /// Its list leaves out no transaction bought from then on; the greatest number where it shows no list.
    var completeFrom = Int64.max
    /// What it says about access by itself; `nil` where evidence does not say.
    var access: EvidenceAccess?
    /// What its verified receipt says of it; `nil` where none was verified.
    private(set) var receipt: EvidenceReceipt?
    /// When its receipt says that it was made, which nobody verified and which dates it.
    private(set) var unprovenDate: Int64?
    /// By when a recovery within grace had happened, and the number of the field, as far as the neighbours say.
    var recovered: (milliseconds: Int64, field: UInt8)?
    /// The transactions it shows.
    var rows = 0..<0

    init(_ header: EvidenceReader.Header) {
        bits = header.bits
        extras = header.extras
        environment = header.environment
        bundleID = header.bundleID
        originalTransactionID = header.originalTransactionID
        id = header.id
    }

    /// Takes what is known of its receipt.
    mutating func take(_ receipt: EvidenceReceipt) {
        if receipt.isUnproven { unprovenDate = receipt.createdAt } else { self.receipt = receipt }
    }

    /// When the receipt was made that bears out what it says; `nil` where none does.
    var provenAt: Int64? { receipt.flatMap { $0.bearsOut ? $0.createdAt : nil } }

    var isV2: Bool { bits.contains(.isV2) }
    /// Whether it is an answer of Apple's, which reports no act.
    var isAnswer: Bool { extras.contains(.isAnswer) }
    /// Whether it belongs to a subscription or purchase that it names.
    var hasKey: Bool { !originalTransactionID.isAbsent }
    var hasList: Bool { bits.contains(.list) && !isAnswer }
    /// Whether it is an answer that shows every transaction, as far as nobody filtered it.
    var isCompleteHistory: Bool { bits.contains(.list) && isAnswer }
    /// Whether its body shows all that gives access: every period and, in pending_renewal_info, the grace period.
    var showsAllAccess: Bool {
        hasList && !says(.grace, FactValue.Grace.unknown) || intent != .notStated
    }

    /// Whether it says that it comes from production.
    var isProduction: Bool {
        isV2 ? environment.hasSameBytes(as: .production) : says(.environment, FactValue.Environment.production)
    }

    /// Whether it comes from the sandbox.
    var isSandbox: Bool {
        isV2 ? environment.hasSameBytes(as: .sandbox) : says(.environment, FactValue.Environment.sandbox)
    }

    /// When Apple signed it; `nil` for V1.
    var signature: Int64? { isV2 ? signedAt ?? ownTime : nil }

    /// By when it had happened, with the number of the field: when it was received, or earlier, when its verified
    /// receipt was made; where it happened some time after its own date, not before that.
    var told: (milliseconds: Int64, field: UInt8)? {
        let told = toldByItself
        guard timing == .since, let recovered, recovered.milliseconds < told?.milliseconds ?? .max else { return told }
        return recovered
    }

    private var toldByItself: (milliseconds: Int64, field: UInt8)? {
        if let receipt, receipt.datesEvent, receipt.createdAt < receivedAt ?? .max,
            timing != .since || receipt.createdAt >= ownTime ?? .min
        {
            return (receipt.createdAt, TimeField.receiptCreation)
        }
        if let unprovenDate, ownTime == nil || timing != .own { return (unprovenDate, TimeField.receiptCreation) }
        return receivedAt.map { ($0, TimeField.receivedAt) }
    }

    /// Where it is in the story: its own time, else when it was received, else the latest date it knows.
    var order: Int64 {
        switch timing {
        case .own: ownTime ?? told?.milliseconds ?? latestKnown ?? Self.noTime
        case .since: told?.milliseconds ?? ownTime ?? latestKnown ?? Self.noTime
        case .none: told?.milliseconds ?? latestKnown ?? ownTime ?? Self.noTime
        }
    }

    /// Whether its own date is not the time of what it says.
    var isTimeless: Bool { timing == .none }

    /// Before everything, for what has no date at all; far enough from the end of the numbers to be reckoned with.
    private static let noTime = Int64.min / 4

    /// Whether its body was certainly written after an instant; what it lacks then is gone, and not yet to come.
    func isWrittenAfter(_ instant: Int64) -> Bool {
        guard let ownTime, !isTimeless else { return latestKnown.map { $0 > instant } ?? false }
        return ownTime > instant
    }

    func says<Value: FactValue.Value>(_ fact: Fact, _ value: Value) -> Bool {
        facts.says(fact, value)
    }
}
