/// What one version 1 body says once it is read as a whole: which row it is about, when it happened, and the facts.
struct V1Reading {
    /// A transaction's index and dates.
    struct Row {
        var index: Int
        var purchase: V1Date?
        var expires: V1Date?
        var cancellation: V1Date?
        var isUpgraded: Bool

        /// When the period ended: by itself, or with a refund before that.
        var end: Int64? {
            guard let expires = expires?.milliseconds else { return nil }
            guard let cancellation = cancellation?.milliseconds, !isUpgraded else { return expires }
            return min(expires, cancellation)
        }
    }

    /// The index of the type in ``DecisionTable/types``, `nil` for a type this build does not know.
    var type: Int?
    var subject = V1Subject(originalTransactionID: .absent, isCertain: true)
    /// The transaction the notification is about.
    var notified: Row?
    /// The transaction before it, of the same subscription.
    var previous: Row?
    /// The index of the subject's entry in `pending_renewal_info`.
    var pending: Int?
    /// When it happened, as far as the body itself says.
    var time: V1Date?
    /// ``time`` as the body gives it; a rule whose `time` is null makes only the other one absent.
    var ownTime: V1Date?
    /// Whether ``time`` is only the earliest that is possible.
    var isLowerBound = false
    /// The newest date known that is not after the event.
    var latestKnown: V1Date?
    var facts = Facts.unknown
    /// What the subject's other rows say.
    var rows = Rows()

    /// Facts about the rows other than dates.
    struct Rows {
        /// Those of the subject among the first 128, a bit each; Apple sends a hundred at most.
        private var ofSubject: UInt128 = 0
        var isUnreadable = false
        var history = FactValue.History.none
        var refundNear = false
        var refundedRows = FactValue.RefundedRows.none
        var isSuperseded = false
        /// Whether another plan began long before the notified row was cancelled.
        var isLongUpgraded = false
        var isNotifiedLatest = true
        /// Whether a recovery may be the one that began the period before the notified one.
        var mayBeOfPrevious = false
        /// Whether a list does not hold the first transaction of its subscription, so that someone cut it.
        var isCut = false
        /// Whether a period names no subscription, and may be another one's.
        var hasUnowned = false

        mutating func takeSubjectRow(_ index: Int) {
            if index < 128 { ofSubject |= 1 &<< UInt128(index) }
        }

        /// Whether a row was found to be one of the subject; `nil` for one that is not kept.
        func isOfSubject(_ index: Int) -> Bool? { index < 128 ? ofSubject &>> UInt128(index) & 1 == 1 : nil }
    }
}
