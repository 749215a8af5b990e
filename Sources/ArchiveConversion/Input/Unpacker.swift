import NotificationLibC

/// The uncompressed bytes of a file or pipe, from a `gzip -dc`, `zstd -dc` or `xz -dc` that runs as long as this.
final class Unpacker {
    let child: ChildProcess
    /// Pours a pipe into the program while the unpacked bytes are read elsewhere: one thread for both would wait for ever
    /// once both pipes are full.
    private let feeder: WorkerThread<Void>?

    /// Unpacks a regular file from `origin` on, or a pipe (`origin` is `nil`) whose first bytes, `head`, were read already.
    init(_ program: String, _ input: Descriptor, from origin: Int64?, after head: [UInt8]) throws(ArchiveError) {
        let missing = "it is \(program) data and no '\(program)' program was found"
        let purpose = ("cannot read", input.path, missing)
        guard let origin else {
            let (reading, writing) = try ChildProcess.makePipe()
            // If the program cannot be started, the writer of the pipe stops when this end is closed.
            defer { reading.closeQuietly() }
            feeder = try WorkerThread { () throws(ArchiveError) in try Self.pour(head, input, into: writing) }
            child = try ChildProcess(program, ["-dc"], from: reading, purpose)
            return
        }
        guard lseek(input.number, off_t(origin), SEEK_SET) >= 0 else {
            throw ArchiveError(.inputUnreadable, "cannot read", path: input.path, systemCode: errno)
        }
        feeder = nil
        child = try ChildProcess(program, ["-dc"], from: input, purpose)
    }

    private static func pour(_ head: [UInt8], _ rest: Descriptor, into pipe: Descriptor) throws(ArchiveError) {
        // An unpacker that ends early must not end this process by SIGPIPE.
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &broken, nil)
        defer { pipe.closeQuietly() }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { room.deallocate() }
        do throws(ArchiveError) {
            try pipe.writeAll(head)
            while case let count = try rest.read(into: room), count > 0 {
                try pipe.writeAll(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        } catch {
            // An unpacker that stops reading says by its exit status why.
            if error.code != .outputClosed { throw error }
        }
    }

    /// Reads what there is, at most as much as fits, 0 bytes at the end; a signal that ends the run ends the wait.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        try Interruption.waitForInput(on: child.pipe)
        return try child.pipe.read(into: room)
    }

    /// Whether, once all its output was read, the compressed data was damaged, cut short or followed by something else.
    ///
    /// - Throws: What stopped the feeding of a pipe.
    func isDamaged() throws(ArchiveError) -> Bool {
        let status = child.finish()
        try feeder?.value()
        return status != 0
    }
}
