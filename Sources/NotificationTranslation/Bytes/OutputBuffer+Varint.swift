extension OutputBuffer {
    /// Appends a number, seven bits a byte, the lowest first.
    func append(varint value: UInt64) {
        reserve(10)
        var at = room.start
        var rest = value
        while rest >= 0x80 {
            at.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            at += 1
            rest >>= 7
        }
        at.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        end(at: at + 1)
    }

    /// Appends a signed number, small ones of either sign in few bytes.
    func append(signed value: Int64) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}
