import NotificationTranslation

/// One worker's part: turns chunks into slots full of event lines.
struct ChunkConversion {
    private var converter: RecordConverter
    private let keepsContents: Bool
    private var place = RecordConverter.ChunkPlace(input: "", offset: 0)

    init(_ request: ConversionRequest) {
        converter = RecordConverter(
            options: request.records, policy: request.policy, redactionKey: request.redactionKey)
        keepsContents = request.rejects != nil && request.rejectsAreRaw
    }

    /// Converts a chunk.
    ///
    /// - Parameters:
    ///   - chunk: Whole lines or records.
    ///   - slot: Gets what they became.
    ///   - passOn: Called whenever the slot is full; comes back when it is empty, with `false` to stop.
    /// - Throws: ``ArchiveError`` when the converter did not cover the chunk, or counts other lines in it: a fault of
    ///   this program.
    mutating func convert(_ chunk: Chunk, into slot: ConvertedChunk, passOn: () -> Bool) throws(ArchiveError) {
        place.offset = chunk.offset
        slot.output.line = chunk.firstLine
        if place.input != chunk.path { place.input = chunk.path }
        place.modifiedAt = chunk.modifiedAt
        let bytes = chunk.bytes
        let lines = UnsafeRawBufferPointer(rebasing: bytes[..<chunk.lineBytes])
        var at = 0
        while at < lines.count {
            var end: Int
            let before = slot.output.rejects.count
            if chunk.lines == .log {
                end = converter.convertLogLine(of: lines, from: at, place: place, into: &slot.output)
            } else {
                end = converter.convertLine(of: lines, from: at, place: place, into: &slot.output)
            }
            if slot.output.rejects.count > before, slot.output.rejects.last?.isLine == true {
                end = convertAgain(lines, at..<end, slot)
            }
            guard end > at, end <= lines.count else {
                throw ArchiveError.unconsumed(chunk.path)
            }
            slot.inputBytes += Int64(end - at)
            at = end
            if keepsContents { keepContents(of: chunk, in: slot) }
            if try endsHere(slot, passOn) { return }
        }
        let isInDocuments = chunk.endsInDocuments || chunk.items.contains { $0.isRecord }
        for item in chunk.items {
            switch item {
            case .heading:
                converter.pass(&slot.output)
            case .record(let range) where chunk.table != nil:
                convertRow(in: bytes, range, chunk, slot)
                if keepsContents { keepContents(of: chunk, in: slot) }
            case .record(let range):
                converter.convertDocument(in: bytes, range: range, place: place, into: &slot.output)
                if keepsContents { keepContents(of: chunk, in: slot) }
            case .fault(let fault, let offset, let length):
                if let reason = fault.skip {
                    slot.output.skip(reason)
                    break
                }
                slot.reject(
                    fault, offset: offset, length: length, isInDocuments: isInDocuments, keepsContents: keepsContents)
            }
            if try endsHere(slot, passOn) { return }
        }
        guard slot.output.line == chunk.nextLine else {
            throw ArchiveError(.accounting, "internal error: the line numbers do not match in", path: chunk.path)
        }
        slot.inputBytes = chunk.end - chunk.offset - passedOn
        passedOn = 0
    }

    private var passedOn: Int64 = 0
    private var composer: (layout: TableLayout, rows: RowComposer)?

    // MARK: Rows

    /// Makes JSON of a row and converts that.
    private mutating func convertRow(
        in bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ chunk: Chunk, _ slot: ConvertedChunk
    ) {
        guard let layout = chunk.table, !range.isEmpty else { return converter.pass(&slot.output) }
        let rows = composer.flatMap { $0.layout == layout ? $0.rows : nil } ?? RowComposer(layout)
        composer = (layout, rows)
        let row = UnsafeRawBufferPointer(rebasing: bytes[range])
        // The end of PostgreSQL's COPY.
        if row.elementsEqual("\\.".utf8) { return converter.pass(&slot.output) }
        for asTexts in [false, true] {
            if let fault = rows.compose(row, asTexts: asTexts) {
                let offset = chunk.offset + Int64(range.lowerBound)
                return slot.reject(
                    fault, offset: offset, length: range.count, isInDocuments: true, keepsContents: false)
            }
            let isTaken = converter.convert(
                made: rows.text, of: range, times: rows.hasNames ? nil : row, place: place, isLast: asTexts,
                into: &slot.output)
            if isTaken { return }
        }
    }

    // MARK: Lines that are not records

    /// Looks again at a line that was rejected: it may hold several documents, or begin one that continues.
    ///
    /// - Returns: The index after what was converted.
    private mutating func convertAgain(_ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ slot: ConvertedChunk)
        -> Int
    {
        if LogPiece.isCutOff(UnsafeRawBufferPointer(rebasing: lines[line])) {
            converter.skipRejected(&slot.output)
            return line.upperBound
        }
        guard let reject = slot.output.rejects.last, let first = lines[line].firstIndex(where: { $0 > 0x20 }),
            lines[first] == UInt8(ascii: "{")
        else { return line.upperBound }
        let fault = line.lowerBound + reject.column
        switch reject.code {
        case "json.trailing-content" where fault < line.upperBound && lines[fault] == UInt8(ascii: "{"):
            convertDocuments(lines, line, slot)
        case "json.unexpected-end":
            return convertSpread(lines, line, slot)
        default: break
        }
        return line.upperBound
    }

    private mutating func convertDocuments(_ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ slot: ConvertedChunk)
    {
        var splitter = DocumentSplitter(longestRecord: line.count, offset: 0)
        var items: [Chunk.Item] = []
        let text = UnsafeRawBufferPointer(rebasing: lines[line])
        splitter.scan(text, base: 0, into: &items)
        splitter.finish(isDamaged: false, bytes: text, base: 0, into: &items)
        slot.output.takeBackReject()
        let number = slot.output.line
        for case .record(let range) in items {
            slot.output.line = number
            let start = line.lowerBound + range.lowerBound
            converter.convertDocument(
                in: lines, range: start..<start + range.count, place: place, into: &slot.output)
        }
        slot.output.line = number + 1
    }

    /// Converts a document that begins in a line and continues in the next ones.
    ///
    /// - Returns: The index after it; that after the line if there is no such document.
    private mutating func convertSpread(
        _ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ slot: ConvertedChunk
    ) -> Int {
        var end = line.upperBound
        var count = 1
        while end > 0, end < lines.count, LineBoundary.kind(lines, end - 1) == .inside {
            end = lines.place(of: 0x0A, from: end).map { $0 + 1 } ?? lines.count
            count += 1
        }
        guard count > 1 else { return end }
        let isSpread = LineBoundary.continues(lines, line.upperBound)
        slot.output.takeBackReject()
        let number = slot.output.line
        let before = slot.output.rejects.count
        var stop = end
        while stop > line.lowerBound, lines[stop - 1] <= 0x20 { stop -= 1 }
        converter.convertDocument(in: lines, range: line.lowerBound..<stop, place: place, into: &slot.output)
        if slot.output.rejects.count > before, slot.output.rejects.last?.code != Reject.ambiguous, !isSpread {
            // What follows is not part of it: the line costs only itself.
            slot.output.takeBackReject()
            return converter.convertLine(of: lines, from: line.lowerBound, place: place, into: &slot.output)
        }
        slot.output.line = number + Int64(count)
        return end
    }

    private mutating func endsHere(_ slot: ConvertedChunk, _ passOn: () -> Bool) throws(ArchiveError) -> Bool {
        guard slot.isFull else { return false }
        passedOn += slot.inputBytes
        return !passOn()
    }

    private func keepContents(of chunk: Chunk, in slot: ConvertedChunk) {
        while slot.contents.count < slot.output.rejects.count {
            let reject = slot.output.rejects[slot.contents.count]
            let start = Int(reject.offset - chunk.offset)
            let isThere = start >= 0 && reject.length >= 0 && start + reject.length <= chunk.count
            slot.contents.append(isThere ? Array(chunk.bytes[start..<start + reject.length]) : nil)
        }
    }
}

extension ConvertedChunk {
    /// Rejects a record without a look into it.
    fileprivate func reject(
        _ fault: ArchiveFault, offset: Int64, length: Int, isInDocuments: Bool, keepsContents: Bool
    ) {
        var reject = Reject(
            line: output.line, offset: offset, length: length, code: fault.code, path: "", column: 0,
            message: fault.sentence)
        reject.isLine = !isInDocuments
        output.rejects.append(reject)
        output.line += 1
        output.tally.records += 1
        output.tally.rejected += 1
        if keepsContents { contents.append(nil) }
    }
}
