import NotificationLibC

/// A thread that pours a pipe into an unpacker while the unpacked bytes are read elsewhere.
///
/// One thread for both would wait for ever once both pipes are full. `@unchecked Sendable`: the result is
/// written by the thread before it ends and read after it was joined.
final class Feeder: @unchecked Sendable {
    private var thread: WorkerThread?
    private var problem: ArchiveError?

    init(head: [UInt8], rest: Descriptor, to pipe: Descriptor) throws(ArchiveError) {
        thread = try WorkerThread { [self] in
            // An unpacker that ends early must not end this process by SIGPIPE.
            var broken = sigset_t()
            sigemptyset(&broken)
            sigaddset(&broken, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &broken, nil)
            do throws(ArchiveError) { try Self.pour(head, rest, into: pipe) } catch {
                // An unpacker that stops reading says by its exit status why.
                if error.code != .outputClosed { problem = error }
            }
            pipe.closeQuietly()
        }
    }

    private static func pour(_ head: [UInt8], _ rest: Descriptor, into pipe: Descriptor) throws(ArchiveError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { room.deallocate() }
        try pipe.writeAll(head)
        while true {
            let count = try rest.read(into: room)
            if count == 0 { break }
            try pipe.writeAll(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
    }

    /// Waits for the thread and returns what stopped it, if anything did.
    func failure() -> ArchiveError? {
        thread?.join()
        thread = nil
        return problem
    }
}
