import NotificationTranslation

/// The evidence of one key, or a part of it where that is more than is settled at once: of notifications in the order of
/// the input, then of Apple's answers, then of guests.
struct KeyGroup {
    let key: UInt64
    /// Positions of lines; those of guests and answers are marked.
    private(set) var positions: [UInt64] = []
    private(set) var evidence: [[UInt8]] = []

    /// Set in the position of a notification that names no purchase, under the keys of those it may be about; it makes
    /// these come last under a key.
    static let guest: UInt64 = 1 << 63

    /// Set in the position of an answer of Apple's, which comes after the notifications of its key.
    static let answer: UInt64 = 1 << 62

    /// The rank of a verdict from the notification's own subscription: last, so that a match as guest wins.
    static let own = UInt64.max

    /// A group is settled in parts of as many bytes; far more than the most notifications of any real one.
    private static let mostBytes = 48 << 20

    /// Goes over the groups of a store, of at most ``SubscriptionJudge/most`` records each.
    static func forEach(
        of store: SortedStore, window: Int, _ body: (KeyGroup) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var merge = try SortedMerge([store], window: window)
        while let first = merge.top {
            var (group, size) = (KeyGroup(key: first.first), 0)
            while let cursor = merge.top, cursor.first == group.key,
                group.positions.count < SubscriptionJudge.most, size < mostBytes
            {
                let evidence = Array(try cursor.payload())
                group.positions.append(cursor.second)
                group.evidence.append(evidence)
                size += evidence.count
                try merge.advance()
            }
            try body(group)
            try Interruption.check()
        }
    }

    /// Settles them; what is reported are positions, ranks (the smallest holds) and verdicts.
    func settle(_ judge: SubscriptionJudge, _ report: (UInt64, UInt64, UnsafeRawBufferPointer) -> Void) {
        let hosts = positions.firstIndex { $0 & Self.guest != 0 } ?? positions.count
        evidence.withBuffers { evidence in
            judge.settle(key, evidence, hosts: hosts, positions) { report(positions[$0] & ~Self.guest, $1, $2) }
        }
    }
}

extension SubscriptionJudge {
    /// Settles what is under a key, of which the first ones are about it and the others may be; what is reported are places,
    /// ranks (the smallest holds) and verdicts.
    ///
    /// With guests only where there is something else.
    func settle(
        _ key: UInt64, _ evidence: [UnsafeRawBufferPointer], hosts: Int, _ positions: [UInt64] = [],
        _ report: (Int, UInt64, UnsafeRawBufferPointer) -> Void
    ) {
        guard hosts > 0 else { return }
        settle(
            Array(evidence[..<hosts]), positions: positions, guests: Array(evidence[hosts...]),
            // The key makes ranks differ, so that the order never depends on which worker did what.
            reportGuest: { report(hosts + $0, UInt64(max(0, $1)) << 20 | key >> 44, $2) },
            { report($0, KeyGroup.own, $1) })
    }
}
