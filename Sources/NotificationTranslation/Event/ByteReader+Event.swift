extension ByteReader {
    /// The sixteen bytes of an id.
    mutating func id() -> EventID {
        EventID(high: word().byteSwapped, low: word().byteSwapped)
    }

    /// A set of flags, of which each has a name.
    mutating func flags() -> FlagSet {
        let low = word()
        let flags = FlagSet(rawValue: UInt128(low) | UInt128(varint()) << 64)
        if flags.rawValue.leadingZeroBitCount < FlagTable.capacity - FlagTable.current.rows.count { failed = true }
        return flags
    }

    /// A text with its length before it; an empty one is absent.
    mutating func text() -> EventText {
        let count = count()
        return count > 0 ? EventText(raw(count)) : .absent
    }
}
