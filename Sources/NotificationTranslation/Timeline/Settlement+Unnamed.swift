/// Finds the transaction of V1 bodies that do not name one, for example because their list was removed.
///
/// What the neighbours show decides, and only where it leaves one answer:
///
///     DID_RENEW  names none       received 2022-05-25 18:32:04
///     CANCEL     {7} from 2022-05-25 18:31:50                     →  the DID_RENEW is about 7
///
/// The event keeps what its body says; the transaction found is used for duplicates, for pairing V1 with V2, and for the
/// facts that neighbours give.
extension Settlement {
    /// When a transaction was told to have begun.
    private struct Beginning {
        var transaction: UInt64
        var product: UInt64
        var at: Int64
        var expires: Int64?
    }

    /// Gives the transactions found to the statements that name none.
    func nameTransactions() {
        guard statements.count > 1, statements.contains(where: isUnnamed) else { return }
        let beginnings = beginnings()
        for place in statements.indices where isUnnamed(statements[place]) {
            let statement = statements[place]
            let found =
                switch table.shape(ofType: statement.type).time {
                case .purchase: begun(statement, beginnings)
                case .statusChange: running(statement, beginnings)
                case .cancellation, .expiry, nil: nil as Beginning?
                }
            guard let found else { continue }
            statements[place].transaction = found.transaction
            statements[place].product = found.product
        }
    }

    private func isUnnamed(_ statement: Statement) -> Bool {
        statement.type >= 0 && statement.transaction == TimelineID.none && statement.hasKey
            && statement.says(.subject, FactValue.Subject.certain)
    }

    /// What the bodies in view show, and when V2 told it, which for a recovery in the grace period is later.
    private func beginnings() -> [Beginning] {
        var found: [Beginning] = []
        for statement in statements {
            for row in shownRows[statement.rows] {
                found.append(
                    Beginning(
                        transaction: row.transaction, product: row.product, at: row.purchase, expires: row.expires))
            }
            if statement.isV2, statement.transaction != TimelineID.none,
                table.timeline.role(ofPair: statement.pair) == .begins
            {
                found.append(
                    Beginning(
                        transaction: statement.transaction, product: statement.product, at: statement.order,
                        expires: nil))
            }
        }
        return found
    }

    /// The transaction whose beginning a notification tells; `nil` where several may be meant.
    ///
    /// For types about the first transaction, that one. Else the only one that began within the time of repeated attempts
    /// before the notification was received; if there are several, the only one within the slack of an attempt.
    private func begun(_ statement: Statement, _ beginnings: [Beginning]) -> Beginning? {
        if table.shape(ofType: statement.type).transaction == .first {
            let original = TimelineID.of(statement.originalTransactionID)
            return beginnings.first { $0.transaction == original }
        }
        guard let received = statement.receivedAt else { return nil }
        let early = tolerance(statement)
        let late = isSandbox(statement) ? early : table.parameters.deliveryHorizon
        return only(beginnings) { -early...late ~= received - $0.at }
            ?? only(beginnings) { -early...min(late, table.parameters.attemptSlack) ~= received - $0.at }
    }

    /// The one transaction that was running when the status changed.
    private func running(_ statement: Statement, _ beginnings: [Beginning]) -> Beginning? {
        guard let changed = statement.ownTime, statement.timing == .own else { return nil }
        return only(beginnings) { begun in
            guard let expires = begun.expires else { return false }
            return begun.at - tolerance(statement) <= changed && changed < expires
        }
    }

    private func only(_ beginnings: [Beginning], where isMeant: (Beginning) -> Bool) -> Beginning? {
        var found: Beginning?
        for beginning in beginnings where isMeant(beginning) {
            if let found, found.transaction != beginning.transaction { return nil }
            found = beginning
        }
        return found
    }
}
