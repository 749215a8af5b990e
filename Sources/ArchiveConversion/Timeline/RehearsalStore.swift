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

    /// Takes in the entries of a block; those of one time stay in this order.
    func add(_ block: UnsafeRawBufferPointer) throws(ArchiveError) {
        var rest = block
        while let entry = RehearsalEntry(&rest) {
            let app = RehearsedApp(bundleID: Self.text(entry.bundleID), environment: Self.text(entry.environment))
            let isNamed = app.bundleID != nil && app.environment != nil
            if isNamed { named.insert(app) }
            if let reason = entry.leftOut {
                figures.leftOut[reason, default: 0] += 1
                continue
            }
            if isNamed { apps[app, default: 0] += 1 }
            // The lowest bit says that it is only likely to be of this app.
            entries.add(UInt64(bitPattern: entry.time) ^ 1 << 63, count << 1 | (isNamed ? 0 : 1), entry.line)
            count += 1
            try entries.spillIfFull()
        }
        guard rest.isEmpty else { throw ArchiveError(.system, "internal error: a body of the rehearsal is damaged") }
    }

    /// Writes all lines in the order of time, without those of events that name no app if the input has several.
    ///
    /// - Throws: ``ArchiveError`` if there are several apps or environments to rehearse.
    func write(to output: OutputFile?) throws(ArchiveError) {
        guard apps.count < 2 else { throw severalApps() }
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

    private func severalApps() -> ArchiveError {
        let list = apps.map { "\($0.key.bundleID ?? "?") \($0.key.environment ?? "?") (\($0.value))" }.sorted()
        return ArchiveError(
            .inputUnreadable,
            "several apps or environments: \(list.prefix(20).joined(separator: ", "))"
                + (list.count > 20 ? " and \(list.count - 20) more" : ""),
            detail: "choose one with --expect-bundle-id and --expect-environment")
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
