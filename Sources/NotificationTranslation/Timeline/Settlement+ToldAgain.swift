extension Settlement {
    /// What a V1 body says that happened, without the state of renewal that its canonical text holds too.
    private struct Happening: Hashable {
        var type: Int
        var transaction: UInt64
        var time: Int64
        /// Of a change of status, which one it was.
        var autoRenewStatus: Bool?
        /// Of what the customer did by hand, the product that it led to.
        var plan = TimelineID.none
    }

    /// Finds redeliveries whose state of renewal differs: the store builds the receipt again for each attempt, and the
    /// customer may have switched renewal or chosen another plan in between.
    ///
    ///     DID_RENEW  {7}  auto_renew_status true       received 10:00
    ///     DID_RENEW  {7}  auto_renew_status false      received 16:00      the period {7} begins once
    func findRedeliveries() {
        guard statements.count > 1 else { return }
        var firsts: [Happening: Int] = [:]
        var isAny = false
        // `findRepeats` has already separated happenings that share a text.
        for place in story where outcomes[place].disposition == .event && outcomes[place].number == 1 {
            guard let happening = happening(place) else { continue }
            guard let first = firsts[happening], mayBeAttempt(place, after: first) else {
                firsts[happening] = place
                continue
            }
            outcomes[place].disposition = .duplicate
            outcomes[place].leader = first
            isAny = true
        }
        guard isAny else { return }
        // A duplicate of a duplicate points to the first delivery.
        for place in story where outcomes[place].disposition == .duplicate {
            let leader = outcomes[place].leader
            if outcomes[leader].disposition == .duplicate { outcomes[place].leader = outcomes[leader].leader }
        }
    }

    /// Whether a notification may be a redelivery of another one.
    ///
    /// A refund received after Apple's last retry may be about a transaction that is no longer in the receipt.
    private func mayBeAttempt(_ place: Int, after first: Int) -> Bool {
        table.shape(ofType: statements[place].type).time != .cancellation || !isAfterLastRetry(place, of: first)
    }

    private func happening(_ place: Int) -> Happening? {
        let statement = statements[place]
        guard statement.type >= 0, statement.transaction != TimelineID.none, let time = statement.ownTime,
            !isWeak(place), statement.says(.subject, FactValue.Subject.certain)
        else { return nil }
        var happening = Happening(type: statement.type, transaction: statement.transaction, time: time)
        switch table.shape(ofType: statement.type).time {
        case .statusChange:
            happening.autoRenewStatus = statement.autoRenewStatus
        case .purchase where table.timeline.byHand.contains(statement.type):
            happening.plan = statement.nextProduct
        case .cancellation:
            // If one body shows two refunds of the same time, it is unknown which one each notification reports.
            let isOnly = shownRows[statement.rows].count { $0.cancellation == time } <= 1
            if !isOnly { return nil }
        default: break
        }
        return happening
    }
}
