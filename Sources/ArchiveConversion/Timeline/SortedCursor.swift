import NotificationTranslation

/// Goes through sorted entries, those of a run in a file or those still in memory, one by one.
///
/// Of a file only a window is in memory, and what an entry carries may be larger than that.
final class SortedCursor {
    /// The numbers of the entry it is at.
    private(set) var first: UInt64 = 0
    private(set) var second: UInt64 = 0
    private(set) var isAtEnd = false

    private enum Source {
        case memory(SortedStore)
        case file(TemporaryFile, end: Int64)
    }

    private let source: Source
    /// The entry's place in memory; where what it carries is in the file, and how much that is.
    private var place = -1
    private var (offset, length): (Int64, Int) = (0, 0)
    private let window: UnsafeMutableRawBufferPointer
    /// What of the file is in the window.
    private var known: Range<Int64> = 0..<0

    /// Goes through the entries in memory of a store, which are sorted.
    init(_ store: SortedStore) throws(ArchiveError) {
        source = .memory(store)
        window = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        try advance()
    }

    /// Goes through a part of a file with a window of as many bytes.
    init(_ file: TemporaryFile, _ part: Range<Int64>, window size: Int) throws(ArchiveError) {
        source = .file(file, end: part.upperBound)
        offset = part.lowerBound
        window = .allocate(byteCount: min(max(size, 64), part.count), alignment: 16)
        try advance()
    }

    deinit {
        window.deallocate()
    }

    func advance() throws(ArchiveError) {
        switch source {
        case .memory(let store):
            place += 1
            isAtEnd = place >= store.entries.count
            guard !isAtEnd else { return }
            (first, second) = (store.entries[place].first, store.entries[place].second)
        case .file(let file, let end):
            offset += Int64(length)
            isAtEnd = offset >= end
            guard !isAtEnd else { return }
            let header = try bytes(of: file, offset..<end, atLeast: SortedStore.headerSize)
            first = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
            second = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            length = Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
            offset += Int64(SortedStore.headerSize)
        }
    }

    /// Appends what the entry carries.
    func take(into output: OutputBuffer) throws(ArchiveError) {
        switch source {
        case .memory(let store): output.append(store.bytes(of: store.entries[place]))
        case .file(let file, let end):
            var done = 0
            while done < length {
                let part = try bytes(of: file, offset + Int64(done)..<end, atLeast: 1).prefix(length - done)
                output.append(UnsafeRawBufferPointer(rebasing: part))
                done += part.count
            }
        }
    }

    /// As much of a part of the file as is in the window, at least so many bytes.
    private func bytes(
        of file: TemporaryFile, _ part: Range<Int64>, atLeast wanted: Int
    ) throws(ArchiveError) -> UnsafeRawBufferPointer {
        if part.lowerBound < known.lowerBound || part.lowerBound + Int64(wanted) > known.upperBound {
            known = part.lowerBound..<min(part.upperBound, part.lowerBound + Int64(window.count))
            guard known.count >= wanted else {
                throw ArchiveError(.accounting, "internal error: a temporary file is damaged")
            }
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: window[..<known.count]), at: known.lowerBound)
        }
        return UnsafeRawBufferPointer(rebasing: window[Int(part.lowerBound - known.lowerBound)..<known.count])
    }
}
