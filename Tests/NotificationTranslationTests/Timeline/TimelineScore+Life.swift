import NotificationTranslation
import SimulatedLives

extension TimelineScore {
    /// A version 2 notification that is true of a life, and whether it was found.
    private struct Expected {
        let happening: Happening
        var pairs: [NotificationPair]
        var transactions: Set<String>
        /// Told, or silent though documented and given away by bodies of the same subscription.
        let isDemanded: Bool
        var isFound = false

        func fits(_ event: UnifiedEvent) -> Bool {
            pairs.contains(event.v2) && event.transaction?.originalTransactionID == happening.originalTransactionId
                && event.transaction?.transactionID.map(transactions.contains) == true
        }
    }

    /// What is missing, doubled or untrue.
    private struct Fault {
        let figure: Figure
        let what: String
        let subscription: String
        let transaction: String
        let at: Int64

        /// Whether something happened to the transaction before that no body shows, so that nobody can know better.
        func isHidden(in life: SimulatedLife) -> Bool {
            life.happenings.contains {
                $0.transactionId == transaction && $0.isSilent && !$0.isShown && $0.at <= at
            }
        }
    }

    /// Compares whole lives: what is missing, doubled or untrue.
    mutating func takeLife(_ life: SimulatedLife, _ groups: [Int: [JudgedDelivery]], _ inferred: [UnifiedEvent]) {
        guard !life.deliveries.isEmpty else { return }
        var expected = life.happenings.indices.map { number in
            expectation(life.happenings[number], groups[number] ?? [], asOf: life.span.upperBound)
        }
        var faults: [Fault] = []
        let fault = { (figure: Figure, what: String, happening: Happening) in
            Fault(
                figure: figure, what: what, subscription: happening.originalTransactionId,
                transaction: happening.transactionId, at: happening.at)
        }
        for (number, allJudged) in groups {
            for event in allJudged.map(\.event) where event.disposition == .event || event.disposition == .unmapped {
                let what = "\(event.v2) told by \(event.source.type ?? "?") with \(event.source.rule ?? "V2")"
                let happening = life.happenings[number]
                if !expected[number].pairs.contains(event.v2) {
                    faults.append(fault(.untrue, what, happening))
                } else if expected[number].isFound {
                    if allJudged.contains(where: \.truth.isNameless) { continue }
                    faults.append(fault(.doubled, what, happening))
                } else {
                    expected[number].isFound = true
                    // What a receipt hides of a one-time purchase nobody can know.
                    let isSubscription = event.transaction?.productType == .autoRenewableSubscription
                    if isSubscription, !expected[number].fits(event) {
                        faults.append(fault(.untrue, what + " of another transaction", happening))
                    }
                }
            }
        }
        for event in inferred {
            add(.inferred)
            let time = event.occurredAt?.milliseconds ?? 0
            let fitting = expected.indices.filter { expected[$0].fits(event) }
            let free = fitting.filter { !expected[$0].isFound }
                .min { abs(expected[$0].happening.dated - time) < abs(expected[$1].happening.dated - time) }
            if let free {
                expected[free].isFound = true
                if !Self.isTimely(event, expected[free].happening) {
                    add(.mistimedInferred)
                    let happening = expected[free].happening
                    note("mistimed inferred \(event.v2)", of: happening.originalTransactionId, at: happening.at)
                }
            } else {
                add(.wrongInferred)
                faults.append(
                    Fault(
                        figure: fitting.isEmpty ? .untrue : .doubled, what: "inferred \(event.v2)",
                        subscription: event.transaction?.originalTransactionID ?? "",
                        transaction: event.transaction?.transactionID ?? "", at: time))
            }
        }
        for absent in expected where absent.isDemanded && !absent.isFound {
            let kind = absent.happening.isSilent ? "silent" : "told"
            faults.append(fault(.missing, "\(kind) \(absent.happening.pair)", absent.happening))
        }
        add(.lives)
        add(.complete, faults.isEmpty ? 1 : 0)
        add(.completeAsShown, faults.allSatisfy { $0.isHidden(in: life) } ? 1 : 0)
        for fault in faults {
            add(fault.figure)
            note("\(fault.figure): \(fault.what)", of: fault.subscription, at: fault.at)
        }
    }

    /// Within an hour of either time that is true of the happening, or a range that begins before it.
    private static func isTimely(_ event: UnifiedEvent, _ happening: Happening) -> Bool {
        guard let time = event.occurredAt?.milliseconds else { return false }
        if event.flags.contains(where: { $0.rawValue == "TIME_RANGE" }), time <= happening.at { return true }
        return min(abs(time - happening.dated), abs(time - happening.at)) <= 3_600_000
    }

    private func expectation(_ happening: Happening, _ allJudged: [JudgedDelivery], asOf: Instant) -> Expected {
        let isGivenAway = happening.isShown && happening.isDocumented && happening.dated <= asOf
        let truths = allJudged.map(\.truth)
        let pairs = truths.filter { $0.pair != nil }.flatMap { [$0.pair].compactMap(\.self) + $0.also }
        return Expected(
            happening: happening,
            pairs: (pairs + [happening.pair] + happening.also).map { NotificationPair($0) },
            transactions: Set(
                [happening.transactionId] + (truths.contains(where: \.isPromoted) ? truths.map(\.transactionId) : [])),
            isDemanded: !happening.isSilent || isGivenAway)
    }
}
