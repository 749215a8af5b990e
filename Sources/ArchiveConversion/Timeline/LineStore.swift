import NotificationTranslation

/// The event lines of a run in the order of the input, judged alone: in memory while they are few, else in a file.
final class LineStore: @unchecked Sendable {
    /// Bytes appended so far; of a run that goes on, those of the earlier run too.
    private(set) var length: Int64
    private let place: TemporaryPlace
    private let budget: Int
    private var file: TemporaryFile?
    /// What is not in the file.
    private let buffer: OutputBuffer

    /// How much is handed to the system at once.
    private static let writeSize = 256 * 1024

    /// Begins, or goes on behind the lines of an interrupted run.
    init(_ place: TemporaryPlace, budget: Int, length: Int64) throws(ArchiveError) {
        self.place = place
        self.budget = budget
        self.length = length
        file = try place.reopen(.lines, length: length)
        buffer = OutputBuffer(capacity: max(budget, Self.writeSize) + 64 * 1024)
    }

    /// Appends a part of a line or several.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
        length += Int64(bytes.count)
    }

    /// Appends a number in decimal digits.
    func append(decimal number: Int64) {
        let before = buffer.count
        buffer.append(decimal: number)
        length += Int64(buffer.count - before)
    }

    /// Writes to the file what memory is too small for.
    func spillIfFull() throws(ArchiveError) {
        if buffer.count >= (file == nil ? budget : Self.writeSize) { try spill() }
    }

    /// Writes everything to the file.
    func spill() throws(ArchiveError) {
        guard buffer.count > 0 else { return }
        if file == nil { file = try place.create(.lines) }
        try file?.write(buffer.bytes, at: length - Int64(buffer.count))
        buffer.removeAll()
    }

    /// Whether there is a file.
    var isSpilled: Bool { file != nil }

    /// Makes it ready for reading: what is in a file is wholly there.
    func close() throws(ArchiveError) {
        if file != nil { try spill() }
    }

    /// Copies bytes from a place on into memory.
    func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        if let file { return try file.read(into: room, at: offset) }
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer.bytes[Int(offset)..<Int(offset) + room.count]))
    }

    /// Brings the file to the disk.
    func sync() throws(ArchiveError) { try file?.sync() }
}
