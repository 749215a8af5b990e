import NotificationTranslation

/// A stretch of an input on its way to be converted, used again and again.
///
/// One thread at a time owns it, hence `@unchecked Sendable`.
final class Chunk: @unchecked Sendable {
    /// One part of the chunk.
    enum Item: Hashable {
        /// Whole lines, as a range of the chunk.
        case lines(Range<Int>)
        /// A record that may hold line ends, as a range of the chunk.
        case record(Range<Int>)
        /// The names of a table's columns: a line that is not a record.
        case heading
        /// A record that is rejected without a look into it.
        case fault(ArchiveFault, offset: Int64, length: Int)
    }

    private(set) var memory: UnsafeMutableRawPointer
    /// Bytes it has room for; ``RecordConverter/slack`` more are readable.
    private(set) var capacity: Int
    /// How its records are read.
    var shape = InputShape.lines
    /// What is in it, in order.
    var items: [Item] = []
    /// Bytes in use.
    var count = 0
    /// Place of the input in the list of inputs.
    var input = 0
    /// Offset of the chunk's first byte in the uncompressed input.
    var offset: Int64 = 0
    /// Bytes of the input that it stands for, those included that were too long to be kept.
    var inputBytes: Int64 = 0
    /// Number of its first line, or record, and of that after its last one.
    var (firstLine, nextLine): (Int64, Int64) = (1, 1)
    /// Name of the input, as given by the caller.
    var path = ""
    /// When the input was last changed, in milliseconds since 1970; `nil` for what is not a file.
    var modifiedAt: Int64?
    /// How much of the input's file was taken from the disk by then, for the progress line.
    var filePosition: Int64 = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        memory = Self.allocate(self.capacity)
    }

    deinit {
        memory.deallocate()
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + RecordConverter.slack, alignment: 64)
        (memory + capacity).initializeMemory(as: UInt8.self, repeating: 0, count: RecordConverter.slack)
        return memory
    }

    /// The bytes in use; ``RecordConverter/slack`` more after them are readable.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// How many lines, or records, are in it.
    var lineCount: Int64 {
        var count: Int64 = 0
        for item in items {
            guard case .lines(let range) = item else {
                count += 1
                continue
            }
            var at = range.lowerBound
            // Byte by byte it would cost twice as much as the whole conversion of a typical record.
            while at < range.upperBound {
                at = bytes.offset(of: 0x0A, from: at, to: range.upperBound).map { $0 + 1 } ?? range.upperBound
                count += 1
            }
        }
        return count
    }

    /// The room after the bytes in use.
    var room: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
    }

    /// Changes the capacity and keeps the bytes in use.
    func resize(to capacity: Int) {
        guard capacity != self.capacity, capacity >= count else { return }
        let other = Self.allocate(capacity)
        other.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = other
        self.capacity = capacity
    }

    /// Forgets the first bytes and moves the others to the front.
    func removeFirst(_ number: Int) {
        guard number > 0 else { return }
        memory.copyMemory(from: memory + number, byteCount: count - number)
        count -= number
        offset += Int64(number)
    }
}
