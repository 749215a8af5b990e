/// A question to Apple that a server asks of a customer.
package enum AppleQuestion: CaseIterable, Sendable {
    /// Get Transaction History, in pages of three.
    case history
    /// Get All Subscription Statuses.
    case statuses
    /// verifyReceipt.
    case receipt
}

extension SimulatedLife {
    /// What Apple answers to a question at an instant: the bodies, each in the envelope of a script.
    ///
    /// One account after the other; what happened later is in none of them.
    package func answers(to question: AppleQuestion, at instant: Instant) -> [[UInt8]] {
        accounts.flatMap { account -> [[UInt8]] in
            let states = account.books.compactMap { versions in versions.last { $0.since <= instant }?.state }
            guard let first = states.first, instant >= (first.rows.first?.purchase ?? .max) else { return [] }
            var writer = AnswerWriter(life: self, account: account, states: states, at: instant)
            return writer.bodies(question).map { body in
                JSONText.object([
                    ("original_transaction_id", .string(first.originalTransactionId)), ("response", body),
                ]).bytes
            }
        }
    }

    /// The price of a product in thousandths.
    package static func price(of product: String) -> Int64 {
        990 + Int64(product.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 40 }) * 1000
    }
}

/// Writes the answers about one account.
private struct AnswerWriter {
    let account: Account
    let states: [SubscriptionState]
    let at: Instant
    let setting: Setting
    var random: SeededGenerator

    init(life: SimulatedLife, account: Account, states: [SubscriptionState], at: Instant) {
        self.account = account
        self.states = states
        self.at = at
        setting = life.setting
        random = SeededGenerator(seed: life.seed &+ UInt64(bitPattern: at))
    }

    mutating func bodies(_ question: AppleQuestion) -> [JSONText] {
        switch question {
        case .history: history()
        case .statuses: [statuses()]
        case .receipt: [receipt()]
        }
    }

    private func notice(_ state: SubscriptionState) -> Notice {
        Notice(
            type: "", at: at, happening: 0, leads: false, also: [], state: state,
            transactionId: state.rows.last?.transactionId ?? "")
    }

    private mutating func signedBody(_ state: SubscriptionState) -> SignedBody {
        SignedBody(
            notice: notice(state),
            signed: Notice.Signed(pair: V2Pair(""), uuid: "", statedAt: at), setting: setting,
            random: random.fork())
    }

    private mutating func info(_ row: ReceiptRow, of state: SubscriptionState) -> JSONText {
        var body = signedBody(state)
        guard case .object(var members) = body.transactionInfo(of: row) else { return .null }
        members.append(("transactionReason", .string(row.isRenewal ? "RENEWAL" : "PURCHASE")))
        members.append(("storefront", .string("DEU")))
        members.append(("currency", .string("EUR")))
        members.append(("price", .number(row.isTrial ? 0 : SimulatedLife.price(of: row.productId))))
        return setting.signedForm == .decoded ? .object(members) : .string(body.jws(.object(members)))
    }

    /// Every transaction of the account, the oldest first; consumables that were finished too.
    private mutating func history() -> [JSONText] {
        let rows = states.flatMap { state in state.rows.map { (state, $0) } }
            .filter { $0.1.purchase <= at }.sorted { $0.1.purchase < $1.1.purchase }
        let infos = rows.map { info($0.1, of: $0.0) }
        return stride(from: 0, to: infos.count, by: 3).map { start in
            var page = JSONMembers()
            page.set("revision", "\(start)")
            page.set("bundleId", setting.app.bundleId)
            page.set("environment", setting.environment == .production ? "Production" : "Sandbox")
            page.set("hasMore", .bool(start + 3 < infos.count))
            page.set("signedTransactions", .array(Array(infos[start..<min(start + 3, infos.count)])))
            return page.value
        }
    }

    private mutating func statuses() -> JSONText {
        var items: [JSONText] = []
        for state in states {
            guard let renewal = state.renewal, let row = state.rows.last(where: { $0.purchase <= at }) else { continue }
            var body = signedBody(state)
            let isDecoded = setting.signedForm == .decoded
            let renewalInfo = body.renewalInfo(renewal, of: row)
            var item = JSONMembers()
            item.set("originalTransactionId", state.originalTransactionId)
            item.set("status", .number(body.status(renewal, of: row)))
            item.set("signedTransactionInfo", info(row, of: state))
            item.set("signedRenewalInfo", isDecoded ? renewalInfo : .string(body.jws(renewalInfo)))
            items.append(item.value)
        }
        var answer = JSONMembers()
        answer.set("environment", setting.environment == .production ? "Production" : "Sandbox")
        answer.set("bundleId", setting.app.bundleId)
        answer.set("data", .array([.object([("lastTransactions", .array(items))])]))
        return answer.value
    }

    private mutating func receipt() -> JSONText {
        var notice = notice(states[0])
        notice.shape = .unified
        var body = NotificationBody(
            notice: notice, account: account, setting: setting, layout: random.fork(), blobs: random.fork())
        guard case .object(var members) = body.unifiedReceipt() else { return .null }
        members.append(
            (
                "receipt",
                .object([
                    ("bundle_id", .string(setting.app.bundleId)), ("request_date_ms", .string(String(at))),
                    ("in_app", .array([])),
                ])
            ))
        return .object(members)
    }
}
