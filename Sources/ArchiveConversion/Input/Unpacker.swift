import NotificationLibC

/// The uncompressed bytes of a file or pipe, from a running `gzip -dc`, `zstd -dc` or `xz -dc`.
final class Unpacker {
    /// The program that unpacks.
    let program: String
    let child: ChildProcess
    private let output: Descriptor
    private var feeder: Feeder?
    private var isRunning = true

    /// Unpacks a regular file from a place on.
    ///
    /// - Parameters:
    ///   - program: `gzip`, `zstd` or `xz`.
    ///   - file: The file.
    ///   - origin: Where its data begins.
    /// - Throws: ``ArchiveError`` when the program is not there or cannot be started.
    init(_ program: String, of file: Descriptor, from origin: Int64) throws(ArchiveError) {
        guard lseek(file.number, off_t(origin), SEEK_SET) >= 0 else {
            throw ArchiveError(.inputUnreadable, "cannot read", path: file.path, systemCode: errno)
        }
        self.program = program
        (child, output) = try Self.start(program, input: file)
    }

    /// Unpacks a pipe whose first bytes were taken already.
    init(_ program: String, feeding head: [UInt8], then rest: Descriptor) throws(ArchiveError) {
        self.program = program
        (child, output, feeder) = try Self.feed(program, head, rest)
    }

    private static func feed(
        _ program: String, _ head: [UInt8], _ rest: Descriptor
    ) throws(ArchiveError) -> (ChildProcess, Descriptor, Feeder) {
        let (reading, writing) = try ChildProcess.makePipe()
        defer { reading.closeQuietly() }
        do throws(ArchiveError) {
            let (child, output) = try start(program, input: reading)
            do throws(ArchiveError) {
                return (child, output, try Feeder(head: head, rest: rest, to: writing))
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
