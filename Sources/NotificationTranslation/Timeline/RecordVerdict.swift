/// What settling makes of one record's event: the verdict on it, and the deduced events that follow it.
struct RecordVerdict {
    var verdict: Verdict?
    var silent: [SilentEvent]

    /// Appends it; read by the same build only.
    func append(to output: OutputBuffer) {
        let part = OutputBuffer(capacity: 256)
        verdict?.append(to: part)
        output.append(varint: UInt64(part.count))
        output.append(part.bytes)
        for event in silent {
            part.removeAll()
            event.append(to: part)
            output.append(varint: UInt64(part.count))
            output.append(part.bytes)
        }
    }
}
