import NotificationLibC
import NotificationTranslation

/// Bytes that are written at the end and read anywhere: the first ones are in memory, the others in a file without a name
/// that nobody else can read.
///
///     0            head.count           length
///     ├──── head ──────┼──────── file ────┤
///
/// The file is made when there is enough to write; a run that is killed leaves none. One thread at a time uses it, hence
/// `@unchecked Sendable`.
final class TemporaryFile: @unchecked Sendable {
    private let folder: String
    private var descriptor: Descriptor?
    /// How many bytes stay in memory, more or less: one append is never split.
    private let budget: Int
    private let head: OutputBuffer
    /// What was appended and is not in the file yet.
    private let unwritten = OutputBuffer(capacity: TemporaryFile.writeSize + 64 * 1024)
    /// Bytes appended so far.
    private(set) var length: Int64 = 0

    /// How much is handed to the system at once.
    private static let writeSize = 256 * 1024

    init(in folder: String, keeping budget: Int) {
        self.folder = folder
        self.budget = budget
        head = OutputBuffer(capacity: budget + 64 * 1024)
    }

    deinit {
        descriptor?.closeQuietly()
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        if length == Int64(head.count), head.count < budget {
            head.append(bytes)
        } else {
            unwritten.append(bytes)
            if unwritten.count >= Self.writeSize { try flush() }
        }
        length += Int64(bytes.count)
    }

    /// Writes what is left, so that all can be read.
    func flush() throws(ArchiveError) {
        guard unwritten.count > 0 else { return }
        if descriptor == nil { descriptor = try make() }
        try descriptor?.writeAll(unwritten.bytes)
        unwritten.removeAll()
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
        var bytes = [UInt8](repeating: 0, count: part.count)
        var span = bytes.mutableSpan
        try span.withUnsafeMutableBytes { (room) throws(ArchiveError) in try read(into: room, at: part.lowerBound) }
        return bytes
    }

    /// Fills memory with the bytes from a place on.
    private func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        var done = Int(max(0, min(Int64(head.count) - offset, Int64(room.count))))
        if done > 0 {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: head.bytes[Int(offset)..<Int(offset) + done]))
        }
        guard let descriptor, let start = room.baseAddress else { return }
        let origin = offset - Int64(head.count)
        while done < room.count {
            let count = pread(descriptor.number, start + done, room.count - done, off_t(origin + Int64(done)))
            if count > 0 {
                done += count
            } else if count == 0 {
                throw ArchiveError(
                    .outputUnwritable, "cannot read", path: descriptor.path, detail: "it is shorter than it was")
            } else if errno != EINTR {
                throw ArchiveError(.outputUnwritable, "cannot read", path: descriptor.path, systemCode: errno)
            }
        }
    }
}

extension ConversionRequest {
    /// The folder of a timeline's temporary files: the one asked for, else that of the output, or `TMPDIR` or `/tmp`.
    var temporaryFolder: String {
        let system = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let isBesideOutput = !dryRun && OutputFile.isReplaceable(output)
        return timeline?.temporaryFolder
            ?? (isBesideOutput ? splitPath(output).folder : system.isEmpty ? "/tmp" : system)
    }
}
