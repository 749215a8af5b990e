/// Lines of a container's log that hold a piece of a longer line: runtimes cut what a program writes at 16 KB.
///
///     {"log":"{\"notification_type\":","stream":"stdout","time":"2020-11-03T09:12:44.123456789Z"}     Docker
///     {"log":"\"CANCEL\"}\n","stream":"stdout","time":"2020-11-03T09:12:44.123456799Z"}
///     2020-11-03T09:12:44.123456789Z stdout P {"notification_type":                                   CRI
///     2020-11-03T09:12:44.123456799Z stdout F "CANCEL"}
///
/// Pieces are not put together: a notification in them is a skip with signs of one.
enum LogPiece {
    /// Whether a line is a piece that a later line continues.
    static func isCutOff(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.starts(with: "{\"log\":".utf8) else {
            let start = String(decoding: line.prefix(64), as: UTF8.self)
            return start.contains(" stdout P ") || start.contains(" stderr P ")
        }
        // Docker keeps the line feed of a whole line.
        let end = String(decoding: line.suffix(256), as: UTF8.self)
        return line.count > 16_384 && end.contains("\"stream\":")
            && !end.contains(#"\n","stream":"#) && !end.contains(#"\n", "stream":"#)
    }
}
