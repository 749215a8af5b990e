/// Gives the events that ``CorrectedLineWriter`` writes as values: one judged alone, with what a timeline made of it,
/// and those deduced after it.
package struct CorrectedEventReader {
    package init() {}

    /// The events that a ``SpilledEvent`` represents: its own, then those deduced after it.
    ///
    /// - Parameters:
    ///   - record: The event as ``RecordConverter`` kept it, its line number filled in.
    ///   - verdict: What ``SubscriptionJudge`` reported of it; empty where nothing changes.
    /// - Returns: `nil` if the event or the verdict is damaged.
    package func events(spilled record: UnsafeRawBufferPointer, _ verdict: UnsafeRawBufferPointer) -> [UnifiedEvent]? {
        var draft = EventDraft()
        guard SpilledEvent(record)?.read(into: &draft) != nil else { return nil }
        guard let record = RecordVerdict(verdict) else { return nil }
        let texts = TextArena()
        let event = withExtendedLifetime(texts) {
            if let verdict = record.verdict { draft.apply(verdict, texts, DecisionTable.current.decision) }
            return UnifiedEvent(draft)
        }
        return [event] + record.silent.map { $0.event(after: event) }
    }

    /// Whether a verdict gives its event, or one deduced after it, an id that the record judged alone does not have.
    package func gives(_ id: String, _ verdict: UnsafeRawBufferPointer) -> Bool {
        guard let record = RecordVerdict(verdict) else { return false }
        return record.verdict?.id?.string == id || record.silent.contains { $0.idText == id }
    }
}
