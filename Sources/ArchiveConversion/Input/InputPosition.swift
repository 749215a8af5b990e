/// A place between two records of an input, and what is needed to continue from there.
struct InputPosition: Hashable, Sendable {
    /// Place of the input in the list of inputs.
    var input = 0
    /// Bytes of the uncompressed input before it.
    var offset: Int64 = 0
    /// Nothing of the input comes after it, not even a fault.
    var isEnd = false
    /// What a ``DocumentSplitter`` expects next; 0 for lines.
    var splitter: UInt8 = 0
    /// How many bytes before `offset` went into `tailHash`.
    var tailLength = 0
    /// Hash of the bytes before `offset`, to know the input again.
    var tailHash: UInt64 = 0
}
