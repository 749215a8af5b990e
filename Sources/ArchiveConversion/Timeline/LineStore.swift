import NotificationTranslation

/// The events of a run in the order of the input, judged alone, as ``SpilledEvent``s.
final class LineStore: @unchecked Sendable {
    /// Where the blocks of whole events begin, in which they are read back; and the end of the last.
    private(set) var bounds: [Int64] = [0]
    private let block: Int64
    let file: TemporaryFile

    init(in folder: String, _ budgets: TimelineRequest.Budgets) {
        block = Int64(budgets.block)
        file = TemporaryFile(in: folder, keeping: budgets.lines)
    }

    /// Appends an event.
    func append(_ event: UnsafeRawBufferPointer) throws(ArchiveError) {
        try file.append(event)
        if file.length - bounds[bounds.count - 1] >= block { bounds.append(file.length) }
    }

    /// Makes it ready for reading.
    func close() throws(ArchiveError) {
        try file.flush()
        if file.length > bounds[bounds.count - 1] { bounds.append(file.length) }
    }

    /// The event at a position; `nil` if none is there.
    func event(at position: UInt64) throws(ArchiveError) -> [UInt8]? {
        guard let start = Int64(exactly: position), start < file.length else { return nil }
        let beginning = try file.bytes(start..<min(start + 16, file.length))
        guard let size = beginning.withUnsafeBytes({ SpilledEvent.size($0) }), Int64(size) <= file.length - start else {
            return nil
        }
        return try file.bytes(start..<start + Int64(size))
    }
}
