import NotificationTranslation

/// A chunk of an input, and what it becomes.
///
/// One thread at a time owns it, hence `@unchecked Sendable`.
final class ConvertedChunk: @unchecked Sendable {
    let chunk: Chunk
    // Both are used for every record; a run-time exclusivity check costs about 1 % of a small one.
    /// Event lines, rejects and counts.
    @exclusivity(unchecked) var output = ChunkOutput()
    @exclusivity(unchecked) private var place = RecordConverter.ChunkPlace(input: "", offset: 0)
    private var rows: RowComposer?
    private let keepsContents: Bool

    init(_ request: ConversionRequest) {
        chunk = Chunk(capacity: request.chunkSize)
        keepsContents = request.rejects != nil && request.rejectsAreRaw
    }

    /// The content of a record that was rejected; `nil` where that is not wanted, or nobody looked into it.
    func content(of reject: Reject) -> [UInt8]? {
        guard keepsContents, ArchiveFault(code: reject.code)?.isOfRow ?? true else { return nil }
        let start = Int(reject.offset - chunk.offset)
        guard start >= 0, reject.length >= 0, start + reject.length <= chunk.count else { return nil }
        return Array(chunk.bytes[start..<start + reject.length])
    }

    /// Converts the chunk, whole lines or records.
    ///
    /// - Throws: ``ArchiveError`` when the converter did not cover the chunk, or counts other lines in it: a fault of
    ///   this program.
    func convert(by converter: inout RecordConverter) throws(ArchiveError) {
        place.offset = chunk.offset
        output.line = chunk.firstLine
        if place.input != chunk.path { place.input = chunk.path }
        place.modifiedAt = chunk.modifiedAt
        let place = place
        let bytes = chunk.bytes
        let isInDocuments =
            chunk.endsInDocuments || chunk.items.contains { if case .record = $0 { true } else { false } }
        for item in chunk.items {
            switch item {
            case .lines(let range): try convertLines(range, &converter)
            case .heading: output.line += 1
            case .record(let range) where chunk.table != nil: convertRow(in: bytes, range, &converter)
            case .record(let range):
                converter.convertDocument(in: bytes, range: range, place: place, into: &output)
            case .fault(let fault, let offset, let length):
                if let reason = fault.skip {
                    output.skip(reason)
                } else {
                    reject(fault, offset: offset, length: length, isLine: !isInDocuments)
                }
            }
        }
        guard output.line == chunk.nextLine else {
            throw ArchiveError(.accounting, "internal error: the line numbers do not match in", path: chunk.path)
        }
    }

    private func convertLines(_ range: Range<Int>, _ converter: inout RecordConverter) throws(ArchiveError) {
        let lines = UnsafeRawBufferPointer(rebasing: chunk.bytes[..<range.upperBound])
        let place = place
        var at = range.lowerBound
        while at < lines.count {
            let before = output.rejects.count
            var end =
                chunk.isLog
                ? converter.convertLogLine(of: lines, from: at, place: place, into: &output)
                : converter.convertLine(of: lines, from: at, place: place, into: &output)
            if output.rejects.count > before, let reject = output.rejects.last, reject.isLine {
                end = convertAgain(lines, at..<end, reject, &converter)
            }
            guard end > at, end <= lines.count else { throw ArchiveError.unconsumed(chunk.path) }
            at = end
        }
    }

    /// Rejects a record without a look into it.
    private func reject(_ fault: ArchiveFault, offset: Int64, length: Int, isLine: Bool) {
        output.reject(fault.code, fault.sentence, offset: offset, length: length, isLine: isLine)
        output.line += 1
    }

    /// Makes JSON of a row and converts that.
    private func convertRow(
        in bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ converter: inout RecordConverter
    ) {
        let row = UnsafeRawBufferPointer(rebasing: bytes[range])
        // A blank line, or the end of PostgreSQL's COPY.
        guard let layout = chunk.table, !row.isEmpty, !row.elementsEqual("\\.".utf8) else { return output.line += 1 }
        let rows = rows.flatMap { $0.layout == layout ? $0 : nil } ?? RowComposer(layout)
        self.rows = rows
        for asTexts in [false, true] {
            if let fault = rows.compose(row, asTexts: asTexts) {
                let offset = chunk.offset + Int64(range.lowerBound)
                return reject(fault, offset: offset, length: range.count, isLine: false)
            }
            let isTaken = converter.convert(
                made: rows.text, of: range, times: layout.hasHeader ? nil : row, place: place, isLast: asTexts,
                into: &output)
            if isTaken { return }
        }
    }

    // MARK: Lines that are not records

    /// Looks again at a line that was rejected: it may hold several documents, or begin one that continues.
    ///
    /// - Returns: The index after what was converted.
    private func convertAgain(
        _ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ reject: Reject, _ converter: inout RecordConverter
    ) -> Int {
        if LogPiece.isCutOff(UnsafeRawBufferPointer(rebasing: lines[line])) {
            converter.skipRejected(&output)
            return line.upperBound
        }
        guard let first = lines[line].firstIndex(where: { $0 > 0x20 }), lines[first] == UInt8(ascii: "{") else {
            return line.upperBound
        }
        let fault = line.lowerBound + reject.column
        switch reject.code {
        case "json.trailing-content" where fault < line.upperBound && lines[fault] == UInt8(ascii: "{"):
            convertDocuments(lines, line, &converter)
        case "json.unexpected-end":
            return convertSpread(lines, line, &converter)
        default: break
        }
        return line.upperBound
    }

    private func convertDocuments(
        _ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ converter: inout RecordConverter
    ) {
        var splitter = DocumentSplitter(longestRecord: line.count, offset: 0)
        var items: [Chunk.Item] = []
        let text = UnsafeRawBufferPointer(rebasing: lines[line])
        splitter.scan(text, base: 0, into: &items)
        splitter.finish(isDamaged: false, bytes: text, base: 0, into: &items)
        output.takeBackReject()
        let number = output.line
        for case .record(let range) in items {
            output.line = number
            let start = line.lowerBound + range.lowerBound
            converter.convertDocument(
                in: lines, range: start..<start + range.count, place: place, into: &output)
        }
        output.line = number + 1
    }

    /// Converts a document that begins in a line and continues in the next ones.
    ///
    /// - Returns: The index after it; that after the line if there is no such document.
    private func convertSpread(
        _ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ converter: inout RecordConverter
    ) -> Int {
        var end = line.upperBound
        var count = 1
        while end > 0, end < lines.count, LineBoundary.kind(lines, end - 1) == .inside {
            end = lines.place(of: 0x0A, from: end).map { $0 + 1 } ?? lines.count
            count += 1
        }
        guard count > 1 else { return end }
        let isSpread = LineBoundary.continues(lines, line.upperBound)
        output.takeBackReject()
        let number = output.line
        let before = output.rejects.count
        var stop = end
        while stop > line.lowerBound, lines[stop - 1] <= 0x20 { stop -= 1 }
        converter.convertDocument(in: lines, range: line.lowerBound..<stop, place: place, into: &output)
        if output.rejects.count > before, output.rejects.last?.code != Reject.ambiguous, !isSpread {
            // What follows is not part of it: the line costs only itself.
            output.takeBackReject()
            return converter.convertLine(of: lines, from: line.lowerBound, place: place, into: &output)
        }
        output.line = number + Int64(count)
        return end
    }
}
