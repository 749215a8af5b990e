/// What one notification states, read back from its ``Evidence``; texts point into that.
///
/// Settling replaces ``transaction``, ``product``, ``ownTime``, ``timing``, ``facts`` and the time of
/// arrival of an import by what others show; the texts stay those of the body.
struct Statement {
    /// What is at the beginning of evidence, and says whose it is.
    struct Header {
        var kind: Kind = []
        var environment = EventText.absent
        var bundleID = EventText.absent
        var originalTransactionID = EventText.absent
        var id = EventDraft.ID.text(.absent)
    }

    /// The second byte of evidence.
    struct Kind: OptionSet {
        let rawValue: UInt8

        static let isV2 = Self(rawValue: 1)
        /// It shows a list of transactions; of an answer: that is the whole history.
        static let list = Self(rawValue: 2)
        /// An answer of Apple's: it shows transactions and a state, and reports no act.
        static let isAnswer = Self(rawValue: 4)
        /// What settling does not need to know of the transactions follows them.
        static let details = Self(rawValue: 8)
        /// It is in a page of Apple's notification history, which says how often Apple tried to send it.
        static let isInHistory = Self(rawValue: 16)
        /// The page says that it was sent with success.
        static let isSent = Self(rawValue: 32)
        /// Its id is not made of the fields stored here, but of the stored text.
        static let idText = Self(rawValue: 64)
        /// A version 1 notification about another purchase lists it; ``isAnswer`` is set too, as it reports no act.
        static let isListed = Self(rawValue: 128)
    }

    var header = Header()
    /// The index of a V1 type in ``DecisionTable/types``; -1 for V2 and for a type this build does not know.
    var type = -1
    /// The V1 type, or the V2 pair as TYPE/SUBTYPE.
    var typeText = EventText.absent
    /// The index of a V2 pair in ``EventTable/pairs``; -1 for V1 and for a pair this build does not know.
    var pair = -1
    /// The text that the id is made of, where the time of arrival or a receipt gave it another transaction; V1 only.
    var idText = EventText.absent
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
    /// Whether that is the arrival of a copy, as nothing dates this one.
    var hasLentArrival = false
    /// When it was received where that is the time of an import, which says at most which of two is older.
    var importedAt: Int64?
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
    var productText = EventText.absent
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
    /// Apple's number of the offer of the next period, 0 for none.
    var nextOfferType: UInt8 = 0
    var nextOfferText = EventText.absent
    var nextOffer = TimelineID.none
    var graceUntil: Int64?
    /// The purchase date from which on its list leaves out no transaction; `nil` if it leaves out none.
    var leftOutBefore: Int64?
    /// What it says about access by itself.
    var access = EvidenceAccess()
    /// What its verified receipt says of it; `nil` where none was verified.
    var receipt: EvidenceReceipt?
    /// By when a recovery within grace had happened, and the number of the field, as far as the neighbours say.
    var recovered: (milliseconds: Int64, field: UInt8)?
    /// How often Apple tried to send it, by a page of its notification history.
    var attempts: UInt8 = 0
    /// The transactions it shows.
    var rows = 0..<0

    var kind: Kind { header.kind }
    var environment: EventText { header.environment }
    var bundleID: EventText { header.bundleID }
    var originalTransactionID: EventText { header.originalTransactionID }
    var id: EventDraft.ID { header.id }

    /// Its list leaves out no transaction bought from then on; the greatest number where it shows no list.
    var completeFrom: Int64 { hasList ? leftOutBefore ?? .min : .max }

    /// When the receipt was made that bears out what it says; `nil` where none does.
    var provenAt: Int64? { receipt.flatMap { $0.bearsOut ? $0.createdAt : nil } }

    /// Whether it has the form of V2, as answers have too.
    var isV2: Bool { kind.contains(.isV2) }
    /// Whether it was read from a page of Apple's notification history, which a server asks for, and was not delivered.
    var isInHistory: Bool { kind.contains(.isInHistory) }
    /// Whether it reports no act: an answer of Apple's, or what a notification about another purchase lists.
    var isAnswer: Bool { kind.contains(.isAnswer) }
    /// Whether a version 1 notification about another purchase lists it; only `state` and `transactions` use that.
    var isListed: Bool { kind.contains(.isListed) }
    /// Whether it belongs to a subscription or purchase that it names.
    var hasKey: Bool { !originalTransactionID.isAbsent }
    var hasList: Bool { kind.contains(.list) && !isAnswer }
    /// Whether it says for certain which subscription its transactions are of.
    var isOfCertainSubject: Bool { isV2 || isAnswer || says(.subject, FactValue.Subject.certain) }
    /// Whether it is an answer that shows every transaction, as far as nobody filtered it.
    var isCompleteHistory: Bool { kind.contains(.list) && isAnswer }
    /// Whether its body shows all that gives access: every period and, in pending_renewal_info, the grace period.
    ///
    /// A reason for an expiry shows it too, but for a failed renewal, which a grace period may follow.
    func showsAllAccess(_ effects: AccessEffects) -> Bool {
        guard says(.grace, FactValue.Grace.unknown) else { return hasList || intent != .notStated }
        return intent != .notStated && !effects.contains(AccessEffects(.fails))
    }

    /// Whether it says that it comes from production.
    var isProduction: Bool {
        isV2 ? environment.hasSameBytes(as: .production) : says(.environment, FactValue.Environment.production)
    }

    /// Whether it comes from the sandbox.
    var isSandbox: Bool {
        isV2 ? environment.hasSameBytes(as: .sandbox) : says(.environment, FactValue.Environment.sandbox)
    }

    /// Whether its version 2 pair reports a refund or revocation.
    var isOfCancellation: Bool { pair >= 0 && EventTable.current.pairs[pair].effect == .cancels }

    /// When Apple signed it; `nil` for V1.
    var signature: Int64? { isV2 ? signedAt ?? ownTime : nil }

    /// By when it had happened, with the number of the field: when it was received, or earlier, when its verified
    /// receipt was made; where it happened some time after its own date, not before that.
    var latestPossible: (milliseconds: Int64, field: UInt8)? {
        let told = latestByItself
        guard timing == .since, let recovered, recovered.milliseconds < told?.milliseconds ?? .max else { return told }
        return recovered
    }

    private var latestByItself: (milliseconds: Int64, field: UInt8)? {
        if let receipt, receipt.datesEvent, receipt.createdAt < receivedAt ?? .max,
            timing != .since || receipt.createdAt >= ownTime ?? .min
        {
            return (receipt.createdAt, TimeField.receiptCreation)
        }
        return receivedAt.map { ($0, TimeField.receivedAt) }
    }

    /// Whether nothing says when it was, neither its envelope nor its body.
    var isUndated: Bool { receivedAt == nil && (ownTime == nil || isTimeless) }

    /// When it counts as having happened: its own time, else when it was received, else the latest date it knows.
    var time: Int64 {
        switch timing {
        case .own: ownTime ?? latestPossible?.milliseconds ?? latestKnown ?? Self.noTime
        case .since: latestPossible?.milliseconds ?? ownTime ?? latestKnown ?? Self.noTime
        case .none: latestPossible?.milliseconds ?? latestKnown ?? ownTime ?? Self.noTime
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

    func says<Value: FactValue.Value>(_ fact: Fact, _ value: Value) -> Bool { facts.says(fact, value) }

    /// Finds its type or pair in the tables of this build.
    mutating func findType(_ table: DecisionTable) {
        if isV2 {
            pair = typeText.string.flatMap(table.events.pair) ?? -1
            if pair >= 0, autoRenewStatus == nil { applyRenewalOfPair(table.events) }
        } else {
            type = table.type(typeText) ?? -1
        }
    }
    /// Fills in the renewal that its pair implies, because its payload states no auto-renew status.
    private mutating func applyRenewalOfPair(_ events: EventTable) {
        guard let said = events.access.renewalsAfter[events.pairs[pair].name] else { return }
        autoRenewStatus = said.autoRenewStatus.map { $0 == 1 }
        // A reason beside renewal that is on is that of a failure.
        if intent == .notStated, autoRenewStatus == false, let reason = said.expirationIntent {
            intent = UInt8(truncatingIfNeeded: reason)
        }
        consent = consent ?? said.priceIncreaseStatus.map { $0 == 1 }
    }
}

/// What a notification says about access by itself.
struct EvidenceAccess: Equatable {
    var access = Access.unaffected
    /// Apple's `data.status` as received.
    var status: Int64?
    /// When it renews, of V2.
    var renewsAt: Int64?

    init() {}

    init(_ event: inout EventDraft) {
        access = Access(entitlement: event.entitlement, until: event.accessUntil)
        access.flag = event.flags.known.intersection(.accessEndUnknown.union(.runningPeriodUnknown))
        status = event.subscriptionStatus
        renewsAt = event.hasRenewal ? event.renewalFields.renewsAt : nil
    }
}
