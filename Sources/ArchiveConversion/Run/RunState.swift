import NotificationTranslation

/// How far a run has come: everything that a run which continues from there has to know.
struct RunState: Hashable, Sendable {
    /// What became of the records.
    var tally = Tally()
    /// Rejects by code.
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
    /// What the run has to say about its inputs.
    var inputs = InputFindings()
}

/// What was noticed of inputs as wholes, so that nothing is skipped in silence.
struct InputFindings: Hashable, Sendable {
    /// A record of an input: the input's place in the list, and the number of the record's line from 1.
    struct Place: Hashable, Sendable {
        var input: Int
        var line: Int64
    }

    /// The first record that was skipped and shows signs of a notification.
    var firstSign: Place?
    /// Inputs of which every record was skipped, and the first of them.
    var skippedInputs = 0
    var firstSkippedInput = 0
    /// Inputs with more than one record.
    var inputsOfSeveral = 0
    /// Records of the current input, and how many of them were skipped.
    var records = 0
    var skipped = 0

    /// Takes in what a part of the current input became.
    mutating func add(_ tally: Tally) {
        records += tally.records
        skipped += tally.skipped
    }

    /// Ends the current input, by its place in the list.
    mutating func endInput(_ input: Int) {
        if records > 0, skipped == records {
            if skippedInputs == 0 { firstSkippedInput = input }
            skippedInputs += 1
        }
        if records > 1 { inputsOfSeveral += 1 }
        (records, skipped) = (0, 0)
    }
}
