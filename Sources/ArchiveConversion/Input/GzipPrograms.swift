/// Which program unpacks gzip data.
///
/// `igzip` (isa-l) takes a third of the time of `gzip`, `pigz` half of it. They are used where `gzip` is there as well, as
/// it has the last word on data that is damaged.
enum GzipPrograms {
    // Every file asks; looking through PATH for each of ten thousand would cost something.
    private static let lock = Monitor()
    nonisolated(unsafe) private static var found: [String]?

    /// Programs faster than `gzip` that are installed, the fastest first.
    static func faster() -> [String] {
        lock.locked {
            if let found { return found }
            let all = ChildProcess.isInstalled("gzip") ? ["igzip", "pigz"].filter(ChildProcess.isInstalled) : []
            found = all
            return all
        }
    }

    /// Uses a program no more: it did not read to its end what `gzip` did.
    static func distrust(_ program: String) {
        lock.locked { found = found?.filter { $0 != program } }
    }

    /// Whether all of the programs read data that begins so: deflated, without the flags that are never used.
    ///
    /// A header with a long extra field that is cut short could swallow the header of the ``GzipProof``; that of blocked
    /// gzip is 6 bytes long.
    static func allRead(_ head: [UInt8]) -> Bool {
        guard head.count >= 18, head.starts(with: [0x1F, 0x8B, 8]), head[3] & 0xE0 == 0 else { return false }
        let hasExtraField = head[3] & 4 != 0
        return !hasExtraField || head[11] == 0 && head[10] < 10
    }
}
