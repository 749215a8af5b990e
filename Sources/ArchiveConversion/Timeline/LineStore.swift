import NotificationTranslation

/// The events of a run in the order of the input, judged alone, as ``SpilledEvent``s.
///
/// The first ones stay in memory; a file takes the others, each at its place.
///
///     0            head.count                      length
///     ├──── head ──────┼──────── file ───┬── tail ──┤
final class LineStore: @unchecked Sendable {
    /// Bytes appended so far.
    private(set) var length: Int64 = 0
    private let place: TemporaryPlace
    private let budget: Int
    private var file: TemporaryFile?
    private let head: OutputBuffer
    /// What comes after the head and is not in the file.
    private let tail = OutputBuffer(capacity: LineStore.writeSize + 64 * 1024)
    private var isHeadFull = false

    /// How much is handed to the system at once.
    private static let writeSize = 256 * 1024

    init(_ place: TemporaryPlace, budget: Int) {
        self.place = place
        self.budget = budget
        head = OutputBuffer(capacity: budget + 64 * 1024)
    }

    /// Appends an event.
    func append(_ event: UnsafeRawBufferPointer) throws(ArchiveError) {
        let buffer = isHeadFull ? tail : head
        buffer.append(event)
        length += Int64(event.count)
        if isHeadFull {
            if tail.count >= Self.writeSize { try spillTail() }
        } else {
            isHeadFull = head.count >= budget
        }
    }

    private func spillTail() throws(ArchiveError) {
        try write(tail.bytes, at: length - Int64(tail.count))
        tail.removeAll()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        guard !bytes.isEmpty else { return }
        if file == nil { file = try .nameless(in: place.folder) }
        try file?.write(bytes, at: offset)
    }

    /// Makes it ready for reading.
    func close() throws(ArchiveError) { try spillTail() }

    /// Copies bytes from a place on into memory.
    func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        var room = room
        var offset = offset
        if offset < Int64(head.count) {
            let part = Int(offset)..<min(head.count, Int(offset) + room.count)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: head.bytes[part]))
            room = UnsafeMutableRawBufferPointer(rebasing: room[part.count...])
            offset += Int64(part.count)
        }
        if !room.isEmpty { try file?.read(into: room, at: offset) }
    }
}
