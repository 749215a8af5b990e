import NotificationTranslation

/// One worker's part: turns chunks into slots full of event lines.
struct ChunkConversion {
    private var converter: RecordConverter
    private let keepsContents: Bool
    private let failsFast: Bool
    private var place = RecordConverter.ChunkPlace(input: "", offset: 0)

    init(_ request: ConversionRequest) {
        var options = request.records
        options.gathersIDs = true
        converter = RecordConverter(
            options: options, policy: request.policy, redactionKey: request.redactionKey)
        keepsContents = request.rejects != nil && request.rejectsAreRaw
        failsFast = request.failsFast
    }

    /// Converts a chunk.
    ///
    /// - Parameters:
    ///   - chunk: Whole lines or records.
    ///   - slot: Gets what they became.
    ///   - passOn: Called whenever the slot is full; comes back when it is empty, with `false` to stop.
    /// - Throws: ``ArchiveError`` when the converter did not cover the chunk: a fault of this program.
    mutating func convert(
        _ chunk: Chunk,
        into slot: Slot,
        passOn: () -> Bool
    ) throws(ArchiveError) {
        defer { converter.finish(&slot.output) }
        place.offset = chunk.offset
        if place.input != chunk.path { place.input = chunk.path }
        let bytes = chunk.bytes
        let lines = UnsafeRawBufferPointer(rebasing: bytes[..<chunk.lineBytes])
        var at = 0
        while at < lines.count {
            let end = converter.convertLine(of: lines, from: at, place: place, into: &slot.output)
            guard end > at, end <= lines.count else {
                throw ArchiveError(.accounting, "lost the way in", path: chunk.path)
            }
            slot.inputBytes += Int64(end - at)
            at = end
            if keepsContents { keepContents(of: chunk, in: slot) }
            if try endsHere(slot, passOn) { return }
        }
        // The state of a splitter is never 0 between documents; a file of lines has none.
        let isInDocuments = chunk.next.splitter != 0 || chunk.items.contains { $0.isRecord }
        for item in chunk.items {
            switch item {
            case .record(let range):
                converter.convertDocument(in: bytes, range: range, place: place, into: &slot.output)
                if keepsContents { keepContents(of: chunk, in: slot) }
            case .fault(let fault, let offset, let length):
                slot.reject(
                    fault, offset: offset, length: length, isInDocuments: isInDocuments, keepsContents: keepsContents)
            }
            if try endsHere(slot, passOn) { return }
        }
        slot.inputBytes = chunk.next.offset - chunk.offset - passedOn
        passedOn = 0
    }

    private var passedOn: Int64 = 0

    private mutating func endsHere(_ slot: Slot, _ passOn: () -> Bool) throws(ArchiveError) -> Bool {
        if failsFast, !slot.output.rejects.isEmpty {
            slot.endsRun = true
            return true
        }
        guard slot.isFull else { return false }
        passedOn += slot.inputBytes
        converter.finish(&slot.output)
        return !passOn()
    }

    private func keepContents(of chunk: Chunk, in slot: Slot) {
        while slot.contents.count < slot.output.rejects.count {
            let reject = slot.output.rejects[slot.contents.count]
            let start = Int(reject.offset - chunk.offset)
            let isThere = start >= 0 && reject.length >= 0 && start + reject.length <= chunk.count
            slot.contents.append(isThere ? Array(chunk.bytes[start..<start + reject.length]) : nil)
        }
    }
}

extension Slot {
    /// Rejects a record without a look into it.
    fileprivate func reject(
        _ fault: ArchiveFault, offset: Int64, length: Int, isInDocuments: Bool, keepsContents: Bool
    ) {
        var reject = Reject(
            line: output.lines,
            offset: offset,
            length: length,
            code: fault.rawValue,
            path: "",
            column: 0,
            message: fault.message
        )
        reject.isLine = !isInDocuments
        output.rejects.append(reject)
        output.lines += 1
        output.tally.records += 1
        output.tally.rejected += 1
        if keepsContents { contents.append(nil) }
    }
}
