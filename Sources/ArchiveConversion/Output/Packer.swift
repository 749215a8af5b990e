import NotificationLibC

/// Packs an output with `gzip -n -c`; `-n` keeps name and time out of it.
final class Packer {
    private let target: Descriptor
    private let child: ChildProcess
    private let pipe: Descriptor
    private var isRunning = true

    init(into target: Descriptor) throws(ArchiveError) {
        self.target = target
        let (reading, writing) = try ChildProcess.makePipe()
        pipe = writing
        defer { reading.closeQuietly() }
        do throws(ArchiveError) {
            child = try ChildProcess(
                "gzip", ["-n", "-c"], input: reading, output: target,
                ("cannot write", target.path, "no 'gzip' program was found to pack it"))
        } catch {
            writing.closeQuietly()
            throw error
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        do throws(ArchiveError) {
            try pipe.writeAll(bytes)
        } catch {
            guard error.code == .outputClosed else { throw error }
            // It went away before its time; its status says so, and the reason is most likely a full disk.
            try finish()
            throw failure(status: 0)
        }
    }

    /// Ends the output; one of nothing is an empty gzip file.
    func finish() throws(ArchiveError) {
        guard isRunning else { return }
        isRunning = false
        pipe.closeQuietly()
        let status = child.wait()
        guard status == 0 else { throw failure(status: status) }
    }

    private func failure(status: Int32) -> ArchiveError {
        ArchiveError(
            .outputUnwritable, "cannot write", path: target.path,
            detail: "gzip ended with status \(status); is the disk full?")
    }

    /// Ends the program without looking at what it wrote.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        pipe.closeQuietly()
        child.stop()
    }
}
