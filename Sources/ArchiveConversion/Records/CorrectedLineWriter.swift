package import NotificationTranslation

/// Writes the lines of settled events: those judged alone, with what a timeline made of them.
///
/// One for each worker.
package struct CorrectedLineWriter {
    private let cache = DecisionCache()
    private var event = EventDraft()
    /// The lines written since it was emptied, each ended by LF.
    package let output = OutputBuffer(capacity: 64 * 1024)
    /// How the counts of these events changed from what they were judged alone.
    package private(set) var tally = Tally()
    /// What a report says of these lines; `nil` where none is made.
    package var report: ReportTally?
    private let writer: ShapeWriter
    private let isRehearsal: Bool
    /// Whether an event that remains ambiguous is rejected, and left out if it was deduced.
    package var rejectsAmbiguous = false
    /// What is written in place of the line of a rejected event, without its line end; `nil` for nothing.
    package var rejectAnswer: String?
    /// What became of these events in a rehearsal.
    package var rehearsed: [RehearsalEntry] { writer.rehearsed }
    /// The records that were rejected, each with its input.
    package private(set) var rejects: [(reject: Reject, input: String)] = []

    /// A writer of lines of a shape, or of what a rehearsal posts.
    package init(_ shape: EventShape = EventShape(), _ rehearsal: Rehearsal? = nil) {
        writer = ShapeWriter(shape, rehearsal)
        isRehearsal = rehearsal != nil
    }

    /// Empties it.
    package mutating func removeAll() {
        output.removeAll()
        writer.rehearsed = []
        tally = Tally()
        if report != nil { report = ReportTally() }
        rejects.removeAll(keepingCapacity: true)
    }

    /// Writes the lines that a ``SpilledEvent`` represents: its own and those of the events deduced after it.
    ///
    /// - Parameters:
    ///   - record: The event as ``RecordConverter`` kept it.
    ///   - verdict: What ``SubscriptionJudge`` reported of it; empty where nothing changes.
    /// - Returns: False if the event or the verdict is damaged.
    package mutating func write(spilled record: UnsafeRawBufferPointer, _ verdict: UnsafeRawBufferPointer) -> Bool {
        event = EventDraft()
        guard let extent = SpilledEvent(record)?.read(into: &event), let settled = RecordVerdict(verdict) else {
            return false
        }
        var isWritten = true
        // The event may point into it until the next one is read.
        let texts = TextArena()
        defer { withExtendedLifetime(texts) {} }
        if let verdict = settled.verdict {
            tally.count(&event, -1)
            event.apply(verdict, texts, cache)
            tally.count(&event, 1)
            isWritten = !verdict.isDropped
            if isRehearsal, event.bundleID.isAbsent { event.bundleID = verdict.bundleID }
            if let repetition = verdict.repetition { report?.byRepetition[repetition, default: 0] += 1 }
        }
        if rejectsAmbiguous, event.certainty == .ambiguous {
            reject(extent)
        } else if isWritten {
            writer.write(&event, to: output)
            report?.count(&event, line: event.source.line ?? 0)
        }
        for silent in settled.silent {
            if rejectsAmbiguous, silent.certainty == .ambiguous {
                tally.ambiguousDeduced += 1
                continue
            }
            let line = event.source.line ?? 0
            silent.withDraft(after: event) { deduced in
                if isRehearsal {
                    // Which event it follows hangs on the order of the input, so no other output takes this from it.
                    deduced.appAppleID = event.appAppleID
                    if let own = event.transaction { deduced.transactionFields.takeSubscription(of: own) }
                }
                writer.write(&deduced, to: output)
                report?.count(&deduced, line: line)
            }
            tally.deduced += 1
        }
        return true
    }

    private mutating func reject(_ extent: RecordExtent) {
        tally.recountAsAmbiguousReject(&event)
        if let rejectAnswer { output.append(rejectAnswer + "\n") }
        let reject = Reject(ambiguousAt: event.source.offset ?? 0, extent, line: event.source.line ?? 0)
        rejects.append((reject, event.source.input.string ?? ""))
    }
}
