import NotificationTranslation

/// Entries to be read back in order: as sorted runs of a file, the first of which stay in memory.
///
/// An entry is bytes with two numbers to sort by; no two entries have both in common. In a run it is the first number,
/// the second, the length and the bytes. One thread at a time uses a store, hence `@unchecked Sendable`.
final class SortedStore: @unchecked Sendable {
    /// Bytes before what an entry of a run carries.
    static let headerSize = 20

    /// Bytes of a run.
    private let size: Int
    private let file: TemporaryFile
    /// Where each run is in the file.
    private var runs: [Range<Int64>] = []
    /// Entries that are in no run yet; the bytes of each are a part of `memory`.
    private var entries: [(first: UInt64, second: UInt64, bytes: Range<Int>)] = []
    private var memory: OutputBuffer

    /// A store that has as many bytes in memory: half of them written, half of them waiting to be.
    init(in folder: String, budget: Int) {
        size = budget / 2
        file = TemporaryFile(in: folder, keeping: budget / 2)
        // What is never touched costs nothing, so the whole of it is asked for at once.
        memory = OutputBuffer(capacity: size + 64 * 1024)
    }

    /// Adds an entry; ``spillIfFull()`` is to follow.
    func add(_ first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer) {
        entries.append((first, second, memory.count..<memory.count + bytes.count))
        memory.append(bytes)
    }

    /// Writes a run when there is enough for one.
    func spillIfFull() throws(ArchiveError) {
        if memory.count + entries.count * 32 >= size { try spill() }
    }

    private func spill() throws(ArchiveError) {
        guard !entries.isEmpty else { return }
        entries.sort { ($0.first, $0.second) < ($1.first, $1.second) }
        let start = file.length
        for entry in entries {
            let length = UInt32(truncatingIfNeeded: entry.bytes.count)
            let header = (entry.first.littleEndian, entry.second.littleEndian, length.littleEndian)
            try withUnsafeBytes(of: header) { (header) throws(ArchiveError) in try file.append(header) }
            try file.append(UnsafeRawBufferPointer(rebasing: memory.bytes[entry.bytes]))
        }
        runs.append(start..<file.length)
        entries.removeAll(keepingCapacity: true)
        memory.removeAll()
    }

    /// What goes through each run; nothing is added later.
    func cursors(window: Int) throws(ArchiveError) -> [SortedCursor] {
        try spill()
        memory = OutputBuffer(capacity: 0)
        try file.flush()
        // With thousands of runs the windows need more than their budget; smaller ones would make the disk seek too much.
        let size = min(1 << 20, max(8 << 10, window / max(1, runs.count)))
        return try runs.map { (run) throws(ArchiveError) in try SortedCursor(file, run, window: size) }
    }
}

/// Goes through the entries of many sorted runs in order.
///
/// No two entries have both numbers in common, so the order is the same however the entries are spread over runs.
struct SortedMerge {
    /// In the order of the entries they are at, the smallest last.
    private var cursors: [SortedCursor] = []

    /// Merges the entries of some stores, which share `window` bytes of memory; those of one can be read several times.
    init(_ stores: [SortedStore], window: Int) throws(ArchiveError) {
        for store in stores {
            for cursor in try store.cursors(window: window / stores.count) { insert(cursor) }
        }
    }

    /// The cursor that is at the smallest entry; `nil` at the end.
    var top: SortedCursor? { cursors.last }

    mutating func advance() throws(ArchiveError) {
        guard let top = cursors.popLast() else { return }
        try top.advance()
        insert(top)
    }

    private mutating func insert(_ cursor: SortedCursor) {
        if cursor.isAtEnd { return }
        let place = cursors.partitioningIndex { ($0.first, $0.second) <= (cursor.first, cursor.second) }
        cursors.insert(cursor, at: place)
    }
}

/// Goes through the entries of a sorted run one by one.
///
/// Only a window of the run is copied at a time; it grows for an entry that is larger.
final class SortedCursor {
    /// The numbers of the entry it is at.
    private(set) var first: UInt64 = 0
    private(set) var second: UInt64 = 0
    private(set) var isAtEnd = false

    private let file: TemporaryFile
    private let end: Int64
    /// Offset and length of the current entry's payload.
    private var (offset, length): (Int64, Int)
    private let windowSize: Int
    private var window: [UInt8] = []
    /// The part of the file that `window` holds.
    private var known: Range<Int64> = 0..<0

    /// Goes through a part of a file with a window of as many bytes.
    init(_ file: TemporaryFile, _ run: Range<Int64>, window size: Int) throws(ArchiveError) {
        self.file = file
        end = run.upperBound
        (offset, length) = (run.lowerBound, 0)
        windowSize = max(size, 64)
        try advance()
    }

    func advance() throws(ArchiveError) {
        offset += Int64(length)
        isAtEnd = offset >= end
        guard !isAtEnd else { return }
        try bytes(SortedStore.headerSize).withUnsafeBytes { header in
            first = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
            second = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            length = Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
        }
        offset += Int64(SortedStore.headerSize)
    }

    /// The current entry's payload.
    func payload() throws(ArchiveError) -> ArraySlice<UInt8> { try bytes(length) }

    /// `count` bytes of the run from `offset` on.
    private func bytes(_ count: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
        if offset < known.lowerBound || offset + Int64(count) > known.upperBound {
            known = offset..<min(end, offset + Int64(max(windowSize, count)))
            guard known.count >= count else {
                throw ArchiveError(.system, "internal error: a temporary file is damaged")
            }
            window = []
            window = try file.bytes(known)
        }
        let first = Int(offset - known.lowerBound)
        return window[first..<first + count]
    }
}
