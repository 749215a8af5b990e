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
