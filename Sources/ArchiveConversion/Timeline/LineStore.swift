import NotificationTranslation

/// The events of a run in the order of the input, judged alone, as ``SpilledEvent``s.
///
/// The first ones stay in memory; a file takes the others, each at its place.
///
///     0            head.count           length
///     ├──── head ──────┼──────── file ────┤
final class LineStore: @unchecked Sendable {
    /// Bytes appended so far.
    private(set) var length: Int64 = 0
    /// Where the blocks of whole events begin, in which they are read back; and the end of the last.
    private(set) var bounds: [Int64] = [0]
    private let budgets: TimelineRequest.Budgets
    private let head: OutputBuffer
    private let file: TemporaryFile

    init(in folder: String, _ budgets: TimelineRequest.Budgets) {
        self.budgets = budgets
        file = TemporaryFile(in: folder)
        head = OutputBuffer(capacity: budgets.lines + 64 * 1024)
    }

    /// Appends an event.
    func append(_ event: UnsafeRawBufferPointer) throws(ArchiveError) {
        if length == Int64(head.count), head.count < budgets.lines {
            head.append(event)
        } else {
            try file.append(event)
        }
        length += Int64(event.count)
        if length - bounds[bounds.count - 1] >= Int64(budgets.block) { bounds.append(length) }
    }

    /// Makes it ready for reading.
    func close() throws(ArchiveError) {
        try file.flush()
        if length > bounds[bounds.count - 1] { bounds.append(length) }
    }

    /// Copies bytes from a place on into memory.
    func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        let known = Int(max(0, min(Int64(head.count) - offset, Int64(room.count))))
        if known > 0 {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: head.bytes[Int(offset)..<Int(offset) + known]))
        }
        let rest = UnsafeMutableRawBufferPointer(rebasing: room[known...])
        if !rest.isEmpty { try file.read(into: rest, at: offset + Int64(known - head.count)) }
    }

    /// The event at a position; `nil` if none is there.
    func event(at position: UInt64) throws(ArchiveError) -> [UInt8]? {
        guard let start = Int64(exactly: position), start < length else { return nil }
        let beginning = try bytes(from: start, Int(min(16, length - start)))
        guard let size = beginning.withUnsafeBytes({ SpilledEvent.size($0) }), Int64(size) <= length - start else {
            return nil
        }
        return try bytes(from: start, size)
    }

    private func bytes(from start: Int64, _ count: Int) throws(ArchiveError) -> [UInt8] {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { room.deallocate() }
        try read(into: room, at: start)
        return Array(room)
    }
}
