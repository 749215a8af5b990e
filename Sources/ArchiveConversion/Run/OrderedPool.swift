/// Workers that share out ordered work.
///
/// Each takes a free item, fills it under a lock and draws a number; it works without any lock; then it hands the item
/// in. Whoever hands in the item whose turn it is empties it, and continues as long as the next one is there. A worker
/// waits only for a free item, or inside ``Turn/passOn()`` until its part is emptied. Items are taken *before* numbers
/// are drawn, so the lowest number always has one and nothing can lock up. Nothing is started that is not needed: what
/// fits one item is done on the calling thread.
///
/// A failure is handed in like an item, so that what comes before it is emptied first; it ends the run.
///
/// `isOver` and `nextNumber` belong to `filling`, all other state to `turns`. Hence `@unchecked Sendable`.
final class OrderedPool<Work: OrderedWork>: @unchecked Sendable {
    /// An item on its way.
    fileprivate final class Ticket {
        let item: Work.Item
        var number = 0
        /// Whether nothing more of the item comes after what was handed in.
        var isLast = true
        var failure: ArchiveError?

        init(_ item: Work.Item) {
            self.item = item
        }
    }

    /// The turn of the item that a worker works on.
    struct Turn {
        fileprivate let pool: OrderedPool
        fileprivate let ticket: Ticket

        /// Hands over what there is of the item; returns when it is emptied, with false to stop.
        func passOn() -> Bool {
            pool.handIn(ticket, isLast: false)
            return pool.turns.locked { !pool.isStopped }
        }
    }

    private let work: Work
    private let filling = Monitor()
    private var isOver = false
    private var nextNumber = 0

    private let turns = Monitor()
    private var free: [Ticket]
    private var handedIn: [Ticket] = []
    private var turn = 0
    private var isEmptying = false
    private var isStopped = false
    private var failure: ArchiveError?

    /// A pool with as many items as may be on their way at once, at least one.
    init(_ work: Work, _ items: [Work.Item]) {
        self.work = work
        free = items.map(Ticket.init)
    }

    /// How many items keep as many workers busy.
    static func itemCount(jobs: Int) -> Int { jobs == 1 ? 1 : 2 * jobs }

    /// Does all the work with at most `jobs` threads.
    func run(jobs: Int) throws(ArchiveError) {
        var threads: [WorkerThread] = []
        runWorker {
            // The first item has been filled; if more is to come, it is worth having others.
            guard jobs > 1, self.work.hasMore else { return }
            for _ in 1..<jobs {
                do throws(ArchiveError) {
                    threads.append(try WorkerThread { [self] in runWorker {} })
                } catch { return }  // with fewer it is slower, not wrong
            }
        }
        for thread in threads { thread.join() }
        if let failure { throw failure }
    }

    /// One worker, until there is nothing left to do.
    private func runWorker(afterFirstFill: () -> Void) {
        var worker = work.makeWorker()
        var isFirst = true
        while let ticket = takeFree() {
            guard fill(ticket, by: &worker) else {
                giveBack(ticket)
                break
            }
            if ticket.failure == nil {
                if isFirst { afterFirstFill() }
                isFirst = false
                do throws(ArchiveError) {
                    try work.work(on: ticket.item, by: &worker, Turn(pool: self, ticket: ticket))
                } catch { ticket.failure = error }
            }
            handIn(ticket, isLast: true)
        }
        work.finish(worker)
    }

    /// Fills an item and draws a number; returns false at the end.
    private func fill(_ ticket: Ticket, by worker: inout Work.Worker) -> Bool {
        filling.lock()
        defer { filling.unlock() }
        guard !isOver else { return false }
        do throws(ArchiveError) {
            guard try work.fill(ticket.item, by: &worker) else {
                isOver = true
                return false
            }
        } catch {
            isOver = true
            ticket.failure = error
        }
        ticket.number = nextNumber
        nextNumber += 1
        return true
    }

    private func takeFree() -> Ticket? {
        turns.lock()
        defer { turns.unlock() }
        while !isStopped {
            if let ticket = free.popLast() { return ticket }
            turns.wait()
        }
        return nil
    }

    private func giveBack(_ ticket: Ticket) {
        turns.locked { free.append(ticket) }
        turns.wakeAll()
    }

    /// Hands in an item or a part of it, and empties whatever is due unless another worker is doing so.
    ///
    /// For a part that is not the last, it waits until that is emptied.
    private func handIn(_ ticket: Ticket, isLast: Bool) {
        turns.lock()
        defer { turns.unlock() }
        ticket.isLast = isLast
        handedIn.append(ticket)
        if !isEmptying { emptyInTurn() }
        guard !isLast else { return }
        while handedIn.contains(where: { $0 === ticket }), !isStopped { turns.wait() }
    }

    /// Empties all items whose turn has come; called with the lock held.
    private func emptyInTurn() {
        isEmptying = true
        while !isStopped, let ticket = handedIn.first(where: { $0.number == turn }) {
            turns.unlock()
            var problem = ticket.failure
            var goesOn = true
            if problem == nil {
                do throws(ArchiveError) { goesOn = try work.empty(ticket.item) } catch { problem = error }
            }
            turns.lock()
            handedIn.removeAll { $0 === ticket }
            if ticket.isLast {
                turn += 1
                free.append(ticket)
            }
            if problem != nil || !goesOn {
                failure = problem
                isStopped = true
            }
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
    func fill(_ item: Item, by worker: inout Worker) throws(ArchiveError) -> Bool

    /// Works on an item, beside the other workers; `turn` lets a part be emptied before the item is finished.
    func work(on item: Item, by worker: inout Worker, _ turn: OrderedPool<Self>.Turn) throws(ArchiveError)

    /// Empties an item, or a part of it, or returns false to stop; called in order.
    func empty(_ item: Item) throws(ArchiveError) -> Bool

    /// Takes back a worker that has nothing left to do; called by the thread that used it.
    func finish(_ worker: Worker)
}

extension OrderedWork {
    func finish(_ worker: Worker) {}
}
