/// Settles an archive one subscription at a time: evidence in, verdicts out, both as bytes that can be spilled.
///
/// One for each worker; keeps its memory from one subscription to the next.
package final class SubscriptionSettler {
    /// How a timeline is settled and what of it is written.
    package struct Options: Sendable, Hashable {
        /// Which events that V1 never sent are deduced.
        package var inference = SilentInference.none
        /// What counts as now, in milliseconds; `nil` takes the latest time of each subscription.
        package var asOf: Int64?
        /// Which dispositions are left out.
        package var dropped: Set<Disposition> = []

        package init() {}
    }

    /// More notifications than any real subscription has; what is beyond is settled in parts of as many, so that memory
    /// stays bounded whatever an archive holds.
    package static let most = 50_000

    private let options: Options
    private let settlement = Settlement()
    private let output = OutputBuffer(capacity: 1024)

    package init(_ options: Options) {
        self.options = options
    }

    /// Settles the notifications that share a key.
    ///
    /// - Parameters:
    ///   - evidence: Of each notification, in the order of input; at most ``most``.
    ///   - report: Gets a place in `evidence` and a verdict on that notification's event, to be handed to
    ///     ``SettledLineWriter``; ascending places, at most one each, none where nothing changes. The bytes live during
    ///     the call.
    /// - Returns: False if some evidence is damaged.
    package func settle(
        _ evidence: [UnsafeRawBufferPointer], _ report: (Int, UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        if evidence.count == 1 {
            if options.inference == .none, settlement.staysAsItIs(evidence[0]) { return true }
            return settle(evidence, places: nil, report)
        }
        let parts = Partition.subscriptions(of: evidence)
        if parts.count == 1 { return settle(evidence, places: nil, report) }
        // Reports have to ascend over all parts.
        var kept: [(place: Int, bytes: [UInt8])] = []
        for places in parts {
            let isWhole = settle(places.map { evidence[$0] }, places: places) { kept.append(($0, Array($1))) }
            guard isWhole else { return false }
        }
        for item in kept.sorted(by: { $0.place < $1.place }) { item.bytes.withUnsafeBytes { report(item.place, $0) } }
        return true
    }

    private func settle(
        _ evidence: [UnsafeRawBufferPointer], places: [Int]?, _ report: (Int, UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        guard settlement.settle(evidence) else { return false }
        let asOf = options.asOf ?? settlement.latestTime
        var silent = settlement.silentEvents(options.inference, asOf: asOf)[...]
        for place in evidence.indices {
            let verdict = settlement.verdict(place, dropping: options.dropped)
            let behind = silent.isEmpty ? silent : silent.prefix { $0.after == place }
            guard verdict != nil || !behind.isEmpty else { continue }
            silent = silent.dropFirst(behind.count)
            output.removeAll()
            let record = SettledRecord(verdict: verdict, silent: Array(behind))
            record.append(to: output)
            report(places?[place] ?? place, output.bytes)
        }
        return true
    }
}
