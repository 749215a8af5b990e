/// The evidence of an answer of Apple's: one piece for each subscription or purchase that it shows.
///
/// It is that of a version 2 notification, with the form of the answer in place of the pair, with all transactions that
/// the answer shows, and with the time that its undated parts speak of as its own time.
extension EvidenceWriter {
    /// Appends the evidence of an answer.
    ///
    /// - Parameters:
    ///   - answer: What Apple answered.
    ///   - receivedAt: When the answer was received, as far as that is known.
    ///   - output: Where the evidence goes.
    ///   - mark: Called after each piece with the time that it speaks of.
    package func write(_ answer: StoreAnswer, receivedAt: Int64?, to output: OutputBuffer, _ mark: (Int64?) -> Void) {
        for part in AnswerPart.parts(of: answer) {
            mark(write(part, of: answer, receivedAt: receivedAt, to: output))
        }
    }

    private func write(
        _ part: AnswerPart, of answer: StoreAnswer, receivedAt: Int64?, to output: OutputBuffer
    ) -> Int64? {
        let texts = TextArena()
        let signed = (part.transactions.map(\.signedAt) + [part.renewal?.signedAt]).compactMap { $0 }.max()
        let time = signed ?? answer.askedAt ?? receivedAt ?? part.newestDate
        var event = part.draft(of: answer, texts)
        var statement = begin(&event, subject: texts.keep(part.id), isAnswer: true)
        if let newest = part.transactions.first?.row {
            (statement.transactionText, statement.productText) = (newest.transactionText, newest.productText)
        }
        if answer.isComplete { statement.header.kind.insert(.list) }
        if answer.isListed { statement.header.kind.insert(.isListed) }
        statement.typeText = texts.keep(answer.form.rawValue)
        statement.ownTime = time
        statement.ownField = signed == nil ? 0 : TimeField.number(of: EventText("signedDate"))
        for transaction in part.transactions { append(transaction.row, transaction.details) }
        finish(statement, to: output)
        return withExtendedLifetime((answer, texts)) { time }
    }
}

/// What an answer shows of one subscription or purchase.
private struct AnswerPart {
    var id: String
    var environment: String?
    /// The newest first.
    var transactions: [StoreAnswer.Transaction] = []
    var renewal: StoreAnswer.Renewal?

    var newestDate: Int64? {
        transactions.flatMap { [$0.row.purchase, $0.row.cancellation] }.compactMap(\.self).max()
    }

    /// The parts of an answer, in the order in which it shows them; what has no date of purchase is left out.
    static func parts(of answer: StoreAnswer) -> [AnswerPart] {
        var parts: [AnswerPart] = []
        var indices: [String: Int] = [:]
        func index(_ id: String, _ environment: String?) -> Int {
            let environment = environment ?? answer.environment
            let key = "\(environment ?? "") \(id)"
            if let index = indices[key] { return index }
            indices[key] = parts.count
            parts.append(AnswerPart(id: id, environment: environment))
            return parts.count - 1
        }
        for transaction in answer.transactions {
            parts[index(transaction.originalTransactionID, transaction.environment)].transactions.append(transaction)
        }
        for renewal in answer.renewals {
            guard let id = renewal.originalTransactionID else { continue }
            parts[index(id, renewal.environment)].renewal = renewal
        }
        for index in parts.indices {
            parts[index].transactions = parts[index].transactions.sorted {
                ($0.row.purchase, $0.row.transactionID ?? "") > ($1.row.purchase, $1.row.transactionID ?? "")
            }
        }
        return parts
    }

    /// An event that says what the part says beside its transactions.
    func draft(of answer: StoreAnswer, _ texts: TextArena) -> EventDraft {
        var event = EventDraft()
        event.source.version = .v2
        event.appAppleID.number = answer.appAppleID
        event.id = .text(texts.keep(answer.form.rawValue))
        let environment = environment.map { NotificationEnvironment(received: $0).rawValue }
        event.environment = texts.keep(environment)
        event.bundleID = texts.keep(transactions.lazy.compactMap(\.bundleID).first ?? answer.bundleID)
        guard let renewal else { return event }
        event.subscriptionStatus = renewal.status
        event.renewal = renewal.shown
        return event
    }
}
