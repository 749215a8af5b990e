/// Finds lines and columns of offsets in files whose records are not lines, so that an editor can go there.
///
/// Such records are counted and their lines are not, so the file is read once more, up to the place, only where a
/// message names one. Offsets that rise, as those of rejects do, cost one reading for all of them.
struct PhysicalPlaces {
    private var file: Descriptor?
    private var path = ""
    /// Bytes read so far, line feeds among them, and the offset after the last of those.
    private var offset: Int64 = 0
    private var lines: Int64 = 0
    private var lineStart: Int64 = 0

    /// The line and column of an offset, both from 1; `nil` for what cannot be read again as it was: standard input, a
    /// pipe, compressed data.
    mutating func place(of wanted: Int64, in path: String) -> (line: Int64, column: Int64)? {
        if file == nil || path != self.path || wanted < offset {
            file?.closeQuietly()
            file = try? open(path)
        }
        guard let file, (try? read(file, upTo: wanted)) != nil, offset == wanted else { return nil }
        return (lines + 1, wanted - lineStart + 1)
    }

    private mutating func open(_ path: String) throws(ArchiveError) -> Descriptor? {
        (offset, lines, lineStart) = (0, 0, 0)
        self.path = path
        guard path != "-", FileStatus(ofPath: path)?.kind == .regular else { return nil }
        let opened = try Descriptor.reading(path)
        let head = try opened.readAll(limit: 6)
        opened.closeQuietly()
        return ByteStream.program(unpacking: head) == nil ? try Descriptor.reading(path) : nil
    }

    private mutating func read(_ file: Descriptor, upTo wanted: Int64) throws(ArchiveError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { room.deallocate() }
        while offset < wanted {
            let size = Int(min(Int64(room.count), wanted - offset))
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<size]))
            if count == 0 { return }
            for (place, byte) in room[..<count].enumerated() where byte == 0x0A {
                lines += 1
                lineStart = offset + Int64(place) + 1
            }
            offset += Int64(count)
        }
    }
}
