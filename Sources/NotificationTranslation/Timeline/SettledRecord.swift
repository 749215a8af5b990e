/// What settling makes of one record's event: the verdict on it, and the deduced events that stand behind it.
struct SettledRecord {
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

/// Writes the lines of settled events: those judged alone, with what a timeline made of them.
///
/// One for each worker.
package struct SettledLineWriter {
    private let names = EventNames.current
    private var cache = DecisionCache(.current)

    package init() {}

    /// Writes the line of an event and those of the events deduced behind it, each ended by LF.
    ///
    /// - Parameters:
    ///   - line: The line as ``RecordConverter`` wrote it, its number filled in, without the line end.
    ///   - verdict: What ``SubscriptionSettler`` reported of it.
    ///   - output: Where the lines go.
    ///   - tally: The counts of the events as they were judged alone; changed to what they are now.
    /// - Returns: False if the line or the verdict is damaged.
    package mutating func write(
        _ line: UnsafeRawBufferPointer, _ verdict: UnsafeRawBufferPointer, into output: OutputBuffer,
        tally: inout Tally
    ) -> Bool {
        guard let event = EventLine(line) else { return false }
        var reader = ByteReader(verdict)
        let part = reader.part()
        if part.isEmpty {
            output.append(line)
            output.append(0x0A)
        } else {
            guard let verdict = Verdict(part) else { return false }
            let change = Change(verdict, names, &cache)
            tally.exchange(event, change)
            if !verdict.isDropped {
                event.append(change, names, to: output)
                output.append(0x0A)
            }
        }
        while !reader.failed, !reader.isAtEnd {
            guard let silent = SilentEvent(reader.part()) else { return false }
            silent.write(behind: event, names, to: output)
            output.append(0x0A)
            tally.deduced += 1
        }
        return !reader.failed
    }
}

extension Tally {
    /// Counts an event as what it has become instead of what it was when judged alone.
    mutating func exchange(_ event: EventLine, _ change: Change) {
        let before = event.flags
        let after = before.subtracting(change.removedFlags).union(change.addedFlags)
        count(event.certainty, -1)
        count(change.certainty ?? event.certainty, 1)
        count(event.disposition, -1)
        count(change.disposition, 1)
        if flags.isEmpty { flags = Array(repeating: 0, count: FlagTable.capacity) }
        for number in before.subtracting(after).numbers { flags[number] -= 1 }
        for number in after.subtracting(before).numbers { flags[number] += 1 }
    }

    private mutating func count(_ disposition: Disposition?, _ change: Int) {
        if disposition == .companion { companions += change }
        if disposition == .duplicate { duplicates += change }
    }

    private mutating func count(_ certainty: Certainty?, _ change: Int) {
        switch certainty {
        case .exact?: exact += change
        case .inferred?: inferred += change
        case .ambiguous?: ambiguous += change
        case .unknown?: unmapped += change
        case nil: break
        }
    }
}
