extension Cast {
    /// Decides which versions the server receives.
    ///
    /// From an instant on version 2 tells everything, and some time later version 1 falls silent. In between both
    /// arrive, as when two server addresses are set or a proxy feeds old and new code.
    mutating func choose(_ versions: Versions, random: inout SeededGenerator) {
        guard setting.era == .unified else { return }
        let unit = setting.environment == .production ? Instant.hour : .minute
        let first = AppleCalendar.secondVersion + 7 * .day
        switch versions {
        case .first: break
        case .cutOver(let percent):
            guard random.chance(percent), let chosen = someTime(after: first, random: &random) else { return }
            let begin = chosen - random.number(0...72) * unit
            let close = begin + (random.chance(25) ? 0 : random.number(12...480) * unit)
            tell(from: begin, andFirstUntil: close, random: &random)
        case .overlap:
            guard let chosen = someTime(after: first, random: &random) else { return }
            let begin = chosen - random.number(0...72) * unit
            tell(from: begin, andFirstUntil: begin + random.number(14 * 24...900 * 24) * unit, random: &random)
        case .both: tell(from: first, andFirstUntil: .max, random: &random)
        case .second:
            let isAnOldCustomer = random.chance(30)
            let chosen = isAnOldCustomer ? someTime(after: first, random: &random) : nil
            tell(from: chosen ?? first, andFirstUntil: .min, random: &random)
        }
    }

    private func someTime(after first: Instant, random: inout SeededGenerator) -> Instant? {
        let times = happenings.map(\.happening.at).filter { $0 <= setting.span.upperBound && $0 > first }
        return times.isEmpty ? nil : random.pick(times)
    }

    /// Version 2 tells everything from an instant on, version 1 ends with another.
    private mutating func tell(from begin: Instant, andFirstUntil close: Instant, random: inout SeededGenerator) {
        let end = setting.span.upperBound
        notices.removeAll { $0.notice.at > close }
        for index in happenings.indices {
            let (happening, account) = happenings[index]
            guard happening.at >= begin, happening.at <= end, isTold(happening.pair, at: happening.at) else { continue }
            guard let state = books(of: happening, account: account) else { continue }
            let pair = wording(of: happening, state)
            let notice = Notice(
                type: pair.type,
                at: happening.at + random.number(800...9000) + random.number(setting.spread(0, loose: 600_000)),
                happening: index,
                leads: true,
                also: [],
                state: state,
                transactionId: happening.transactionId,
                signed: Notice.Signed(pair: pair, uuid: uuid(random: &random), statedAt: happening.at)
            )
            notices.append((notice, account))
        }
    }

    /// Takes away what was told before the archive begins.
    mutating func beginMidway(random: inout SeededGenerator) {
        let times = notices.map(\.notice.at).filter { $0 <= setting.span.upperBound }
        guard !times.isEmpty else { return }
        begin = random.pick(times) - random.number(0...30) * .minute
        notices.removeAll { $0.notice.at < begin }
        let lost = Set(notices.map(\.notice.happening)).filter { number in
            !notices.contains { $0.notice.happening == number && $0.notice.leads }
        }
        notices.removeAll { lost.contains($0.notice.happening) }
    }

    /// Takes notices away; what was said by a lost leader is then said by a companion, or by nobody.
    mutating func lose(_ percent: Double, random: inout SeededGenerator) {
        var left: [(notice: Notice, account: Int)] = []
        var orphans: Set<Int> = []
        for posted in notices {
            if random.chance(percent) {
                if posted.notice.leads { orphans.insert(posted.notice.happening) }
            } else {
                left.append(posted)
            }
        }
        for posted in left where posted.notice.leads { orphans.remove(posted.notice.happening) }
        for index in left.indices where orphans.remove(left[index].notice.happening) != nil {
            left[index].notice.leads = true
            left[index].notice.isPromoted = true
        }
        notices = left
    }

    private func isTold(_ pair: V2Pair, at instant: Instant) -> Bool {
        switch pair.type {
        case "ONE_TIME_CHARGE": setting.environment == .sandbox && instant >= AppleCalendar.oneTimeCharges
        case "REFUND_REVERSED": instant >= AppleCalendar.refundReversals
        default: true
        }
    }

    private func books(of happening: Happening, account: Int) -> SubscriptionState? {
        let books = accounts[account].books.first {
            $0.first?.state.originalTransactionId == happening.originalTransactionId
        }
        return books?.last { $0.since <= happening.at }?.state
    }

    /// The pair in the words of the day.
    private func wording(of happening: Happening, _ state: SubscriptionState) -> V2Pair {
        guard happening.pair.type == "SUBSCRIBED", happening.at < AppleCalendar.offersSubscribe else {
            return happening.pair
        }
        let row = state.rows.first { $0.transactionId == happening.transactionId }
        let hasOffer = row?.promotionalOfferId != nil || row?.offerCode != nil
        return hasOffer ? V2Pair("OFFER_REDEEMED", happening.pair.subtype) : happening.pair
    }

    private func uuid(random: inout SeededGenerator) -> String {
        let digits = Array("0123456789abcdef")
        let text = (0..<30).map { _ in String(random.pick(digits)) }.joined()
        let parts = [text.prefix(8), text.dropFirst(8).prefix(4), "4" + text.dropFirst(12).prefix(3)]
        return parts.joined(separator: "-") + "-a" + text.dropFirst(15).prefix(3) + "-" + text.dropFirst(18)
    }
}
