import NotificationTranslation

/// Brings the evidence of one key together and settles it.
final class KeyGroup {
    private let writer: SubscriptionJudge
    let verdicts: SortedRunStore
    private let bytes = OutputBuffer(capacity: 64 * 1024)
    // Run-time exclusivity checks on the three cost 2 % of a timeline of small bodies.
    @exclusivity(unchecked) private var ends: [Int] = []
    @exclusivity(unchecked) private var positions: [UInt64] = []
    @exclusivity(unchecked) private var evidence: [UnsafeRawBufferPointer] = []

    private let makesTable: Bool

    init(_ options: SubscriptionJudge.Options, into verdicts: SortedRunStore) {
        makesTable = options.table != nil
        writer = SubscriptionJudge(options)
        self.verdicts = verdicts
    }

    /// How many records were left out because what was kept of them is damaged.
    var unsettled: Int { writer.unsettled }

    var agreement: AgreementTally { writer.agreement }
    var missing: MissingNotifications { writer.missing }
    var figures: TableFigures { writer.figures }
    var compared: Set<String> { writer.compared }
    var count: Int { positions.count }
    var byteCount: Int { bytes.count }

    /// Takes the entry a cursor is at.
    func add(_ cursor: SortedRunCursor) throws(ArchiveError) {
        positions.append(cursor.second)
        try cursor.take(into: bytes)
        ends.append(bytes.count)
    }

    /// Settles them together with notifications that may be about this purchase; needed only where it has its own.
    private func settleWithGuests(_ key: UInt64) {
        let first = positions.firstIndex { $0 & JudgingPass.guest != 0 } ?? positions.count
        guard first > 0 else { return }
        writer.settle(
            Array(evidence[..<first]), positions: positions, guests: Array(evidence[first...]),
            reportGuest: { guest, cost, bytes in
                verdicts.add(
                    positions[first + guest] & ~JudgingPass.guest, JudgingPass.rank(ofCost: cost, under: key), bytes)
            },
            { verdicts.add(positions[$0], JudgingPass.own, $1) })
    }

    /// Settles what was added under a key and forgets it.
    func settle(_ key: UInt64) throws(ArchiveError) {
        evidence.removeAll(keepingCapacity: true)
        var start = 0
        let all = bytes.bytes
        for end in ends {
            evidence.append(UnsafeRawBufferPointer(rebasing: all[start..<end]))
            start = end
        }
        if makesTable {
            writer.rows(of: evidence) { verdicts.add($0.first, $0.second, $1) }
        } else if let last = positions.last, last & JudgingPass.guest != 0 {
            settleWithGuests(key)
        } else {
            writer.settle(evidence, positions: positions) { verdicts.add(positions[$0], JudgingPass.own, $1) }
        }
        try verdicts.spillIfFull()
        bytes.removeAll()
        ends.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
    }
}
