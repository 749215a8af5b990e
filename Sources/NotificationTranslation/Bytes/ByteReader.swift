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

    mutating func byte(_ value: inout UInt8) { value = raw(1).first ?? 0 }

    mutating func word(_ value: inout UInt64) {
        let bytes = raw(8)
        value = bytes.isEmpty ? 0 : UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
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

    mutating func varint(_ value: inout UInt64) {
        value = 0
        for shift: UInt64 in stride(from: 0, to: 64, by: 7) {
            let byte = raw(1).first ?? 0
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return }
        }
        (failed, value) = (true, 0)
    }

    mutating func count(_ count: inout Int) {
        var value: UInt64 = 0
        varint(&value)
        if value > UInt64(memory.count - at) { (failed, value) = (true, 0) }
        count = Int(value)
    }
}
