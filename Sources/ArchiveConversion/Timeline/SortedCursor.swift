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
    private let windowSize: Int
    private var window: [UInt8] = []
    /// What is in the window.
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

    /// Appends what the entry carries.
    func take(into output: OutputBuffer) throws(ArchiveError) {
        try bytes(length).withUnsafeBytes { output.append($0) }
    }

    /// So many bytes of the run from the offset on.
    private func bytes(_ count: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
        if offset < known.lowerBound || offset + Int64(count) > known.upperBound {
            known = offset..<min(end, offset + Int64(max(windowSize, count)))
            guard known.count >= count else {
                throw ArchiveError(.accounting, "internal error: a temporary file is damaged")
            }
            window = []
            window = try file.bytes(known)
        }
        let first = Int(offset - known.lowerBound)
        return window[first..<first + count]
    }
}
