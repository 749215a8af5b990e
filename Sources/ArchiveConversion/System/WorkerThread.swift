import NotificationLibC

/// What a thread of its own does while others go on.
///
/// The result is written by the thread before it ends and read after it was joined, hence `@unchecked Sendable`.
final class WorkerThread<Value>: @unchecked Sendable {
    private var handle: pthread_t?
    private var result: Result<Value, ArchiveError>?

    init(_ work: @escaping @Sendable () throws(ArchiveError) -> Value) throws(ArchiveError) {
        let body = Unmanaged.passRetained(
            ThreadBody { [self] in
                do throws(ArchiveError) { result = .success(try work()) } catch { result = .failure(error) }
            })
        #if canImport(Darwin)
        var started: pthread_t?
        #else
        var started: pthread_t! = pthread_t(bitPattern: 0)
        #endif
        let status = pthread_create(&started, nil, { raw in ThreadBody.run(raw) }, body.toOpaque())
        guard status == 0, let started else {
            body.release()
            throw ArchiveError(.system, "cannot start a thread", systemCode: status)
        }
        handle = started
    }

    /// Waits for the thread, and returns what came of it; `nil` for a result that was taken before.
    @discardableResult
    func value() throws(ArchiveError) -> Value? {
        if let handle { pthread_join(handle, nil) }
        defer { (handle, result) = (nil, nil) }
        return try result?.get()
    }
}

private final class ThreadBody {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let raw { Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().body() }
        return nil
    }
}
