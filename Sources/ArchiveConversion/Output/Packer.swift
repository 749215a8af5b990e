import NotificationLibC

/// Packs an output with `gzip -n -c`; `-n` keeps name and time out of it.
final class Packer {
    private let target: Descriptor
    private var child: ChildProcess?
    private var pipe: Descriptor?

    init(into target: Descriptor) {
        self.target = target
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        if pipe == nil { try begin() }
        do throws(ArchiveError) {
            try pipe?.writeAll(bytes)
        } catch {
            guard error.code == .outputClosed else { throw error }
            // It went away before its time; its status says so, and the reason is most likely a full disk.
            try end()
            throw failure(status: 0)
        }
    }

    private func begin() throws(ArchiveError) {
        let (reading, writing) = try ChildProcess.makePipe()
        defer { reading.closeQuietly() }
        do throws(ArchiveError) {
            child = try ChildProcess("gzip", ["-n", "-c"], input: reading, output: target)
        } catch {
            writing.closeQuietly()
            throw error.code == .programMissing
                ? ArchiveError(
                    .programMissing,
                    "cannot write",
                    path: target.path,
                    detail: "no 'gzip' program was found to pack it"
                ) : error
        }
        pipe = writing
    }

    private func end() throws(ArchiveError) {
        guard let child, let pipe else { return }
        self.pipe = nil
        self.child = nil
        pipe.closeQuietly()
        let status = child.wait()
        guard status == 0 else { throw failure(status: status) }
    }

    private func failure(status: Int32) -> ArchiveError {
        ArchiveError(
            .outputUnwritable, "cannot write", path: target.path,
            detail: "gzip ended with status \(status); is the disk full?")
    }

    /// Ends the output; one of nothing is an empty gzip file.
    func finish() throws(ArchiveError) {
        if pipe == nil { try begin() }
        try end()
    }

    /// Ends the program without looking at what it wrote.
    func stop() {
        pipe?.closeQuietly()
        child?.stop()
        pipe = nil
        child = nil
    }
}
