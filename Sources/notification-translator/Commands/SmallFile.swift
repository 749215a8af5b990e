import NotificationArchives

/// Files that options name: keys, secrets, certificates.
enum SmallFile {
    /// All bytes of a file of an option.
    ///
    /// - Throws: ``UsageError`` for one that is larger than such files are, as half a key is none.
    static func bytes(
        _ path: String, for option: String, _ arguments: Arguments, limit: Int = 1 << 20
    ) throws -> [UInt8] {
        let file = try Descriptor.reading(path)
        defer { file.closeQuietly() }
        let bytes = try file.readAll(limit: limit + 1)
        guard bytes.count <= limit else {
            throw arguments.refusal("\(option) \(printable(path)): larger than \(limit >> 20) MiB.")
        }
        return bytes
    }
}
