/// Fills items one after the other, works on them side by side, and empties them in the order they were filled.
///
/// The same turns as in ``Pipeline``, without what only archives need: an item is taken before its number is drawn, so
/// the lowest number always has one; whoever finishes the item whose turn it is empties it, and goes on as long as the
/// next one is there.
///
/// `fill` is called with `filling` locked; all state belongs to `turns` but for what `fill` uses. Hence
/// `@unchecked Sendable`.
final class Conveyor<Item: Sendable>: @unchecked Sendable {
    private let fill: (Item) throws(ArchiveError) -> Bool
    private let workOn: (Item) -> Void
    private let empty: (Item) throws(ArchiveError) -> Void
    private let filling = Monitor()
    private let turns = Monitor()
    private var free: [Item]
    private var ready: [Int: Item] = [:]
    private var nextNumber = 0
    private var turn = 0
    private var isEmptying = false
    private var isStopped = false
    private var failure: ArchiveError?

    /// A conveyor with as many items as may be on their way at once.
    init(
        _ items: [Item],
        fill: @escaping (Item) throws(ArchiveError) -> Bool,
        work: @escaping (Item) -> Void,
        empty: @escaping (Item) throws(ArchiveError) -> Void
    ) {
        free = items
        self.fill = fill
        workOn = work
        self.empty = empty
    }

    /// Runs until `fill` has nothing more.
    func run(workers: Int) throws(ArchiveError) {
        var threads: [WorkerThread] = []
        for _ in 1..<max(1, workers) {
            do throws(ArchiveError) {
                threads.append(try WorkerThread { [self] in work() })
            } catch { break }  // with fewer it is slower, not wrong
        }
        work()
        for thread in threads { thread.join() }
        if let failure { throw failure }
    }

    private func work() {
        while let item = takeFree() {
            do throws(ArchiveError) {
                guard let number = try number(filling: item) else { return giveBack(item) }
                workOn(item)
                hand(item, number)
            } catch { return stop(error) }
        }
    }

    private func number(filling item: Item) throws(ArchiveError) -> Int? {
        filling.lock()
        defer { filling.unlock() }
        guard try fill(item) else { return nil }
        defer { nextNumber += 1 }
        return nextNumber
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

    private func giveBack(_ item: Item) {
        turns.locked { free.append(item) }
        turns.wakeAll()
    }

    private func stop(_ error: ArchiveError) {
        turns.locked {
            if failure == nil { failure = error }
            isStopped = true
        }
        turns.wakeAll()
    }

    private func hand(_ item: Item, _ number: Int) {
        turns.lock()
        defer { turns.unlock() }
        ready[number] = item
        guard !isEmptying else { return }
        isEmptying = true
        while !isStopped, let item = ready.removeValue(forKey: turn) {
            turns.unlock()
            var problem: ArchiveError?
            do throws(ArchiveError) { try empty(item) } catch { problem = error }
            turns.lock()
            turn += 1
            free.append(item)
            if let problem {
                failure = problem
                isStopped = true
            }
            turns.wakeAll()
        }
        isEmptying = false
    }
}
