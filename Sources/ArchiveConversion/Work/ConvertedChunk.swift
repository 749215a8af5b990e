import NotificationTranslation

/// A chunk of an input, and what it becomes.
///
/// One thread at a time owns it, hence `@unchecked Sendable`.
final class ConvertedChunk: @unchecked Sendable {
    let chunk: Chunk
    private var rows: RowComposer?
    /// Allocated on first use: few inputs fill all chunks.
    private(set) lazy var converter = RecordConverter(
        options: request.records, policy: request.policy, redactionKey: request.redactionKey)
    private let request: ConversionRequest

    init(_ request: ConversionRequest) {
        chunk = Chunk(capacity: request.chunkSize)
        self.request = request
    }

    /// Event lines, rejects and counts.
    var output: ChunkOutput { converter.output }

    /// The content of a record that was rejected; `nil` where that is not wanted, or nobody looked into it.
    func content(of reject: Reject) -> [UInt8]? {
        // Content is kept for rejects of the converter, most of which are not of `ArchiveFault`, and for the two faults
        // inside a row.
        guard request.rejects != nil, request.rejectsAreRaw,
            [nil, .ambiguous, .quotes, .columns].contains(ArchiveFault(code: reject.code))
        else { return nil }
        let start = Int(reject.offset - chunk.offset)
        guard start >= 0, reject.length >= 0, start + reject.length <= chunk.count else { return nil }
        return Array(chunk.bytes[start..<start + reject.length])
    }

    /// Converts the chunk, whole lines or records.
    ///
    /// - Throws: ``ArchiveError`` when the converter counts other lines in it: a fault of this program.
    func convert() throws(ArchiveError) {
        let converter = converter
        converter.begin(
            input: chunk.path, offset: chunk.offset, modifiedAt: chunk.modifiedAt, line: chunk.firstLine)
        let bytes = chunk.bytes
        let layout: TableLayout? = if case .table(let layout) = chunk.shape { layout } else { nil }
        for item in chunk.items {
            switch item {
            case .lines(let range): convertLines(range)
            case .heading: converter.output.line += 1
            case .record(let range):
                if let layout {
                    convertRow(in: bytes, range, layout)
                } else {
                    converter.convertDocument(in: bytes, range: range)
                }
            case .fault(let fault, let offset, let length):
                if let reason = fault.skip {
                    converter.output.countSkip(reason)
                    converter.output.line += 1
                } else {
                    let isLine = layout == nil && chunk.shape != .documents
                    reject(fault, offset: offset, length: length, isLine: isLine)
                }
            }
        }
        guard converter.output.line == chunk.nextLine else {
            throw ArchiveError(.system, "internal error: the line numbers do not match in", path: chunk.path)
        }
    }

    private func convertLines(_ range: Range<Int>) {
        let lines = UnsafeRawBufferPointer(rebasing: chunk.bytes[..<range.upperBound])
        let converter = converter
        let isLog = chunk.shape == .log
        var at = range.lowerBound
        while at < lines.count {
            let before = converter.output.rejects.count
            var end = converter.convertLine(of: lines, from: at, isLog: isLog)
            if converter.output.rejects.count > before, let reject = converter.output.rejects.last, reject.isLine {
                end = convertAgain(lines, at..<end, reject)
            }
            at = end
        }
    }

    /// Rejects a record without a look into it.
    private func reject(_ fault: ArchiveFault, offset: Int64, length: Int, isLine: Bool) {
        converter.output.reject(fault.code, fault.sentence, offset: offset, length: length, isLine: isLine)
        converter.output.line += 1
    }

    /// Makes JSON of a row and converts that.
    private func convertRow(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ layout: TableLayout) {
        let row = UnsafeRawBufferPointer(rebasing: bytes[range])
        // A blank line, or the end of PostgreSQL's COPY.
        guard !row.isEmpty, !row.elementsEqual("\\.".utf8) else { return converter.output.line += 1 }
        let rows = rows.flatMap { $0.layout == layout ? $0 : nil } ?? RowComposer(layout)
        self.rows = rows
        for asTexts in [false, true] {
            if let fault = rows.compose(row, asTexts: asTexts) {
                let offset = chunk.offset + Int64(range.lowerBound)
                return reject(fault, offset: offset, length: range.count, isLine: false)
            }
            let isTaken = converter.convert(
                made: rows.text, of: range, times: layout.hasHeader ? nil : row, isLast: asTexts)
            if isTaken { return }
        }
    }

    /// Looks again at a line that was rejected: it may hold several documents, or begin one that continues.
    ///
    /// - Returns: The index after what was converted.
    private func convertAgain(_ lines: UnsafeRawBufferPointer, _ line: Range<Int>, _ reject: Reject) -> Int {
        if LogPiece.isCutOff(UnsafeRawBufferPointer(rebasing: lines[line])) {
            converter.skipRejected()
            return line.upperBound
        }
        guard let first = lines[line].firstIndex(where: { $0 > 0x20 }), lines[first] == UInt8(ascii: "{") else {
            return line.upperBound
        }
        let fault = line.lowerBound + reject.column
        switch reject.code {
        case "json.trailing-content" where fault < line.upperBound && lines[fault] == UInt8(ascii: "{"):
            convertDocuments(lines, line)
        case "json.unexpected-end":
            return convertSpread(lines, line)
        default: break
        }
        return line.upperBound
    }

    private func convertDocuments(_ lines: UnsafeRawBufferPointer, _ line: Range<Int>) {
        var splitter = DocumentSplitter(longestRecord: line.count, offset: 0)
        let text = UnsafeRawBufferPointer(rebasing: lines[line])
        converter.output.takeBackReject()
        let number = converter.output.line
        for case .record(let range) in splitter.scan(text, base: 0, before: .nothing) {
            converter.output.line = number
            let start = line.lowerBound + range.lowerBound
            converter.convertDocument(in: lines, range: start..<start + range.count)
        }
        converter.output.line = number + 1
    }

    /// Converts a document that begins in a line and continues in the next ones.
    ///
    /// - Returns: The index after it; that after the line if there is no such document.
    private func convertSpread(_ lines: UnsafeRawBufferPointer, _ line: Range<Int>) -> Int {
        var end = line.upperBound
        var count = 1
        while end > 0, end < lines.count, LineBoundary.kind(lines, end - 1) == .inside {
            var start = end
            // Line ends with nothing but white space between them are of the same kind.
            repeat {
                start = end
                end = lines.offset(of: 0x0A, from: end).map { $0 + 1 } ?? lines.count
                count += 1
            } while end < lines.count && isSpace(lines[end]) && lines[start..<end].allSatisfy(isSpace)
        }
        guard count > 1 else { return end }
        let isSpread = LineBoundary.continues(lines, line.upperBound)
        converter.output.takeBackReject()
        let number = converter.output.line
        let before = converter.output.rejects.count
        let stop = lines[line.lowerBound..<end].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? line.lowerBound
        converter.convertDocument(in: lines, range: line.lowerBound..<stop)
        let reject = converter.output.rejects.dropFirst(before).last
        if let reject, reject.code != ArchiveFault.ambiguous.code, !isSpread {
            // What follows is not part of it: the line costs only itself.
            converter.output.takeBackReject()
            return converter.convertLine(of: lines, from: line.lowerBound)
        }
        converter.output.line = number + Int64(count)
        return end
    }
}
