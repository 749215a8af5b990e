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
    /// The uncompressed bytes at the start.
    private(set) var head: [UInt8] = []
    private var headRead = 0
    private var reachedEnd = false
    private let file: Descriptor
    private var unpacker: Unpacker?
    /// Where the bytes are taken from while a thread of its own reads the unpacker.
    private var ahead: UnpackedQueue?
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
        do throws(ArchiveError) {
            _ = try extendHead(to: Self.headSize)
            if let program = Self.program(unpacking: head) { try unpack(with: program) }
        } catch {
            close()
            throw error
        }
    }

    /// The program for the compression that the first bytes of a file show.
    static func program(unpacking head: [UInt8]) -> String? {
        if head.starts(with: [0x1F, 0x8B]) { return "gzip" }
        if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "zstd" }
        if head.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) { return "xz" }
        return nil
    }

    private func unpack(with program: String) throws(ArchiveError) {
        unpacker = try Unpacker(program, file, from: origin, after: head)
        reachedEnd = false
        head = []
        _ = try extendHead(to: Self.headSize)
    }

    /// Reads more of the beginning, where the first bytes do not show the format; returns false at the end of the input.
    ///
    /// Called before anything is read.
    func extendHead(to size: Int) throws(ArchiveError) -> Bool {
        guard head.count < size, !reachedEnd else { return false }
        let count = min(size, max(Self.headSize, head.count * 4)) - head.count
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { room.deallocate() }
        let more = try fill(room, from: 0)
        head += room[..<more]
        return more > 0
    }

    /// Whether ``head`` is all there is.
    var headIsWhole: Bool { reachedEnd }

    private func readSource(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        do throws(ArchiveError) {
            if let ahead { return try ahead.read(into: room) }
            if let unpacker { return try unpacker.read(into: room) }
            // A pipe or a terminal may block for ever.
            if origin == nil { try Interruption.waitForInput(on: file) }
            return try file.read(into: room)
        } catch {
            guard error.code == .inputUnreadable else { throw error }
            throw ArchiveError(error.code, error.action, path: path, systemCode: error.systemCode)
        }
    }

    /// Reads until the room is full; returns the number of bytes, fewer only at the end of the input.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        var count = 0
        if headRead < head.count {
            count = min(room.count, head.count - headRead)
            head.withUnsafeBytes { bytes in
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[headRead..<headRead + count]))
            }
            headRead += count
        }
        return try fill(room, from: count)
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

    /// Leaves out bytes of the head, such as a byte order mark.
    func dropHead(_ count: Int) {
        headRead = min(head.count, headRead + count)
    }

    /// Bytes of the file that were read so far, as far as that is known; for the progress line.
    var filePosition: Int64? {
        guard let origin else { return nil }
        return Int64(lseek(file.number, 0, SEEK_CUR)) - origin
    }

    /// Whether a program unpacks it.
    var isUnpacked: Bool { unpacker != nil }

    /// Lets a thread unpack up to so many bytes before they are read, if it is a file that has to be unpacked.
    func unpackAhead(_ most: Int) {
        guard let unpacker, origin != nil, !reachedEnd, ahead == nil else { return }
        ahead = try? UnpackedQueue(unpacker, most: most)
    }

    /// A sentence about the damage, once all was read; `nil` if the compressed data was whole.
    func damage() throws(ArchiveError) -> String? {
        guard let unpacker else { return nil }
        return try unpacker.damage()
    }

    /// Closes everything; an unpacker that is still running is ended.
    func close() {
        ahead?.close()
        ahead = nil
        unpacker?.close()
        unpacker = nil
        if file != .standardInput { file.closeQuietly() }
    }
}
