import NotificationLibC
package import NotificationTranslation

/// Everything that decides what a conversion does: the parsed form of the command's options.
package struct ConversionRequest: Sendable {
    /// How a file is cut into records.
    package enum InputFormat: String, Sendable, CaseIterable {
        case auto, ndjson, json, concat, csv, tsv, log
    }

    /// Files, folders and `-`, in the order given.
    package var inputs: [String] = []
    /// Files that options read, by the option: no output may replace them.
    package var optionFiles: [(option: String, path: String)] = []
    /// `-` or the path of the output.
    package var output = "-"
    package var overwrites = false
    /// Where to write what could not be converted; `nil` writes it nowhere.
    package var rejects: String?
    /// Whether rejects are written with their content.
    package var rejectsAreRaw = false
    package var inputFormat = InputFormat.auto
    /// A file (or `-`) that lists further inputs, one a line.
    package var filesFrom: String?
    /// Only files of a folder that match one of these are read; empty means all.
    package var include: [String] = []
    package var exclude: [String] = []
    /// Workers; 0 means one for each core.
    package var jobs = 0
    package var dryRun = false
    /// Bytes of a chunk, small ones of which become events of twenty times their size; tests make it small.
    ///
    /// Half of it costs 6 % more time, as each chunk has its costs, and saves 1 MB for each worker.
    var chunkSize = 1 << 20
    /// Records longer than this are rejected as `record.too-long`.
    var longestRecord = 16 << 20
    /// Which notifications are believed.
    package var policy = TrustPolicy.trustingTheSource
    /// How records are judged with their whole subscription in view; `nil` judges each by itself.
    package var timeline: TimelineRequest?
    /// The key of the pseudonyms that replace what points to a person; `nil` leaves it as it is.
    package var redactionKey: RedactionKey?
    /// Reports on the run; none costs nothing.
    package var reports: [ReportFile] = []
    /// What is posted of the events, in the order of time, in place of their lines; needs a timeline and V2 shape.
    package var rehearsal: Rehearsal?
    /// How records are judged.
    package var records: RecordConverter.Options

    package init(records: RecordConverter.Options) { self.records = records }

    var workers: Int { jobs > 0 ? jobs : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// How records are judged together with all others of their subscription.
///
/// If no time is given as now, the latest time in the input is used.
@dynamicMemberLookup
package struct TimelineRequest: Sendable {
    /// How timelines are settled.
    package var judging = SubscriptionJudge.Options()
    /// Only this many rows of a table are written; `nil` writes all.
    package var limit: Int?
    /// Where temporary files are; `nil` chooses the folder of the output, or `TMPDIR`.
    package var temporaryFolder: String?
    /// Bytes of memory for the parts that spill; what is written never depends on them, and tests make them small.
    var budgets = Budgets()

    /// Bytes of memory before something goes to a file.
    struct Budgets: Sendable {
        /// Event lines.
        var lines = 6 << 20
        /// Evidence, waiting to be sorted.
        var evidence = 12 << 20
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

    /// The options for ``SubscriptionJudge``, with `asOf` filled in: the given time, else `latest`.
    func settling(latest: Int64?) -> SubscriptionJudge.Options {
        var options = judging
        let now = judging.asOf ?? latest ?? .min
        options.asOf = now
        options.table = judging.table?.moved(to: now)
        // A state is that of the history, which knows the whole archive.
        if case .state? = options.table { options.viewEnd = max(now, latest ?? now) }
        return options
    }
}
