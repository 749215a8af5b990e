import NotificationTranslation

/// Sorted runs, concatenated in one file.
///
///     17 × 8   where the parts begin, from the start of the file
///     entries  first number, second number, length, bytes; sorted
///
/// Workers append to it in turns and read from it at any time.
final class SortedRunFile: @unchecked Sendable {
    private let place: TemporaryPlace
    private let content: TemporaryPlace.Content
    private let monitor = Monitor()
    private var made: TemporaryFile?
    private var known: [SortedRun] = []
    private var end: Int64 = 0

    /// A file that is made when the first run comes.
    init(_ place: TemporaryPlace, _ content: TemporaryPlace.Content) {
        self.place = place
        self.content = content
    }

    /// Goes on with the runs of an interrupted run of the program.
    init(_ place: TemporaryPlace, _ content: TemporaryPlace.Content, length: Int64) throws(ArchiveError) {
        self.place = place
        self.content = content
        guard let file = try place.reopen(content, length: length) else { return }
        made = file
        while end < length {
            let run = try Self.readHeader(of: file, at: end)
            guard let next = run.starts.last, run.starts == run.starts.sorted(), next <= length,
                run.starts[0] == end + Int64(SortedRun.headerSize)
            else { throw ArchiveError(.checkpointMismatch, "cannot resume", detail: "a temporary file is damaged") }
            known.append(run)
            end = next
        }
    }

    private static func readHeader(of file: TemporaryFile, at offset: Int64) throws(ArchiveError) -> SortedRun {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: SortedRun.headerSize, alignment: 8)
        defer { room.deallocate() }
        try file.read(into: room, at: offset)
        return SortedRun(
            starts: (0...SortedRun.partitions).map {
                Int64(littleEndian: room.load(fromByteOffset: $0 * 8, as: Int64.self))
            })
    }

    /// Bytes of it.
    var length: Int64 { monitor.locked { end } }

    var runs: [SortedRun] { monitor.locked { known } }

    /// The file; `nil` before the first run.
    var file: TemporaryFile? { monitor.locked { made } }

    /// Appends sorted entries as a run.
    func append(_ buffer: EntryBuffer) throws(ArchiveError) {
        guard !buffer.isEmpty else { return }
        monitor.lock()
        defer { monitor.unlock() }
        if made == nil { made = try place.create(content) }
        guard let made else { return }
        let output = OutputBuffer(capacity: 320 * 1024)
        let run = header(of: buffer)
        for start in run.starts { withUnsafeBytes(of: start.littleEndian) { output.append($0) } }
        var at = end
        for entry in buffer.entries {
            withUnsafeBytes(of: (entry.first.littleEndian, entry.second.littleEndian)) { output.append($0) }
            withUnsafeBytes(of: entry.length.littleEndian) { output.append($0) }
            output.append(buffer.bytes(of: entry))
            if output.count >= 256 * 1024 {
                try made.write(output.bytes, at: at)
                at += Int64(output.count)
                output.removeAll()
            }
        }
        try made.write(output.bytes, at: at)
        at += Int64(output.count)
        guard at == run.starts.last else {
            throw ArchiveError(.accounting, "internal error: a sorted run has the wrong length")
        }
        known.append(run)
        end = at
    }

    private func header(of buffer: EntryBuffer) -> SortedRun {
        var starts: [Int64] = []
        var at = end + Int64(SortedRun.headerSize)
        for partition in 0..<SortedRun.partitions {
            starts.append(at)
            for place in buffer.places(of: partition) {
                at += Int64(SortedRun.entryHeaderSize) + Int64(buffer.entries[place].length)
            }
        }
        return SortedRun(starts: starts + [at])
    }

    /// Brings it to the disk.
    func sync() throws(ArchiveError) { try file?.sync() }
}
