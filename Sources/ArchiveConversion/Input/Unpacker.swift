#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A running `gzip -dc`, `zstd -dc` or `xz -dc`.
final class Unpacker {
    /// Where its uncompressed bytes are read.
    let output: Descriptor
    private let child: ChildProcess
    private var feeder: Feeder?
    private var isRunning = true

    /// Unpacks a file from its current place on.
    init(_ program: String, file: Descriptor) throws(ArchiveError) {
        (child, output) = try Self.start(program, input: file)
    }

    /// Unpacks a pipe whose first bytes were taken already.
    init(_ program: String, feeding head: [UInt8], then rest: Descriptor) throws(ArchiveError) {
        let (reading, writing) = try ChildProcess.makePipe()
        defer { reading.closeQuietly() }
        do throws(ArchiveError) {
            (child, output) = try Self.start(program, input: reading)
            feeder = try Feeder(head: head, rest: rest, to: writing)
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

    /// Says, once all its output was read, whether the packed data was whole and nothing stood behind it.
    ///
    /// - Throws: What stopped the feeding of a pipe.
    func damage() throws(ArchiveError) -> String? {
        guard isRunning else { return nil }
        isRunning = false
        let status = child.wait()
        if let failure = feeder?.failure() { throw failure }
        guard status != 0 else { return nil }
        let trailing = child.program == "gzip" && status == 2 ? " (other data follows the compressed data)" : ""
        return
            "the \(child.program) data is damaged or cut short: \(child.program) ended with status \(status)\(trailing)"
    }

    /// Ends it, if it is still running.
    func close() {
        output.closeQuietly()
        if isRunning { child.stop() }
        isRunning = false
    }
}

/// A thread that pours a pipe into an unpacker while the unpacked bytes are read elsewhere.
///
/// One thread for both would stand still for ever once both pipes are full. `@unchecked Sendable`: the result is
/// written by the thread before it ends and read after it was joined.
private final class Feeder: @unchecked Sendable {
    private var thread: WorkerThread?
    private var problem: ArchiveError?

    init(head: [UInt8], rest: Descriptor, to pipe: Descriptor) throws(ArchiveError) {
        thread = try WorkerThread { [self] in
            do throws(ArchiveError) { try Self.pour(head, rest, into: pipe) } catch {
                // An unpacker that stops reading says by its exit status why.
                if error.code != .outputClosed { problem = error }
            }
            pipe.closeQuietly()
        }
    }

    private static func pour(_ head: [UInt8], _ rest: Descriptor, into pipe: Descriptor) throws(ArchiveError) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { room.deallocate() }
        var at = 0
        while at < head.count {
            let count = min(room.count, head.count - at)
            room.copyBytes(from: head[at..<at + count])
            try pipe.writeAll(UnsafeRawBufferPointer(rebasing: room[..<count]))
            at += count
        }
        while true {
            let count = try rest.read(into: room)
            if count == 0 { return }
            try pipe.writeAll(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
    }

    /// Waits for the thread and tells what stopped it, if anything did.
    func failure() -> ArchiveError? {
        thread?.join()
        thread = nil
        return problem
    }
}
