package import NotificationTranslation

/// How records are judged with their whole subscription in view.
package struct TimelineRequest: Sendable {
    /// Which events that V1 never sent are deduced.
    package var inference = SilentInference.off
    /// What counts as now, in milliseconds since 1970; `nil` takes the latest time of the input.
    package var asOf: Int64?
    /// Which dispositions are left out of the output.
    package var dropped: Set<Disposition> = []
    /// Whether each event of version 1 is told how its subscription stood after it.
    package var tellsStatus = false
    /// The table that is written in place of events; `nil` writes events.
    package var table: Table?
    /// What states are compared with where they are only counted.
    package var compared: ComparedTable?
    /// Where temporary files are; `nil` chooses the folder of the output, or `TMPDIR`.
    package var temporaryFolder: String?
    /// Bytes of memory for the parts that spill; what is written never depends on them, and tests make them small.
    var budgets = Budgets()

    /// A table of subscriptions or transactions, made of the settled archive.
    package struct Table: Sendable {
        package enum Kind: Sendable { case state, history, transactions, worklist }

        package var kind: Kind
        package var format = TableFormat.ndjson
        /// The app and environment whose subscriptions it has; a part that is `nil` takes any.
        package var app = RehearsedApp(bundleID: nil, environment: nil)
        /// What states are compared with; their differences are written then.
        package var compared: ComparedTable?

        /// How many rows are written at most, the first ones.
        package var limit: Int?

        package init(_ kind: Kind) { self.kind = kind }

        /// The line of names that begins a CSV file.
        var header: OutputBuffer {
            let output = OutputBuffer(capacity: 1024)
            switch kind {
            case .state, .history:
                compared == nil
                    ? SubscriptionState.appendHeader(to: output) : StateDifference.appendHeader(to: output)
            case .transactions: SubscriptionTransaction.appendHeader(to: output)
            case .worklist: WorklistItem.appendHeader(to: output)
            }
            return output
        }
    }

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

    /// The same for the library that settles.
    func settling(latest: Int64?, judgesAgreement: Bool = false) -> SubscriptionJudge.Options {
        var options = SubscriptionJudge.Options()
        options.judgesAgreement = judgesAgreement
        options.inference = inference
        options.asOf = asOf ?? latest ?? .min
        options.dropped = dropped
        options.tellsStatus = tellsStatus
        let now = options.asOf ?? .min
        options.format = table?.format ?? .ndjson
        options.compared = table?.compared ?? compared
        if let app = table?.app { options.app = app }
        switch table?.kind {
        case .state?: options.table = .state(at: now)
        case .history?: options.table = .history(until: now)
        case .transactions?: options.table = .transactions(asOf: now)
        case .worklist?: options.table = .worklist(asOf: now)
        case nil: break
        }
        return options
    }
}
