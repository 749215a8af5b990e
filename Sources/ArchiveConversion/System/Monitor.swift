import NotificationLibC

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
