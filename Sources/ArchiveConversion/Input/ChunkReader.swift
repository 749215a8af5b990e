import NotificationTranslation

/// Reads all inputs one after the other as a row of chunks.
///
/// Used by one worker at a time, under the pipeline's reading lock.
final class ChunkReader {
    private let inputs: [InputFile]
    private let request: ConversionRequest
    private let chunkSize: Int
    private let hashesTails: Bool
    private let jobs: Int
    private var ahead: ReadAhead?
    private var current: OpenInput?
    private var index: Int
    private var resumeAt: InputPosition?
    /// The programs that unpacked inputs.
    private(set) var unpackers: Set<String> = []

    private struct OpenInput {
        enum Cutter {
            case lines(LineCutter)
            case documents(DocumentCutter)
            /// All of the input is one fault.
            case fault(ArchiveFault, Int)
        }

        /// Nothing where the input cannot be opened.
        let stream: ByteStream?
        let cutter: Cutter
        var shape = InputShape.lines
        var offset: Int64
        var isOver = false

        var reachedEnd: Bool {
            switch cutter {
            case .lines(let cutter): cutter.reachedEnd
            case .documents(let cutter): cutter.reachedEnd
            case .fault: isOver
            }
        }

        mutating func fill(_ chunk: Chunk, size: Int) throws(ArchiveError) -> Bool {
            chunk.lines = shape == .log ? .log : .json
            chunk.table = shape.table
            switch cutter {
            case .lines(let cutter):
                guard let stream else { return false }
                cutter.chunkSize = size
                return try cutter.fill(chunk, from: stream)
            case .documents(let cutter):
                guard let stream else { return false }
                cutter.chunkSize = size
                return try cutter.fill(chunk, from: stream)
            case .fault(let fault, let length):
                chunk.removeAll()
                if isOver { return false }
                isOver = true
                chunk.items = [.fault(fault, offset: 0, length: length)]
                chunk.next.offset = Int64(length)
                chunk.next.isEnd = true
                return true
            }
        }
    }

    /// Begins with the first input, or where an interrupted run left off.
    ///
    /// With `hashesTails`, chunks say by which bytes their end can be known again; for checkpoints. With one job,
    /// ``next(into:size:)`` is always given the same chunk, as it left it; with several, as many compressed inputs are
    /// unpacked at a time.
    init(
        _ inputs: [InputFile],
        request: ConversionRequest,
        chunkSize: Int,
        from position: InputPosition? = nil,
        hashesTails: Bool,
        jobs: Int
    ) {
        self.inputs = inputs
        self.request = request
        self.chunkSize = chunkSize
        self.hashesTails = hashesTails
        self.jobs = jobs
        index = position.map { $0.isEnd ? $0.input + 1 : $0.input } ?? 0
        resumeAt = position?.isEnd == true ? nil : position
    }

    /// Fills a chunk with what comes next, about `size` bytes; returns `false` when all inputs have been read.
    func next(into chunk: Chunk, size: Int) throws(ArchiveError) -> Bool {
        while index < inputs.count {
            var open: OpenInput
            if let current { open = current } else { open = try openInput() }
            chunk.input = index
            chunk.path = inputs[index].path
            chunk.modifiedAt = open.stream?.modifiedAt
            chunk.offset = open.offset
            chunk.next = InputPosition(input: index)
            if try open.fill(chunk, size: size) {
                current = open
                current?.offset = chunk.next.offset
                if hashesTails { addTail(to: chunk) }
                return true
            }
            if let program = open.stream?.unpackingProgram { unpackers.insert(program) }
            open.stream?.close()
            current = nil
            index += 1
        }
        return false
    }

    var hasMore: Bool { current?.reachedEnd == false || index + 1 < inputs.count }

    /// Bytes of the input being read that were taken from the disk so far; for the progress line.
    var filePosition: Int64 { current?.stream?.filePosition ?? 0 }

    /// Ends everything that is open, whether all was read or not.
    func close() {
        current?.stream?.close()
        current = nil
        ahead?.close()
        ahead = nil
    }

    private func openStream() throws(ArchiveError) -> ByteStream {
        if let stream = try ahead?.take(index) { return stream }
        let stream = try ByteStream(inputs[index], compression: request.compression)
        if jobs > 1, ahead == nil, index + 1 < inputs.count, stream.unpackingProgram != nil {
            ahead = ReadAhead(
                stream, before: index + 1, of: inputs, compression: request.compression, jobs: jobs)
        }
        return stream
    }

    private func openInput() throws(ArchiveError) -> OpenInput {
        let stream: ByteStream
        do throws(ArchiveError) {
            stream = try openStream()
        } catch {
            guard error.code == .inputUnreadable, inputs[index].isFound else { throw error }
            return OpenInput(stream: nil, cutter: .fault(.unreadable, 0), offset: 0)
        }
        let format = request.inputFormat
        if let fault = ForeignFormat.fault(of: stream.head, knowsFormat: format != .auto) {
            let length = stream.fileSize ?? Int64(stream.head.count)
            return OpenInput(stream: stream, cutter: .fault(fault, Int(length)), offset: 0)
        }
        let mark = stream.head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let shape = try InputShape(of: stream, after: mark, format: format, longestRecord: request.longestRecord)
        var start = InputPosition(input: index, offset: Int64(mark))
        var isStart = true
        if let position = resumeAt, position.offset > 0 {
            try goOn(at: position, in: stream)
            start = position
            isStart = false
        } else {
            stream.dropHead(mark)
        }
        resumeAt = nil
        return OpenInput(
            stream: stream, cutter: cutter(shape, from: start, isStart: isStart), shape: shape, offset: start.offset)
    }

    private func cutter(_ shape: InputShape, from start: InputPosition, isStart: Bool) -> OpenInput.Cutter {
        let longest = request.longestRecord
        switch shape {
        case .lines, .log:
            return .lines(LineCutter(longestLine: longest, chunkSize: chunkSize, hasOneChunk: jobs == 1))
        case .documents:
            return .documents(
                DocumentCutter(
                    longestRecord: longest, chunkSize: chunkSize, offset: start.offset, state: start.splitter))
        case .table(let layout):
            let splitter = RowSplitter(layout, longestRecord: max(1, longest), offset: start.offset, isStart: isStart)
            return .documents(DocumentCutter(longestRecord: longest, chunkSize: chunkSize, splitter: splitter))
        }
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
