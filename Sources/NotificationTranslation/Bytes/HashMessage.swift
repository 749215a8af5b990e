/// A message with its padding: whole blocks of 64 bytes, and at least one.
struct HashMessage {
    /// The bytes of a block.
    static let blockSize = 64

    var start: UnsafeRawPointer
    var blocks: Int

    /// Appends the padding to the message in a buffer from `start` to its end; returns the number of its blocks.
    static func pad(_ output: OutputBuffer, from start: Int) -> Int {
        let count = output.count - start
        let blocks = (count + 8) / blockSize + 1
        let padding = blocks * blockSize - count
        output.append(count: padding) { room in
            room.initializeMemory(as: UInt8.self, repeating: 0, count: padding)
            room.storeBytes(of: 0x80, as: UInt8.self)
            room.storeBytes(of: UInt64(count * 8).bigEndian, toByteOffset: padding - 8, as: UInt64.self)
        }
        return blocks
    }

    /// A block; of a message that has ended, its last one.
    @inline(__always)
    func block(_ number: Int) -> UnsafeRawPointer {
        start + min(number, blocks - 1) * Self.blockSize
    }
}
