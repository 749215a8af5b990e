import NotificationTranslation

/// How far a run has come: everything that a run which continues from there has to know.
struct RunState: Hashable, Sendable {
    /// What became of the records.
    var tally = Tally()
    var rejectCodes: [String: Int] = [:]
    /// Bytes of input, unpacked.
    var inputBytes: Int64 = 0
    /// Where the input continues.
    var position = InputPosition()
    /// Lines of the current input before that.
    var lines: Int64 = 0
    /// Bytes of the output, before packing; in timeline context, of the event lines judged alone.
    var outputLength: Int64 = 0
    /// Bytes of the sorted runs of evidence.
    var runsLength: Int64 = 0
    /// The latest time of any event; `nil` while none is known.
    var latest: Int64?
    /// Bytes of the rejects file.
    var rejectsLength: Int64 = 0
    /// What a report says so far, in timeline context of rejects and skips alone; `nil` where none is made.
    var report: ReportTally?
    /// The products that notifications name, where that is wanted; no part of a checkpoint.
    var products = ProductTally()
    /// `exact` answers that V2 contradicts; known at the end of a run.
    var contradicted = 0
    /// Records that could not be settled, because what was kept of them is damaged.
    var unsettled = 0
    /// What the run has to say about its inputs.
    var inputs = InputFindings()
}

extension RunState {
    /// Makes sure that every record read is accounted for.
    func checkAccounts(_ rejects: RejectLog) throws(ArchiveError) {
        let known = rejects.counts.values.reduce(0, +)
        guard tally.records == tally.converted + tally.rejected + tally.skipped, tally.rejected == known else {
            throw ArchiveError(
                .accounting,
                "internal error: the counts do not match",
                detail: "\(tally.records) records read, \(tally.converted) converted, \(tally.rejected) rejected, "
                    + "\(tally.skipped) skipped"
            )
        }
    }
}
