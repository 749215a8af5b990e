import NotificationTranslation

/// Goes through sorted entries, those of a run in a file or those still in memory, one by one.
///
/// Of a file only a window is in memory, and what an entry carries may be larger than that.
final class SortedRunCursor {
    /// The numbers of the entry it is at.
    private(set) var first: UInt64 = 0
    private(set) var second: UInt64 = 0
    private(set) var isAtEnd = false

    private enum Source {
        case memory(EntryBuffer, end: Int)
        case file(TemporaryFile, end: Int64)
    }

    private let source: Source
    /// Place of the entry in memory.
    private var place = 0
    private let window: UnsafeMutableRawBufferPointer
    /// What of the window is filled and not passed.
    private var filled = 0..<0
    /// Where the file continues after the window.
    private var offset: Int64 = 0
    /// Bytes of the entry that have not been passed.
    private var length = 0

    /// Goes through entries in memory.
    init(_ buffer: EntryBuffer, _ places: Range<Int>) throws(ArchiveError) {
        source = .memory(buffer, end: places.upperBound)
        place = places.lowerBound - 1
        window = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        try advance()
    }

    /// Goes through a part of a file with a window of as many bytes.
    init(_ file: TemporaryFile, _ part: Range<Int64>, window size: Int) throws(ArchiveError) {
        source = .file(file, end: part.upperBound)
        offset = part.lowerBound
        let most = max(Int64(SortedRun.entryHeaderSize), part.upperBound - part.lowerBound)
        window = .allocate(byteCount: Int(min(Int64(max(size, 64)), most)), alignment: 16)
        try advance()
    }

    deinit {
        window.deallocate()
    }

    func advance() throws(ArchiveError) {
        switch source {
        case .memory(let buffer, let end):
            place += 1
            isAtEnd = place >= end
            guard !isAtEnd else { return }
            first = buffer.entries[place].first
            second = buffer.entries[place].second
        case .file(let file, let end):
            passEntry()
            guard try fill(file, end, atLeast: SortedRun.entryHeaderSize) else {
                isAtEnd = true
                return
            }
            let header = UnsafeRawBufferPointer(rebasing: window[filled])
            first = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
            second = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            length = Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
            filled = filled.lowerBound + SortedRun.entryHeaderSize..<filled.upperBound
        }
    }

    /// Appends what the entry carries; to be called once for each entry.
    func take(into output: OutputBuffer) throws(ArchiveError) {
        switch source {
        case .memory(let buffer, _):
            output.append(buffer.bytes(of: buffer.entries[place]))
        case .file(let file, let end):
            while length > 0 {
                guard try fill(file, end, atLeast: 1) else { throw Self.damage }
                let count = min(length, filled.count)
                let part = filled.lowerBound..<filled.lowerBound + count
                output.append(UnsafeRawBufferPointer(rebasing: window[part]))
                filled = part.upperBound..<filled.upperBound
                length -= count
            }
        }
    }

    /// Passes what the entry carries.
    private func passEntry() {
        let count = min(length, filled.count)
        filled = filled.lowerBound + count..<filled.upperBound
        offset += Int64(length - count)
        length = 0
    }

    /// Makes sure that some bytes are in the window; `false` where the part has ended.
    private func fill(_ file: TemporaryFile, _ end: Int64, atLeast wanted: Int) throws(ArchiveError) -> Bool {
        guard filled.count < wanted else { return true }
        let left = filled.count
        let more = min(window.count - left, Int(min(end - offset, Int64(window.count))))
        guard left + more >= wanted else {
            guard left + more == 0 else { throw Self.damage }
            return false
        }
        if left > 0, let start = window.baseAddress {
            start.copyMemory(from: start + filled.lowerBound, byteCount: left)
        }
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: window[left..<left + more]), at: offset)
        offset += Int64(more)
        filled = 0..<left + more
        return true
    }

    private static var damage: ArchiveError { ArchiveError(.accounting, "internal error: a temporary file is damaged") }
}
