import NotificationLibC

/// A thread that runs one closure and is waited for.
struct WorkerThread {
    private let handle: pthread_t

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    init(_ body: @escaping @Sendable () -> Void) throws(ArchiveError) {
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var started: pthread_t?
        let status = pthread_create(&started, nil, { raw in WorkerThread.run(raw) }, work.toOpaque())
        guard status == 0, let started else {
            work.release()
            throw ArchiveError(.system, "cannot start a thread", systemCode: status)
        }
        handle = started
        #else
        var started = pthread_t(bitPattern: 0)
        let status = pthread_create(&started, nil, { raw in WorkerThread.run(raw) }, work.toOpaque())
        guard status == 0 else {
            work.release()
            throw ArchiveError(.system, "cannot start a thread", systemCode: status)
        }
        handle = started
        #endif
    }

    private static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let raw else { return nil }
        Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body()
        return nil
    }

    /// Waits until the closure has returned.
    func join() {
        pthread_join(handle, nil)
    }
}
