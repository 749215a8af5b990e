import NotificationTranslation

extension ChunkOutput {
    /// Goes over the events of a chunk that was converted to ``SpilledEvent``s with their evidence, in order; where no
    /// events were written, each is empty.
    func forEachSpilled(
        _ body: (_ event: UnsafeRawBufferPointer, _ evidence: UnsafeRawBufferPointer, EvidenceMark) throws(ArchiveError)
            -> Void
    ) throws(ArchiveError) {
        let mismatch = ArchiveError(.accounting, "internal error: event lines and their evidence do not match")
        let all = bytes.bytes
        let proofs = evidence.bytes
        var start = 0
        var evidenceStart = 0
        for proof in evidenceMarks {
            let size = all.isEmpty ? 0 : SpilledEvent.size(UnsafeRawBufferPointer(rebasing: all[start...]))
            guard let size, size <= all.count - start else { throw mismatch }
            try body(
                UnsafeRawBufferPointer(rebasing: all[start..<start + size]),
                UnsafeRawBufferPointer(rebasing: proofs[evidenceStart..<proof.end]), proof)
            start += size
            evidenceStart = proof.end
        }
        guard start == all.count, evidenceStart == proofs.count else { throw mismatch }
    }
}
