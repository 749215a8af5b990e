import NotificationTranslation

/// Entries to be read back in order: in memory as long as they fit, beyond that as sorted runs of a file.
final class SortedRunStore: @unchecked Sendable {
    let file: SortedRunFile
    private let buffer: EntryBuffer
    private var isSorted = true

    init(_ file: SortedRunFile, budget: Int) {
        self.file = file
        buffer = EntryBuffer(budget: budget)
    }

    /// Adds an entry; ``spillIfFull()`` is to follow.
    func add(_ first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer) {
        buffer.add(first, second, bytes)
        isSorted = false
    }

    /// Writes a run when there is enough for one.
    func spillIfFull() throws(ArchiveError) {
        if buffer.isFull { try spill() }
    }

    /// Writes what is in memory as a run.
    func spill() throws(ArchiveError) {
        sort()
        try file.append(buffer)
        buffer.removeAll()
    }

    /// Makes it ready for reading.
    func sort() {
        if !isSorted { buffer.sort() }
        isSorted = true
    }

    /// Cursors for a part of the range of first numbers, or for all of it.
    ///
    /// Those that read the file share `window` bytes of memory. Only one of the stores of a file may ask for them.
    func cursors(partition: Int?, window: Int) throws(ArchiveError) -> [SortedRunCursor] {
        try Self.cursors(of: file, partition: partition, window: window) + memoryCursors(partition: partition)
    }

    /// The cursor for what is in memory.
    func memoryCursors(partition: Int?) throws(ArchiveError) -> [SortedRunCursor] {
        let places = partition.map { buffer.places(of: $0) } ?? 0..<buffer.entries.count
        return places.isEmpty ? [] : [try SortedRunCursor(buffer, places)]
    }

    /// The cursors for what is in a file.
    static func cursors(of runs: SortedRunFile, partition: Int?, window: Int) throws(ArchiveError) -> [SortedRunCursor]
    {
        guard let file = runs.file else { return [] }
        var cursors: [SortedRunCursor] = []
        let all = runs.runs
        let size = min(1 << 20, max(smallestWindow, window / max(1, all.count)))
        for run in all {
            let part =
                partition.map { run.starts[$0]..<run.starts[$0 + 1] }
                ?? run.starts[0]..<run.starts[SortedRun.partitions]
            if !part.isEmpty { cursors.append(try SortedRunCursor(file, part, window: size)) }
        }
        return cursors
    }

    /// With thousands of runs the windows need more than their budget; smaller ones would make the disk seek too much.
    private static let smallestWindow = 8 << 10
}
