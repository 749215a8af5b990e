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
final class OrderedPool<Item: AnyObject & Sendable>: @unchecked Sendable {
    /// Something that is done with an item.
    typealias Step = (Item) throws(ArchiveError) -> Void

    private let jobs: Int
    private let steps: (fill: (Item) throws(ArchiveError) -> Bool, work: Step, empty: Step?)
    private let filling = Monitor()
    private var isOver = false
    private var nextNumber = 0

    private let turns = Monitor()
    private var free: [Item]
    /// What waits for its turn, by number.
    private var handedIn: [Int: Result<Item, ArchiveError>] = [:]
    private var turn = 0
    private var isEmptying = false
    private var isStopped = false
    private var failure: ArchiveError?

    /// A pool of at most `jobs` workers.
    ///
    /// - Parameters:
    ///   - jobs: How many work at most.
    ///   - item: Makes what goes from step to step, as many as keep them busy; one thread at a time owns each.
    ///   - fill: Fills an item, or returns false at the end; called by one worker at a time.
    ///   - work: Works on an item, beside the other workers.
    ///   - empty: Empties an item; called in order. Without it the order does not matter: there is one item for each
    ///     worker, and it is free again at once.
    init(
        jobs: Int, _ item: () -> Item, fill: @escaping (Item) throws(ArchiveError) -> Bool, work: @escaping Step,
        empty: Step? = nil
    ) {
        self.jobs = jobs
        steps = (fill, work, empty)
        free = (0..<(jobs == 1 || empty == nil ? jobs : 2 * jobs)).map { _ in item() }
    }

    /// Does all the work; `hasMore` says after the first item whether something is left to fill another with.
    func run(hasMore: () -> Bool) throws(ArchiveError) {
        // If more is to come than the first item, it is worth having others.
        let threads = WorkerThread.several(doNext() && hasMore() ? jobs - 1 : 0) { [self] in while doNext() {} }
        while doNext() {}
        for thread in threads { thread.join() }
        if let failure { throw failure }
    }

    /// Does the next item; false if there is none.
    private func doNext() -> Bool {
        guard let item = takeFree() else { return false }
        guard let (number, problem) = fill(item) else {
            turns.locked { free.append(item) }
            turns.wakeAll()
            return false
        }
        var result: Result<Item, ArchiveError> = problem.map { .failure($0) } ?? .success(item)
        if problem == nil {
            do throws(ArchiveError) { try steps.work(item) } catch { result = .failure(error) }
        }
        handIn(number, result)
        return true
    }

    private func takeFree() -> Item? {
        turns.lock()
        defer { turns.unlock() }
        while !isStopped {
            if let item = free.popLast() { return item }
            turns.wait()
        }
        return nil
    }

    /// Fills an item and draws a number; `nil` at the end.
    private func fill(_ item: Item) -> (number: Int, problem: ArchiveError?)? {
        filling.lock()
        defer { filling.unlock() }
        guard !isOver else { return nil }
        var problem: ArchiveError?
        do throws(ArchiveError) { isOver = try !steps.fill(item) } catch { (problem, isOver) = (error, true) }
        if isOver, problem == nil { return nil }
        nextNumber += 1
        return (nextNumber - 1, problem)
    }

    /// Hands in an item, and empties whatever is due unless another worker is doing so.
    private func handIn(_ number: Int, _ result: Result<Item, ArchiveError>) {
        turns.lock()
        defer { turns.unlock() }
        guard let empty = steps.empty else {
            switch result {
            case .success(let item): free.append(item)
            case .failure(let problem): (failure, isStopped) = (failure ?? problem, true)
            }
            return turns.wakeAll()
        }
        handedIn[number] = result
        guard !isEmptying else { return }
        isEmptying = true
        while !isStopped, let next = handedIn.removeValue(forKey: turn) {
            turns.unlock()
            var problem: ArchiveError?
            do throws(ArchiveError) { try empty(next.get()) } catch { problem = error }
            turns.lock()
            turn += 1
            if case .success(let item) = next { free.append(item) }
            if let problem { (failure, isStopped) = (problem, true) }
            turns.wakeAll()
        }
        isEmptying = false
    }
}
