import NotificationTranslation

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
    /// Where what the entry carries is, and how much that is.
    private var (offset, length): (Int64, Int)
    private var window: UnsafeMutableRawBufferPointer
    /// What is in the window.
    private var known: Range<Int64> = 0..<0

    /// Goes through a part of a file with a window of as many bytes.
    init(_ file: TemporaryFile, _ run: Range<Int64>, window size: Int) throws(ArchiveError) {
        self.file = file
        end = run.upperBound
        (offset, length) = (run.lowerBound, 0)
        window = .allocate(byteCount: min(max(size, 64), run.count), alignment: 16)
        try advance()
    }

    deinit {
        window.deallocate()
    }

    func advance() throws(ArchiveError) {
        offset += Int64(length)
        isAtEnd = offset >= end
        guard !isAtEnd else { return }
        let header = try bytes(from: offset, atLeast: SortedStore.headerSize)
        first = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        second = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        length = Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
        offset += Int64(SortedStore.headerSize)
    }

    /// Appends what the entry carries.
    func take(into output: OutputBuffer) throws(ArchiveError) {
        output.append(UnsafeRawBufferPointer(rebasing: try bytes(from: offset, atLeast: length).prefix(length)))
    }

    /// As much of the run from an offset on as is in the window, at least so many bytes.
    private func bytes(from start: Int64, atLeast wanted: Int) throws(ArchiveError) -> UnsafeRawBufferPointer {
        if start < known.lowerBound || start + Int64(wanted) > known.upperBound {
            if window.count < wanted {
                window.deallocate()
                window = .allocate(byteCount: wanted, alignment: 16)
            }
            known = start..<min(end, start + Int64(window.count))
            guard known.count >= wanted else {
                throw ArchiveError(.accounting, "internal error: a temporary file is damaged")
            }
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: window[..<known.count]), at: start)
        }
        return UnsafeRawBufferPointer(rebasing: window[Int(start - known.lowerBound)..<known.count])
    }
}
