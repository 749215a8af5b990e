/// An event kept on disk until its timeline is settled, in bytes that only the same build reads back.
///
///     length   four bytes, the lowest first: of all that follows
///     extent   eight bytes: of the record
///     payload  of version 2, where it is passed on: its length, then its bytes
///     line     the event's, without its end
package struct SpilledEvent {
    /// Bytes of the length.
    private static let headerSize = 4

    package let line: UnsafeRawBufferPointer
    package let extent: RecordExtent
    private let payload: UnsafeRawBufferPointer

    /// How many bytes the event that begins `record` takes, its length included; `nil` if the length is not whole.
    package static func size(_ record: UnsafeRawBufferPointer) -> Int? {
        guard record.count >= headerSize else { return nil }
        return headerSize + Int(UInt32(littleEndian: record.loadUnaligned(as: UInt32.self)))
    }

    /// Appends an event.
    package static func append(_ event: inout EventDraft, to output: OutputBuffer, _ extent: RecordExtent) {
        func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { output.append($0) } }
        let start = output.count
        append(UInt32(0))
        append(UInt64(extent.length) << 1 | (extent.isLine ? 1 : 0))
        output.append(varint: UInt64(event.original.count))
        event.original.withUnsafeBytes { output.append($0) }
        LineWriter.write(&event, to: output)
        let length = UInt32(truncatingIfNeeded: output.count - start - headerSize)
        output.memory.storeBytes(of: length.littleEndian, toByteOffset: start, as: UInt32.self)
    }

    /// The parts of an event that was kept; `nil` if the bytes are damaged.
    package init?(_ record: UnsafeRawBufferPointer) {
        guard Self.size(record) == record.count else { return nil }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: record[Self.headerSize...]))
        let packed = reader.word()
        extent = (Int(truncatingIfNeeded: packed >> 1), packed & 1 == 1)
        payload = reader.raw(reader.count())
        line = reader.raw(reader.memory.count - reader.at)
        guard !reader.failed else { return nil }
    }

    /// Fills in a new event, whose texts are in the memory of the record; false if the line is damaged.
    package func read(into event: inout EventDraft) -> Bool {
        guard LineReader.read(line, into: &event) else { return false }
        event.flags.recognize()
        event.original = Array(payload)
        return true
    }
}

/// How many bytes a record has, its line end not counted, and whether it is a line of its input, so that its number is
/// that of a line.
package typealias RecordExtent = (length: Int, isLine: Bool)
