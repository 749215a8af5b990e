/// An event kept on disk for a while, in bytes that only the same build reads back.
///
///     length   four bytes, the lowest first: of all that follows, the line number included
///     fields   in the order of the contract, then the payload that is passed on
///     extent   of the record, eight bytes; only where ambiguous events are rejected
///
///     text         0 absent · 1…253 its length + 1 · 254 and four bytes of length and mark; then the characters
///     id           0 and a text · 1 and sixteen bytes
///     word         its place among all words
///     time, number 0 absent · 1 and eight bytes
///     line         eight bytes
///     truth        0 absent · 1 false · 2 true
///     list         four bytes of count, then the elements
///     object       0 absent · 1 and its fields; without that byte where it is always there
///     option       0 not requested · 1 nothing · 2 and its fields
package enum SpilledEvent {
    /// Bytes of the length.
    package static let headerSize = 4
    /// Bytes of the line number.
    package static let lineSize = 8

    /// How many bytes the event that begins `record` takes, its length included; `nil` if the length is not whole.
    package static func size(_ record: UnsafeRawBufferPointer) -> Int? {
        guard record.count >= headerSize else { return nil }
        return headerSize + Int(UInt32(littleEndian: record.loadUnaligned(as: UInt32.self)))
    }

    /// Appends an event; returns the position in the output where the line number is or belongs.
    static func append(
        _ event: inout EventDraft, to output: OutputBuffer, _ names: EventNames, marksLine: Bool,
        extent: RecordExtent? = nil
    ) -> Int? {
        let start = output.count
        output.append(count: headerSize) { $0.storeBytes(of: 0, as: UInt32.self) }
        var writer = SpillWriter(output, names, marksLine: marksLine)
        event.visit(&writer)
        writer.document("", &event.original)
        if let extent { withUnsafeBytes(of: extent.packed.littleEndian) { output.append($0) } }
        let length = output.count - start - headerSize + (marksLine ? lineSize : 0)
        output.overwrite(at: start, count: headerSize) {
            $0.storeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, as: UInt32.self)
        }
        return writer.linePosition
    }

    /// Reads a new event back, whose texts are in the memory of `record`; false if the bytes are damaged.
    static func read(_ record: UnsafeRawBufferPointer, into event: inout EventDraft) -> Bool {
        var extent: RecordExtent?
        return read(record, into: &event, &extent)
    }

    /// Reads an event back with the extent of its record, which is `nil` where it was not kept.
    static func read(
        _ record: UnsafeRawBufferPointer, into event: inout EventDraft, _ extent: inout RecordExtent?
    ) -> Bool {
        guard size(record) == record.count else { return false }
        var reader = SpillReader(ByteReader(UnsafeRawBufferPointer(rebasing: record[headerSize...])))
        event.visit(&reader)
        reader.document("", &event.original)
        if !reader.bytes.failed, !reader.bytes.isAtEnd {
            let bytes = reader.bytes.raw(8)
            if bytes.count == 8 {
                extent = RecordExtent(packed: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
            }
        }
        return !reader.bytes.failed && reader.bytes.isAtEnd
    }
}
