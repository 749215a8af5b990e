/// The evidence of an answer of Apple's: one piece for each subscription or purchase that it shows.
///
/// It is laid out as that of a version 2 notification, with the form of the answer in place of the pair, with all
/// transactions that the answer shows, and with the time that its undated parts speak of as its own time. The bit for a
/// list means that the answer is a complete history.
extension EvidenceWriter {
    /// Appends the evidence of an answer.
    ///
    /// - Parameters:
    ///   - answer: What Apple answered.
    ///   - receivedAt: When the answer was received, as far as that is known.
    ///   - output: Where the evidence goes.
    ///   - mark: Called after each piece with the time that it speaks of.
    func write(_ answer: Answer, receivedAt: Int64?, to output: OutputBuffer, _ mark: (Int64?) -> Void) {
        for part in AnswerPart.parts(of: answer) {
            mark(write(part, of: answer, receivedAt: receivedAt, to: output))
        }
    }

    private func write(
        _ part: AnswerPart, of answer: Answer, receivedAt: Int64?, to output: OutputBuffer
    ) -> Int64? {
        let texts = answer.texts
        let signed = (part.transactions.map(\.signedAt) + [part.renewal?.signedAt]).compactMap { $0 }.max()
        let time = signed ?? answer.askedAt ?? receivedAt ?? part.newestDate
        var event = part.draft(of: answer, texts)
        event.transaction = part.transactions.first?.shown
        products.removeAll(keepingCapacity: true)
        rowBytes.removeAll()
        pseudonyms = TextArena()
        let details = OutputBuffer(capacity: 1024)
        details.append(text: answer.appAppleID.map { String($0) } ?? "")
        rowBytes.append(varint: UInt64(part.transactions.count))
        var newer: (purchase: Int64, id: Int64)?
        for transaction in part.transactions {
            let row = transaction.shown
            guard let purchase = row.purchasedAt else { continue }
            append(row, purchase, after: newer, isInPart: transaction.isRefundedInPart)
            newer = (purchase, TimelineID.number(row.transactionID) ?? newer?.id ?? 0)
            var shown = RowDetails(row)
            shown.reason = transaction.reason
            shown.isTrial = transaction.isTrial
            append(shown, purchase: purchase, to: details)
        }
        details.append(varint: 0)
        var bits: EvidenceBits = .isV2
        if time != nil { bits.insert(.ownTime) }
        if answer.isComplete { bits.insert(.list) }
        header(&event, bits: bits, subject: texts.keep(part.id), extras: [.details, .isAnswer], output)
        output.append(text: answer.form.rawValue)
        if let time {
            output.append(signed: time)
            output.append(signed == nil ? 0 : TimeField.number(of: "signedDate" as StaticString))
        }
        state(&event, output)
        output.append(rowBytes.bytes)
        output.append(details.bytes)
        EvidenceAccess(&event).append(to: output)
        return withExtendedLifetime(texts) { time }
    }
}

/// What an answer shows of one subscription or purchase.
private struct AnswerPart {
    var id: String
    var environment: String?
    /// The newest first.
    var transactions: [Answer.Transaction] = []
    var renewal: Answer.Renewal?

    var newestDate: Int64? {
        transactions.flatMap { [$0.shown.purchasedAt, $0.shown.revokedAt] }.compactMap(\.self).max()
    }

    /// The parts of an answer, in the order in which it shows them; what has no date of purchase is left out.
    static func parts(of answer: Answer) -> [AnswerPart] {
        var parts: [AnswerPart] = []
        var places: [String: Int] = [:]
        func place(_ id: String, _ environment: String?) -> Int {
            let environment = environment ?? answer.environment
            let key = "\(environment ?? "") \(id)"
            if let place = places[key] { return place }
            places[key] = parts.count
            parts.append(AnswerPart(id: id, environment: environment))
            return parts.count - 1
        }
        for transaction in answer.transactions where transaction.shown.purchasedAt != nil {
            guard !transaction.shown.transactionID.isAbsent, let id = transaction.originalTransactionID else {
                continue
            }
            parts[place(id, transaction.environment)].transactions.append(transaction)
        }
        for renewal in answer.renewals {
            guard let id = renewal.originalTransactionID else { continue }
            parts[place(id, renewal.environment)].renewal = renewal
        }
        for place in parts.indices {
            parts[place].transactions.sort {
                ($0.shown.purchasedAt ?? 0, $0.shown.transactionID.string ?? "")
                    > ($1.shown.purchasedAt ?? 0, $1.shown.transactionID.string ?? "")
            }
        }
        return parts
    }

    /// An event that says what the part says beside its transactions.
    func draft(of answer: Answer, _ texts: TextArena) -> EventDraft {
        var event = EventDraft()
        event.source.version = .v2
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
