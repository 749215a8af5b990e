extension Settlement {
    /// What a V1 body says that happened, without the state of renewal that its canonical text holds too.
    private struct Happening: Hashable {
        var type: Int
        var transaction: UInt64
        var time: Int64
        /// Of a change of status, which one it was.
        var autoRenewStatus: Bool?
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
            guard let first = firsts[happening] else {
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

    private func happening(_ place: Int) -> Happening? {
        let statement = statements[place]
        guard statement.type >= 0, statement.transaction != TimelineID.none, let time = statement.ownTime,
            !isWeak(place), statement.says(.subject, FactValue.Subject.certain)
        else { return nil }
        var happening = Happening(type: statement.type, transaction: statement.transaction, time: time)
        if shape(of: statement)?.time == .statusChange { happening.autoRenewStatus = statement.autoRenewStatus }
        return happening
    }
}
