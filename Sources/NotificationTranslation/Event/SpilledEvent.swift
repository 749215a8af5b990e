/// An event kept on disk for a while, until its subscription is settled.
///
///     length   four bytes, the lowest first: of all that follows
///     line     as ``LineWriter`` writes it, without the line number, ended by LF
///     number   the line number, eight bytes
///     extent   of the record, eight bytes
///     payload  the text of a version 2 payload that is passed on, to the end
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
        _ event: inout EventDraft, _ extent: RecordExtent, to output: OutputBuffer, _ names: EventNames,
        marksLine: Bool
    ) -> Int {
        let start = output.count
        output.append(count: headerSize) { $0.storeBytes(of: 0, as: UInt32.self) }
        let number = event.source.line
        event.source.line = nil
        LineWriter.write(&event, to: output, names, endsLine: true)
        event.source.line = number
        let position = output.count
        if !marksLine { withUnsafeBytes(of: (number ?? 0).littleEndian) { output.append($0) } }
        withUnsafeBytes(of: extent.packed.littleEndian) { output.append($0) }
        event.original.withUnsafeBytes { output.append($0) }
        let length = output.count - start - headerSize + (marksLine ? lineSize : 0)
        output.overwrite(at: start, count: headerSize) {
            $0.storeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, as: UInt32.self)
        }
        return position
    }

    /// Reads a new event back, whose texts are in the memory of `record`.
    ///
    /// - Returns: The extent of its record; `nil` if the bytes are damaged.
    @discardableResult
    static func read(_ record: UnsafeRawBufferPointer, into event: inout EventDraft) -> RecordExtent? {
        guard size(record) == record.count, let end = record.place(of: 0x0A, from: headerSize) else { return nil }
        var rest = ByteReader(UnsafeRawBufferPointer(rebasing: record[(end + 1)...]))
        guard LineReader.read(UnsafeRawBufferPointer(rebasing: record[headerSize..<end]), into: &event) else {
            return nil
        }
        event.flags.recognize()
        event.source.line = Int64(bitPattern: rest.word())
        let extent = RecordExtent(packed: rest.word())
        event.original = Array(rest.raw(rest.left))
        return rest.failed ? nil : extent
    }
}
