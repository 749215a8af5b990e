/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// The offset of the first byte that begins no valid sequence, or `nil`.
    ///
    /// Runs over ASCII eight bytes at a time; called only for stretches that hold something else.
    static func firstFault(in memory: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var at = start
        while at < end {
            let byte = memory.load(fromByteOffset: at, as: UInt8.self)
            if byte < 0x80 {
                if at + 8 <= end,
                    memory.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    at += 8
                } else {
                    at += 1
                }
                continue
            }
            let length = sequenceLength(memory, at, end)
            guard length > 0 else { return at }
            at += length
        }
        return nil
    }

    /// Bytes of the multi-byte sequence at `at`, 0 if there is none.
    private static func sequenceLength(_ memory: UnsafeRawPointer, _ at: Int, _ end: Int) -> Int {
        func tail(_ distance: Int) -> UInt8? {
            guard at + distance < end else { return nil }
            let byte = memory.load(fromByteOffset: at + distance, as: UInt8.self)
            return byte & 0xC0 == 0x80 ? byte : nil
        }
        let lead = memory.load(fromByteOffset: at, as: UInt8.self)
        guard let second = tail(1) else { return 0 }
        switch lead {
        case 0xC2...0xDF:
            return 2
        case 0xE0...0xEF:
            if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F { return 0 }
            return tail(2) == nil ? 0 : 3
        case 0xF0...0xF4:
            if lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F { return 0 }
            return tail(2) == nil || tail(3) == nil ? 0 : 4
        default:
            return 0
        }
    }
}
