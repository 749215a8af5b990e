/// What one stretch of an archive became: event lines, rejects and counts.
///
/// Chunks are converted side by side, so the number of a chunk's first line is not known while it is worked on. The
/// places where a line number belongs are kept as ``LineMark``s and filled in when the chunk's turn to be written
/// comes.
package struct ChunkOutput {
    /// Event lines, each ended by LF; without their line numbers, unless ``firstLine`` is known.
    package var bytes: OutputBuffer
    /// Where in `bytes` the decimal line number of which line has to be put in, in order.
    package var lineMarks: [LineMark] = []
    /// The evidence of each event, concatenated; empty where none is kept.
    package var evidence = OutputBuffer(capacity: 1024)
    /// Whose evidence is where, one for each event, in order.
    package var evidenceMarks: [EvidenceMark] = []
    /// The records that could not be converted, in order.
    package var rejects: [Reject] = []
    /// What was read and what became of it.
    package var tally = Tally()
    /// What a report says of it; empty where none is wanted.
    package var report = ReportTally()
    /// The products that its notifications name; empty where that is not wanted.
    package var products = ProductTally()
    /// Lines (or, in documents, records) begun so far; relative numbers count from 0.
    package var lines = 0
    /// The skipped records, where that is asked for: the number of the line within the chunk, and whether the record
    /// shows signs of a notification.
    package private(set) var skips: [(line: Int, hasSigns: Bool)] = []
    /// Number within the chunk, from 0, of the first record that was skipped and shows signs of a notification.
    package private(set) var firstSign: Int?
    /// The number of the first line, if it is known before the events are written; there are no marks then.
    package var firstLine: Int64?

    package init(capacity: Int = 64 * 1024) {
        bytes = OutputBuffer(capacity: capacity)
    }

    /// Empties it for the next chunk and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll()
        lineMarks.removeAll(keepingCapacity: true)
        evidence.removeAll()
        evidenceMarks.removeAll(keepingCapacity: true)
        rejects.removeAll(keepingCapacity: true)
        tally = Tally()
        report.beginNextPart()
        if !products.isEmpty { products.removeAll() }
        lines = 0
        firstLine = nil
        firstSign = nil
        skips.removeAll(keepingCapacity: true)
    }

    /// Notes that the record being read holds no notification.
    mutating func noteSkip() {
        skips.append((lines, false))
    }

    /// Notes that the record being read was skipped and shows signs of a notification.
    mutating func noteSigns() {
        tally.signs += 1
        if firstSign == nil { firstSign = lines }
        if skips.last?.line == lines { skips[skips.count - 1].hasSigns = true }
    }

    /// A gap in the output that a line number belongs in.
    package struct LineMark: Sendable {
        /// Position in the output before which the digits go.
        package var position: Int
        /// Number of the line within the chunk, from 0.
        package var line: Int
    }
}

extension ChunkOutput {
    /// Where the evidence of an event is.
    package struct EvidenceMark: Sendable {
        /// Position in ``evidence`` of its end; it begins where the one before ends.
        package var end: Int
        /// The same for notifications that a timeline brings together.
        package var key: UInt64
        /// When it happened, if that is known.
        package var time: Int64?
        /// Of a notification that names no purchase the keys of those it may be about.
        package var possibleKeys: [UInt64] = []
    }

    mutating func markEvidence(from start: Int, _ event: inout EventDraft) {
        let bytes = UnsafeRawBufferPointer(rebasing: evidence.bytes[start...])
        // Nothing has happened after it was told; a date of a wrong row may say so.
        let time = event.occurredAt.map { min($0, event.source.receivedAt ?? $0) }
        evidenceMarks.append(
            EvidenceMark(
                end: evidence.count, key: EvidenceReader.keyNumber(bytes), time: time,
                possibleKeys: isNameless(&event) ? EvidenceReader.possibleKeyNumbers(bytes, .current) : []))
    }
}

extension ChunkOutput {
    private func isNameless(_ event: inout EventDraft) -> Bool {
        event.source.version == .v1
            && (!event.hasTransaction || event.transactionFields.originalTransactionID.isAbsent)
    }
}

/// A record that could not be converted: where it is and why, never what it holds.
package struct Reject: Sendable, Hashable {
    /// Line within the chunk, from 0.
    package var line: Int
    /// Byte offset of the record in the uncompressed input.
    package var offset: Int64
    /// Length of the record in bytes, line end not counted.
    package var length: Int
    /// A code of the documented list, such as `json.duplicate-key`.
    package var code: String
    /// The place inside the record, made of known keys only; empty for the record itself.
    package var path: String
    /// Offset of the fault from the start of the record.
    package var column: Int
    /// One sentence, without any value of the record.
    package var message: String
    /// Whether the record is a line of its input, so that its number is that of a line.
    package var isLine = true

    package init(line: Int, offset: Int64, length: Int, code: String, path: String, column: Int, message: String) {
        self.line = line
        self.offset = offset
        self.length = length
        self.code = code
        self.path = path
        self.column = column
        self.message = message
    }
}

/// Counts of a run or of a part of it; parts add up.
package struct Tally: Sendable, Hashable {
    /// Records read: always the sum of `converted`, `rejected` and `skipped`.
    package var records = 0
    package var converted = 0
    package var rejected = 0
    /// Valid JSON that carries no Apple notification.
    package var skipped = 0
    /// Skipped records that show signs of a notification.
    package var signs = 0
    /// Skipped records in which nothing was where a JSON pointer to the body led.
    package var missedPointers = 0
    /// Notifications of products that the catalogue does not have; 0 without one.
    package var uncatalogued = 0
    /// Notifications with a time of receipt.
    package var received = 0
    /// Of these, those whose time names no zone and was read as UTC.
    package var zoneless = 0
    /// Notifications received more than an hour before the first purchase, or the cancellation, that they name.
    package var premature = 0
    /// V1 notifications received longer after they happened than Apple repeats a delivery.
    package var overdue = 0
    /// How long that is, in hours.
    package static var horizonHours: Int64 { DecisionTable.current.parameters.deliveryHorizon / 3_600_000 }
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
    /// What became of the receipts in version 1 bodies; all 0 unless they are verified.
    package var receipts = Receipts()
    /// How often each flag was raised, by the flag's place in the table; empty if none was.
    package var flags: [Int] = []

    package init() {}

    /// Receipts in the bodies of events, each counted as often as it applies.
    package struct Receipts: Sendable, Hashable {
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

        package init() {}

        /// Counts what an event says.
        fileprivate mutating func count(_ event: inout EventDraft) {
            present += 1
            if event.source.receiptFields.createdAt != nil { verified += 1 }
            if event.source.receiptFields.covers == .all { covering += 1 }
            if event.source.receiptFields.covers == .some { partly += 1 }
            let contrary = FlagSet.receiptContradictsRow.union(.receiptOtherBundle)
            if !event.flags.known.isDisjoint(with: contrary) { contradicting += 1 }
        }

        fileprivate mutating func add(_ other: Receipts) {
            present += other.present
            verified += other.verified
            covering += other.covering
            partly += other.partly
            contradicting += other.contradicting
        }
    }

    /// The flags that were raised, with how often, in the order of the table.
    package var namedFlags: [(flag: AmbiguityFlag, count: Int)] {
        zip(AmbiguityFlag.allKnown, flags).filter { $0.1 > 0 }.map { (flag: $0.0, count: $0.1) }
    }

    /// Adds the counts of another part.
    package mutating func add(_ other: Tally) {
        records += other.records
        converted += other.converted
        rejected += other.rejected
        skipped += other.skipped
        signs += other.signs
        missedPointers += other.missedPointers
        uncatalogued += other.uncatalogued
        received += other.received
        zoneless += other.zoneless
        premature += other.premature
        overdue += other.overdue
        exact += other.exact
        inferred += other.inferred
        ambiguous += other.ambiguous
        unmapped += other.unmapped
        companions += other.companions
        duplicates += other.duplicates
        deduced += other.deduced
        receipts.add(other.receipts)
        if flags.count < other.flags.count {
            flags += Array(repeating: 0, count: other.flags.count - flags.count)
        }
        for (index, count) in other.flags.enumerated() { flags[index] += count }
    }
}

extension ChunkOutput {
    /// Takes the last reject back, and the line it is on: the record is read in another way.
    package mutating func takeBackReject() {
        guard !rejects.isEmpty else { return }
        rejects.removeLast()
        lines -= 1
        tally.records -= 1
        tally.rejected -= 1
    }

    /// Notes a record that is not an event.
    mutating func reject(_ error: NotificationError, offset: Int64, length: Int) {
        tally.records += 1
        tally.rejected += 1
        rejects.append(
            Reject(
                line: lines, offset: offset, length: length, code: error.code.rawValue, path: error.path,
                column: error.offset, message: error.sentence))
    }
}

extension Tally {
    mutating func count(skipped: Int) {
        records += skipped
        self.skipped += skipped
    }

    /// Counts a record that became an event.
    mutating func count(_ event: inout EventDraft) {
        records += 1
        converted += 1
        if event.source.receiptPresence == .found { receipts.count(&event) }
        count(&event, 1)
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
