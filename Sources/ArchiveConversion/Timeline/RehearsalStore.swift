import NotificationTranslation

/// Bodies to be posted, sorted by time until all are there: in memory as long as they fit, then in a temporary file.
final class RehearsalStore {
    private let entries: SortedStore
    private let budgets: TimelineRequest.Budgets
    private var count: UInt64 = 0
    /// The apps of the bodies, and those of all events.
    private var (apps, named): ([RehearsedApp: Int], Set<RehearsedApp>) = ([:], [])
    private(set) var figures = RehearsalFigures()

    init(in folder: String, _ budgets: TimelineRequest.Budgets) {
        self.budgets = budgets
        entries = SortedStore(in: folder, budget: budgets.lines)
    }

    /// Takes in the entries of a block of lines; those of one time stay in this order.
    func add(_ block: [RehearsalEntry], _ lines: UnsafeRawBufferPointer) throws(ArchiveError) {
        var start = 0
        for entry in block {
            let isNamed = entry.app.bundleID != nil && entry.app.environment != nil
            if isNamed { named.insert(entry.app) }
            if let reason = entry.leftOut {
                figures.leftOut[reason, default: 0] += 1
                continue
            }
            if isNamed { apps[entry.app, default: 0] += 1 }
            // The lowest bit says that it is only likely to be of this app.
            entries.add(
                UInt64(bitPattern: entry.time) ^ 1 << 63, count << 1 | (isNamed ? 0 : 1),
                UnsafeRawBufferPointer(rebasing: lines[start..<entry.end]))
            (count, start) = (count + 1, entry.end)
            try entries.spillIfFull()
        }
    }

    /// Writes all lines in the order of time, without those of events that name no app if the input has several.
    ///
    /// - Throws: ``ArchiveError`` if there are several apps or environments to rehearse.
    func write(to output: OutputFile?) throws(ArchiveError) {
        guard apps.count < 2 else {
            let list = apps.map { "\($0.key.bundleID ?? "?") \($0.key.environment ?? "?") (\($0.value))" }.sorted()
            throw ArchiveError(
                .inputUnreadable,
                "several apps or environments: \(list.prefix(20).joined(separator: ", "))"
                    + (list.count > 20 ? " and \(list.count - 20) more" : ""),
                detail: "choose one with --expect-bundle-id and --expect-environment")
        }
        figures.app = apps.keys.first
        var merge = try SortedMerge([entries], window: budgets.windows)
        while let cursor = merge.top {
            if cursor.second & 1 == 1, named.count > 1 {
                figures.leftOut[.noApp, default: 0] += 1
            } else {
                try output?.append(cursor.payload())
                figures.bodies += 1
                if figures.bodies & 1023 == 0 { try Interruption.check() }
            }
            try merge.advance()
        }
    }
}
