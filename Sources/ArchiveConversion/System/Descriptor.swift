import NotificationLibC

/// An open file, pipe or device; whoever opened it closes it.
///
/// Every call looks at its result: `EINTR` is tried again, a short write is carried on, `EAGAIN` (somebody else made
/// the shared descriptor non-blocking) waits. Nothing is buffered here.
package struct Descriptor: Sendable, Equatable {
    /// The system's number for it.
    package let number: Int32
    /// The name to use in messages.
    package let path: String

    /// Standard input, called `-`.
    package static let standardInput = Descriptor(number: 0, path: "-")
    /// Standard output.
    package static let standardOutput = Descriptor(number: 1, path: "standard output")
    /// Standard error.
    package static let standardError = Descriptor(number: 2, path: "standard error")

    /// Opens `/dev/null` in the place of each standard stream that is closed, in the wrong direction, so that its use fails.
    ///
    /// Otherwise the next file that is opened would take its place.
    package static func occupyClosedStandardStreams() {
        for (number, mode) in [
            (standardInput.number, O_WRONLY), (standardOutput.number, O_RDONLY), (standardError.number, O_RDONLY),
        ]
        where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            _ = open("/dev/null", mode)
        }
    }

    /// Whether this is a pipe, a socket or a file, and not a terminal or another device such as `/dev/null`.
    package var holdsInput: Bool {
        var raw = stat()
        guard fstat(number, &raw) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK, S_IFREG].contains(raw.st_mode & S_IFMT)
    }

    /// Opens a file for reading.
    package static func reading(_ path: String) throws(ArchiveError) -> Descriptor {
        let number = retrying { open(path, O_RDONLY | O_CLOEXEC) }
        guard number >= 0 else { throw ArchiveError(.inputUnreadable, "cannot open", path: path, systemCode: errno) }
        return Descriptor(number: number, path: path)
    }

    /// Opens a file for writing with the given `open(2)` flags; messages call it `name`, or else by its path.
    static func writing(
        _ path: String, as name: String? = nil, flags: Int32, mode: mode_t = 0o666
    ) throws(ArchiveError) -> Descriptor {
        let (number, name) = (retrying { open(path, O_WRONLY | O_CLOEXEC | flags, mode) }, name ?? path)
        guard number >= 0 else { throw ArchiveError(.outputUnwritable, "cannot create", path: name, systemCode: errno) }
        return Descriptor(number: number, path: name)
    }

    /// Reads what there is, at most as much as fits; 0 bytes at the end of the input.
    package func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        guard let start = room.baseAddress, room.count > 0 else { return 0 }
        while true {
            // More at once is an error on Apple's systems.
            let count = NotificationLibC.read(number, start, min(room.count, Int(Int32.max)))
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: wait(for: Int16(POLLIN))
            default: throw ArchiveError(.inputUnreadable, "cannot read", path: path, systemCode: errno)
            }
        }
    }

    /// Reads up to the end, but not more than `limit` bytes.
    package func readAll(limit: Int) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { room.deallocate() }
        while bytes.count < limit {
            let count = try read(into: room)
            if count == 0 { break }
            bytes += room[..<min(count, limit - bytes.count)]
        }
        return bytes
    }

    /// The bytes of a file, but not more than `limit`.
    package static func contents(of path: String, limit: Int) throws(ArchiveError) -> [UInt8] {
        let file = try reading(path)
        defer { file.closeQuietly() }
        return try file.readAll(limit: limit)
    }

    /// Writes all the bytes.
    package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        guard var start = bytes.baseAddress else { return }
        var left = bytes.count
        while left > 0 {
            let count = NotificationLibC.write(number, start, min(left, Int(Int32.max)))
            if count > 0 {
                start += count
                left -= count
                continue
            }
            switch count < 0 ? errno : ENOSPC {
            case EINTR: continue
            case EAGAIN: wait(for: Int16(POLLOUT))
            case EPIPE: throw ArchiveError(.outputClosed, "cannot write", path: path, systemCode: EPIPE)
            case let code: throw ArchiveError(.outputUnwritable, "cannot write", path: path, systemCode: code)
            }
        }
    }

    func writeAll(_ bytes: [UInt8]) throws(ArchiveError) {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ArchiveError) in try writeAll(bytes) }
    }

    /// Writes a text's UTF-8.
    package func writeAll(_ text: String) throws(ArchiveError) { try writeAll(Array(text.utf8)) }

    /// Waits until the descriptor can be read or written, or was closed on the other side.
    private func wait(for events: Int16) {
        var one = pollfd(fd: number, events: events, revents: 0)
        _ = poll(&one, 1, -1)
    }

    /// Brings what was written to the disk; devices that know no such thing are content.
    func sync() throws(ArchiveError) {
        guard retrying({ fsync(number) }) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP else { return }
        throw ArchiveError(.outputUnwritable, "cannot sync", path: path, systemCode: errno)
    }

    /// Closes it; a late write error (network file systems report it here) is an error.
    package func close() throws(ArchiveError) {
        let status = NotificationLibC.close(number)
        guard status != 0, errno != EINTR else { return }
        throw ArchiveError(.outputUnwritable, "cannot close", path: path, systemCode: errno)
    }

    /// Closes it where nothing can be lost by not looking: after reading, or after another error.
    package func closeQuietly() {
        do throws(ArchiveError) { try close() } catch {}
    }
}

/// Calls again as long as a signal interrupts.
func retrying(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
