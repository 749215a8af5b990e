package import NotificationTranslation

/// What one stretch of an archive became: event lines, rejects and counts.
package struct ChunkOutput {
    /// Event lines, each ended by LF; ``SpilledEvent``s where events are settled later.
    package var bytes = OutputBuffer(capacity: 64 * 1024)
    /// The evidence of each event, concatenated; empty where none is kept.
    package var evidence = OutputBuffer(capacity: 1024)
    /// Whose evidence is where, one for each event, in order.
    package var evidenceMarks: [Mark] = []
    /// When version 1 notifications of each app arrived.
    package var deliveries = DeliverySpans()
    /// The evidence of Apple's answers, concatenated.
    package var answers = OutputBuffer(capacity: 16)
    /// Whose evidence is where in ``answers``, in order.
    package var answerMarks: [Mark] = []
    /// The records that could not be converted, in order.
    package var rejects: [Reject] = []
    /// What was read and what became of it.
    package var tally = Tally()
    /// What a report says of it; empty where none is wanted.
    package var report = ReportTally()
    /// The number of the line (or, in documents, the record) that is read next: from 1 on in each input.
    package var line: Int64 = 1
    /// The skipped records: the number of the line, why, and whether the record shows signs of a notification.
    package private(set) var skips: [(line: Int64, reason: SkipReason, hasSigns: Bool)] = []
    /// The lines of the records that hold answers of Apple's and no notification.
    package private(set) var evidenceLines: [Int64] = []

    /// Empties it and keeps its memory and the number of the next line.
    package mutating func removeAll() {
        bytes.removeAll()
        evidence.removeAll()
        evidenceMarks.removeAll(keepingCapacity: true)
        deliveries.removeAll()
        answers.removeAll()
        answerMarks.removeAll(keepingCapacity: true)
        rejects.removeAll(keepingCapacity: true)
        tally = Tally()
        report = ReportTally()
        skips.removeAll(keepingCapacity: true)
        evidenceLines.removeAll(keepingCapacity: true)
    }

    /// Counts the record being read, which holds answers of Apple's and no notification.
    mutating func countEvidence() {
        tally.records += 1
        tally.evidence += 1
        evidenceLines.append(line)
    }

    /// Counts the record being read, which holds no notification.
    mutating func countSkip(_ reason: SkipReason) {
        tally.countSkip(reason)
        skips.append((line, reason, false))
    }

    /// Notes that the record being read was skipped and shows signs of a notification.
    mutating func noteSigns() {
        tally.signs += 1
        if skips.last?.line == line { skips[skips.count - 1].hasSigns = true }
    }

    /// Where the evidence of an event is, or that of an answer about one of the subscriptions that it shows.
    package struct Mark: Sendable {
        /// Its line.
        package var line: Int64
        /// Position of its end among the evidence; it begins where the one before ends.
        package var end: Int
        /// The same for notifications that a timeline brings together, and for answers about these.
        package var key: UInt64
        /// When it happened, if that is known; of an answer the time that it speaks of.
        package var time: Int64?
        /// The later of when it was signed and when it was received.
        package var delivered: Int64?
        /// Of a notification that names no purchase the keys of those it may be about.
        package var possibleKeys: [UInt64] = []
    }

    /// The evidence in order, each part with its mark.
    package static func parts(
        _ evidence: OutputBuffer, _ marks: [Mark]
    ) -> [(mark: Mark, bytes: UnsafeRawBufferPointer)] {
        var start = 0
        return marks.map { mark in
            defer { start = mark.end }
            return (mark, UnsafeRawBufferPointer(rebasing: evidence.bytes[start..<mark.end]))
        }
    }

    mutating func markAnswer(time: Int64?) {
        let start = answerMarks.last?.end ?? 0
        let key = EvidenceReader.keyNumber(UnsafeRawBufferPointer(rebasing: answers.bytes[start...]))
        answerMarks.append(Mark(line: line, end: answers.count, key: key, time: time))
    }

    mutating func markEvidence(from start: Int, _ event: inout EventDraft) {
        deliveries.note(&event)
        let bytes = UnsafeRawBufferPointer(rebasing: evidence.bytes[start...])
        let isNameless =
            event.source.version == .v1
            && (!event.hasTransaction || event.transactionFields.originalTransactionID.isAbsent)
        evidenceMarks.append(
            Mark(
                line: line, end: evidence.count, key: EvidenceReader.keyNumber(bytes), time: event.latestTime,
                delivered: event.signedAt.map { max($0, event.source.receivedAt ?? $0) } ?? event.source.receivedAt,
                possibleKeys: isNameless ? EvidenceReader.possibleKeyNumbers(bytes) : []))
    }

    /// Takes the last reject back, and the line it is on: the record is read in another way.
    package mutating func takeBackReject() {
        guard !rejects.isEmpty else { return }
        rejects.removeLast()
        line -= 1
        tally.records -= 1
        tally.rejected -= 1
    }

    /// Notes a record that is rejected.
    package mutating func reject(
        _ code: String, _ message: String, path: String = "", column: Int = 0, offset: Int64, length: Int, isLine: Bool
    ) {
        tally.records += 1
        tally.rejected += 1
        rejects.append(
            Reject(
                line: line, offset: offset, length: length, code: code, path: path, column: column, message: message,
                isLine: isLine))
    }
}
