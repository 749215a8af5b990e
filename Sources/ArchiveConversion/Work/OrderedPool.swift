/// Workers that share out ordered work.
///
/// Each takes a free item, fills it under a lock and draws a number; it works without any lock; then it hands the item
/// in. Whoever hands in the item whose turn it is empties it, and continues as long as the next one is there. A worker
/// waits only for a free item. Items are taken *before* numbers are drawn, so the lowest number always has one and
/// nothing can lock up. Nothing is started that is not needed: what fits one item is done on the calling thread.
///
/// A failure is handed in like an item, so that what comes before it is emptied first; it ends the run.
///
/// `isOver` and `nextNumber` belong to `filling`, all other state to `turns`. Hence `@unchecked Sendable`.
final class OrderedPool<Work: OrderedWork>: @unchecked Sendable {
    private let work: Work
    private let jobs: Int
    private let filling = Monitor()
    private var isOver = false
    private var nextNumber = 0

    private let turns = Monitor()
    private var free: [Work.Item]
    /// What waits for its turn, by number.
    private var handedIn: [Int: Result<Work.Item, ArchiveError>] = [:]
    private var turn = 0
    private var isEmptying = false
    private var isStopped = false
    private var failure: ArchiveError?

    /// A pool of at most `jobs` workers, with as many items as keep them busy.
    init(_ work: Work, jobs: Int, _ item: () -> Work.Item) {
        self.work = work
        self.jobs = jobs
        free = (0..<(jobs == 1 ? 1 : 2 * jobs)).map { _ in item() }
    }

    /// Does all the work.
    func run() throws(ArchiveError) {
        var worker = work.makeWorker()
        // If more is to come than the first item, it is worth having others.
        let threads = WorkerThread.several(doNext(&worker) && work.hasMore ? jobs - 1 : 0) { [self] in
            var worker = work.makeWorker()
            while doNext(&worker) {}
        }
        while doNext(&worker) {}
        for thread in threads { thread.join() }
        if let failure { throw failure }
    }

    /// Does the next item; false if there is none.
    private func doNext(_ worker: inout Work.Worker) -> Bool {
        guard let item = takeFree() else { return false }
        guard let (number, problem) = fill(item) else {
            turns.locked { free.append(item) }
            turns.wakeAll()
            return false
        }
        var result: Result<Work.Item, ArchiveError> = problem.map { .failure($0) } ?? .success(item)
        if problem == nil {
            do throws(ArchiveError) { try work.work(on: item, by: &worker) } catch { result = .failure(error) }
        }
        handIn(number, result)
        return true
    }

    private func takeFree() -> Work.Item? {
        turns.lock()
        defer { turns.unlock() }
        while !isStopped {
            if let item = free.popLast() { return item }
            turns.wait()
        }
        return nil
    }

    /// Fills an item and draws a number; `nil` at the end.
    private func fill(_ item: Work.Item) -> (number: Int, problem: ArchiveError?)? {
        filling.lock()
        defer { filling.unlock() }
        guard !isOver else { return nil }
        var problem: ArchiveError?
        do throws(ArchiveError) { isOver = try !work.fill(item) } catch { (problem, isOver) = (error, true) }
        if isOver, problem == nil { return nil }
        nextNumber += 1
        return (nextNumber - 1, problem)
    }

    /// Hands in an item, and empties whatever is due unless another worker is doing so.
    private func handIn(_ number: Int, _ result: Result<Work.Item, ArchiveError>) {
        turns.lock()
        defer { turns.unlock() }
        handedIn[number] = result
        guard !isEmptying else { return }
        isEmptying = true
        while !isStopped, let next = handedIn.removeValue(forKey: turn) {
            turns.unlock()
            var problem: ArchiveError?
            do throws(ArchiveError) { try work.empty(next.get()) } catch { problem = error }
            turns.lock()
            turn += 1
            if case .success(let item) = next { free.append(item) }
            if let problem { (failure, isStopped) = (problem, true) }
            turns.wakeAll()
        }
        isEmptying = false
    }
}

/// What an ``OrderedPool`` does: items are filled one after the other, worked on side by side, and emptied in the order
/// in which they were filled.
protocol OrderedWork: AnyObject, Sendable {
    /// What goes from step to step; one thread at a time owns it.
    associatedtype Item: AnyObject & Sendable
    /// What a worker keeps from item to item.
    associatedtype Worker

    /// Whether something is left to fill an item with; asked after the first one.
    var hasMore: Bool { get }

    /// Gets a worker ready; called by the thread that is to use it.
    func makeWorker() -> Worker

    /// Fills an item, or returns false at the end; called by one worker at a time.
    func fill(_ item: Item) throws(ArchiveError) -> Bool

    /// Works on an item, beside the other workers.
    func work(on item: Item, by worker: inout Worker) throws(ArchiveError)

    /// Empties an item; called in order.
    func empty(_ item: Item) throws(ArchiveError)
}
