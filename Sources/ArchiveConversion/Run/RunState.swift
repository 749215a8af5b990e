import NotificationTranslation

/// How far a run has come.
struct RunState {
    /// What became of the records.
    var tally = Tally()
    var rejectCodes: [String: Int] = [:]
    /// Bytes of input, unpacked.
    var inputBytes: Int64 = 0
    /// Place of the current input in the list of inputs, and its lines so far.
    var input = 0
    var lines: Int64 = 0
    /// What a report says so far, in timeline context of rejects and skips alone; `nil` where none is made.
    var report: ReportTally?
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
