/// Unpacks the inputs that come next while others are read: as many at a time as there are workers.
///
/// The output is in the order of the inputs, so an input is read only when those before it were. But where unpacking
/// takes most of the time, one child at a time leaves all processors but two idle. So each thread of this opens an
/// input, lets a child unpack it into memory, and continues to the next; what is in memory is bounded, and the input
/// whose turn it is always has room. An input that is not compressed is opened here too, and read where it is needed.
///
/// All state belongs to `monitor`, hence `@unchecked Sendable`.
final class ReadAhead: @unchecked Sendable {
    /// An input that is opened before its turn.
    private final class Item {
        var stream: ByteStream?
        var failure: ArchiveError?
        var isOpen: Bool { stream != nil || failure != nil }
    }

    /// Bytes of memory for each worker.
    static let share = 32 << 20
    /// Bytes of memory at most, however many workers there are.
    static let most = 256 << 20

    let monitor = Monitor()
    private let inputs: [InputFile]
    private let mostItems: Int
    /// Blocks at most, but for ``AheadQueue/fewest`` of the input that is being read.
    let mostBlocks: Int
    private var usedBlocks = 0
    /// The most blocks that were in use at a time.
    private(set) var mostUsed = 0
    private var freeBlocks: [AheadQueue.Block] = []
    private var items: [Int: Item] = [:]
    /// The first input that no thread has taken yet.
    private var next: Int
    /// Whether nothing is wanted any more.
    private(set) var isStopped = false
    private var threads: [WorkerThread] = []

    /// Begins to read ahead; `nil` if no thread can be started.
    ///
    /// - Parameters:
    ///   - first: An open input of which nothing was read but its head, and which is being read from now on.
    ///   - next: The place of the input after it.
    ///   - inputs: All inputs.
    ///   - jobs: How many are unpacked at a time.
    init?(_ first: ByteStream, before next: Int, of inputs: [InputFile], jobs: Int) {
        self.inputs = inputs
        self.next = next
        mostItems = 4 * jobs
        mostBlocks = min(Self.most, jobs * Self.share) / AheadQueue.Block.size
        for number in 0..<jobs {
            do throws(ArchiveError) {
                let queue = number == 0 ? first.beginAhead(self) : nil
                if let queue { monitor.locked { queue.becomeCurrent() } }
                threads.append(try WorkerThread { [self] in work(queue) })
            } catch {
                // With fewer threads it is slower, not wrong; but the first one has the input that is being read.
                guard number == 0 else { break }
                first.forgetAhead()
                return nil
            }
        }
    }

    // MARK: Blocks; with the monitor held

    /// Whether an input that is not being read may take another block.
    var hasRoom: Bool { usedBlocks < mostBlocks }

    /// A block to be filled.
    func claimBlock() -> AheadQueue.Block {
        usedBlocks += 1
        mostUsed = max(mostUsed, usedBlocks)
        return freeBlocks.popLast() ?? AheadQueue.Block()
    }

    func release(_ block: AheadQueue.Block) {
        usedBlocks -= 1
        block.rest = 0..<0
        freeBlocks.append(block)
    }

    // MARK: Threads

    /// Opens and unpacks one input after the other.
    private func work(_ queue: AheadQueue?) {
        queue?.fill()
        while let (place, item) = claim() {
            var queue: AheadQueue?
            var stream: ByteStream?
            var failure: ArchiveError?
            do throws(ArchiveError) {
                let opened = try ByteStream(inputs[place])
                queue = opened.beginAhead(self)
                stream = opened
            } catch { failure = error }
            monitor.locked { (item.stream, item.failure) = (stream, failure) }
            monitor.wakeAll()
            queue?.fill()
        }
    }

    /// The next input that is to be opened; `nil` if there is none any more.
    private func claim() -> (place: Int, item: Item)? {
        monitor.lock()
        defer { monitor.unlock() }
        while !isStopped, next < inputs.count {
            // Opening anything but a file may block for ever, and is left to whoever reads it.
            if inputs[next].isStandardInput || inputs[next].status?.kind != .regular {
                next += 1
                monitor.wakeAll()
                continue
            }
            if items.count < mostItems {
                let item = Item()
                items[next] = item
                next += 1
                return (next - 1, item)
            }
            monitor.wait()
        }
        return nil
    }

    // MARK: The reader

    /// The input at a place, whose turn has come; `nil` if it was not opened ahead.
    func take(_ place: Int) throws(ArchiveError) -> ByteStream? {
        monitor.lock()
        defer {
            monitor.unlock()
            monitor.wakeAll()
        }
        while !isStopped {
            if let item = items[place] {
                if item.isOpen {
                    items[place] = nil
                    if let failure = item.failure { throw failure }
                    item.stream?.becomeCurrent()
                    return item.stream
                }
            } else if place < next || next >= inputs.count {
                return nil
            }
            monitor.wait()
        }
        return nil
    }

    /// Ends all threads and children.
    func close() {
        monitor.locked { isStopped = true }
        monitor.wakeAll()
        for thread in threads { thread.join() }
        for item in items.values { item.stream?.close() }
        items = [:]
        threads = []
    }
}
