package import NotificationTranslation

/// Counts of a run or of a part of it; parts add up.
package struct Tally: Sendable, Equatable {
    /// Records read: always the sum of `converted`, `evidence`, `rejected` and `skipped`.
    package var records = 0
    package var converted = 0
    /// Answers of Apple's in records without a notification.
    package var evidence = 0
    /// Parts of answers that carry no proof where one is required, and were not used.
    package var unprovenAnswers = 0
    package var rejected = 0
    /// Valid JSON that carries no Apple notification.
    package var skipped = 0
    private var skips: [SkipReason: Int] = [:]
    /// Skipped records that show signs of a notification.
    package var signs = 0
    /// Skipped records in which nothing was where a JSON pointer to the body led.
    package var missedPointers = 0
    /// Notifications with a time of arrival.
    package var received = 0
    /// Times of arrival that name no zone, and payloads with such dates; all were read as UTC.
    package var zoneless = 0
    /// Notifications received more than an hour before the first purchase, or the cancellation, that they name.
    package var premature = 0
    /// V1 notifications received longer after they happened than Apple repeats a delivery.
    package var overdue = 0
    package var exact = 0
    package var inferred = 0
    package var ambiguous = 0
    /// Passed through with a type this build does not know.
    package var unmapped = 0
    /// Parts of another event, and deliveries of one that was there before; both are among the converted.
    package var companions = 0
    package var duplicates = 0
    /// Events that V1 never sent, deduced; they are not records.
    package var deduced = 0
    /// Events that were deduced and left out, because they are ambiguous and such events are rejected.
    package var ambiguousDeduced = 0
    /// What became of the receipts in version 1 bodies; all 0 unless they are verified.
    package var receipts = Receipts()
    /// How often each flag was raised, by the flag's place in the table; empty if none was.
    package var flags: [Int] = []

    package init() {}

    /// Receipts in the bodies of events, each counted as often as it applies.
    package struct Receipts: Sendable, Equatable {
        /// There was one.
        package var present = 0
        /// It verifies.
        package var verified = 0
        /// It covers everything that the event says of its transaction.
        package var covering = 0
        /// It covers some of that.
        package var partly = 0
        /// It verifies and covers nothing.
        package var nothing: Int { verified - covering - partly }
        /// It says something else than the event, or is of another app.
        package var contradicting = 0

        fileprivate mutating func count(_ event: inout EventDraft) {
            present += 1
            if event.source.receiptFields.createdAt != nil { verified += 1 }
            if event.source.receiptFields.covers == .all { covering += 1 }
            if event.source.receiptFields.covers == .some { partly += 1 }
            let contrary = FlagSet.receiptContradictsRow.union(.receiptOtherBundle)
            if !event.flags.known.isDisjoint(with: contrary) { contradicting += 1 }
        }
    }

    /// The flags that were raised, with how often, in the order of the table.
    package var namedFlags: [(flag: AmbiguityFlag, count: Int)] {
        zip(AmbiguityFlag.allKnown, flags).filter { $0.1 > 0 }.map { (flag: $0.0, count: $0.1) }
    }

    /// The reasons for which records were skipped, with how many.
    package var skipReasons: [(reason: SkipReason, count: Int)] {
        SkipReason.allCases.compactMap { reason in skips[reason].map { (reason, $0) } }
    }

    // Made once, and not for each chunk.
    private static let sums: [any WritableKeyPath<Tally, Int> & Sendable] = [
        \.records, \.converted, \.evidence, \.unprovenAnswers, \.rejected, \.skipped, \.signs, \.missedPointers,
        \.received, \.zoneless, \.premature, \.overdue, \.exact, \.inferred, \.ambiguous, \.unmapped, \.companions,
        \.duplicates, \.deduced, \.ambiguousDeduced, \.receipts.present, \.receipts.verified, \.receipts.covering,
        \.receipts.partly, \.receipts.contradicting,
    ]

    /// Adds the counts of another part.
    package mutating func add(_ other: Tally) {
        for sum in Self.sums { self[keyPath: sum] += other[keyPath: sum] }
        skips.merge(other.skips, uniquingKeysWith: +)
        if flags.isEmpty { flags = Array(repeating: 0, count: other.flags.count) }
        for (index, count) in other.flags.enumerated() { flags[index] += count }
    }

    mutating func countSkip(_ reason: SkipReason) {
        records += 1
        skipped += 1
        skips[reason, default: 0] += 1
    }

    /// Counts a record that became an event.
    mutating func count(_ event: inout EventDraft) {
        records += 1
        converted += 1
        if event.source.hasReceipt { receipts.count(&event) }
        count(&event, 1)
    }

    /// Counts a record as rejected that was counted as an event, because it remained ambiguous.
    mutating func recountAsAmbiguousReject(_ event: inout EventDraft) {
        count(&event, -1)
        converted -= 1
        rejected += 1
    }

    /// Counts what an event says, or with -1 takes that back.
    mutating func count(_ event: inout EventDraft, _ change: Int) {
        if event.disposition == .companion { companions += change }
        if event.disposition == .duplicate { duplicates += change }
        switch event.certainty {
        case .exact: exact += change
        case .inferred: inferred += change
        case .ambiguous: ambiguous += change
        case .unknown: unmapped += change
        }
        if flags.isEmpty { flags = Array(repeating: 0, count: FlagTable.capacity) }
        for flag in event.flags.known.numbers { flags[flag] += change }
    }
}
