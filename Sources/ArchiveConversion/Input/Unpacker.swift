import NotificationLibC

/// The uncompressed bytes of a file or pipe, from a running `gzip -dc`, `zstd -dc` or `xz -dc`.
final class Unpacker {
    /// The program that unpacks.
    let program: String
    let child: ChildProcess
    private let output: Descriptor
    private let feeder: Feeder?
    private var isRunning = true

    /// Unpacks a regular file from a place on, or a pipe whose first bytes were taken already.
    ///
    /// - Parameters:
    ///   - program: `gzip`, `zstd` or `xz`.
    ///   - input: The file or pipe.
    ///   - origin: Where the data of a file begins; `nil` for a pipe.
    ///   - head: What was taken of a pipe.
    /// - Throws: ``ArchiveError`` when the program is not there or cannot be started.
    init(_ program: String, _ input: Descriptor, from origin: Int64?, after head: [UInt8]) throws(ArchiveError) {
        self.program = program
        guard let origin else {
            let (reading, writing) = try ChildProcess.makePipe()
            // If the program cannot be started, the writer of the pipe stops when this end is closed.
            defer { reading.closeQuietly() }
            feeder = try Feeder(head: head, rest: input, to: writing)
            (child, output) = try Self.start(program, input: reading)
            return
        }
        guard lseek(input.number, off_t(origin), SEEK_SET) >= 0 else {
            throw ArchiveError(.inputUnreadable, "cannot read", path: input.path, systemCode: errno)
        }
        feeder = nil
        (child, output) = try Self.start(program, input: input)
    }

    private static func start(_ program: String, input: Descriptor) throws(ArchiveError) -> (ChildProcess, Descriptor) {
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
        try Interruption.waitForInput(on: output)
        return try output.read(into: room)
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
        guard status != 0 else { return nil }
        let trailing = program == "gzip" && status == 2 ? " (other data follows the compressed data)" : ""
        return "the \(program) data is damaged or cut short: \(program) ended with status \(status)\(trailing)"
    }

    /// Ends it, if it is still running.
    func close() {
        output.closeQuietly()
        if isRunning { child.stop() }
        isRunning = false
    }
}
