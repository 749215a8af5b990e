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
        do throws(ArchiveError) {
            if file == nil || path != self.path || wanted < offset { try open(path) }
            guard let file else { return nil }
            try read(file, upTo: wanted)
        } catch {
            close()
            return nil
        }
        return offset == wanted ? (lines + 1, wanted - lineStart + 1) : nil
    }

    /// Closes the file that was read last.
    mutating func close() {
        file?.closeQuietly()
        file = nil
    }

    private mutating func open(_ path: String) throws(ArchiveError) {
        close()
        (offset, lines, lineStart) = (0, 0, 0)
        self.path = path
        guard path != "-", FileStatus(ofPath: path)?.kind == .regular else { return }
        let opened = try Descriptor.reading(path)
        let head = try opened.readAll(limit: 6)
        opened.closeQuietly()
        guard ByteStream.program(unpacking: head) == nil else { return }
        file = try Descriptor.reading(path)
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
