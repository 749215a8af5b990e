import NotificationTranslation

/// The events of a run in the order of the input, judged alone, as ``SpilledEvent``s.
///
/// The first ones stay in memory; a file takes the others. For a checkpoint the file takes all, each at its place.
///
///     0            head.count                      length
///     ├──── head ──────┼──────── file ───┬── tail ──┤
final class LineStore: @unchecked Sendable {
    /// Bytes appended so far; of a run that continues, those of the earlier run too.
    private(set) var length: Int64
    private let place: TemporaryPlace
    private let budget: Int
    private var file: TemporaryFile?
    private let head: OutputBuffer
    /// Bytes of the head that are in the file too.
    private var savedHead = 0
    /// What comes after the head and is not in the file.
    private let tail = OutputBuffer(capacity: LineStore.writeSize + 64 * 1024)
    private var isHeadFull: Bool

    /// How much is handed to the system at once.
    private static let writeSize = 256 * 1024

    /// Starts, or continues after the lines of an interrupted run.
    init(_ place: TemporaryPlace, budget: Int, length: Int64) throws(ArchiveError) {
        self.place = place
        self.budget = budget
        self.length = length
        isHeadFull = length > 0
        file = try place.reopen(.lines, length: length)
        head = OutputBuffer(capacity: isHeadFull ? 0 : budget + 64 * 1024)
    }

    /// Appends an event in two parts with the line number between them.
    func append(_ start: UnsafeRawBufferPointer, _ number: Int64, _ end: UnsafeRawBufferPointer) throws(ArchiveError) {
        let buffer = isHeadFull ? tail : head
        let before = buffer.count
        buffer.append(start)
        withUnsafeBytes(of: number.littleEndian) { buffer.append($0) }
        buffer.append(end)
        length += Int64(buffer.count - before)
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
        if file == nil { file = try place.create(.lines) }
        try file?.write(bytes, at: offset)
    }

    /// Brings everything to the disk.
    func save() throws(ArchiveError) {
        try write(UnsafeRawBufferPointer(rebasing: head.bytes[savedHead...]), at: Int64(savedHead))
        savedHead = head.count
        try spillTail()
        try file?.sync()
    }

    /// Bytes that are in memory only.
    var unsavedBytes: Int { head.count - savedHead + tail.count }

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
