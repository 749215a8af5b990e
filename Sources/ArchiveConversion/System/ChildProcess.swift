import NotificationLibC
import Synchronization

/// A program that packs or unpacks bytes between a descriptor and a pipe.
///
/// Started with `posix_spawnp`, an empty environment and standard error to `/dev/null` (its words would be between
/// our diagnostics; its exit status says enough). One thread at a time uses it, hence `@unchecked Sendable`.
final class ChildProcess: @unchecked Sendable {
    /// The number of its process.
    let identifier: pid_t
    /// Our end of the pipe.
    let pipe: Descriptor
    /// How it ended, once that is known.
    private var status: Int32?

    // A child started between pipe(2) and FD_CLOEXEC would inherit the pipe and keep it open for ever; there is no
    // portable pipe2, so both happen under one lock.
    private static let spawning = Mutex(())

    /// Starts a program with a pipe in place of the input or the output, whichever is not given.
    ///
    /// It is looked for in `PATH`, and where the system has its programs when there is none. `purpose` is used
    /// in errors: what cannot be done without it, of which file, and what to say of a program that is missing.
    init(
        _ program: String, _ arguments: [String], from input: Descriptor? = nil, to output: Descriptor? = nil,
        _ purpose: (action: String, path: String, detail: String)
    ) throws(ArchiveError) {
        let (reading, writing) = try Self.makePipe()
        let (its, ours) = input == nil ? (reading, writing) : (writing, reading)
        defer { its.closeQuietly() }
        var started: pid_t = 0
        let status = Self.spawning.withLock { _ in
            Self.spawn(
                program, [program] + arguments, input: input ?? reading, output: output ?? writing, into: &started)
        }
        guard status == 0 else {
            ours.closeQuietly()
            throw status == ENOENT
                ? ArchiveError(.system, purpose.action, path: purpose.path, detail: purpose.detail)
                : ArchiveError(.system, "cannot start", path: program, systemCode: status)
        }
        (identifier, pipe) = (started, ours)
    }

    /// Stops the process if it is still running.
    deinit {
        guard status == nil else { return }
        kill(identifier, SIGTERM)
        _ = finish()
    }

    private static func spawn(
        _ program: String, _ arguments: [String], input: Descriptor, output: Descriptor, into started: inout pid_t
    ) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.number, 0)
        posix_spawn_file_actions_adddup2(&actions, output.number, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // We ignore both, and an ignored signal stays ignored in a child; a packer must die of them as usual.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        sigaddset(&defaults, SIGXFSZ)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A group of its own: Ctrl-C is for us; we then end the child by closing its pipe.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        return posix_spawnp(&started, program, &actions, &attributes, &words, &environment)
    }

    /// Closes our end of the pipe and waits for the end of the program.
    ///
    /// - Returns: Its exit status, or 128 + the signal's number when a signal ended it.
    func finish() -> Int32 {
        if let status { return status }
        pipe.closeQuietly()
        var ended: Int32 = 127 << 8
        while waitpid(identifier, &ended, 0) == -1, errno == EINTR {}
        let endingSignal = ended & 0x7F
        let known = endingSignal == 0 ? (ended >> 8) & 0xFF : 128 + endingSignal
        status = known
        return known
    }

    /// Makes a pipe that no child inherits by accident.
    static func makePipe() throws(ArchiveError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let status = spawning.withLock { _ in
            guard NotificationLibC.pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return 0
        }
        guard status == 0 else { throw ArchiveError(.system, "cannot make a pipe", systemCode: status) }
        return (Descriptor(number: ends[0], path: "pipe"), Descriptor(number: ends[1], path: "pipe"))
    }
}
