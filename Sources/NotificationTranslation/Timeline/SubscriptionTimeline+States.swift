extension SubscriptionTimeline {
    /// How the subscription stands at an instant, by all entries and answers, later ones included.
    ///
    /// - Returns: One state for each environment and app that share the key, so usually one; none before anything is
    ///   known of it.
    public func state(at instant: EventTime) -> [SubscriptionState] {
        rows { settlement in
            StateHistory(settlement, until: instant.milliseconds).state(at: instant.milliseconds).map { [$0] } ?? []
        }
    }

    /// Every stretch of time of the subscription; they touch, and the last is open.
    ///
    /// Periods end by time up to the instant of ``init(inferring:asOf:)``, without one up to the latest time of any entry.
    public var history: [SubscriptionState] {
        rows { StateHistory($0, until: self.asOf?.milliseconds ?? $0.latestDelivery).states }
    }

    /// The transactions of the subscription, each once, by environment and app, the oldest first; a period that still runs
    /// is shown as of the same instant as in ``history``.
    public var transactions: [SubscriptionTransaction] {
        rows { Ledger($0).transactions($0, asOf: self.asOf?.milliseconds ?? $0.latestDelivery) }
    }

    private func rows<Row>(_ make: (Settlement) -> [Row]) -> [Row] {
        var settlement = Settlement(DecisionTable.current)
        settlement.keepsDetails = true
        settlement.viewEnd = isComplete ? .max : asOf?.milliseconds
        let memory = entries.map(\.evidence.bytes) + answers.map(\.bytes)
        var rows: [Row] = []
        memory.withBuffers { buffers in
            let own = buffers.filter { EvidenceReader.header($0)?.originalTransactionID.isAbsent == false }
            for part in Partition.subscriptions(of: own) where settlement.settle(part, of: own, withLists: true) {
                rows += make(settlement)
            }
        }
        return rows
    }
}
