import SystemLibC

/// What a child process took, by the operating system's own account.
struct ChildRun {
    /// Seconds on the clock, from before the start to after the end.
    var clock = 0.0
    /// Seconds of processor time, user and system, of all its threads.
    var processor = 0.0
    /// The most memory it held at one time, in bytes.
    ///
    /// Linux counts from before the program is loaded, so it is never less than ``ownMemory``: the reason why archives
    /// are made in a child too.
    var peakMemory = 0
    /// Seconds of processor time of the calls inside, as the worker itself measured them.
    var calls: Double?
    /// Its exit code; 128 and more for a signal.
    var exitCode: Int32 = 0

    /// Runs a program, looked for in `PATH`, to its end; `nil` when it cannot be started.
    ///
    /// Its standard output and standard error become the two files.
    static func of(_ command: [String], output: String, messages: String) -> ChildRun? {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // This program ignores an interruption, so that it can tidy up; the child must not.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let began = now()
        guard posix_spawnp(&child, command[0], &actions, &attributes, &words, environ) == 0 else { return nil }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) == -1 {
            if errno != EINTR { return nil }
        }
        var run = ChildRun()
        run.clock = now() - began
        run.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        run.peakMemory = bytes(usage)
        run.exitCode = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return run
    }

    /// The most memory this process held so far, in bytes.
    static var ownMemory: Int {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return bytes(usage)
    }

    private static func bytes(_ usage: rusage) -> Int {
        #if canImport(Darwin)
        Int(usage.ru_maxrss)
        #else
        Int(usage.ru_maxrss) * 1024
        #endif
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
