/// What Apple's answers show of a subscription, put beside what its notifications show.
///
/// An answer reports nothing that happened, so no event is judged beside it. It adds to the transactions; what it does not
/// show proves nothing. Rows of `state` and `transactions` also take from it how the subscription stood:
///
///     CANCEL    {1}  cancelled 01-10                     →  refund or upgrade?
///     history   {1}  is upgraded  ·  {2}  from 01-10     →  an upgrade, and when and for how long 2 ran
final class AnswerLedger {
    /// In the order of the times that they speak of.
    private(set) var answers: [Statement] = []
    /// What else each of them shows.
    private(set) var shownDetails: [ShownDetails] = []
    /// What they say of transactions beside the dates.
    private(set) var details: [UInt64: RowDetails] = [:]
    /// The transactions as they were shown last.
    private(set) var shown: [UInt64: TimelineRow] = [:]
    /// From complete histories, the latest time that one speaks of.
    private(set) var completeUntil: Int64?

    var isEmpty: Bool { answers.isEmpty }
    /// Whether it holds an answer, and not only what notifications about other purchases list.
    var showsAnswer: Bool { answers.contains { !$0.isListed } }

    /// An answer by its number; `nil` for a number that is none.
    subscript(number: Int) -> Statement? { answers.indices.contains(number) ? answers[number] : nil }

    /// Reads answers.
    ///
    /// - Parameters:
    ///   - evidence: Of each answer, in any order; the memory must outlive the use of the ledger.
    ///   - table: Knows the types.
    ///   - rows: Gets the transactions.
    init(_ evidence: [UnsafeRawBufferPointer] = [], _ table: DecisionTable, _ rows: inout [TimelineRow]) {
        guard !evidence.isEmpty else { return }
        var read: [(statement: Statement, details: ShownDetails, bytes: UnsafeRawBufferPointer)] = []
        for bytes in evidence {
            var shown = ShownDetails()
            guard let statement = EvidenceReader.statement(bytes, table, &rows, &shown) else { continue }
            read.append((statement, shown, bytes))
        }
        read.sort { one, other in
            let (time, otherTime) = (one.statement.time, other.statement.time)
            return time != otherTime ? time < otherTime : one.bytes.lexicographicallyPrecedes(other.bytes)
        }
        for (statement, shown, _) in read {
            answers.append(statement)
            shownDetails.append(shown)
            for (row, detail) in zip(rows[statement.rows], shown.rows) {
                var newest = detail
                if let known = details[row.transaction] { newest.complete(from: known) }
                details[row.transaction] = newest
                self.shown[row.transaction] = row
            }
            guard statement.isCompleteHistory, let time = statement.ownTime else { continue }
            completeUntil = max(completeUntil ?? time, time)
        }
    }

    /// Moves what answers say about further ids of restored transactions to the original ids.
    func merge(_ originals: [UInt64: UInt64]) {
        for (restored, original) in originals.sorted(by: { $0.key < $1.key }) {
            shown[restored] = nil
            guard let said = details.removeValue(forKey: restored) else { continue }
            details[original, default: said].complete(from: said)
        }
    }

    /// Why a period ended.
    func intent(of transaction: UInt64, from expires: Int64, until end: Int64) -> SilentValue.Intent? {
        let answer = answers.last {
            $0.transaction == transaction && 1...5 ~= $0.intent && $0.time >= expires && $0.time < end
        }
        return answer.map { SilentValue.Intent(rawValue: Int($0.intent)) ?? .other }
    }

    /// When one last says, after the end of a period, that the subscription is not over.
    func ranOn(_ transaction: UInt64, from expires: Int64, until end: Int64) -> Int64? {
        answers.last { answer in
            answer.transaction == transaction && answer.time >= expires && answer.time < end
                && (answer.isInBillingRetry || answer.graceUntil ?? .min > answer.time)
        }?.time
    }

    /// What the last one by an instant says of renewal after a transaction, and when.
    func autoRenews(after transaction: UInt64, by instant: Int64) -> (isOn: Bool, at: Int64)? {
        answers.last { $0.transaction == transaction && $0.time <= instant && $0.autoRenewStatus != nil }.map {
            ($0.autoRenewStatus == true, $0.time)
        }
    }

    /// Whether they are about what is shared with a member of the family.
    func showFamily(_ codes: FactCodes) -> Bool {
        details.values.contains { details in
            codes.value(of: .ownership, for: details.shown.ownership).flatMap(FactValue.Ownership.init(rawValue:))
                == .family
        }
    }

    /// What was bought in the place of a transaction that is marked as upgraded; `nil` where nothing shows it.
    func replacement(of row: TimelineRow) -> TimelineRow? {
        guard row.isUpgraded else { return nil }
        let next = shown.values.filter { $0.purchase > row.purchase }.min { $0.comes(before: $1) }
        return next.flatMap { $0.product == row.product ? nil : $0 }
    }

    /// Whether an answer says what App Store Server API says, which marks an upgrade; a receipt of some years does not.
    static func marksUpgrades(_ answer: Statement) -> Bool { answer.typeText.string?.hasPrefix("receipt") == false }
}

extension RowHistory {
    /// Takes in what an answer shows, once all notifications are in.
    ///
    /// - Parameters:
    ///   - shown: Its transactions.
    ///   - answer: The answer.
    ///   - anchor: The index of the last notification until an instant, which stands for the answer where a notification
    ///     is asked for.
    func complete(by shown: ArraySlice<TimelineRow>, of answer: Statement, anchor: (Int64) -> Int) {
        let marks = AnswerLedger.marksUpgrades(answer)
        for row in shown {
            update(row.transaction) { before in
                var known = before ?? row
                if before == nil {
                    known.shownBy = anchor(row.purchase)
                    known.endShownBy = known.shownBy
                    known.isAnswered = true
                }
                if let expires = row.expires, expires > known.expires ?? .min { known.expires = expires }
                let isNew = before.map { $0.cancellation == nil && !$0.isUpgraded } ?? true
                if isNew { known.takeCancellation(of: row, anchor) }
                if known.offerType == 0 { known.takeOffer(of: row) }
                if row.isUpgraded { known.isUpgraded = true }
                known.setFate(row, marks)
                return known
            }
        }
    }
}

extension TimelineRow {
    /// Takes the cancellation that an answer shows, if any.
    fileprivate mutating func takeCancellation(of row: TimelineRow, _ anchor: (Int64) -> Int) {
        guard let cancelled = row.cancellation else { return }
        cancellation = cancelled
        reason = row.reason
        isInPart = row.isInPart
        cancellationFirstShownBy = anchor(cancelled)
        cancellationSeenAt = cancelled
        cancellationLastShownBy = cancellationFirstShownBy
        isCancelledUnmarked = !row.isUpgraded
    }

    /// Takes what an answer says became of the transaction.
    fileprivate mutating func setFate(_ row: TimelineRow, _ marksUpgrades: Bool) {
        if row.isUpgraded {
            fate = .upgraded
        } else if let cancelled = row.cancellation, marksUpgrades, fate != .upgraded {
            fate = .refunded(cancelled)
        }
    }
}
