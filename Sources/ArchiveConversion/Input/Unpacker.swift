import NotificationLibC

/// The uncompressed bytes of a file or pipe, from a running `gzip -dc`, `zstd -dc` or `xz -dc`.
///
/// A file of gzip data is unpacked by a faster program where one is installed, with a ``GzipProof`` after it. If that
/// does not come out at the end, `gzip` unpacks the file again from its beginning; what was delivered already is
/// skipped, so bytes and verdict are always those of `gzip`.
final class Unpacker {
    /// The program that unpacks; another one once `gzip` has to have the last word.
    private(set) var program: String
    private(set) var child: ChildProcess
    private var output: Descriptor
    private var feeder: Feeder?
    private var isRunning = true
    /// The reading up to a proof; `nil` where the program's own verdict holds.
    private var attempt: Attempt?
    /// The faster program that `gzip` took over from.
    private var replaced: String?

    /// What a faster program gives, up to the proof, and what is needed to begin again.
    private final class Attempt {
        let proof = GzipProof()
        let file: Descriptor
        let origin: Int64
        /// Bytes handed out.
        var delivered: Int64 = 0
        /// What came out; as long as nothing is proven, the last bytes are held back.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 * 1024, alignment: 64)
        var held = 0..<0
        private(set) var isProven = false
        /// What may have been made of the proof's own bytes where the data before it was cut short: two bits of its 312
        /// are the least that a copy of 258 bytes takes.
        private static let reserve = 64 * 1024

        init(_ file: Descriptor, from origin: Int64) {
            self.file = file
            self.origin = origin
        }

        deinit {
            buffer.deallocate()
        }

        /// Hands out what is certainly the file's.
        func take(into room: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(room.count, isProven ? held.count : held.count - Self.reserve)
            guard count > 0 else { return 0 }
            let end = held.lowerBound + count
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[held.lowerBound..<end]))
            held = end..<held.upperBound
            delivered += Int64(count)
            return count
        }

        /// Room for more, after what is held; what is held moves to the front only once there is little room left.
        var room: UnsafeMutableRawBufferPointer {
            if buffer.count - held.upperBound < Self.reserve {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[held])
                buffer.copyMemory(from: rest)
                held = 0..<rest.count
            }
            return UnsafeMutableRawBufferPointer(rebasing: buffer[held.upperBound...])
        }

        /// Looks whether what came out ends with the proof, and takes that away.
        func prove() -> Bool {
            isProven = held.count >= proof.text.count && buffer[held].suffix(proof.text.count).elementsEqual(proof.text)
            if isProven { held = held.lowerBound..<held.upperBound - proof.text.count }
            return isProven
        }
    }

    /// Unpacks a regular file from a place on.
    ///
    /// - Parameters:
    ///   - program: `gzip`, `zstd` or `xz`.
    ///   - head: The first bytes.
    ///   - file: The file.
    ///   - origin: Where its data begins.
    ///   - faster: What may be used in the place of `gzip`, the fastest first.
    /// - Throws: ``ArchiveError`` when the program is not there or cannot be started.
    init(
        _ program: String, head: [UInt8], of file: Descriptor, from origin: Int64,
        faster: [String] = GzipPrograms.faster()
    ) throws(ArchiveError) {
        try Self.go(to: origin, in: file)
        let faster = program == "gzip" && GzipPrograms.allRead(head) ? faster.first : nil
        self.program = faster ?? program
        guard let faster else {
            (child, output) = try Self.start(program, input: file)
            return
        }
        let attempt = Attempt(file, from: origin)
        (child, output, feeder) = try Self.feed(faster, [], file, attempt.proof.member)
        self.attempt = attempt
    }

    /// Unpacks a pipe whose first bytes were taken already.
    init(_ program: String, feeding head: [UInt8], then rest: Descriptor) throws(ArchiveError) {
        self.program = program
        (child, output, feeder) = try Self.feed(program, head, rest, [])
    }

    private static func go(to origin: Int64, in file: Descriptor) throws(ArchiveError) {
        guard lseek(file.number, off_t(origin), SEEK_SET) < 0 else { return }
        throw ArchiveError(.inputUnreadable, "cannot read", path: file.path, systemCode: errno)
    }

    private static func feed(
        _ program: String, _ head: [UInt8], _ rest: Descriptor, _ tail: [UInt8]
    ) throws(ArchiveError) -> (ChildProcess, Descriptor, Feeder) {
        let (reading, writing) = try ChildProcess.makePipe()
        defer { reading.closeQuietly() }
        do throws(ArchiveError) {
            let (child, output) = try start(program, input: reading)
            do throws(ArchiveError) {
                return (child, output, try Feeder(head: head, rest: rest, tail: tail, to: writing))
            } catch {
                output.closeQuietly()
                child.stop()
                throw error
            }
        } catch {
            writing.closeQuietly()
            throw error
        }
    }

    private static func start(
        _ program: String,
        input: Descriptor
    ) throws(ArchiveError) -> (ChildProcess, Descriptor) {
        let (reading, writing) = try ChildProcess.makePipe()
        defer { writing.closeQuietly() }
        do throws(ArchiveError) {
            return (try ChildProcess(program, ["-dc"], input: input, output: writing), reading)
        } catch {
            reading.closeQuietly()
            throw error
        }
    }

    // MARK: Reading

    /// Reads what there is, at most as much as fits, 0 bytes at the end; a signal that ends the run ends the wait.
    func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        while let attempt {
            let count = attempt.take(into: room)
            if count > 0 || attempt.isProven || room.isEmpty { return count }
            let more = try readOutput(into: attempt.room)
            attempt.held = attempt.held.lowerBound..<attempt.held.upperBound + more
            if more == 0 { try end(attempt) }
        }
        return try readOutput(into: room)
    }

    private func readOutput(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        try Interruption.waitForInput(on: output)
        return try output.read(into: room)
    }

    /// Takes the end of an attempt as the end if it is proven; else begins again with `gzip`.
    private func end(_ attempt: Attempt) throws(ArchiveError) {
        isRunning = false
        let status = child.wait()
        _ = feeder?.failure()
        if status == 0, attempt.prove() { return }
        self.attempt = nil
        output.closeQuietly()
        try Self.go(to: attempt.origin, in: attempt.file)
        replaced = program
        program = "gzip"
        (child, output) = try Self.start(program, input: attempt.file)
        isRunning = true
        try skip(attempt.delivered)
    }

    private func skip(_ count: Int64) throws(ArchiveError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { room.deallocate() }
        var left = count
        while left > 0 {
            let part = UnsafeMutableRawBufferPointer(rebasing: room[..<Int(min(left, Int64(room.count)))])
            let read = try readOutput(into: part)
            if read == 0 { return }
            left -= Int64(read)
        }
    }

    // MARK: The end

    /// Says, once all its output was read, whether the packed data was whole and nothing followed it.
    ///
    /// - Throws: What stopped the feeding of a pipe.
    func damage() throws(ArchiveError) -> String? {
        guard isRunning else { return nil }
        isRunning = false
        let status = child.wait()
        if let failure = feeder?.failure() { throw failure }
        guard status != 0 else {
            if let replaced { GzipPrograms.distrust(replaced) }
            return nil
        }
        let trailing = program == "gzip" && status == 2 ? " (other data follows the compressed data)" : ""
        return "the \(program) data is damaged or cut short: \(program) ended with status \(status)\(trailing)"
    }

    /// Ends it, if it is still running.
    func close() {
        output.closeQuietly()
        if isRunning { child.stop() }
        isRunning = false
        // What a pipe is fed from may block for ever; a file does not, and must be left alone before it is closed.
        if attempt != nil { _ = feeder?.failure() }
    }
}
