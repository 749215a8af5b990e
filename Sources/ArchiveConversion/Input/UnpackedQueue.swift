/// Bytes of an input that a thread unpacks before they are read.
///
/// All state belongs to the monitor, hence `@unchecked Sendable`.
final class UnpackedQueue: @unchecked Sendable {
    /// Bytes of memory of each, and at most of all of them, however many workers there are.
    static let (most, mostOfAll) = (32 << 20, 256 << 20)

    private let monitor = Monitor()
    private let unpacker: Unpacker
    private let most: Int
    private var thread: Background<Void>?
    private var blocks: [ArraySlice<UInt8>] = []
    private var size = 0
    private var isOver = false
    private var isCancelled = false

    /// Begins to unpack, up to about `most` bytes.
    init(_ unpacker: Unpacker, most: Int) throws(ArchiveError) {
        self.unpacker = unpacker
        self.most = most
        thread = try Background { [self] () throws(ArchiveError) in
            defer {
                monitor.locked { isOver = true }
                monitor.wakeAll()
            }
            while try readBlock() {}
        }
    }

    private func readBlock() throws(ArchiveError) -> Bool {
        let goesOn = monitor.locked {
            while size >= most, !isCancelled { monitor.wait() }
            return !isCancelled
        }
        guard goesOn else { return false }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { room.deallocate() }
        let count = try unpacker.read(into: room)
        monitor.locked {
            if count > 0 { blocks.append(Array(room[..<count])[...]) }
            size += count
        }
        monitor.wakeAll()
        return count > 0
    }

    /// Hands out what comes next, and waits until there is something; returns the number of bytes, 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        monitor.lock()
        defer { monitor.unlock() }
        while blocks.isEmpty, !isOver { monitor.wait() }
        guard let block = blocks.first else {
            try thread?.value()
            return 0
        }
        let count = min(room.count, block.count)
        room.copyBytes(from: block.prefix(count))
        blocks[0] = block.dropFirst(count)
        if blocks[0].isEmpty { blocks.removeFirst() }
        size -= count
        monitor.wakeAll()
        return count
    }

    /// Ends the thread.
    func close() {
        monitor.locked { isCancelled = true }
        monitor.wakeAll()
        try? thread?.value()
    }
}

extension ByteStream {
    /// An input that a thread of its own opens before it is its turn to be read.
    ///
    /// The output is in the order of the inputs, so an input is read only when those before it were. But where unpacking
    /// takes most of the time, one child at a time leaves all processors but two idle. So the next inputs are opened, and
    /// up to `most` bytes unpacked into memory. One that is not compressed is opened here too, and read where it is
    /// needed.
    static func ahead(_ input: InputFile, _ most: Int) throws(ArchiveError) -> Background<ByteStream> {
        try Background { () throws(ArchiveError) in
            let stream = try ByteStream(input)
            stream.unpackAhead(most)
            return stream
        }
    }
}
