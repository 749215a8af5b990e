/// Cuts an input that is not cut into lines: finds where records begin and end, without a look at what they mean.
///
/// Offsets are those of the uncompressed input, so that they stay the same however the input is cut into stretches.
protocol RecordSplitter {
    /// Whether what was followed ends within an array, or a table.
    var isInDocuments: Bool { get }
    /// Up to where bytes were followed; those before it are needed no more, unless a record is open.
    var position: Int64 { get }
    /// Offset of the record that has begun and not ended, if any.
    var openRecord: Int64? { get }

    /// Follows the bytes that were not seen yet.
    ///
    /// - Parameters:
    ///   - bytes: A stretch of the input that reaches at least up to the last one's end.
    ///   - base: Offset of its first byte.
    ///   - end: What comes after it.
    ///   - items: Gets what was found, in order.
    mutating func scan(
        _ bytes: UnsafeRawBufferPointer, base: Int64, before end: StretchEnd, into items: inout [Chunk.Item])
}

/// What comes after a stretch of an input.
enum StretchEnd {
    case more, nothing
    /// The input broke off; its last record is the fault itself.
    case damage
}

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
    /// It is not read.
    case fault(ArchiveFault, length: Int64)
}
