import NotificationTranslation

/// Reads all inputs one after the other as a row of chunks.
///
/// Used by one worker at a time, under the pipeline's reading lock.
final class ChunkReader {
    private let inputs: [InputFile]
    private let request: ConversionRequest
    private let chunkSize: Int
    private let hashesTails: Bool
    private let hasOneChunk: Bool
    private var current: OpenInput?
    private var index: Int
    private var resumeAt: InputPosition?

    private struct OpenInput {
        enum Cutter {
            case lines(LineCutter)
            case documents(DocumentCutter)
        }

        let stream: ByteStream
        let cutter: Cutter
        var offset: Int64

        var reachedEnd: Bool {
            switch cutter {
            case .lines(let cutter): cutter.reachedEnd
            case .documents(let cutter): cutter.reachedEnd
            }
        }

        func fill(_ chunk: Chunk, size: Int) throws(ArchiveError) -> Bool {
            switch cutter {
            case .lines(let cutter):
                cutter.chunkSize = size
                return try cutter.fill(chunk, from: stream)
            case .documents(let cutter):
                cutter.chunkSize = size
                return try cutter.fill(chunk, from: stream)
            }
        }
    }

    /// Begins with the first input, or where an interrupted run left off.
    ///
    /// With `hashesTails`, chunks say by which bytes their end can be known again; for checkpoints. With `hasOneChunk`,
    /// ``next(into:size:)`` is always given the same chunk, as it left it.
    init(
        _ inputs: [InputFile],
        request: ConversionRequest,
        chunkSize: Int,
        from position: InputPosition? = nil,
        hashesTails: Bool,
        hasOneChunk: Bool = false
    ) {
        self.inputs = inputs
        self.request = request
        self.chunkSize = chunkSize
        self.hashesTails = hashesTails
        self.hasOneChunk = hasOneChunk
        index = position.map { $0.isEnd ? $0.input + 1 : $0.input } ?? 0
        resumeAt = position?.isEnd == true ? nil : position
    }

    /// Fills a chunk with what comes next, about `size` bytes.
    ///
    /// - Returns: `false` when all inputs have been read.
    func next(into chunk: Chunk, size: Int) throws(ArchiveError) -> Bool {
        while index < inputs.count {
            let open: OpenInput
            if let current { open = current } else { open = try openInput() }
            chunk.input = index
            chunk.path = inputs[index].path
            chunk.offset = open.offset
            chunk.next = InputPosition(input: index)
            if try open.fill(chunk, size: size) {
                current = open
                current?.offset = chunk.next.offset
                if hashesTails { addTail(to: chunk) }
                return true
            }
            open.stream.close()
            current = nil
            index += 1
        }
        return false
    }

    /// Whether there may be a further chunk.
    var hasMore: Bool { current?.reachedEnd == false || index + 1 < inputs.count }

    /// Bytes of the input being read that were taken from the disk so far; for the progress line.
    var filePosition: Int64 { current?.stream.filePosition ?? 0 }

    private func openInput() throws(ArchiveError) -> OpenInput {
        let stream = try ByteStream(inputs[index], compression: request.compression)
        let mark = stream.head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let format =
            request.inputFormat == .auto ? FormatDetector.format(of: stream.head.dropFirst(mark)) : request.inputFormat
        var start = InputPosition(input: index, offset: Int64(mark))
        if let position = resumeAt, position.offset > 0 {
            try goOn(at: position, in: stream)
            start = position
        } else {
            stream.dropHead(mark)
        }
        resumeAt = nil
        let cutter: OpenInput.Cutter =
            format == .ndjson
            ? .lines(
                LineCutter(longestLine: request.longestRecord, chunkSize: chunkSize, hasOneChunk: hasOneChunk))
            : .documents(
                DocumentCutter(
                    longestRecord: request.longestRecord,
                    chunkSize: chunkSize,
                    offset: start.offset,
                    state: start.splitter
                )
            )
        return OpenInput(stream: stream, cutter: cutter, offset: start.offset)
    }

    /// Moves to where an earlier run stopped, and makes sure that it is the same place of the same input.
    private func goOn(at position: InputPosition, in stream: ByteStream) throws(ArchiveError) {
        let changed = ArchiveError(
            .checkpointMismatch,
            "cannot resume",
            path: stream.path,
            detail: "it has changed since the checkpoint was written"
        )
        guard try stream.skip(to: position.offset - Int64(position.tailLength)) else { throw changed }
        let tail = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, position.tailLength), alignment: 16)
        defer { tail.deallocate() }
        let room = UnsafeMutableRawBufferPointer(rebasing: tail[..<position.tailLength])
        guard try stream.read(into: room) == room.count,
            StableHash.of(UnsafeRawBufferPointer(room)) == position.tailHash
        else { throw changed }
    }

    private func addTail(to chunk: Chunk) {
        let end = min(chunk.count, Int(chunk.next.offset - chunk.offset))
        // Enough for ids and dates that no other place has; hashed for every chunk, whether a checkpoint follows or not.
        let length = min(end, 512)
        // After a skipped line the bytes are gone: nothing to know the place by but its offset.
        guard Int64(end) == chunk.next.offset - chunk.offset else { return }
        chunk.next.tailLength = length
        chunk.next.tailHash = StableHash.of(UnsafeRawBufferPointer(rebasing: chunk.bytes[end - length..<end]))
    }
}

/// A hash that is the same in every run (FNV-1a, 64 bits), to notice changes; it keeps no secret.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes in bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Takes in a text, so that two texts are not the same as one made of both.
    mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0xFF))
    }

    /// Takes in a text that may be missing, which is not the same as an empty one.
    mutating func add(_ text: String?) {
        add(text != nil)
        add(text ?? "")
    }

    /// Takes in an answer.
    mutating func add(_ isSo: Bool) {
        add(CollectionOfOne(isSo ? 1 : 0))
    }

    /// The hash of some bytes, taken in eight at a time: byte by byte, hashing the end of every chunk took as long as
    /// a tenth of the scan.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = StableHash()
        var at = 0
        while at + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
            hash.value = (hash.value ^ word) &* 0x0000_0100_0000_01B3
            hash.value ^= hash.value >> 29
            at += 8
        }
        hash.add(bytes[at...])
        return hash.value
    }
}
