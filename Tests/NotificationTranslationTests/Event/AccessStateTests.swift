import Testing

@testable import NotificationTranslation

/// Times are days; what counts is their order.
@Suite("Access")
struct AccessStateTests {
    private static let effects = AccessEffect.allCases.filter { $0 != .open }

    /// States of a subscription, of every kind that a notification can meet.
    private static let states: [AccessState] = {
        var states: [AccessState] = []
        for ownEnd in [nil, 5, 50] as [Int64?] {
            for otherEnd in [nil, 40] as [Int64?] {
                for graceEnd in [nil, 20] as [Int64?] {
                    for status in [nil, .runs, .over, .revoked] as [AccessTable.Status?] {
                        for bits in 0..<8 {
                            var state = AccessState()
                            state.moment = 10
                            state.hasOwn = ownEnd != nil
                            (state.ownEnd, state.otherEnd, state.graceEnd) = (ownEnd, otherEnd, graceEnd)
                            state.status = status
                            state.cancelledAt = 9
                            state.isOwnOver = bits & 1 == 1
                            state.isComplete = bits & 2 == 2
                            state.isOwnLatest = bits & 4 == 4
                            states.append(state)
                        }
                    }
                }
            }
        }
        return states
    }()

    @Test("A refund of a part never ends the access of the whole, unless Apple's status says so")
    func partIsNotTheWhole() {
        for var state in Self.states {
            state.isRefundedInPart = true
            let access = state.access(AccessEffects(.cancels))
            if state.status == nil || state.status == .runs { #expect(access.entitlement != .withdraw) }
            state.isOneTime = true
            state.status = nil
            #expect(state.access(AccessEffects(.cancels)).entitlement == .undecided)
        }
    }

    private static func running(_ state: AccessState) -> Bool { state.otherEnd != nil || state.status == .runs }

    @Test("Access is never withdrawn while another period runs", arguments: effects)
    func neverTakesAwayWrongly(_ effect: AccessEffect) {
        var checked = 0
        for state in Self.states where Self.running(state) && state.status != .over && state.status != .revoked {
            checked += 1
            let access = state.access(AccessEffects(effect))
            #expect(access.entitlement != .withdraw)
        }
        #expect(checked > 100)
    }

    @Test("Access is undecided only with a flag that says why, where one effect is possible", arguments: effects)
    func saysWhy(_ effect: AccessEffect) {
        for state in Self.states {
            let access = state.access(AccessEffects(effect))
            #expect((access.entitlement == .undecided) == !access.flag.isEmpty)
            if access.entitlement != .grant && access.entitlement != .keep { #expect(access.until == nil) }
        }
    }

    @Test("Access is the same with other candidates that have the same effect")
    func combines() {
        for state in Self.states {
            for one in Self.effects {
                for other in Self.effects {
                    let both = state.access([AccessEffects(one), AccessEffects(other)])
                    let words = Set([one, other].map { state.access(AccessEffects($0)).entitlement })
                    if words.count == 1 { #expect(words.contains(both.entitlement)) }
                    if words.isSubset(of: [.grant, .keep]) && words.count == 2 { #expect(both.entitlement == .keep) }
                    if both.entitlement == .withdraw { #expect(words.isSubset(of: [.withdraw, .unaffected])) }
                }
            }
        }
    }

    @Test("Access is not given by a transaction whose refund the same notification shows")
    func refundShown() {
        var state = AccessState()
        (state.moment, state.hasOwn, state.ownEnd) = (10, true, 50)
        #expect(state.access(AccessEffects(.gives)) == .grant(50))
        state.isRefundShown = true
        #expect(state.access(AccessEffects(.gives)) == .unaffected)
        state.otherEnd = 40
        #expect(state.access(AccessEffects(.gives)) == .keep(40))
    }

    @Test("Access ends with a grace period, not with the period before it")
    func graceRuns() {
        var state = AccessState()
        (state.moment, state.ownEnd, state.graceEnd, state.hasOwn) = (10, 9, 25, true)
        #expect(state.access(AccessEffects(.fails)) == .keep(25))
        #expect(state.access(AccessEffects(.continues)) == .keep(25))
        state.graceEnd = nil
        #expect(state.access(AccessEffects(.fails)) == .withdraw)
        state.ownEnd = 11
        #expect(state.access(AccessEffects(.fails)) == .keep(11))
    }

    @Test("Access of a subscription without a known end is undecided, of a one-time purchase without end")
    func endUnknown() {
        var state = AccessState()
        state.moment = 10
        #expect(state.access(AccessEffects(.gives)) == .unknownEnd)
        state.isOneTime = true
        #expect(state.access(AccessEffects(.gives)) == .grant(nil))
    }

    @Test("Access follows what is known of the moment, in a history of many periods")
    func history() {
        var reports = AccessHistory.Reports()
        for month in 0..<1000 as Range<Int64> {
            var row = TimelineRow()
            row.transaction = UInt64(month) + 1
            (row.purchase, row.expires) = (month * 30, month * 30 + 30)
            if month == 500 { row.cancellation = 15_010 }
            reports.rows.append((row, row.purchase, PeriodChanges()))
        }
        reports.graces = [.init(at: 30_000, value: (30_016, 29_970))]
        reports.endings = [30_020]
        let history = AccessHistory(reports)
        #expect(history.runningEnd(at: 45, otherThan: 1) == 60)
        #expect(history.runningEnd(at: 45, otherThan: 2) == nil)
        #expect(history.runningEnd(at: 15_005, otherThan: 1) == 15_030)
        #expect(history.runningEnd(at: 15_011, otherThan: 1) == nil)
        #expect(history.grace(at: 30_010)?.end == 30_016)
        #expect(history.grace(at: 30_017)?.end == nil)
        #expect(history.hasLater(than: 0, of: 1, at: 29) == false)
        #expect(history.hasLater(than: 0, of: 1, at: 31))
    }
}
