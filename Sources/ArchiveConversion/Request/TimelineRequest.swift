package import NotificationTranslation

/// How records are judged with their whole subscription in view; the latest time of the input counts as now where none is
/// given.
@dynamicMemberLookup
package struct TimelineRequest: Sendable {
    /// How timelines are settled.
    package var judging = SubscriptionJudge.Options()
    /// How many rows of a table are written at most, the first ones; `nil` writes all.
    package var limit: Int?
    /// Where temporary files are; `nil` chooses the folder of the output, or `TMPDIR`.
    package var temporaryFolder: String?
    /// Bytes of memory for the parts that spill; what is written never depends on them, and tests make them small.
    var budgets = Budgets()

    /// Bytes of memory before something goes to a file.
    struct Budgets: Sendable {
        /// Event lines.
        var lines = 12 << 20
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

    package subscript<Value>(dynamicMember path: WritableKeyPath<SubscriptionJudge.Options, Value>) -> Value {
        get { judging[keyPath: path] }
        set { judging[keyPath: path] = newValue }
    }

    /// The same for the library that settles.
    func settling(latest: Int64?, judgesAgreement: Bool = false) -> SubscriptionJudge.Options {
        var options = judging
        options.judgesAgreement = judgesAgreement
        let now = judging.asOf ?? latest ?? .min
        options.asOf = now
        options.table = judging.table?.moved(to: now)
        return options
    }
}
