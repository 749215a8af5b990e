package import NotificationTranslation

/// How records are judged with their whole subscription in view.
package struct TimelineRequest: Sendable {
    /// Which events that V1 never sent are deduced.
    package var inference = SilentInference.off
    /// What counts as now, in milliseconds since 1970; `nil` takes the latest time of the input.
    package var asOf: Int64?
    /// Which dispositions are left out of the output.
    package var dropped: Set<Disposition> = []
    /// Where temporary files are; `nil` chooses the folder of the output, or `TMPDIR`.
    package var temporaryFolder: String?
    /// Bytes of memory for the parts that spill; what is written never depends on them, and tests make them small.
    var budgets = Budgets()

    /// Bytes of memory before something goes to a file.
    struct Budgets: Sendable {
        /// Event lines.
        var lines = 18 << 20
        /// Evidence, waiting to be sorted.
        var evidence = 20 << 20
        /// Verdicts of all workers, waiting to be sorted.
        var verdicts = 8 << 20
        /// The windows through which sorted runs are read, of all workers together.
        var windows = 16 << 20
        /// A block of event lines on its way to the output.
        var block = 128 << 10
    }

    package init() {}

    /// The same for the library that settles.
    func settling(latest: Int64?, judgesAgreement: Bool = false) -> SubscriptionJudge.Options {
        var options = SubscriptionJudge.Options()
        options.judgesAgreement = judgesAgreement
        options.inference = inference
        options.asOf = asOf ?? latest ?? .min
        options.dropped = dropped
        return options
    }
}
