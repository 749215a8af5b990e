/// Where the parts of a sorted run begin in its file.
///
/// A run is cut into sixteen parts by the first number's highest bits, so that workers can each read their own part.
struct SortedRun: Sendable {
    static let partitions = 16
    /// Bytes before the entries: where each part begins and the last one ends, eight bytes each.
    static let headerSize = (partitions + 1) * 8
    /// Bytes before what an entry carries: two numbers of eight, a length of four.
    static let entryHeaderSize = 20

    /// Of each part, and the end of the last.
    var starts: [Int64]

    /// The smallest first number of a part.
    static func first(ofPartition partition: Int) -> UInt64 { UInt64(partition) << 60 }
}
