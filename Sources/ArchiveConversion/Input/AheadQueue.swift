/// Unpacked bytes of one input on their way from the thread that unpacks it to the worker that reads it.
///
/// All state belongs to the monitor of the ``ReadAhead``, hence `@unchecked Sendable`.
final class AheadQueue: @unchecked Sendable {
    /// Some bytes, used again and again.
    final class Block {
        static let size = 256 * 1024
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        /// What was not handed out yet.
        var rest = 0..<0

        deinit {
            memory.deallocate()
        }
    }

    /// What the input that is being read may have in memory whatever the others have.
    static let fewest = 8

    private let owner: ReadAhead
    private let unpacker: Unpacker
    private var blocks: [Block] = []
    private var isOver = false
    private var isCancelled = false
    private var isFilling = true
    private var failure: ArchiveError?
    /// Whether it is this input's turn to be read.
    private var isCurrent = false

    /// A queue that will be filled by a thread of `owner`.
    init(_ owner: ReadAhead, _ unpacker: Unpacker) {
        self.owner = owner
        self.unpacker = unpacker
    }

    /// Takes note that it is this input's turn; to be called with the monitor held.
    func becomeCurrent() { isCurrent = true }

    /// Hands out what comes next, and waits until there is something; returns the number of bytes, 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        guard room.count > 0, let block = try firstBlock() else { return 0 }
        let count = min(room.count, block.rest.count)
        let end = block.rest.lowerBound + count
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.memory[block.rest.lowerBound..<end]))
        block.rest = end..<block.rest.upperBound
        if block.rest.isEmpty {
            owner.monitor.locked {
                blocks.removeFirst()
                owner.release(block)
            }
            owner.monitor.wakeAll()
        }
        return count
    }

    /// The first block, which no other thread uses until it is empty; `nil` at the end.
    private func firstBlock() throws(ArchiveError) -> Block? {
        owner.monitor.lock()
        defer { owner.monitor.unlock() }
        while true {
            if let block = blocks.first { return block }
            if let failure { throw failure }
            if isOver || isCancelled || owner.isStopped { return nil }
            owner.monitor.wait()
        }
    }

    /// Takes in what the unpacker gives, up to its end.
    func fill() {
        var problem: ArchiveError?
        var goesOn = true
        while goesOn, let block = nextBlock() {
            var count = 0
            do throws(ArchiveError) {
                while count < block.memory.count {
                    let room = UnsafeMutableRawBufferPointer(rebasing: block.memory[count...])
                    let more = try unpacker.read(into: room)
                    if more == 0 { break }
                    count += more
                }
            } catch { problem = error }
            goesOn = count == block.memory.count
            block.rest = 0..<count
            owner.monitor.locked { if count > 0 { blocks.append(block) } else { owner.release(block) } }
            owner.monitor.wakeAll()
        }
        owner.monitor.locked {
            failure = problem
            isOver = true
            isFilling = false
        }
        owner.monitor.wakeAll()
    }

    /// An empty block, as soon as there may be one more; `nil` if no more are wanted.
    private func nextBlock() -> Block? {
        owner.monitor.lock()
        defer { owner.monitor.unlock() }
        while !isCancelled, !owner.isStopped {
            if owner.hasRoom || isCurrent && blocks.count < Self.fewest { return owner.claimBlock() }
            owner.monitor.wait()
        }
        return nil
    }

    /// Ends the filling, waits until nobody fills any more, and gives the blocks back.
    func close() {
        owner.monitor.lock()
        isCancelled = true
        owner.monitor.wakeAll()
        while isFilling { owner.monitor.wait() }
        for block in blocks { owner.release(block) }
        blocks = []
        owner.monitor.unlock()
        owner.monitor.wakeAll()
    }
}
