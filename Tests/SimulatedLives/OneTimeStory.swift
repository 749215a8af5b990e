/// A product bought once and perhaps refunded.
struct OneTimeStory: Sendable {
    private(set) var state: SubscriptionState
    private(set) var versions: [StateVersion] = []
    private(set) var notices: [Notice] = []
    private(set) var happenings: [Happening] = []
    private let setting: Setting

    /// One purchase; `refundedAt` says when Apple refunds it, if that is settled, else chance decides.
    init(setting: Setting, start: Instant, refundedAt: Instant? = nil, random: inout SeededGenerator) {
        self.setting = setting
        let product = random.pick(setting.app.oneTimeProducts)
        let id = String(TransactionNumbers.first(in: setting, random: &random))
        let row = ReceiptRow(
            productId: product.productId,
            transactionId: id,
            originalTransactionId: id,
            purchase: start,
            originalPurchase: start
        )
        state = SubscriptionState(originalTransactionId: id, rows: [row], hiddenFromReceipt: product.isConsumable)
        versions = [StateVersion(since: start, state: state)]
        happen("ONE_TIME_CHARGE", at: start)
        if let refundedAt {
            refund(isConsumable: product.isConsumable, at: refundedAt, random: &random)
            return
        }
        guard random.chance(55) else { return }
        let asked = start + random.number(20...40_000) * .minute
        askForRefund(isConsumable: product.isConsumable, at: asked, random: &random)
    }

    private mutating func askForRefund(isConsumable: Bool, at asked: Instant, random: inout SeededGenerator) {
        var asked = asked
        if isConsumable, setting.practice(at: asked).tellsConsumption, setting.environment == .production {
            repeat {
                let request = happen("CONSUMPTION_REQUEST", at: asked)
                var shown = state
                shown.hiddenFromReceipt = random.chance(40)
                post("CONSUMPTION_REQUEST", of: request, at: asked, showing: shown)
                asked += random.number(60...2000) * .minute
            } while random.chance(12)
            guard random.chance(75) else {
                happen("REFUND_DECLINED", at: asked + .day)
                return
            }
        }
        refund(isConsumable: isConsumable, at: asked + random.number(1...5) * .day, random: &random)
    }

    private mutating func refund(isConsumable: Bool, at refunded: Instant, random: inout SeededGenerator) {
        state.rows[0].cancellation = refunded
        state.rows[0].cancellationReason = random.chance(20) ? "1" : "0"
        versions.append(StateVersion(since: refunded, state: state))
        let happening = happen("REFUND", at: refunded)
        guard setting.practice(at: refunded).tellsOneTimeRefund else { return }
        var shown = state
        shown.hiddenFromReceipt = isConsumable && random.chance(25)
        post("REFUND", of: happening, at: refunded, showing: shown)
        guard random.chance(6) else { return }
        let reversed = refunded + random.number(3...60) * .day
        state.rows[0].cancellation = nil
        state.rows[0].cancellationReason = nil
        versions.append(StateVersion(since: reversed, state: state))
        happen("REFUND_REVERSED", at: reversed)
    }

    @discardableResult
    private mutating func happen(_ type: String, at instant: Instant) -> Int {
        happenings.append(
            Happening(
                pair: V2Pair(type),
                dated: instant,
                at: instant,
                originalTransactionId: state.originalTransactionId,
                transactionId: state.originalTransactionId,
                isDocumented: true
            )
        )
        return happenings.count - 1
    }

    private mutating func post(
        _ type: String,
        of happening: Int,
        at instant: Instant,
        showing books: SubscriptionState? = nil
    ) {
        notices.append(
            Notice(
                type: type,
                at: instant,
                happening: happening,
                leads: true,
                also: [],
                state: books ?? state,
                cancelled: state.rows[0].cancellation == nil ? nil : state.rows[0],
                transactionId: state.originalTransactionId
            )
        )
        happenings[happening].isSilent = false
    }
}
