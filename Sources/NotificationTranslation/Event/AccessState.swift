/// What is known of a subscription at the moment of a notification, as far as access depends on it.
///
/// A REFUND of January's period, sent on 10 March while March's period runs:
///
///     ownEnd 1 February · otherEnd 1 April · cancelledAt 10 March     →  keep, until 1 April
///
/// Without March's period in view it would be: nothing ran (`none`) where that is known, else `undecided`.
struct AccessState {
    /// How much of its type and subtype this build knows.
    enum Mapping { case pair, typeOnly, none }

    var mapping = Mapping.pair
    /// When it was sent; everything is judged by what had happened until then.
    var moment: Int64?
    /// The period of the transaction that it is about begins then, and ends by itself.
    var ownBegin: Int64?
    var ownEnd: Int64?
    /// Whether that transaction is known at all.
    var hasOwn = false
    /// Whether that transaction gives no access any more although it has not ended: refunded or upgraded.
    var isOwnOver = false
    /// Whether that is because of an upgrade.
    var isOwnUpgraded = false
    /// Whether it is a purchase that Apple sets no end to.
    var isOneTime = false
    /// Whether no later period of the subscription is known.
    var isOwnLatest = true
    /// When the transaction was refunded or revoked.
    var cancelledAt: Int64?
    /// Whether only a part of it was refunded, as far as no status says more.
    var isRefundedInPart = false
    /// The latest end of another period that was running at the moment.
    var otherEnd: Int64?
    /// Whether any other running period would be known.
    var isComplete = false
    /// Whether the notification itself shows that the transaction was cancelled, and not by an upgrade as far as it
    /// says; so it was sent after that.
    var isRefundShown = false
    /// Whether a newer period may not be in view: after a cancellation judged alone or at the end of the view, which
    /// may be a part of an upgrade, or after what was received late and is judged alone.
    var mayBeReplaced = false
    /// Whether the end of the subscription was reported by the moment.
    var isEndReported = false
    /// Whether a receipt newer than the event's own proves that the own transaction was refunded by the moment.
    var isRefundProven = false
    /// The end of a grace period that was running at the moment.
    var graceEnd: Int64?
    /// Whether a grace period would be running if the period before it had not been refunded.
    var isGraceRefunded = false
    /// What Apple's `data.status` says of the moment.
    var status: AccessTable.Status?

    private var isOwnRunning: Bool {
        guard !isOwnOver, !isRefundShown, let ownEnd else { return false }
        return moment.map { ownEnd > $0 } ?? true
    }

    /// The end of the access that is known.
    private var runningEnd: Int64? { Self.later(Self.later(isOwnRunning ? ownEnd : nil, otherEnd), graceEnd) }

    private static func later(_ one: Int64?, _ other: Int64?) -> Int64? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    /// Takes in a grace period that runs, or would run if the period before it had not been refunded.
    mutating func take(_ grace: (end: Int64, isRefunded: Bool)?) {
        guard let grace else { return }
        isGraceRefunded = grace.isRefunded
        if !grace.isRefunded { graceEnd = grace.end }
    }

    // MARK: Judging

    /// What holds if any of these effects is possible.
    ///
    /// A backend that follows the answer never takes away access wrongly: `grant` if all grant, `keep` if none takes
    /// access away, `withdraw` only if all do. No subscription is given access without an end that lies ahead.
    func access(_ effects: AccessEffects) -> Access {
        let answer = mapping == .pair ? answer(effects) : unmapped(effects)
        guard answer.entitlement == .grant || answer.entitlement == .keep else { return answer }
        // The period that begins is not shown; it lasts longer than the one that runs, and nobody knows how long.
        if effects.contains(AccessEffects(.gives)), !hasOwn, !isOneTime, status != .runs { return .unknownEnd }
        guard let until = answer.until else {
            return !isOneTime ? .unknownEnd : answer.entitlement == .grant ? answer : .unaffected
        }
        if moment.map({ until > $0 }) ?? true { return answer }
        return isEndReported ? .over : .unknownEnd
    }

    /// What holds if its subtype or type is not known: what Apple's `data.status` says, else what the dates say of its
    /// type.
    private func unmapped(_ effects: AccessEffects) -> Access {
        guard let status, effects != AccessEffects(.none) else { return answer(effects) }
        guard status == .runs else { return .withdraw }
        return effects == AccessEffects(.gives) ? gives : continues
    }

    private func answer(_ effects: AccessEffects) -> Access {
        var first: Access?
        var until: Int64?
        var flags = FlagSet()
        var (agree, allEnd, isKept) = (true, true, true)
        for effect in AccessEffect.allCases where effects.contains(AccessEffects(effect)) {
            let word = access(effect)
            agree = agree && word.entitlement == (first ?? word).entitlement
            allEnd = allEnd && (word.entitlement == .withdraw || word.isOver)
            isKept = isKept && word.entitlement != .withdraw && word.entitlement != .undecided
            until = Self.later(until, word.until)
            flags.formUnion(word.flag)
            first = first ?? word
        }
        guard var answer = first else { return .unaffected }
        answer.until = until
        if agree { return answer }
        if allEnd { return .withdraw }
        // Nobody loses access where one answer leaves it, and nobody is promised it where one ends it, or what one
        // gives has ended.
        let isPast = until.flatMap { end in moment.map { end <= $0 } } ?? false
        return isKept && !isPast ? .keep(until) : Access(entitlement: .undecided, flag: flags)
    }

    private func access(_ effect: AccessEffect) -> Access {
        switch effect {
        case .gives: gives
        case .restores: restores
        case .continues: continues
        case .fails: fails
        case .ends: ends
        case .cancels: isRefundedInPart ? cancelsPart : cancels
        // What is only a part of another event may show a refund, too.
        case .none: endsByRefund && isComplete && !mayBeReplaced ? .over : .unaffected
        case .open:
            mapping != .typeOnly ? Access(entitlement: .undecided) : isOwnOver || isRefundShown ? cancels : continues
        }
    }

    private var gives: Access {
        // It was told after its own refund, or after another plan took its place.
        if isOwnOver || isRefundShown || isRefundProven {
            if let end = otherEnd { return isOwnUpgraded ? .grant(end) : .keep(end) }
            return status == .runs ? .unknownEnd : .unaffected
        }
        if isOneTime { return .grant(nil) }
        if status == .over || status == .revoked { return .unaffected }
        // The end of an unknown transaction is not known; keep at least the access that is known to run.
        guard hasOwn || status == .runs else { return otherEnd.map { .keep($0) } ?? .unknownEnd }
        guard let end = Self.later(ownEnd, otherEnd), moment.map({ end > $0 }) ?? true else {
            return graceEnd.map { .keep($0) } ?? .grant(ownEnd)
        }
        return .grant(end)
    }

    private var restores: Access {
        if isRefundProven { return otherEnd.map { .keep($0) } ?? .unaffected }
        if isOneTime { return .grant(nil) }
        if status == .over || status == .revoked { return .unaffected }
        // It was refunded again, or upgraded, before the notification was sent.
        if isOwnOver, status == nil { return otherEnd.map { .keep($0) } ?? .unaffected }
        if let ownEnd, moment.map({ ownEnd > $0 }) ?? true { return .grant(max(ownEnd, otherEnd ?? ownEnd)) }
        if let end = otherEnd ?? graceEnd { return .keep(end) }
        if status == .runs { return .keep(nil) }
        guard ownEnd != nil else { return .unknownEnd }
        return isComplete ? .unaffected : .unknownPeriod
    }

    /// Whether the notification shows that a refund ended the newest period, which would still run, and with it the
    /// access.
    ///
    /// The CANCEL that should report this may be lost.
    private var endsByRefund: Bool {
        guard isRefundShown, isOwnLatest, status != .runs, runningEnd == nil else { return false }
        return ownEnd.map { $0 > moment ?? .min } ?? false
    }

    private var continues: Access {
        if status == .over || status == .revoked { return .over }
        if let end = runningEnd { return .keep(end) }
        if endsByRefund { return isComplete && !mayBeReplaced ? .withdraw : .unknownPeriod }
        let isKnown = isComplete && ownEnd != nil || (isOwnOver || isRefundShown) && isOwnLatest
        return isKnown && status != .runs ? .over : .keep(nil)
    }

    private var fails: Access {
        if let end = runningEnd { return .keep(end) }
        if status == .runs { return .keep(nil) }
        // The period that was not paid for may not have ended yet.
        guard hasOwn || status != nil else { return .unknownPeriod }
        return isOwnLatest ? .withdraw : .unaffected
    }

    private var ends: Access {
        if status == .over || status == .revoked { return .withdraw }
        if let end = Self.later(isOwnRunning ? ownEnd : nil, otherEnd) { return .keep(end) }
        if status == .runs { return .keep(nil) }
        return isOwnLatest ? .withdraw : .unaffected
    }

    /// Whether the newest known transaction was cancelled before it ended by itself.
    private var endsOwn: Bool {
        guard hasOwn, isOwnLatest, let ownEnd, let at = cancelledAt ?? moment else { return false }
        return ownEnd > at
    }

    /// What is left of a purchase that was refunded in part is not known, unless a status says it.
    private var cancelsPart: Access {
        if status == .runs { return continues }
        let whole = cancels
        return whole.entitlement == .withdraw ? Access(entitlement: .undecided, flag: .refundPartial) : whole
    }

    private var cancels: Access {
        if isOneTime { return hasOwn ? .withdraw : Access(entitlement: .undecided, flag: .runningPeriodUnknown) }
        if status == .revoked { return .withdraw }
        if status == .over { return endsOwn ? .withdraw : .over }
        // What runs may be what was cancelled.
        guard hasOwn || status == .runs else { return .unknownPeriod }
        // What has not begun gives no access yet, and begins where what gives it ends. It was granted when it was charged.
        if let ownBegin, let moment, ownBegin > moment {
            return (otherEnd ?? (status == .runs ? ownBegin : nil)).map { .grant($0) } ?? .unknownPeriod
        }
        if let end = otherEnd { return .keep(end) }
        if status == .runs { return .keep(graceEnd) }
        guard let ownEnd else { return .unknownPeriod }
        if let at = cancelledAt ?? moment, ownEnd <= at || !isOwnLatest {
            if let end = graceEnd { return .keep(end) }
            if isGraceRefunded, isOwnLatest { return .withdraw }
            return isComplete ? .over : .unknownPeriod
        }
        return .withdraw
    }
}

/// What an event says about access: the entitlement, and until when access is known to last.
struct Access: Equatable {
    var entitlement: Entitlement
    /// With a grant or keep only.
    var until: Int64?
    /// Why it is undecided, where no candidate says that.
    var flag = FlagSet()
    /// Whether it is known that no access is left, so that taking it away changes nothing.
    var isOver = false

    static let unaffected = Access(entitlement: .unaffected)

    /// Whether an event would say the same.
    static func == (one: Access, other: Access) -> Bool {
        one.entitlement == other.entitlement && one.until == other.until && one.flag == other.flag
    }

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        coder.word(&entitlement)
        coder.signed(&until)
        coder.flags(&flag)
    }

    static func grant(_ until: Int64?) -> Access { Access(entitlement: .grant, until: until) }
    static func keep(_ until: Int64?) -> Access { Access(entitlement: .keep, until: until) }
    static let over = Access(entitlement: .unaffected, isOver: true)
    static let withdraw = Access(entitlement: .withdraw)
    static let unknownPeriod = Access(entitlement: .undecided, flag: .runningPeriodUnknown)
    static let unknownEnd = Access(entitlement: .undecided, flag: .accessEndUnknown)
}
