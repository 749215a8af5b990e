import NotificationLibC
import NotificationTranslation

/// A file that is written at its end, read anywhere, and readable by nobody else.
///
/// Threads may read what has been written while another one appends: every access names its place.
final class TemporaryFile: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        descriptor.closeQuietly()
    }

    /// Makes a file that has no name.
    static func nameless(in folder: String) throws(ArchiveError) -> TemporaryFile {
        let pattern = (folder.hasSuffix("/") ? folder : folder + "/") + "notification-translator-XXXXXX"
        var name = Array(pattern.utf8CString)
        let number = retrying { mkstemp(&name) }
        guard number >= 0 else {
            throw ArchiveError(.outputUnwritable, "cannot create a temporary file in", path: folder, systemCode: errno)
        }
        unlink(name)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return TemporaryFile(Descriptor(number: number, path: "a temporary file in \(folder)"))
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        guard let start = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor.number, start + done, bytes.count - done, off_t(offset + Int64(done)))
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                let code = count == 0 ? ENOSPC : errno
                throw ArchiveError(.outputUnwritable, "cannot write", path: descriptor.path, systemCode: code)
            }
        }
    }

    /// Fills memory with the bytes from a place on, all of which have been written before.
    func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        guard let start = room.baseAddress else { return }
        var done = 0
        while done < room.count {
            let count = pread(descriptor.number, start + done, room.count - done, off_t(offset + Int64(done)))
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

/// The folder of a timeline's temporary files, which have no names: a run that is killed leaves none.
struct TemporaryPlace: Sendable {
    let folder: String

    init(folder: String) { self.folder = folder }

    /// The folder asked for; without one that of the output, or `TMPDIR` or `/tmp`.
    init(_ request: ConversionRequest) {
        let system = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let isBesideOutput = !request.dryRun && OutputFile.isReplaceable(request.output)
        folder =
            request.timeline?.temporaryFolder
            ?? (isBesideOutput ? splitPath(request.output).folder : system.isEmpty ? "/tmp" : system)
    }
}
