/// Up to where an output was written.
struct OutputPosition: Hashable, Sendable {
    /// Bytes before packing.
    var length: Int64 = 0
    /// Bytes of the file.
    var fileLength: Int64 = 0
}
