import NotificationTranslation

/// Looks for the record or the event that a story is asked of while an archive is read, and keeps nothing else of it
/// but the keys of notifications that name no purchase.
final class StorySearch {
    /// More keys of notifications without a purchase are not kept: 8 MB.
    private static let mostGuestKeys = 1 << 20

    private let target: StoryTarget
    /// The place of the target's input in the list of inputs.
    private let input: Int?
    private let wantedIDs: [String]
    /// What one of the ids looks like in a ``SpilledEvent``.
    private let needles: [[UInt8]]
    /// The notifications that were found: each event, judged alone.
    private(set) var hits: [(event: UnifiedEvent, mark: ChunkOutput.Mark)] = []
    private let reader = CorrectedEventReader()
    /// The reject that is in the line.
    private(set) var reject: Reject?
    /// Why the record in the line was skipped, and whether it shows signs of a notification; `nil` if it was not.
    private(set) var skip: (reason: SkipReason, hasSigns: Bool)?
    /// Whether the line holds an answer of Apple's.
    private(set) var isAnswer = false
    /// The last line before the target's in which a record begins, and the last line of its input.
    private(set) var recordBefore: Int64?
    private(set) var lastLine: Int64 = 0
    /// Of each notification without a purchase its own key and those of the purchases it may be about, one after the
    /// other, ended by 0.
    private var guestKeys: [UInt64] = []
    /// Whether there were too many of those.
    private(set) var hasMoreGuests = false

    init(_ target: StoryTarget, among inputs: [InputFile]) {
        self.target = target
        switch target {
        case .place(let path, _):
            input = inputs.firstIndex { $0.path == path }
            wantedIDs = []
            needles = []
        case .id(let id):
            input = nil
            wantedIDs = Self.spellings(of: id)
            needles = wantedIDs.map { Array($0.utf8) }
        }
    }

    /// An id as it was given, and in lower case as we write ours.
    static func spellings(of id: String) -> [String] {
        let lower = id.lowercased()
        return lower == id ? [id] : [id, lower]
    }

    /// What an event can be asked for by: its id, its subscription, its transaction and its account.
    static func names(_ event: UnifiedEvent) -> [String] {
        let transaction = event.transaction
        return [event.id, transaction?.originalTransactionID, transaction?.transactionID, transaction?.appAccountToken]
            .compactMap(\.self)
    }

    /// Looks at what a part of an input became.
    func look(at slot: ConvertedChunk) throws(ArchiveError) {
        let output = slot.output
        noteGuests(output)
        switch target {
        case .place(_, let line):
            guard slot.chunk.input == input else { return }
            lastLine = max(lastLine, output.line - 1)
            try look(for: line, in: output)
        case .id:
            guard needles.contains(where: { Self.occurs($0, in: output.bytes.bytes) }) else { return }
            try lookForIDs(in: output)
        }
    }

    private func look(for line: Int64, in output: ChunkOutput) throws(ArchiveError) {
        let begun = [
            output.evidenceMarks.last { $0.line < line }?.line, output.rejects.last { $0.line < line }?.line,
            output.skips.last { $0.line < line }?.line, output.evidenceLines.last { $0 < line },
        ]
        if let before = begun.compactMap({ $0 }).max() { recordBefore = before }
        guard line < output.line else { return }
        if output.evidenceLines.contains(line) { isAnswer = true }
        if let found = output.rejects.first(where: { $0.line == line }) { reject = reject ?? found }
        if let found = output.skips.first(where: { $0.line == line }) { skip = (found.reason, found.hasSigns) }
        try output.forEachSpilled { (event, _, mark) throws(ArchiveError) in
            if mark.line == line { hits.append((try read(event), mark)) }
        }
    }

    private func lookForIDs(in output: ChunkOutput) throws(ArchiveError) {
        try output.forEachSpilled { (event, _, mark) throws(ArchiveError) in
            guard needles.contains(where: { Self.occurs($0, in: event) }) else { return }
            let found = try read(event)
            guard Self.names(found).contains(where: wantedIDs.contains) else { return }
            // One notification of a subscription, a transaction or an account leads to its whole story.
            if !wantedIDs.contains(found.id), hits.contains(where: { $0.mark.key == mark.key }) { return }
            hits.append((found, mark))
        }
    }

    private func read(_ event: UnsafeRawBufferPointer) throws(ArchiveError) -> UnifiedEvent {
        let events = reader.events(spilled: event, UnsafeRawBufferPointer(start: nil, count: 0))
        guard let own = events?.first else { throw StoryReader.damage }
        return own
    }

    private static func occurs(_ needle: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
        guard let first = needle.first else { return false }
        var at = 0
        while let found = text.place(of: first, from: at), found + needle.count <= text.count {
            if text[found..<found + needle.count].elementsEqual(needle) { return true }
            at = found + 1
        }
        return false
    }

    // MARK: Notifications without a purchase

    private func noteGuests(_ output: ChunkOutput) {
        for mark in output.evidenceMarks where !mark.possibleKeys.isEmpty {
            guard guestKeys.count + mark.possibleKeys.count + 2 <= Self.mostGuestKeys else {
                hasMoreGuests = true
                return
            }
            guestKeys.append(mark.key)
            guestKeys += mark.possibleKeys
            guestKeys.append(0)
        }
    }

    /// The keys under which something is that decides about the notifications of some keys: those of the
    /// notifications that may be about them, and of all the purchases that these may be about.
    func keys(around keys: Set<UInt64>) -> Set<UInt64> {
        var all = keys
        for guest in guestKeys.split(separator: 0) where guest.contains(where: keys.contains) { all.formUnion(guest) }
        return all
    }
}
