import NotificationTranslation

/// Judges one subscription after another.
///
/// Input: evidence sorted by key. Output: verdicts sorted by line.
///
/// Keys are spread evenly over the stores, so workers take one each until none is left. A worker brings together what is
/// under one key, in the order of the input, has it judged, and keeps the verdicts with the positions of the lines they
/// refer to.
final class JudgingPass {
    /// Who judges, and what came of it; one thread at a time uses it, hence `@unchecked Sendable`.
    private final class Worker: @unchecked Sendable {
        let judge: SubscriptionJudge
        /// Verdicts, or rows of a table.
        ///
        /// `first` is the position of the line. If a line has several verdicts, the one with the smallest `second` wins.
        let results: SortedStore
        /// The evidence that is judged next.
        var entries: SortedStore?

        init(_ judge: SubscriptionJudge, _ results: SortedStore) { (self.judge, self.results) = (judge, results) }
    }

    /// What is still to be settled, the next one last.
    private var entries: [SortedStore]
    private let options: SubscriptionJudge.Options
    private let budgets: TimelineRequest.Budgets
    private let folder: String
    private let messages: Messages
    private var workers: [Worker] = []
    /// How far V1 and V2 agree; notifications are named by the positions of their lines.
    private var agreement = AgreementTally()
    /// How many records were left out because what was kept of them is damaged.
    private(set) var unsettled = 0
    /// Notifications that were surely sent and are not in the archive.
    private(set) var missing = MissingNotifications()
    /// What the rows of a table hold.
    private(set) var figures = TableFigures()
    private var compared: Set<String> = []

    init(
        _ entries: [SortedStore], _ options: SubscriptionJudge.Options, _ budgets: TimelineRequest.Budgets,
        in folder: String, messages: Messages
    ) {
        self.messages = messages
        self.entries = entries.reversed()
        self.options = options
        self.budgets = budgets
        self.folder = folder
    }

    /// Settles everything.
    func run(jobs: Int) throws(ArchiveError) {
        let (count, budgets) = (entries.count, budgets)
        let jobs = min(jobs, count)
        // Small buffers would make many runs; the pool has two workers a job.
        let budget = max(min(budgets.verdicts, 2 << 20), budgets.verdicts / jobs / 2)
        let pool = OrderedPool(jobs: jobs) {
            workers.append(Worker(SubscriptionJudge(options), SortedStore(in: folder, budget: budget)))
            return workers[workers.count - 1]
        } fill: { [self] worker in
            messages.progress(
                Progress.line("settling subscriptions", Int64(count - entries.count), of: Int64(count)))
            worker.entries = entries.popLast()
            return worker.entries != nil
        } work: { [options] (worker) throws(ArchiveError) in
            let (judge, results) = (worker.judge, worker.results)
            guard let entries = worker.entries else { return }
            try KeyGroup.forEach(of: entries, window: budgets.windows / jobs) { (group) throws(ArchiveError) in
                if options.table != nil {
                    group.evidence.withBuffers { judge.rows(of: $0) { results.add($0.first, $0.second, $1) } }
                } else {
                    group.settle(judge) { results.add($0, $1, $2) }
                }
                try results.spillIfFull()
            }
            worker.entries = nil
        }
        try pool.run { [self] in !entries.isEmpty }
        for judge in workers.map(\.judge) {
            unsettled += judge.unsettled
            figures.add(judge.figures)
            missing.add(judge.missing)
            compared.formUnion(judge.compared)
            if options.judgesAgreement { agreement.add(judge.agreement) }
        }
    }

    /// The verdicts in the order of their lines, or the rows in theirs.
    func results() throws(ArchiveError) -> SortedMerge {
        try SortedMerge(workers.map(\.results), window: budgets.windows)
    }

    /// Reports the rows of the table that states are compared with that are about none of ours, each with whether access
    /// differs, and counts them.
    func addDifferences(_ report: (Bool, UnsafeRawBufferPointer) -> Void) {
        guard let theirs = options.compared else { return }
        let judge = SubscriptionJudge(options)
        judge.differences(in: theirs, without: compared, report)
        figures.add(judge.figures)
    }

    /// How far V1 and V2 agree, with the places of contradictions from the lines they name.
    func agreementFigures(linesOf lines: LineStore) throws(ArchiveError) -> AgreementFigures {
        var places: [UInt64: ReportTally.Place] = [:]
        for position in agreement.contradictions.flatMap({ [$0.v1, $0.v2] }) where places[position] == nil {
            let event = try lines.event(at: position)
            places[position] = event.flatMap { $0.withUnsafeBytes(ReportTally.Place.init(spilled:)) }
        }
        return AgreementFigures(agreement, places)
    }
}
