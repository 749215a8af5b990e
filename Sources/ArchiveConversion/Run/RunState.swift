import NotificationTranslation

/// How far a run has come.
@dynamicMemberLookup
struct RunState {
    /// What is known already of what came of it.
    var outcome = Conversion.Outcome()
    /// Place of the current input in the list of inputs.
    var input = 0
    /// What a report says so far, in timeline context of rejects and skips alone; `nil` where none is made.
    var report: ReportTally?
    /// What the run has to say about its inputs.
    var inputs = InputFindings()

    subscript<Value>(dynamicMember path: WritableKeyPath<Conversion.Outcome, Value>) -> Value {
        get { outcome[keyPath: path] }
        set { outcome[keyPath: path] = newValue }
    }
}

extension RunState {
    /// Makes sure that every record read is accounted for.
    func checkAccounts(_ rejects: RejectLog) throws(ArchiveError) {
        let tally = outcome.tally
        let known = rejects.counts.values.reduce(0, +)
        let accounted = tally.converted + tally.evidence + tally.rejected + tally.skipped
        guard tally.records == accounted, tally.rejected == known else {
            throw ArchiveError(
                .accounting, "internal error: the counts do not match",
                detail: "\(tally.records) records read, \(tally.converted) converted, \(tally.rejected) rejected, "
                    + "\(tally.skipped) skipped")
        }
    }
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
    /// A damaged input, by its place in the list, and how many of its records were converted; `nil` if it cannot be opened.
    struct Damage: Hashable, Sendable {
        var input: Int
        var converted: Int?
    }

    /// Inputs of which only what comes before the damage was read, or nothing.
    var damages: [Damage] = []
    /// Inputs of which every record was skipped, and the first of them.
    var skippedInputs = 0
    var firstSkippedInput = 0
    /// Inputs with more than one record.
    var inputsOfSeveral = 0
    /// Records of the current input, and how many of them were converted and skipped.
    var records = 0
    var converted = 0
    var skipped = 0

    /// Takes in what a part of the current input became.
    mutating func add(_ tally: Tally) {
        records += tally.records
        converted += tally.converted
        skipped += tally.skipped
    }

    /// Ends the current input, by its place in the list.
    mutating func endInput(_ input: Int) {
        if records > 0, skipped == records {
            if skippedInputs == 0 { firstSkippedInput = input }
            skippedInputs += 1
        }
        if records > 1 { inputsOfSeveral += 1 }
        (records, converted, skipped) = (0, 0, 0)
    }
}

/// The files that a run writes.
struct OutputFiles {
    let output: OutputFile?
    let rejects: OutputFile?
    /// What a timeline keeps until everything has been read.
    let spill: TimelineSpill?
    /// Reports, in the order of the request.
    var reports: [OutputFile] = []

    /// Writes the reports.
    func write(_ requests: [ReportFile], _ outcome: Conversion.Outcome) throws(ArchiveError) {
        for (file, request) in zip(reports, requests) {
            let buffer = OutputBuffer(capacity: 256 * 1024)
            for part in request.render(outcome) { buffer.append(part) }
            try file.append(buffer.bytes)
            try file.flush()
        }
    }

    /// Gives the complete files their names, the output last.
    func publish() throws(ArchiveError) {
        try rejects?.finish()
        for report in reports { try report.finish() }
        try output?.finish()
        try rejects?.publish()
        for report in reports { try report.publish() }
        try output?.publish()
    }

    /// Removes what was written.
    func abandon() {
        output?.abandon()
        rejects?.abandon()
        for report in reports { report.abandon() }
    }
}
