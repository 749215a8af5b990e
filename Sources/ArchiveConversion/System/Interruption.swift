import NotificationLibC

/// Ends the process at SIGINT and SIGTERM without leaving a file that is not complete, and keeps SIGPIPE and SIGXFSZ (a
/// file grows beyond `ulimit -f`) from killing it in the middle of something.
package enum Interruption {
    /// How many files are removed at most.
    private static let most = 1024

    // The names of the files to be removed, and how many they are; a name is there before it is counted. C signal
    // handlers cannot reach any other kind of state.
    nonisolated(unsafe) private static var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    nonisolated(unsafe) private static var count = 0

    /// Installs the handlers.
    package static func listen() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        names = .allocate(capacity: most)
        signal(SIGINT) { Interruption.end($0) }
        signal(SIGTERM) { Interruption.end($0) }
        // A parent may have blocked them (worker threads of Dispatch do, and what they start inherits it).
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGINT)
        sigaddset(&wanted, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    /// A handler may do next to nothing, but remove files and end the process.
    private static func end(_ number: Int32) {
        for place in 0..<count {
            if let name = names?[place] { unlink(name) }
        }
        _exit(128 + number)
    }

    /// From now on a signal removes this file; called by the main thread.
    static func removeAtSignal(_ path: String) {
        guard let names, count < most else { return }
        names[count] = strdup(path)
        count += 1
    }

    /// Ends the process the way a reader that went away ends it: quietly, by SIGPIPE.
    package static func endByClosedPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(141)
    }
}
