/// Writes events in one shape; one for each worker.
struct ShapeWriter {
    let shape: EventShape
    private let names: EventNames

    init(_ shape: EventShape, _ names: EventNames) {
        self.shape = shape
        self.names = names
    }

    /// Whether ids are at one place of a line, so that they may be put in later.
    var takesIDsLater: Bool { shape.kind != .cloudevents }

    /// Writes an event, ended by LF; `inout` because visiting is, it stays as it is.
    ///
    /// - Returns: The positions in the output where the id and the line number are or belong.
    @discardableResult
    func write(_ event: inout EventDraft, to output: OutputBuffer, marksLine: Bool = false) -> EventPlaces {
        guard shape.kind != .events else {
            return LineWriter.write(&event, to: output, names, marksLine: marksLine, endsLine: true)
        }
        return writeOther(&event, to: output, marksLine: marksLine)
    }

    @inline(never)
    private func writeOther(_ event: inout EventDraft, to output: OutputBuffer, marksLine: Bool) -> EventPlaces {
        guard shape.kind == .v2 else { return cloudEvent(&event, to: output, marksLine: marksLine) }
        var places = EventPlaces()
        if event.disposition == .companion {
            output.append("{\"companion\":{\"id\":")
            places.id = output.count
            output.append(0x22)
            event.id.appendCharacters(to: output)
            output.append("\",\"sourceType\":\"")
            event.source.type.appendCharacters(to: output)
            output.append("\"}}")
        } else if event.original.isEmpty {
            places.id = Version2Writer.write(event, to: output, names)
        } else {
            event.original.withUnsafeBytes { output.append($0) }
        }
        output.append(0x0A)
        return places
    }

    // MARK: CloudEvents

    private func cloudEvent(_ event: inout EventDraft, to output: OutputBuffer, marksLine: Bool) -> EventPlaces {
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
        let places = LineWriter.write(&event, to: output, names, marksLine: marksLine)
        output.append("}\n")
        return places
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
                default: output.append("%" + Hexadecimal.upper(byte))
                }
            }
        }
    }
}
