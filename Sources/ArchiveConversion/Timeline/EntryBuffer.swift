import NotificationTranslation

/// Entries waiting to be sorted: bytes with two numbers to sort by.
final class EntryBuffer: @unchecked Sendable {
    /// One of them; its bytes are in the buffer's.
    struct Entry {
        var first: UInt64
        var second: UInt64
        var offset: UInt32
        var length: UInt32
    }

    private(set) var entries: [Entry] = []
    private let memory: OutputBuffer
    private let budget: Int

    /// A buffer that is full with as many bytes.
    init(budget: Int) {
        self.budget = budget
        // What is never touched costs nothing, so the whole of it is asked for at once.
        memory = OutputBuffer(capacity: budget + 64 * 1024)
    }

    /// Bytes in use.
    var size: Int { memory.count + entries.count * MemoryLayout<Entry>.stride }

    /// Whether it should be emptied.
    var isFull: Bool { size >= budget }

    var isEmpty: Bool { entries.isEmpty }

    func add(_ first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer) {
        let entry = Entry(
            first: first, second: second, offset: UInt32(truncatingIfNeeded: memory.count),
            length: UInt32(truncatingIfNeeded: bytes.count))
        memory.append(bytes)
        entries.append(entry)
    }

    /// Sorts them by the first number, then by the second.
    func sort() {
        entries.sort { $0.first != $1.first ? $0.first < $1.first : $0.second < $1.second }
    }

    /// The bytes of one.
    func bytes(of entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory.bytes[Int(entry.offset)..<Int(entry.offset) + Int(entry.length)])
    }

    /// The places of the entries in a part of the range of first numbers; they must be sorted.
    func places(of partition: Int) -> Range<Int> {
        place(ofPartition: partition)..<place(ofPartition: partition + 1)
    }

    /// Where a part of the range of first numbers begins.
    func place(ofPartition partition: Int) -> Int {
        guard partition < SortedRun.partitions else { return entries.count }
        let first = SortedRun.first(ofPartition: partition)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first < first { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func removeAll() {
        entries.removeAll(keepingCapacity: true)
        memory.removeAll()
    }
}
