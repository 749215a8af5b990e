import NotificationLibC
import NotificationTranslation

/// Bytes that are written at the end and read anywhere: in memory as long as there are few, then in a file without a name
/// that nobody else can read.
///
/// A run that is killed leaves none. One thread at a time uses it, hence `@unchecked Sendable`.
final class TemporaryFile: @unchecked Sendable {
    private let folder: String
    private var descriptor: Descriptor?
    /// How many bytes stay in memory.
    private let budget: Int
    /// What was appended and is not in the file.
    private let buffer: OutputBuffer
    /// Bytes appended so far.
    private(set) var length: Int64 = 0

    /// How much is handed to the system at once.
    private static let writeSize = 256 * 1024

    init(in folder: String, keeping budget: Int) {
        self.folder = folder
        self.budget = budget
        buffer = OutputBuffer(capacity: max(budget, Self.writeSize) + 64 * 1024)
    }

    deinit {
        descriptor?.closeQuietly()
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        buffer.append(bytes)
        length += Int64(bytes.count)
        guard buffer.count >= (descriptor == nil ? budget : Self.writeSize) else { return }
        if descriptor == nil { descriptor = try make() }
        try flush()
    }

    /// Writes what is left, so that all can be read.
    func flush() throws(ArchiveError) {
        guard let descriptor else { return }
        try descriptor.writeAll(buffer.bytes)
        buffer.removeAll()
    }

    private func make() throws(ArchiveError) -> Descriptor {
        let pattern = (folder.hasSuffix("/") ? folder : folder + "/") + "notification-translator-XXXXXX"
        var name = Array(pattern.utf8CString)
        let number = retrying { mkstemp(&name) }
        guard number >= 0 else {
            throw ArchiveError(.outputUnwritable, "cannot create a temporary file in", path: folder, systemCode: errno)
        }
        unlink(name)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return Descriptor(number: number, path: "a temporary file in \(folder)")
    }

    /// Bytes that have been written before.
    func bytes(_ part: Range<Int64>) throws(ArchiveError) -> [UInt8] {
        guard let descriptor else { return Array(buffer.bytes[Int(part.lowerBound)..<Int(part.upperBound)]) }
        var (bytes, count) = ([UInt8](repeating: 0, count: part.count), 0)
        while count < part.count {
            let more = bytes.withUnsafeMutableBytes { room in
                pread(
                    descriptor.number, room.baseAddress?.advanced(by: count), room.count - count,
                    off_t(part.lowerBound) + off_t(count))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else {
                throw ArchiveError(
                    .outputUnwritable, "cannot read", path: descriptor.path, systemCode: more < 0 ? errno : EIO)
            }
            count += more
        }
        return bytes
    }
}

extension ConversionRequest {
    /// The folder of a timeline's temporary files: the one asked for, else that of the output, or `TMPDIR` or `/tmp`.
    var temporaryFolder: String {
        let system = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let isBesideOutput = !dryRun && OutputFile.isReplaceable(output)
        return timeline?.temporaryFolder
            ?? (isBesideOutput ? folder(of: output) : system.isEmpty ? "/tmp" : system)
    }
}

/// The events of a run in the order of the input, judged alone, as ``SpilledEvent``s.
final class LineStore: @unchecked Sendable {
    /// Where the blocks of whole events begin, in which they are read back; and the end of the last.
    private(set) var bounds: [Int64] = [0]
    private let block: Int64
    let file: TemporaryFile

    init(in folder: String, _ budgets: TimelineRequest.Budgets) {
        block = Int64(budgets.block)
        file = TemporaryFile(in: folder, keeping: budgets.lines)
    }

    func append(_ event: UnsafeRawBufferPointer) throws(ArchiveError) {
        try file.append(event)
        if file.length - bounds[bounds.count - 1] >= block { bounds.append(file.length) }
    }

    /// Makes it ready for reading.
    func close() throws(ArchiveError) {
        try file.flush()
        if file.length > bounds[bounds.count - 1] { bounds.append(file.length) }
    }

    /// The event at a position; `nil` if none is there.
    func event(at position: UInt64) throws(ArchiveError) -> [UInt8]? {
        guard let start = Int64(exactly: position), start < file.length else { return nil }
        let beginning = try file.bytes(start..<min(start + 16, file.length))
        guard let size = beginning.withUnsafeBytes({ SpilledEvent.size($0) }), Int64(size) <= file.length - start else {
            return nil
        }
        return try file.bytes(start..<start + Int64(size))
    }
}
