import SystemLibC

/// Reads a file in pieces of whole lines through one buffer; for the contenders that live in this program.
enum LineFile {
    /// Calls `body` with one piece after the other, about `size` bytes each; longer lines make the buffer longer.
    ///
    /// - Returns: Whether the file could be read to its end.
    static func forEachPiece(of path: String, size: Int = 1 << 20, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: size)
        var kept = 0
        while true {
            if kept == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let count = buffer.withUnsafeMutableBytes { room in
                room.baseAddress.map { read(file, $0 + kept, room.count - kept) } ?? -1
            }
            guard count > 0 else {
                if kept > 0 { buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<kept])) } }
                return count == 0
            }
            let filled = kept + count
            kept = buffer.withUnsafeMutableBytes { bytes in
                var end = filled
                while end > 0, bytes[end - 1] != 0x0A { end -= 1 }
                guard end > 0, let start = bytes.baseAddress else { return filled }
                body(UnsafeRawBufferPointer(start: start, count: end))
                memmove(start, start + end, filled - end)
                return filled - end
            }
        }
    }

    /// Calls `body` with the place of each line in a piece, without its LF.
    static func forEachLine(in piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard var start = piece.baseAddress else { return }
        let end = start + piece.count
        while start < end {
            let lineEnd = memchr(start, 0x0A, end - start).map { UnsafeRawPointer($0) } ?? end
            body(UnsafeRawBufferPointer(start: start, count: lineEnd - start))
            start = lineEnd + 1
        }
    }

    /// Writes all the bytes, or says that it could not.
    static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count, let start = bytes.baseAddress {
                let count = write(file, start + done, bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
