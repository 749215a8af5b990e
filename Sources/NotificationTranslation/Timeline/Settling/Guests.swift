/// Finds what V2 reports of a purchase and V1 reported without naming the purchase.
///
/// A REFUND, REVOKE or CONSUMPTION_REQUEST need not say which purchase of its receipt it is about. It is a guest in the
/// timelines of all that may be meant, changes nothing there, and becomes the duplicate of what V2 reports of one:
///
///     V1 REFUND   receipt: A refunded 07:43:45, B refunded 07:43:46        a guest of A and of B
///     V2 REFUND   of B, revoked 07:43:46                                   →  its duplicate
///
/// The last refund that a receipt shows is the one reported, so the nearest date decides, in each timeline and among
/// them.
struct Guests {
    /// The settled subscription; its guests are appended to its statements.
    private(set) var settlement: Settlement

    init(_ settlement: Settlement) { self.settlement = settlement }

    /// A guest that reports what V2 reports of the purchase.
    struct Match {
        /// Its index among the statements.
        var index: Int
        /// Its index among the guests.
        var guest: Int
        /// How far it is from what V2 reports; of several timelines the one where it is least is right.
        var cost: Int64
        /// Whether another guest with the same text was nearer to it, so that this one is a redelivery.
        var isAgain = false
    }

    private struct Claim {
        var match: Match
        var counterpart: Int
    }

    /// Added to the cost of a redelivered guest, so that it is more than that of any first delivery.
    private static let again: Int64 = 1 << 40

    /// The cancellations of this purchase that guests may report, which a deduced event would tell again; to be known
    /// before anything is deduced.
    func cancellations(_ evidence: [UnsafeRawBufferPointer]) -> [Int64] {
        guard let host = settlement.statements.first else { return [] }
        let subject = TimelineID.of(host.originalTransactionID)
        var cancellations: [Int64] = []
        for bytes in evidence {
            guard let opening = EvidenceReader.opening(bytes, settlement.table),
                settlement.shape(of: opening)?.time == .cancellation
            else { continue }
            for meant in EvidenceReader.possibleSubjects(bytes, settlement.table)
            where TimelineID.of(meant.originalTransactionID) == subject {
                guard let cancelled = meant.cancelled else { continue }
                let delay = opening.receivedAt.map { $0 - cancelled } ?? 0
                if delay <= settlement.parameters.deliveryHorizon { cancellations.append(cancelled) }
            }
        }
        return cancellations
    }

    /// Adds guests to the subscription and joins them to what V2 reports.
    ///
    /// - Returns: Those that V2 reports, as duplicates.
    mutating func matches(_ evidence: [UnsafeRawBufferPointer]) -> [Match] {
        guard let host = settlement.statements.first, settlement.statements.contains(where: \.isV2) else { return [] }
        let subject = TimelineID.of(host.originalTransactionID)
        let counterparts = settlement.order.filter { settlement.statements[$0].isV2 && settlement.isEvent($0) }
        var claims: [Claim] = []
        var present: [(index: Int, guest: Int)] = []
        for (guest, bytes) in evidence.enumerated() {
            let possible = EvidenceReader.possibleSubjects(bytes, settlement.table)
            guard let meant = possible.first(where: { TimelineID.of($0.originalTransactionID) == subject }),
                let index = append(bytes)
            else { continue }
            present.append((index, guest))
            claims += counterparts.compactMap { counterpart in
                cost(index, meant.cancelled, counterpart).map {
                    Claim(match: Match(index: index, guest: guest, cost: $0), counterpart: counterpart)
                }
            }
        }
        guard !claims.isEmpty else { return [] }
        let first = firstDeliveries(claims)
        let joined = Set(first.map(\.match.index))
        let again = present.filter { !joined.contains($0.index) }.compactMap { redelivery($0.index, $0.guest, first) }
        for claim in first + again {
            settlement.join(claim.match.index, to: claim.counterpart)
            settlement.outcomes[claim.match.index].limit = .inferred
        }
        return (first + again).map(\.match)
    }

    /// The claims that hold, the nearest first: each guest reports one happening, and each is reported by one.
    private func firstDeliveries(_ claims: [Claim]) -> [Claim] {
        let sorted = claims.sorted { one, other in
            if one.match.cost != other.match.cost { return one.match.cost < other.match.cost }
            return one.match.index != other.match.index
                ? one.match.index < other.match.index
                : settlement.positions[one.counterpart] < settlement.positions[other.counterpart]
        }
        var taken = takenCounterparts
        var joined: Set<Int> = []
        return sorted.filter { claim in
            guard !taken.contains(claim.counterpart), !joined.contains(claim.match.index) else { return false }
            taken.insert(claim.counterpart)
            joined.insert(claim.match.index)
            return true
        }
    }

    /// The claim of a guest that repeats what another one reported; `nil` if it repeats none.
    private func redelivery(_ index: Int, _ guest: Int, _ first: [Claim]) -> Claim? {
        func distance(_ counterpart: Int) -> Int64 {
            abs(settlement.statements[index].time - settlement.statements[counterpart].time)
        }
        let repeated = first.filter { isRedelivery(index, $0.match.index, $0.counterpart) }
        let nearest = repeated.map(\.counterpart).min {
            (distance($0), settlement.positions[$0]) < (distance($1), settlement.positions[$1])
        }
        return nearest.map { counterpart in
            let cost = cost(index, nil, counterpart) ?? distance(counterpart)
            return Claim(
                match: Match(index: index, guest: guest, cost: cost + Self.again, isAgain: true),
                counterpart: counterpart)
        }
    }

    /// The V2 notifications that some V1 record is a duplicate of.
    private var takenCounterparts: Set<Int> {
        let duplicates = settlement.order.filter {
            !settlement.statements[$0].isV2 && settlement.outcomes[$0].disposition == .duplicate
        }
        return Set(duplicates.map { settlement.outcomes[$0].leader })
    }

    /// Takes in one guest, judged alone; returns its index.
    private mutating func append(_ evidence: UnsafeRawBufferPointer) -> Int? {
        guard let statement = EvidenceReader.statement(evidence, settlement.table, &settlement.shownRows),
            statement.type >= 0
        else { return nil }
        let index = settlement.statements.count
        settlement.statements.append(statement)
        settlement.outcomes.append(NotificationOutcome())
        settlement.judgeAlone(index)
        return index
    }

    /// How far a V2 notification is from a guest, if it may report the same.
    private func cost(_ index: Int, _ cancelled: Int64?, _ counterpart: Int) -> Int64? {
        let (v1, other) = (settlement.statements[index], settlement.statements[counterpart])
        guard settlement.table.means(other.pair, type: v1.type), fits(v1.environment, other.environment),
            fits(v1.bundleID, other.bundleID)
        else { return nil }
        if settlement.shape(of: v1)?.time == .cancellation {
            guard let cancelled, let revoked = settlement.shownCancellation(counterpart) ?? other.ownTime,
                abs(revoked - cancelled) <= settlement.tolerance(other)
            else { return nil }
            if let received = v1.receivedAt, received - cancelled > settlement.parameters.deliveryHorizon {
                return nil
            }
            return abs((v1.latestKnown ?? cancelled) - cancelled)
        }
        return settlement.distance(index, counterpart).flatMap { $0.isNear ? $0.apart : nil }
    }

    /// Whether one text names what the other names, or one of them names nothing.
    private func fits(_ one: EventText, _ other: EventText) -> Bool {
        one.isAbsent || other.isAbsent || TimelineID.of(one) == TimelineID.of(other)
    }

    /// Whether a guest repeats what another one reported, and V2 too; a refund is known by its date.
    private func isRedelivery(_ index: Int, _ first: Int, _ counterpart: Int) -> Bool {
        let (v1, before) = (settlement.statements[index], settlement.statements[first])
        guard v1.id.number == before.id.number else { return false }
        if settlement.shape(of: v1)?.time == .cancellation { return v1.latestKnown == before.latestKnown }
        // The time counts from the first delivery, because that one may be late too.
        guard let received = v1.receivedAt, let first = before.receivedAt else { return false }
        return received >= settlement.statements[counterpart].time
            && abs(received - first) <= settlement.parameters.deliveryHorizon
    }
}
