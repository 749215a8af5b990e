import Dispatch
import Synchronization

/// Workers that share out ordered work.
///
/// Each takes a free item, fills it under a lock and draws a number; it works without any lock; then it hands the item
/// in. Whoever hands in the item whose turn it is empties it, and continues as long as the next one is there. A worker
/// waits only for a free item. Items are taken *before* numbers are drawn, so the lowest number always has one and
/// nothing can lock up. Nothing is started that is not needed: what fits one item is done on the calling thread.
///
/// A failure is handed in like an item, so that what comes before it is emptied first; it ends the run.
///
/// What it is made of may be used by one worker at a time, hence `@unchecked Sendable`.
final class OrderedPool<Item: AnyObject & Sendable>: @unchecked Sendable {
    /// Something that is done with an item.
    typealias Step = (Item) throws(ArchiveError) -> Void

    /// Items on their way.
    private struct Items {
        var free: [Item]
        /// What waits for its turn, by number.
        var handedIn: [Int: Result<Item, ArchiveError>] = [:]
        var turn = 0
        var isEmptying = false
        var failure: ArchiveError?

        /// What is to be emptied next, if that is there.
        mutating func next() -> Result<Item, ArchiveError>? {
            let next = failure == nil ? handedIn.removeValue(forKey: turn) : nil
            isEmptying = next != nil
            return next
        }
    }

    private let jobs: Int
    private let steps: (fill: (Item) throws(ArchiveError) -> Bool, work: Step, empty: Step)
    /// Whether the input has ended, and how many items were filled; whoever fills uses it.
    private var progress = (isOver: false, count: 0)
    /// Held by whoever fills: that takes so long that a lock which spins costs 3 % of a run.
    private let filling = DispatchSemaphore(value: 1)
    private let items: Mutex<Items>
    /// Has a signal for each free item, or one that is passed on once there was a failure.
    private let free = DispatchSemaphore(value: 0)

    /// A pool of at most `jobs` workers.
    ///
    /// - Parameters:
    ///   - jobs: How many work at most.
    ///   - item: Makes what goes from step to step, as many as keep them busy; one thread at a time owns each.
    ///   - fill: Fills an item, or returns false at the end; called by one worker at a time.
    ///   - work: Works on an item, beside the other workers.
    ///   - empty: Empties an item; called in order.
    init(
        jobs: Int, _ item: () -> Item, fill: @escaping (Item) throws(ArchiveError) -> Bool, work: @escaping Step,
        empty: @escaping Step = { _ in }
    ) {
        self.jobs = jobs
        steps = (fill, work, empty)
        let made = (0..<(jobs == 1 ? 1 : 2 * jobs)).map { _ in item() }
        items = Mutex(Items(free: made))
        for _ in made { free.signal() }
    }

    /// Does all the work; `hasMore` says after the first item whether something is left to fill another with.
    func run(hasMore: () -> Bool) throws(ArchiveError) {
        // If more is to come than the first item, it is worth having others; with fewer it is slower, not wrong.
        let wanted = doNext() && hasMore() ? jobs - 1 : 0
        var threads: [WorkerThread<Void>] = []
        while threads.count < wanted, let thread = try? WorkerThread({ [self] in while doNext() {} }) {
            threads.append(thread)
        }
        while doNext() {}
        for thread in threads { try thread.value() }
        if let failure = items.withLock({ $0.failure }) { throw failure }
    }

    /// Does the next item; false if there is none.
    private func doNext() -> Bool {
        free.wait()
        let item = items.withLock { $0.failure == nil ? $0.free.popLast() : nil }
        guard let item, let (number, filled) = fill(item) else {
            // Others that wait end as well.
            if let item { items.withLock { $0.free.append(item) } }
            free.signal()
            return false
        }
        var result = filled
        do throws(ArchiveError) { try steps.work(filled.get()) } catch { result = .failure(error) }
        handIn(number, result)
        return true
    }

    /// Fills an item and draws a number; `nil` at the end.
    private func fill(_ item: Item) -> (number: Int, filled: Result<Item, ArchiveError>)? {
        filling.wait()
        defer { filling.signal() }
        guard !progress.isOver else { return nil }
        var result = Result<Item, ArchiveError>.success(item)
        do throws(ArchiveError) {
            progress.isOver = try !steps.fill(item)
            if progress.isOver { return nil }
        } catch {
            (progress.isOver, result) = (true, .failure(error))
        }
        progress.count += 1
        return (progress.count - 1, result)
    }

    /// Hands in an item, and empties whatever is due unless another worker is doing so.
    private func handIn(_ number: Int, _ result: Result<Item, ArchiveError>) {
        var due = items.withLock { items in
            items.handedIn[number] = result
            return items.isEmptying ? nil : items.next()
        }
        while let next = due {
            var problem: ArchiveError?
            do throws(ArchiveError) { try steps.empty(next.get()) } catch { problem = error }
            due = items.withLock { items in
                items.turn += 1
                if case .success(let item) = next { items.free.append(item) }
                items.failure = problem
                return items.next()
            }
            free.signal()
        }
    }
}
