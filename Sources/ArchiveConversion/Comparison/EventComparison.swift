import NotificationTranslation

/// Compares the events of a run with those of an earlier one, event by event, in bounded memory.
///
///     lines of this run    ──▶ id, place ──▶ sorted runs ──┐
///                                                          ├──▶ pairs of one id ──▶ ``ChangeFigures``
///     lines of the old file ─▶ id, line  ──▶ sorted runs ──┘
///
/// Both are sorted by id, on disk beyond a budget. Notifications that were delivered again carry the id of the first
/// delivery: they follow it, and are compared with the deliveries of the same time.
final class EventComparison {
    /// Bytes of memory before lines of one side go to a file, and of the windows that they are read back through.
    private static let budget = 16 << 20

    private let path: String
    private let old: SortedRunStore
    private let new: SortedRunStore
    private let line = OutputBuffer(capacity: 4096)
    private var count: Int64 = 0

    /// Prepares a comparison with the events of a file; each side may use `budget` bytes of memory.
    init(_ path: String, _ place: TemporaryPlace, budget: Int = EventComparison.budget) {
        self.path = path
        old = SortedRunStore(SortedRunFile(place), budget: budget)
        new = SortedRunStore(SortedRunFile(place), budget: budget)
    }

    /// Takes in what the run writes: whole lines or parts of them, in their order.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var rest = bytes
        while let end = rest.place(of: 0x0A) {
            line.append(UnsafeRawBufferPointer(rebasing: rest[..<end]))
            try takeNew()
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        line.append(rest)
    }

    /// Takes in a number of a line.
    func append(decimal number: Int64) { line.append(decimal: number) }

    private func takeNew() throws(ArchiveError) {
        defer { line.removeAll() }
        guard let event = ComparedEvent(Array(line.bytes)) else {
            throw ArchiveError(.accounting, "internal error: an event line cannot be read back")
        }
        new.add(event.key, Self.rank(event, count), line.bytes)
        count += 1
        try new.spillIfFull()
    }

    /// The bits of a rank that number the lines.
    private static let places: UInt64 = 0xFFFF_FFFF

    /// What events of one id are sorted by: deliveries again come last, by what was received when, then by place.
    private static func rank(_ event: ComparedEvent, _ place: Int64) -> UInt64 {
        (event.isDuplicate ? 1 << 63 | event.delivery << 32 : 0) | UInt64(place) & places
    }

    /// Whether the first event has no partner, as the other one is of another id or another delivery.
    private static func isAlone(_ one: SortedRunCursor, before other: SortedRunCursor) -> Bool {
        guard one.first == other.first else { return one.first < other.first }
        let (left, right) = (one.second & ~places, other.second & ~places)
        return left != 0 && right != 0 && left < right
    }

    // MARK: Comparing

    /// Reads the earlier file and compares.
    func finish() throws(ArchiveError) -> ChangeFigures {
        var figures = ChangeFigures(comparedWith: path)
        try readOld(&figures)
        old.sort()
        new.sort()
        var olds = SortedRunMerge(try old.cursors(partition: nil, window: Self.budget))
        var news = SortedRunMerge(try new.cursors(partition: nil, window: Self.budget))
        while true {
            let (before, after) = (olds.top, news.top)
            guard before != nil || after != nil else { return figures }
            let isOld = before.map { one in after.map { !Self.isAlone($0, before: one) } ?? true } ?? false
            let isNew = after.map { one in before.map { !Self.isAlone($0, before: one) } ?? true } ?? false
            let oldEvent = isOld ? try Self.event(before) : nil
            let newEvent = isNew ? try Self.event(after) : nil
            if let oldEvent, let newEvent, oldEvent.event.id == newEvent.event.id {
                figures.note(oldEvent, (newEvent.event, newEvent.line))
            } else {
                if let oldEvent { figures.noteGone(oldEvent.event, line: oldEvent.line) }
                if let newEvent { figures.noteAdded(newEvent.event, order: newEvent.line) }
            }
            if isOld { try olds.advance() }
            if isNew { try news.advance() }
            try Interruption.check()
        }
    }

    private static func event(_ cursor: SortedRunCursor?) throws(ArchiveError) -> (event: ComparedEvent, line: Int64)? {
        guard let cursor else { return nil }
        let bytes = OutputBuffer(capacity: 4096)
        try cursor.take(into: bytes)
        guard let event = ComparedEvent(Array(bytes.bytes)) else {
            throw ArchiveError(.accounting, "internal error: a sorted event cannot be read back")
        }
        return (event, Int64(cursor.second & places))
    }

    private func readOld(_ figures: inout ChangeFigures) throws(ArchiveError) {
        let stream = try ByteStream(InputFile(path: path), compression: .auto)
        defer { stream.close() }
        let chunk = Chunk(capacity: 1 << 20)
        var number: Int64 = 0
        // A line that is longer than any event of ours is none.
        var isTooLong = false
        while true {
            if chunk.room.isEmpty {
                if chunk.capacity < 64 << 20 {
                    chunk.resize(to: chunk.capacity * 2)
                } else {
                    isTooLong = true
                    chunk.removeAll()
                }
            }
            let count = try stream.read(into: chunk.room)
            chunk.count += count
            var at = 0
            let bytes = chunk.bytes
            while at < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
                guard let end = rest.place(of: 0x0A) ?? (count == 0 ? rest.count : nil) else { break }
                number += 1
                try takeOld(UnsafeRawBufferPointer(rebasing: rest[..<end]), number, isTooLong, &figures)
                isTooLong = false
                at += end + 1
            }
            chunk.removeFirst(min(at, chunk.count))
            guard count == 0 else { continue }
            if let damage = try stream.damage() {
                throw ArchiveError(.inputUnreadable, "cannot read", path: path, detail: damage)
            }
            return
        }
    }

    private func takeOld(
        _ line: UnsafeRawBufferPointer, _ number: Int64, _ isTooLong: Bool, _ figures: inout ChangeFigures
    ) throws(ArchiveError) {
        if !isTooLong, line.allSatisfy({ $0 <= 0x20 }) { return }
        let event = isTooLong ? nil : ComparedEvent(Array(line))
        figures.noteOld(event, line: number)
        guard let event else { return }
        old.add(event.key, Self.rank(event, number), line)
        try old.spillIfFull()
    }
}
