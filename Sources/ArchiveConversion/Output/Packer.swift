import NotificationLibC

/// Packs an output with `gzip -n -c`, as a row of gzip members of equal size before packing.
///
/// A compressed stream can be resumed only where a member ends. The members end at fixed distances, so a run that was
/// interrupted and resumed writes the same bytes as one that was not; `-n` keeps name and time out of them.
final class Packer {
    /// Up to where the output consists of complete members.
    private(set) var lastMember: OutputPosition
    private let target: Descriptor
    private var child: ChildProcess?
    private var pipe: Descriptor?
    private var hasMember: Bool
    private let memberSize: Int
    private var room: Int

    /// Begins a new member at the end of what was written already.
    init(into target: Descriptor, length: Int64, memberSize: Int) {
        self.memberSize = max(1, memberSize)
        room = self.memberSize
        self.target = target
        hasMember = length > 0
        lastMember = OutputPosition(length: length, fileLength: max(0, Int64(lseek(target.number, 0, SEEK_CUR))))
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        var left = bytes
        while !left.isEmpty {
            let count = min(left.count, room)
            try write(UnsafeRawBufferPointer(rebasing: left[..<count]))
            left = UnsafeRawBufferPointer(rebasing: left[count...])
            room -= count
            if room == 0 { try endMember() }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        if pipe == nil { try beginMember() }
        do throws(ArchiveError) {
            try pipe?.writeAll(bytes)
        } catch {
            guard error.code == .outputClosed else { throw error }
            // It went away before its time; its status says so, and the reason is most likely a full disk.
            try endMember()
            throw failure(status: 0)
        }
    }

    private func beginMember() throws(ArchiveError) {
        let (reading, writing) = try ChildProcess.makePipe()
        defer { reading.closeQuietly() }
        do throws(ArchiveError) {
            child = try ChildProcess("gzip", ["-n", "-c"], input: reading, output: target)
        } catch {
            writing.closeQuietly()
            throw error.code == .programMissing
                ? ArchiveError(
                    .programMissing,
                    "cannot write",
                    path: target.path,
                    detail: "no 'gzip' program was found to pack it"
                ) : error
        }
        pipe = writing
        hasMember = true
    }

    private func endMember() throws(ArchiveError) {
        guard let child, let pipe else { return }
        self.pipe = nil
        self.child = nil
        pipe.closeQuietly()
        let status = child.wait()
        guard status == 0 else { throw failure(status: status) }
        lastMember.length += Int64(memberSize - room)
        lastMember.fileLength = max(0, Int64(lseek(target.number, 0, SEEK_CUR)))
        room = memberSize
    }

    private func failure(status: Int32) -> ArchiveError {
        ArchiveError(
            .outputUnwritable,
            "cannot write",
            path: target.path,
            detail: "gzip ended with status \(status); is the disk full?"
        )
    }

    /// Ends the last member; an output of nothing is one empty member.
    func finish() throws(ArchiveError) {
        if !hasMember { try beginMember() }
        try endMember()
    }

    /// Ends the program without looking at what it wrote.
    func stop() {
        pipe?.closeQuietly()
        child?.stop()
        pipe = nil
        child = nil
    }
}
