/// A set of flags by their numbers in ``FlagTable``.
package struct FlagSet: OptionSet, Hashable, Sendable {
    package var rawValue: UInt128

    /// The set of one flag of this build's table.
    init(_ flag: String) { self.init(number: FlagTable.current.number(flag)) }

    /// The set of the flag with this number; empty if there is none.
    init(number: Int?) { rawValue = number.map { 1 << $0 } ?? 0 }

    package init(rawValue: UInt128) { self.rawValue = rawValue }

    /// The numbers of the flags in it, ascending.
    package var numbers: [Int] {
        var rest = rawValue
        return (0..<rest.nonzeroBitCount).map { _ in
            defer { rest &= rest &- 1 }
            return rest.trailingZeroBitCount
        }
    }

    static let timeLowerBound = FlagSet("TIME_LOWER_BOUND")
    static let timeFromEnd = FlagSet("TIME_FROM_END")
    static let timeAfterReceipt = FlagSet("TIME_AFTER_RECEIPT")
    static let timeAmbiguousHour = FlagSet("TIME_AMBIGUOUS_HOUR")
    static let identityWeak = FlagSet("IDENTITY_WEAK")
    package static let lateDelivery = FlagSet("LATE_DELIVERY")
    static let unknownV1Type = FlagSet("UNKNOWN_V1_TYPE")
    static let unknownV2Type = FlagSet("UNKNOWN_V2_TYPE")
    static let partnerMissing = FlagSet("PARTNER_MISSING")
    static let decidedByStream = FlagSet("DECIDED_BY_STREAM")
    static let settledByAnswer = FlagSet("SETTLED_BY_ANSWER")
    static let answerContradicts = FlagSet("ANSWER_CONTRADICTS")
    static let timeRange = FlagSet("TIME_RANGE")
    static let transactionNotLatest = FlagSet("TRANSACTION_NOT_LATEST")
    static let transactionUncertain = FlagSet("TRANSACTION_UNCERTAIN")
    static let runningPeriodUnknown = FlagSet("RUNNING_PERIOD_UNKNOWN")
    static let accessEndUnknown = FlagSet("ACCESS_END_UNKNOWN")
    static let accountTokenDropped = FlagSet("ACCOUNT_TOKEN_DROPPED")
    static let fieldUnreadable = FlagSet("FIELD_UNREADABLE")
    static let signedTextMissing = FlagSet("SIGNED_TEXT_MISSING")
    static let refundPartial = FlagSet("REFUND_PARTIAL")
    static let placesDisagree = FlagSet("PLACES_DISAGREE")
    static let versionUncertain = FlagSet("VERSION_UNCERTAIN")
    static let uuidShared = FlagSet("UUID_SHARED")
    package static let receiptContradictsRow = FlagSet("RECEIPT_CONTRADICTS_ROW")
    static let transactionNotInReceipt = FlagSet("TRANSACTION_NOT_IN_RECEIPT")
    package static let receiptOtherBundle = FlagSet("RECEIPT_OTHER_BUNDLE")
    static let receiptOutdated = FlagSet("RECEIPT_OUTDATED")
    static let receiptRows = FlagSet("RECEIPT_ROWS")
    static let subjectUncertain = FlagSet("SUBJECT_UNCERTAIN")
    static let autoRenewStateUnknown = FlagSet("AUTO_RENEW_STATE_UNKNOWN")
    static let deducedLikely = FlagSet("DEDUCED_LIKELY")
    static let statusInferred = FlagSet("STATUS_INFERRED")
    static let statusByTime = FlagSet("STATUS_BY_TIME")
    static let statusUnreported = FlagSet("STATUS_UNREPORTED")
}
