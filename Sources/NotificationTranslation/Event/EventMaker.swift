/// Makes the events of the notifications in a record and writes their lines.
///
/// It holds everything that is used again from record to record, the output included while a record is read.
struct EventMaker {
    private let evidence: EvidenceWriter?
    private let redaction: Redaction?
    private let dropsCompanions: Bool
    private let compactsLines: Bool
    private let gathersIDs: Bool
    private let table = DecisionTable.current
    private let names = EventNames.current
    private let idText = OutputBuffer(capacity: 1024)
    private let inputText = OutputBuffer(capacity: 256)
    private var ids = EventIDBatch()
    private var cache = DecisionCache(.current)
    private var event = EventDraft()
    private var output = ChunkOutput(capacity: 0)
    private var input = ""
    private var offset: Int64 = 0
    /// Notifications of the record, and values without one.
    private(set) var found = 0

    init(_ options: RecordConverter.Options, _ redaction: Redaction?) {
        evidence = options.keepsEvidence ? EvidenceWriter() : nil
        dropsCompanions = options.dropsCompanions
        compactsLines = options.compactsLines
        gathersIDs = options.gathersIDs
        self.redaction = redaction
    }

    /// Begins a record; its events go to `output`, which must not be touched before ``end(_:)``.
    mutating func begin(_ input: String, _ offset: Int64, _ output: inout ChunkOutput) {
        found = 0
        if input != self.input || inputText.count == 0 { rename(input) }
        self.offset = offset
        swap(&self.output, &output)
    }

    /// Gives the output back.
    mutating func end(_ output: inout ChunkOutput) {
        swap(&self.output, &output)
    }

    private mutating func rename(_ name: String) {
        input = name
        inputText.removeAll()
        var name = name
        name.withUTF8 { JSONEscapes.escape(UnsafeRawBufferPointer($0), into: inputText) }
    }

    /// Writes the event of one notification.
    mutating func take(_ notification: NotificationDecoder.Found) {
        found += 1
        event.clear()
        let evidenceStart = output.evidence.count
        let idStart = ids.texts.count
        var idEvidence: Int?
        switch notification.finding {
        case .v1:
            let fields = notification.holder.v1
            let drafting = V1Drafting(
                table, names, fields, notification.memory, receivedAt: notification.receivedAt)
            let reading = drafting.draft(&event, &cache)
            drafting.writeIDText(event, reading, to: ids.texts)
            event.id = .uuid(.pending)
            idEvidence = evidence?.write(
                event, reading, fields, TextView(memory: notification.memory),
                type: reading.type.map(table.name(ofType:)) ?? event.source.type, to: output.evidence)
        case .v2:
            let fields = notification.holder.v2
            event = V2Drafting(names: names, fields: fields, found: notification).draft(idText: idText)
            evidence?.write(event, to: output.evidence)
        case .foreign:
            output.tally.count(skipped: 1)
            return
        }
        if dropsCompanions, event.disposition == .companion {
            ids.texts.removeLast(ids.texts.count - idStart)
            return output.tally.count(event)
        }
        redaction?.redact(&event)
        event.source.authenticity = notification.authenticity
        event.source.input = EventText(inputText.bytes, hasEscapes: true)
        event.source.offset = offset
        if let firstLine = output.firstLine { event.source.line = firstLine + Int64(output.lines) }
        let places = EventWriter(output.bytes, names).write(
            event, marksLine: output.firstLine == nil, isCompact: compactsLines)
        output.bytes.append(0x0A)
        if output.firstLine == nil {
            output.lineMarks.append(ChunkOutput.LineMark(position: places.line, line: output.lines))
        }
        if ids.texts.count > idStart {
            ids.add(from: idStart, place: places.id, evidencePlace: idEvidence)
            if ids.isFull || !gathersIDs || isKeyedByID { ids.settle(in: output, isCompact: compactsLines) }
        }
        if evidence != nil { output.markEvidence(from: evidenceStart, event) }
        output.tally.count(event)
    }

    /// Whether a timeline may know the event by nothing but its id, which then is needed at once.
    private var isKeyedByID: Bool {
        evidence != nil && event.transaction?.originalTransactionID.isAbsent ?? true
    }

    /// Puts in the ids that still wait for others.
    mutating func finishIDs(in output: borrowing ChunkOutput) {
        ids.settle(in: output, isCompact: compactsLines)
    }
}

/// An ``EventMaker`` that notifications are handed to; one for each worker.
final class EventMakerVisitor: FoundVisitor {
    // One record at a time is read, and what is called meanwhile does not come back here; see OutputBuffer.
    @exclusivity(unchecked) var maker: EventMaker

    init(_ options: RecordConverter.Options, _ redaction: Redaction?) {
        maker = EventMaker(options, redaction)
    }

    override func take(_ found: NotificationDecoder.Found) {
        maker.take(found)
    }
}
