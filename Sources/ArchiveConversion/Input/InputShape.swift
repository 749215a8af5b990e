/// How an input is cut into records, and how these are read.
enum InputShape: Hashable {
    /// A line is a record of JSON.
    case lines
    /// A line is a record with JSON somewhere in it.
    case log
    /// An array, or concatenated documents.
    case documents
    /// Rows of a table.
    case table(TableLayout)

    /// The layout of a table; `nil` for everything else.
    var table: TableLayout? {
        if case .table(let layout) = self { layout } else { nil }
    }

    /// The shape that was asked for, or that the beginning of an input shows.
    ///
    /// - Parameters:
    ///   - stream: The input, of which nothing was read yet.
    ///   - mark: Bytes of its byte order mark.
    ///   - format: What was asked for.
    ///   - longestRecord: How far the beginning is read at most until it shows the shape.
    /// - Throws: ``ArchiveError`` when the input cannot be read.
    init(
        of stream: ByteStream, after mark: Int, format: ConversionRequest.InputFormat, longestRecord: Int
    ) throws(ArchiveError) {
        switch format {
        case .ndjson: self = .lines
        case .log: self = .log
        case .json, .concat: self = .documents
        case .csv, .tsv:
            let layout = TableLayout(
                of: stream.head.dropFirst(mark), isWhole: stream.headIsWhole, format: format)
            self = layout.map(InputShape.table) ?? .lines
        case .auto:
            while FormatDetector.needsMore(stream.head.dropFirst(mark)) {
                guard try stream.extendHead(to: longestRecord + ByteStream.headSize) else { break }
            }
            let head = stream.head.dropFirst(mark)
            if TableLayout.mayBegin(head),
                let layout = TableLayout(of: head, isWhole: stream.headIsWhole, format: .auto)
            {
                self = .table(layout)
                return
            }
            switch FormatDetector.formatOfText(head) {
            case .log: self = .log
            case .json, .concat: self = .documents
            default: self = .lines
            }
        }
    }
}
