/// Writes events in one shape; one for each worker.
package struct ShapeWriter {
    let shape: EventShape
    private let rehearsal: RehearsalWriter?

    /// What became of the events in a rehearsal.
    package var rehearsed: [RehearsalEntry] {
        get { rehearsal?.entries ?? [] }
        nonmutating set { rehearsal?.entries = newValue }
    }

    /// A writer; with a rehearsal, which is of V2 shape, it writes what is posted.
    package init(_ shape: EventShape, _ rehearsal: Rehearsal? = nil) {
        self.shape = shape
        self.rehearsal = rehearsal.map(RehearsalWriter.init)
    }

    /// Writes an event, ended by LF; `inout` because visiting is: only the number of its app may be filled in.
    package func write(_ event: inout EventDraft, to output: OutputBuffer) {
        if let id = shape.appAppleID, event.source.version == .v1, event.appAppleID.text.isAbsent,
            event.appAppleID.number == nil
        {
            event.appAppleID.number = id
        }
        if shape.kind == .events { return LineWriter.write(&event, to: output, endsLine: true) }
        if shape.kind == .cloudevents { return cloudEvent(&event, to: output) }
        if let rehearsal { return rehearsal.write(&event, to: output) }
        if event.disposition == .companion {
            output.append("{\"companion\":{\"id\":\"")
            event.id.appendCharacters(to: output)
            output.append("\",\"sourceType\":\"")
            event.source.type.appendCharacters(to: output)
            output.append("\"}}")
        } else if event.original.isEmpty {
            Version2Writer.write(event, to: output)
        } else {
            event.original.withUnsafeBytes { output.append($0) }
        }
        output.append(0x0A)
    }

    private func cloudEvent(_ event: inout EventDraft, to output: OutputBuffer) {
        output.append("{\"specversion\":\"1.0\",\"id\":\"")
        event.id.appendCharacters(to: output)
        output.append("\",\"source\":\"")
        appendSource(event, to: output)
        output.append("\",\"type\":\"apple.app-store.")
        event.type.appendCharacters(to: output)
        if event.hasTransaction, event.transactionFields.originalTransactionID.bytes.count > 0 {
            output.append("\",\"subject\":\"")
            event.transactionFields.originalTransactionID.appendCharacters(to: output)
        }
        if let time = event.occurredAt {
            output.append("\",\"time\":\"")
            CivilTime.withText(time) { output.append($0) }
        }
        output.append("\",\"datacontenttype\":\"application/json\",\"data\":")
        LineWriter.write(&event, to: output)
        output.append("}\n")
    }

    /// `urn:apple:app-store:<environment>:<bundle id>`; what a URN may not hold is percent-encoded, what is not known
    /// is `unknown`.
    private func appendSource(_ event: EventDraft, to output: OutputBuffer) {
        output.append("urn:apple:app-store")
        for text in [event.environment, event.bundleID] {
            output.append(":")
            let characters = text.string ?? ""
            for byte in (characters.isEmpty ? "unknown" : characters).utf8 {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
                default: output.append((byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true))
                }
            }
        }
    }
}

/// The shape in which events are written: their own, Apple's V2, or CloudEvents.
package struct EventShape: Sendable, Hashable {
    /// The shapes there are.
    package enum Kind: String, Sendable, CaseIterable {
        /// The line of the contract.
        case events
        /// Apple's decoded payload of version 2, unsigned.
        case v2
        /// CloudEvents 1.0 in JSON.
        case cloudevents
    }

    /// Which of them.
    package var kind = Kind.events

    /// The number of the app, written where a version 1 body does not say it.
    package var appAppleID: Int64?

    package init() {}

    /// Whether companions and duplicates have no place in it.
    package var isOfEventsOnly: Bool { kind == .v2 }
}
