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
