import NotificationLibC

/// The uncompressed bytes of one input, front to back.
///
/// Compressed input goes through an ``Unpacker``. The first 64 KB are kept at hand for whoever decides what the input
/// is.
final class ByteStream {
    /// How many bytes from the start are shown by ``head``.
    static let headSize = 64 * 1024

    /// The name as given by the caller.
    let path: String
    /// Bytes of the file, compressed or not; `nil` when it is a pipe.
    let fileSize: Int64?
    /// When the file was last changed, in milliseconds since 1970; `nil` when it is a pipe.
    let modifiedAt: Int64?
    /// The uncompressed bytes at the start; asked for before anything is read.
    var head: ArraySlice<UInt8> { buffer.prefix(headLimit) }
    private var headLimit = ByteStream.headSize
    /// What was read before it was asked for, and was not handed out yet.
    private var buffer: ArraySlice<UInt8> = []
    private var reachedEnd = false
    private let file: Descriptor
    private var unpacker: Unpacker?
    /// Where the data begins in a seekable file: standard input may have been read from before.
    private let origin: Int64?

    /// Opens an input and recognises its compression.
    init(_ input: InputFile) throws(ArchiveError) {
        path = input.path
        file = input.isStandardInput ? .standardInput : try Descriptor.reading(input.path)
        let status = FileStatus(of: file)
        guard status?.kind != .folder else {
            if !input.isStandardInput { file.closeQuietly() }
            throw ArchiveError(.inputUnreadable, "cannot read", path: path, systemCode: EISDIR)
        }
        let isRegular = status?.kind == .regular
        fileSize = isRegular ? status?.size : nil
        modifiedAt = isRegular ? status.map { $0.modified / 1_000_000 } : nil
        origin = isRegular ? Int64(lseek(file.number, 0, SEEK_CUR)) : nil
        try readAhead(Self.headSize)
        if let program = Self.programs.first(where: { head.starts(with: $0.value) })?.key {
            unpacker = try Unpacker(program, file, from: origin, after: Array(head))
            (buffer, reachedEnd) = ([], false)
            try readAhead(Self.headSize)
        }
    }

    /// Closes everything; an unpacker that is still running is ended.
    deinit {
        unpacker = nil
        if file != .standardInput { file.closeQuietly() }
    }

    /// The programs that decompress, each with the first bytes of its format.
    private static let programs: KeyValuePairs<String, [UInt8]> = [
        "gzip": [0x1F, 0x8B], "zstd": [0x28, 0xB5, 0x2F, 0xFD], "xz": [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
    ]

    /// Reads more of the beginning, where the first bytes do not show the format; returns false at the end of the input.
    ///
    /// Called before anything is read.
    func extendHead(to size: Int) throws(ArchiveError) -> Bool {
        let known = min(buffer.count, headLimit)
        guard known < size else { return false }
        headLimit = min(size, max(Self.headSize, known * 4))
        try readAhead(headLimit)
        return min(buffer.count, headLimit) > known
    }

    /// Reads until so many bytes are at hand, or the input ends.
    private func readAhead(_ size: Int) throws(ArchiveError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: min(size, 1 << 20), alignment: 16)
        defer { room.deallocate() }
        buffer.reserveCapacity(size)
        while buffer.count < size, !reachedEnd {
            let part = UnsafeMutableRawBufferPointer(rebasing: room.prefix(size - buffer.count))
            buffer += part[..<(try fill(part, from: 0))]
        }
    }

    var headIsWhole: Bool { reachedEnd && buffer.count <= headLimit }

    private func readSource(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        do throws(ArchiveError) {
            if let unpacker { return try unpacker.read(into: room) }
            // A pipe or a terminal may block for ever.
            if origin == nil { try Interruption.waitForInput(on: file) }
            return try file.read(into: room)
        } catch {
            var error = error
            error.path = path
            throw error
        }
    }

    /// Reads until the room is full; returns the number of bytes, fewer only at the end of the input.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let known = buffer.prefix(room.count)
        room.copyBytes(from: known)
        buffer = known.count == buffer.count ? [] : buffer.dropFirst(known.count)
        return try fill(room, from: known.count)
    }

    /// Fills the room from a place on, until it is full or the source ends; returns how much is filled then.
    private func fill(_ room: UnsafeMutableRawBufferPointer, from start: Int) throws(ArchiveError) -> Int {
        var count = start
        while count < room.count, !reachedEnd {
            let more = try readSource(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
            if more == 0 { reachedEnd = true }
            count += more
        }
        return count
    }

    /// Everything that was not read yet, in memory.
    func contents() throws(ArchiveError) -> [UInt8] {
        while !reachedEnd { try readAhead(max(buffer.count * 2, 1 << 20)) }
        guard try !isDamaged() else { throw ArchiveError(.inputUnreadable, "cannot read all of", path: path) }
        return Array(buffer)
    }

    /// Leaves out bytes of the head, such as a byte order mark.
    func dropHead(_ count: Int) { buffer = buffer.dropFirst(count) }

    /// Bytes of the file that were read so far, as far as that is known; for the progress line.
    var filePosition: Int64? { origin.map { Int64(lseek(file.number, 0, SEEK_CUR)) - $0 } }

    var isUnpacked: Bool { unpacker != nil }

    /// How many bytes of one input, and of all inputs together, are unpacked at most before they are read.
    static let (most, mostOfAll) = (32 << 20, 256 << 20)

    /// An input that a thread of its own opens before it is its turn to be read.
    ///
    /// The output is in the order of the inputs, so an input is read only when those before it were. But where unpacking
    /// takes most of the time, one child at a time leaves all processors but two idle. So the next inputs are opened, and
    /// up to `most` bytes unpacked into memory. One that is not compressed is opened here too, and read where it is
    /// needed.
    static func ahead(_ input: InputFile, _ most: Int) throws(ArchiveError) -> WorkerThread<ByteStream> {
        try WorkerThread { () throws(ArchiveError) in
            let stream = try ByteStream(input)
            if stream.isUnpacked { try stream.readAhead(most) }
            return stream
        }
    }

    /// Whether compressed data was damaged; asked once all was read.
    func isDamaged() throws(ArchiveError) -> Bool { try unpacker?.isDamaged() ?? false }
}
