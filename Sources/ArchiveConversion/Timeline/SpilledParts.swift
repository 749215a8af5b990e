import NotificationTranslation

/// One event of a chunk as ``SpilledEvent``, without its line number, and its evidence.
struct SpilledParts {
    /// The bytes before and after the place where the line number belongs.
    let beforeLine: UnsafeRawBufferPointer
    let afterLine: UnsafeRawBufferPointer
    /// Number of the line within the chunk, from 0.
    let line: Int
    let evidence: UnsafeRawBufferPointer
    let proof: ChunkOutput.EvidenceMark

    /// The event with its line number.
    func bytes(line number: Int64) -> [UInt8] {
        Array(beforeLine) + withUnsafeBytes(of: number.littleEndian) { Array($0) } + Array(afterLine)
    }
}

extension ChunkOutput {
    /// Goes over the events of a chunk that was converted to ``SpilledEvent``s with their evidence, in order.
    func forEachSpilled(_ body: (SpilledParts) throws(ArchiveError) -> Void) throws(ArchiveError) {
        let all = bytes.bytes
        let proofs = evidence.bytes
        guard lineMarks.count == evidenceMarks.count else { throw Self.mismatch }
        var start = 0
        var evidenceStart = 0
        for (mark, proof) in zip(lineMarks, evidenceMarks) {
            // The line number is not there yet.
            let rest = UnsafeRawBufferPointer(rebasing: all[start...])
            let size = SpilledEvent.size(rest).map { $0 - SpilledEvent.lineSize }
            guard let size, size <= all.count - start, mark.position <= start + size else { throw Self.mismatch }
            let end = start + size
            try body(
                SpilledParts(
                    beforeLine: UnsafeRawBufferPointer(rebasing: all[start..<mark.position]),
                    afterLine: UnsafeRawBufferPointer(rebasing: all[mark.position..<end]), line: mark.line,
                    evidence: UnsafeRawBufferPointer(rebasing: proofs[evidenceStart..<proof.end]), proof: proof))
            start = end
            evidenceStart = proof.end
        }
        guard start == all.count, evidenceStart == proofs.count else { throw Self.mismatch }
    }

    private static var mismatch: ArchiveError {
        ArchiveError(.accounting, "internal error: event lines and their evidence do not match")
    }
}
