import NotificationTranslation

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
