import NotificationLibC
import NotificationTranslation

/// A file being written that appears under its name only when it is complete.
///
/// The bytes go to `.NAME.notification-translator.partial` in the same folder, which is synced and renamed at the end; the
/// folder is synced too, or a power cut could undo the renaming. What exists and is not a regular file (a device, a pipe) is written
/// directly, and so is standard output.
final class OutputFile {
    /// As given by the caller; `-` is standard output.
    let path: String
    private var target: Descriptor
    /// Whether it is written under its temporary name.
    private var isTemporary: Bool
    private let overwrites: Bool
    private let buffer = OutputBuffer(capacity: OutputFile.bufferSize)
    /// `gzip`, where the output is compressed.
    private var packer: ChildProcess?
    private var isOpen = true

    private static let bufferSize = 256 * 1024

    /// Opens the output, or its partial file.
    ///
    /// `rights` are the access rights of a new file, before the umask. With `packsByName`, a name that ends in `.gz` is
    /// packed with gzip.
    init(
        _ path: String, overwrites: Bool = false, rights: mode_t = 0o666, packsByName: Bool = false
    ) throws(ArchiveError) {
        self.path = path
        self.overwrites = overwrites
        isTemporary = Self.isReplaceable(path)
        if isTemporary {
            try Self.refuse(path, overwrites: overwrites)
            target = try Self.openPartial(path, rights)
        } else {
            target = path == "-" ? .standardOutput : try Descriptor.writing(path, flags: 0)
        }
        guard packsByName, path.hasSuffix(".gz") else { return }
        let purpose = ("cannot write", target.path, "no 'gzip' program was found to pack it")
        // Without name and time, so that the same input gives the same bytes.
        packer = try ChildProcess("gzip", ["-n", "-c"], to: target, purpose)
    }

    /// Gives up what was not published: closes it and removes the partial file.
    deinit {
        packer = nil
        guard isTemporary else { return }
        if isOpen { target.closeQuietly() }
        unlink(Self.partialPath(of: path))
    }

    /// The name under which an output grows.
    static func partialPath(of path: String) -> String {
        let name = path.utf8.lastIndex(of: 0x2F).map { path.utf8.index(after: $0) } ?? path.startIndex
        return path[..<name] + "." + path[name...] + ".notification-translator.partial"
    }

    /// Whether a path names something that is written under a temporary name first.
    static func isReplaceable(_ path: String) -> Bool { path != "-" && FileStatus(ofPath: path)?.kind != .other }

    private static func refuse(_ path: String, overwrites: Bool) throws(ArchiveError) {
        guard let existing = FileStatus(ofPath: path) else { return }
        if existing.kind == .folder {
            throw ArchiveError(.outputUnwritable, "cannot create", path: path, systemCode: EISDIR)
        }
        if overwrites { return }
        throw ArchiveError(
            .outputUnwritable, "cannot write", path: path, detail: "it exists already; use --force to replace it")
    }

    private static func openPartial(_ path: String, _ rights: mode_t) throws(ArchiveError) -> Descriptor {
        let partial = partialPath(of: path)
        func create() throws(ArchiveError) -> Descriptor {
            let file = try Descriptor.writing(partial, as: path, flags: O_CREAT | O_EXCL, mode: rights)
            try claim(file, path)
            return file
        }
        do throws(ArchiveError) { return try create() } catch {
            guard error.systemCode == EEXIST else { throw error }
        }
        // Left by a run that was killed, unless that run is still alive and holds its lock.
        let stale = try Descriptor.writing(partial, as: path, flags: 0)
        defer { stale.closeQuietly() }
        try claim(stale, path)
        unlink(partial)
        return try create()
    }

    /// Makes sure that nobody else writes the file.
    ///
    /// A gzip whose run was killed holds the lock for the moment it needs to end, so a few are granted.
    private static func claim(_ file: Descriptor, _ path: String) throws(ArchiveError) {
        for _ in 0..<100 {
            guard flock(file.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
            usleep(20_000)
        }
        throw ArchiveError(.outputUnwritable, "cannot write", path: path, detail: "another run is writing it")
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        if buffer.count + bytes.count <= Self.bufferSize { return buffer.append(bytes) }
        try flush()
        try pass(on: bytes)
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(ArchiveError) {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ArchiveError) in try append(bytes) }
    }

    /// Hands all bytes to the system.
    private func flush() throws(ArchiveError) {
        defer { buffer.removeAll() }
        try pass(on: buffer.bytes)
    }

    private func pass(on bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        do throws(ArchiveError) {
            try (packer?.pipe ?? target).writeAll(bytes)
        } catch {
            // If gzip exits early, its status says why; most likely the disk is full.
            guard let packer, error.code == .outputClosed else { throw error }
            throw packingFailure(packer.finish())
        }
    }

    private func packingFailure(_ status: Int32) -> ArchiveError {
        ArchiveError(
            .outputUnwritable, "cannot write", path: target.path,
            detail: "gzip ended with status \(status); is the disk full?")
    }

    /// Writes the rest and brings everything to the disk; the file keeps its temporary name.
    func finish() throws(ArchiveError) {
        guard isOpen else { return }
        try flush()
        if let status = packer?.finish(), status != 0 { throw packingFailure(status) }
        guard isTemporary else { return }
        try target.sync()
        isOpen = false
        try target.close()
    }

    /// Gives a finished file its name.
    func publish() throws(ArchiveError) {
        guard isTemporary else { return }
        // Something may have come into being under that name while we worked.
        try Self.refuse(path, overwrites: overwrites)
        guard rename(Self.partialPath(of: path), path) == 0 else {
            throw ArchiveError(.outputUnwritable, "cannot rename to", path: path, systemCode: errno)
        }
        isTemporary = false
        let parent = try Descriptor.reading(folder(of: path))
        defer { parent.closeQuietly() }
        try parent.sync()
    }
}

/// Writes a file beside the output, such as a key of a rehearsal, that does not exist yet; a private one can be read by
/// nobody else.
package func writeNewFile(_ bytes: [UInt8], to path: String, isPrivate: Bool) throws(ArchiveError) {
    let file = try OutputFile(path, rights: isPrivate ? 0o600 : 0o666)
    try file.append(bytes[...])
    try file.finish()
    try file.publish()
}
