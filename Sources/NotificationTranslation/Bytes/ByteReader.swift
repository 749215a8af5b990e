/// Reads what ``OutputBuffer`` wrote as bytes and varints; whatever the memory holds, nothing is read beyond it.
struct ByteReader {
    let memory: UnsafeRawBufferPointer
    private(set) var at = 0
    /// Something was not there; what was read since is worthless.
    var failed = false

    init(_ memory: UnsafeRawBufferPointer) { self.memory = memory }

    var isAtEnd: Bool { at == memory.count }

    /// Gives up: what was read is not what it should be.
    mutating func fail() { failed = true }

    mutating func byte() -> UInt8 { raw(1).first ?? 0 }

    /// Eight bytes, the lowest first.
    mutating func word() -> UInt64 {
        let bytes = raw(8)
        return bytes.isEmpty ? 0 : UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    /// The next bytes; none if there are fewer.
    mutating func raw(_ count: Int) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= memory.count - at, let start = memory.baseAddress else {
            failed = true
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        defer { at &+= count }
        return UnsafeRawBufferPointer(start: start + at, count: count)
    }

    mutating func varint() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        failed = true
        return 0
    }

    /// A number of things to come, each of at least one byte.
    mutating func count() -> Int {
        let value = varint()
        guard value <= UInt64(memory.count - at) else {
            failed = true
            return 0
        }
        return Int(value)
    }
}
