import NotificationLibC

/// Listens for SIGINT and SIGTERM and keeps SIGPIPE and SIGXFSZ (a file grows beyond `ulimit -f`) from killing the
/// process in the middle of something.
///
/// A handler may do next to nothing, so it notes the signal and writes a byte into a pipe; whoever waits for input
/// watches that pipe too. A run that leaves nothing (no temporary file) is ended on the spot, and so is any
/// run at the second signal.
package enum Interruption {
    // The three are written before the handlers are installed, or by a handler as one aligned word; C signal handlers
    // cannot reach any other kind of state.
    nonisolated(unsafe) private static var received: Int32 = 0
    /// Whether a signal lets the run end in order instead of at once.
    nonisolated(unsafe) static var isGraceful = false
    nonisolated(unsafe) private static var wakeEnd: Int32 = -1
    nonisolated(unsafe) private static var watchEnd: Int32 = -1

    /// Installs the handlers.
    package static func listen() throws(ArchiveError) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let (reading, writing) = try ChildProcess.makePipe()
        wakeEnd = writing.number
        watchEnd = reading.number
        _ = fcntl(wakeEnd, F_SETFL, O_NONBLOCK)
        signal(SIGINT) { Interruption.note($0) }
        signal(SIGTERM) { Interruption.note($0) }
        // A parent may have blocked them (worker threads of Dispatch do, and what they start inherits it).
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGINT)
        sigaddset(&wanted, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    private static func note(_ number: Int32) {
        guard isGraceful, received == 0 else { _exit(128 + number) }
        received = number
        var byte: UInt8 = 0
        _ = write(wakeEnd, &byte, 1)
    }

    /// Throws when a signal has asked the run to stop.
    static func check() throws(ArchiveError) {
        guard received != 0 else { return }
        throw ArchiveError(.interrupted, "stopped by signal \(received)", systemCode: received)
    }

    /// Waits until a descriptor that may block for ever has something to read; a signal ends the wait with an error.
    static func waitForInput(on descriptor: Descriptor) throws(ArchiveError) {
        while true {
            try check()
            var watched = [
                pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watchEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&watched, watchEnd < 0 ? 1 : 2, -1)
            if ready > 0, watched[0].revents != 0 { return }
            if ready < 0, errno != EINTR { return }
        }
    }

    /// Ends the process the way a reader that went away ends it: quietly, by SIGPIPE.
    package static func endByClosedPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(141)
    }
}
