/// Gives the events that ``CorrectedLineWriter`` writes as values: one judged alone, with what a timeline made of it,
/// and those deduced after it.
package struct CorrectedEventReader {
    private let names = EventNames.current

    package init() {}

    /// The events that a ``SpilledEvent`` represents: its own, then those deduced after it.
    ///
    /// - Parameters:
    ///   - record: The event as ``RecordConverter`` kept it, its line number filled in.
    ///   - verdict: What ``SubscriptionJudge`` reported of it; empty where nothing changes.
    /// - Returns: `nil` if the event or the verdict is damaged.
    package func events(
        spilled record: UnsafeRawBufferPointer, _ verdict: UnsafeRawBufferPointer
    ) -> [UnifiedEvent]? {
        var draft = EventDraft()
        guard SpilledEvent(record)?.read(into: &draft) == true else { return nil }
        var reader = ByteReader(verdict)
        let part = verdict.isEmpty ? verdict : reader.part()
        var change: Change?
        if !part.isEmpty {
            guard let verdict = Verdict(part) else { return nil }
            change = Change(verdict, names, DecisionTable.current.decision)
        }
        var events = withExtendedLifetime(change) {
            if let change { draft.apply(change) }
            return [UnifiedEvent(draft, names)]
        }
        while !reader.failed, !reader.isAtEnd {
            guard let silent = SilentEvent(reader.part()) else { return nil }
            events.append(silent.event(after: events[0], names))
        }
        return reader.failed ? nil : events
    }

    /// Whether a verdict gives its event, or one deduced after it, an id that the record judged alone does not have.
    package func gives(_ id: String, _ verdict: UnsafeRawBufferPointer) -> Bool {
        var reader = ByteReader(verdict)
        let part = reader.part()
        if !part.isEmpty, let verdict = Verdict(part), verdict.id?.string == id { return true }
        while !reader.failed, !reader.isAtEnd {
            guard let silent = SilentEvent(reader.part()) else { return false }
            if silent.idText(names) == id { return true }
        }
        return false
    }
}
