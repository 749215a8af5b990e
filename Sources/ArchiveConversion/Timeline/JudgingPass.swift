import NotificationTranslation

/// Judges one subscription after another.
///
/// Input: evidence sorted by key. Output: verdicts sorted by line.
///
/// Keys are spread evenly over sixteen parts, so workers take a part each until none is left. A worker brings together
/// what is in all runs under one key, in the order of the input, has it judged, and keeps the verdicts with the
/// positions of the lines they refer to.
///
/// `next` belongs to whoever fills, what workers leave to `monitor`. Hence `@unchecked Sendable`.
final class JudgingPass: OrderedWork, @unchecked Sendable {
    /// One of the parts that the keys are spread over.
    final class KeyRange: @unchecked Sendable {
        fileprivate var number = 0
    }

    private let entries: SortedRunStore
    private let options: SubscriptionJudge.Options
    private let budgets: TimelineRequest.Budgets
    private let workers: Int
    let verdicts: SortedRunFile
    private let messages: Messages
    private var next = 0
    private let monitor = Monitor()
    /// Sorted verdicts.
    ///
    /// `first` is the position of the line. If a line has several verdicts, the one with the smallest `second` wins.
    /// The file is shared by all.
    private(set) var stores: [SortedRunStore] = []
    /// How far V1 and V2 agree; notifications are named by the positions of their lines.
    private(set) var agreement = AgreementTally()

    /// How many records were left out because what was kept of them is damaged.
    private(set) var unsettled = 0
    /// Notifications that were surely sent and are not in the archive.
    private(set) var missing = MissingNotifications()
    /// What the rows of a table hold, and the ids that were compared.
    private(set) var figures = TableFigures()
    private(set) var compared: Set<String> = []

    /// Set in the position of a notification that names no purchase, under the keys of those it may be about; it makes
    /// these come last under a key.
    static let guest: UInt64 = 1 << 63

    /// Set in the position of an answer of Apple's, which comes after the notifications of its key.
    static let answer: UInt64 = 1 << 62

    /// The rank of a verdict from the notification's own subscription: last, so that a match as guest wins.
    static let own = UInt64.max

    /// The rank of a verdict on a guest; the key makes ranks differ, so that the order never depends on which worker
    /// did what.
    static func rank(ofCost cost: Int64, under key: UInt64) -> UInt64 { UInt64(max(0, cost)) << 20 | key >> 44 }

    /// A group of one key is settled in parts of as many bytes; far more than the most notifications of any real one.
    static let mostBytes = 48 << 20

    init(
        _ entries: SortedRunStore, _ options: SubscriptionJudge.Options, _ budgets: TimelineRequest.Budgets,
        verdicts: SortedRunFile, messages: Messages, jobs: Int
    ) {
        workers = max(1, min(jobs, SortedRun.partitions))
        self.messages = messages
        self.entries = entries
        self.options = options
        self.budgets = budgets
        self.verdicts = verdicts
    }

    /// Settles everything; ``stores`` then holds the verdicts.
    func run() throws(ArchiveError) {
        let items = (0..<OrderedPool<JudgingPass>.itemCount(jobs: workers)).map { _ in KeyRange() }
        try OrderedPool(self, items).run(jobs: workers)
    }

    var hasMore: Bool { next < SortedRun.partitions }

    func makeWorker() -> KeyGroup {
        // Small buffers would make many runs.
        let budget = max(min(budgets.verdicts, 2 << 20), budgets.verdicts / workers)
        return KeyGroup(options, into: SortedRunStore(verdicts, budget: budget))
    }

    func fill(_ range: KeyRange, by group: inout KeyGroup) throws(ArchiveError) -> Bool {
        guard hasMore else { return false }
        messages.progress(Progress.settlingLine(next, of: SortedRun.partitions))
        range.number = next
        next += 1
        return true
    }

    func work(
        on range: KeyRange, by group: inout KeyGroup, _ turn: OrderedPool<JudgingPass>.Turn
    ) throws(ArchiveError) {
        let cursors = try entries.cursors(partition: range.number, window: budgets.windows / workers)
        try settle(SortedRunMerge(cursors), group)
    }

    func empty(_ range: KeyRange) throws(ArchiveError) -> Bool { true }

    func finish(_ group: KeyGroup) {
        group.verdicts.sort()
        monitor.locked {
            stores.append(group.verdicts)
            unsettled += group.unsettled
            figures.add(group.figures)
            missing.add(group.missing)
            compared.formUnion(group.compared)
            if options.judgesAgreement { agreement.add(group.agreement) }
        }
    }

    private func settle(_ merge: SortedRunMerge, _ group: KeyGroup) throws(ArchiveError) {
        var merge = merge
        var groups = 0
        var last: (key: UInt64, position: UInt64)?
        while let first = merge.top {
            let key = first.first
            while let cursor = merge.top, cursor.first == key, group.count < SubscriptionJudge.most,
                group.byteCount < Self.mostBytes
            {
                // An entry that is there twice counts once.
                if last?.key != key || last?.position != cursor.second { try group.add(cursor) }
                last = (key, cursor.second)
                try merge.advance()
            }
            try group.settle(key)
            groups += 1
            if groups & 255 == 0 { try Interruption.check() }
        }
    }
}

extension AgreementFigures {
    /// Reads them from what was counted, the places of contradictions from the lines they name.
    init(_ tally: AgreementTally, linesOf lines: LineStore) throws(ArchiveError) {
        var places: [UInt64: ReportFigures.Place] = [:]
        let block = LineBlock(EventShape(), reports: false)
        for found in tally.contradictions {
            for position in [found.v1, found.v2] where places[position] == nil {
                guard let start = Int64(exactly: position), start < lines.length else { continue }
                try block.read(lines, from: start, size: 4096)
                places[position] = block.first.flatMap(ReportFigures.Place.init(spilled:))
            }
        }
        self.init(tally) { places[$0] ?? ReportFigures.Place(input: "?", line: 0) }
    }
}
