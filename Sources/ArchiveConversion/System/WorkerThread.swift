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
        #else
        var started: pthread_t! = pthread_t(bitPattern: 0)
        #endif
        let status = pthread_create(&started, nil, { raw in WorkerThread.run(raw) }, work.toOpaque())
        guard status == 0, let started else {
            work.release()
            throw ArchiveError(.system, "cannot start a thread", systemCode: status)
        }
        handle = started
    }

    private static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let raw else { return nil }
        Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body()
        return nil
    }

    /// Threads that all run one closure, as many as can be had: with fewer it is slower, not wrong.
    static func several(_ count: Int, _ body: @escaping @Sendable () -> Void) -> [WorkerThread] {
        var threads: [WorkerThread] = []
        while threads.count < count, let thread = try? WorkerThread(body) { threads.append(thread) }
        return threads
    }

    /// Waits until the closure has returned.
    func join() {
        pthread_join(handle, nil)
    }
}

/// What a thread of its own does while others go on.
///
/// The result is written by the thread before it ends and read after it was joined, hence `@unchecked Sendable`.
final class Background<Value>: @unchecked Sendable {
    private var thread: WorkerThread?
    private var result: Result<Value, ArchiveError>?

    init(_ work: @escaping @Sendable () throws(ArchiveError) -> Value) throws(ArchiveError) {
        thread = try WorkerThread { [self] in
            do throws(ArchiveError) { result = .success(try work()) } catch { result = .failure(error) }
        }
    }

    /// Waits for the thread, and returns what came of it; `nil` for a result that was taken before.
    @discardableResult
    func value() throws(ArchiveError) -> Value? {
        thread?.join()
        thread = nil
        defer { result = nil }
        return try result?.get()
    }
}

/// A lock that threads can also wait on.
///
/// `Synchronization.Mutex` has no condition to wait on, and one library less to load keeps the start short. The
/// pointers are set once and only ever handed to pthread functions, hence `@unchecked Sendable`.
final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Takes the lock, waiting as long as another thread holds it.
    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Gives the lock back until somebody calls ``wakeAll()``, then takes it again; to be called with the lock held.
    func wait() { pthread_cond_wait(condition, mutex) }

    func wakeAll() { pthread_cond_broadcast(condition) }

    /// Does something with the lock held.
    func locked<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// The number of processors that may be used, at least 1.
func processorCount() -> Int {
    max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

/// Seconds of a clock that only runs forwards.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
