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

extension OutputBuffer {
    /// Appends a set of flags as ``ByteReader/flags()`` reads it.
    func append(flags: FlagSet) {
        append(count: 8) { [flags] in
            $0.storeBytes(of: UInt64(truncatingIfNeeded: flags.rawValue).littleEndian, as: UInt64.self)
        }
        append(varint: UInt64(truncatingIfNeeded: flags.rawValue >> 64))
    }

    /// Appends a text with its length before it; an absent one is empty.
    func append(text: EventText) {
        if text.hasEscapes {
            append(text: text.string ?? "")
        } else {
            append(varint: UInt64(text.bytes.count))
            append(text.bytes)
        }
    }

    /// Appends a text with its length before it.
    func append(text: String) {
        append(varint: UInt64(text.utf8.count))
        append(text)
    }

    /// Appends the sixteen bytes of an id, as ``ByteReader/id()`` reads them.
    func append(_ id: EventID) {
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { append($0) }
    }
}

/// How long a record is, and whether it is a line.
package struct RecordExtent: Hashable, Sendable {
    /// Length of the record in bytes, line end not counted.
    var length: Int
    /// Whether the record is a line of its input, so that its number is that of a line.
    var isLine: Bool

    /// An extent in one number.
    init(packed: UInt64) {
        length = Int(truncatingIfNeeded: packed >> 1)
        isLine = packed & 1 == 1
    }

    init(length: Int, isLine: Bool) {
        self.length = length
        self.isLine = isLine
    }

    /// Both in one number.
    var packed: UInt64 { UInt64(length) << 1 | (isLine ? 1 : 0) }
}
