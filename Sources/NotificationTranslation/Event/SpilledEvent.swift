/// An event kept until its timeline is settled, in bytes that only the same build reads back.
///
///     length   four bytes, the lowest first: of all that follows
///     extent   of the record
///     payload  of version 2, where it is passed on
///     fields   of the event (``EventPacking``)
package struct SpilledEvent {
    /// Bytes of the length.
    private static let headerSize = 4

    private let parts: UnsafeRawBufferPointer

    /// How many bytes the event that begins `record` takes, its length included; `nil` if the length is not whole.
    package static func size(_ record: UnsafeRawBufferPointer) -> Int? {
        guard record.count >= headerSize else { return nil }
        return headerSize + Int(UInt32(littleEndian: record.loadUnaligned(as: UInt32.self)))
    }

    /// Appends an event.
    package static func append(_ event: inout EventDraft, to output: OutputBuffer, _ extent: RecordExtent) {
        let start = output.count
        withUnsafeBytes(of: UInt32(0)) { output.append($0) }
        var (extent, packing) = (extent, EventPacking(coder: ByteWriter(output: output), texts: TextArena()))
        code(&extent, &event, &packing)
        let length = UInt32(truncatingIfNeeded: output.count - start - headerSize)
        output.memory.storeBytes(of: length.littleEndian, toByteOffset: start, as: UInt32.self)
    }

    /// The parts of an event that was kept; `nil` if the bytes are damaged.
    package init?(_ record: UnsafeRawBufferPointer) {
        guard Self.size(record) == record.count else { return nil }
        parts = UnsafeRawBufferPointer(rebasing: record[Self.headerSize...])
    }

    /// Fills in a new event, whose texts are in the memory of the record; the extent of the record, or `nil` if it is
    /// damaged.
    package func read(into event: inout EventDraft) -> RecordExtent? {
        var extent: RecordExtent = (0, false)
        var packing = EventPacking(coder: ByteReader(parts), texts: nil)
        Self.code(&extent, &event, &packing)
        return packing.coder.failed || !packing.coder.isAtEnd ? nil : extent
    }

    private static func code(
        _ extent: inout RecordExtent, _ event: inout EventDraft, _ packing: inout EventPacking<some ByteCoder>
    ) {
        packing.coder.position(&extent.length)
        packing.coder.truth(&extent.isLine)
        packing.document("", &event.original)
        event.visit(&packing)
    }
}

/// How many bytes a record has, its line end not counted, and whether it is a line of its input, so that its number is
/// that of a line.
package typealias RecordExtent = (length: Int, isLine: Bool)
