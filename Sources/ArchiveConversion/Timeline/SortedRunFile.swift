import NotificationTranslation

/// Sorted runs, concatenated in one file.
///
///     17 × 8   where the parts begin, from the start of the file
///     entries  first number, second number, length, bytes; sorted
///
/// Workers append to it in turns and read from it at any time.
final class SortedRunFile: @unchecked Sendable {
    private let place: TemporaryPlace
    private let monitor = Monitor()
    private var made: TemporaryFile?
    private var known: [SortedRun] = []
    private var end: Int64 = 0

    /// A file that is made when the first run comes.
    init(_ place: TemporaryPlace) {
        self.place = place
    }

    var runs: [SortedRun] { monitor.locked { known } }

    /// The file; `nil` before the first run.
    var file: TemporaryFile? { monitor.locked { made } }

    /// Appends sorted entries as a run.
    func append(_ buffer: EntryBuffer) throws(ArchiveError) {
        guard !buffer.isEmpty else { return }
        monitor.lock()
        defer { monitor.unlock() }
        if made == nil { made = try .nameless(in: place.folder) }
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
}

/// Where the parts of a sorted run begin in its file.
///
/// A run is cut into sixteen parts by the first number's highest bits, so that workers can each read their own part.
struct SortedRun: Sendable {
    static let partitions = 16
    /// Bytes before the entries: where each part begins and the last one ends, eight bytes each.
    static let headerSize = (partitions + 1) * 8
    /// Bytes before what an entry carries: two numbers of eight, a length of four.
    static let entryHeaderSize = 20

    /// Of each part, and the end of the last.
    var starts: [Int64]

    /// The smallest first number of a part.
    static func first(ofPartition partition: Int) -> UInt64 { UInt64(partition) << 60 }
}
