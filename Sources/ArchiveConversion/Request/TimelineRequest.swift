package import NotificationTranslation

/// How records are judged with their whole subscription in view; the latest time of the input counts as now where none is
/// given.
@dynamicMemberLookup
package struct TimelineRequest: Sendable {
    private var judging = SubscriptionJudge.Options()
    /// The table that is written in place of events; `nil` writes events.
    package var table: Table?
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

        /// Appends the line of names that begins a CSV file.
        func appendHeader(to output: OutputBuffer) {
            switch kind {
            case .state, .history:
                compared == nil
                    ? SubscriptionState.appendHeader(to: output) : StateDifference.appendHeader(to: output)
            case .transactions: SubscriptionTransaction.appendHeader(to: output)
            case .worklist: WorklistItem.appendHeader(to: output)
            }
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
        guard let table else { return options }
        options.format = table.format
        options.compared = table.compared ?? judging.compared
        options.app = table.app
        options.table =
            switch table.kind {
            case .state: .state(at: now)
            case .history: .history(until: now)
            case .transactions: .transactions(asOf: now)
            case .worklist: .worklist(asOf: now)
            }
        return options
    }
}
