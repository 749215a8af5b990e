package import NotificationTranslation

/// One line between the two halves of a cluster's work: `key<TAB>time<TAB>{"event":…,"evidence":…}`.
///
/// The first half (`evidence`) makes it of a notification wherever that is; a shuffle brings the lines of one key
/// together, sorted by key and time; the second half (`settle`) settles them. Key and time hold no tab and no
/// line end: inside a JSON string both are written as escapes.
package struct KeyedLine {
    private static let tab: UInt8 = 0x09
    private static let null = Array("null".utf8)

    /// The bytes before the first tab; empty for a notification without a key, and for an error.
    package let key: UnsafeRawBufferPointer
    /// The event's line; the whole value for an error, and `null` for an answer of Apple's.
    package let event: UnsafeRawBufferPointer
    /// The event as a ``SpilledEvent``; empty where there is none.
    let spilled: OutputBuffer
    /// The evidence; `nil` for an error.
    package let evidence: [UInt8]?
    /// The same for notifications that a timeline brings together.
    package let keyNumber: UInt64
    /// Its place among the lines of its key: by its time, then by the line and byte of its record.
    ///
    /// Lines without a time come first, errors last.
    let position: (time: Int64, line: Int64, offset: Int64)

    /// Reads a line without its end, into which the parts point; `nil` for one that
    /// ``append(_:evidence:to:)`` has not written.
    package init?(_ line: UnsafeRawBufferPointer) {
        let parts = line.split(separator: Self.tab, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        key = UnsafeRawBufferPointer(rebasing: parts[0])
        let value = UnsafeRawBufferPointer(rebasing: parts[2])
        if value.starts(with: "{\"error\":".utf8) {
            event = value
            spilled = OutputBuffer(capacity: 0)
            evidence = nil
            keyNumber = 0
            position = (.max, .max, .max)
            return
        }
        let before = Array("{\"event\":".utf8)
        let between = Array(",\"evidence\":\"".utf8)
        let after = Array("\"}".utf8)
        guard value.starts(with: before), value.count > before.count + between.count + after.count,
            value.suffix(after.count).elementsEqual(after)
        else { return nil }
        // The evidence holds no quote, so it begins after the last one but one.
        let end = value.count - after.count
        guard let quote = value[..<end].lastIndex(of: 0x22), quote + 1 >= between.count,
            value[(quote + 1 - between.count)...quote].elementsEqual(between),
            let bytes = StrictBase64.decoded(url: Array(value[(quote + 1)..<end])),
            quote + 1 - between.count > before.count
        else { return nil }
        event = UnsafeRawBufferPointer(rebasing: value[before.count..<(quote + 1 - between.count)])
        // Damaged evidence is found here, where it fails this line alone.
        var draft = EventDraft()
        guard bytes.withUnsafeBytes(EvidenceReader.isReadable),
            Self.isNull(event) || draft.read(line: event)
        else { return nil }
        evidence = bytes
        draft.flags.recognize()
        spilled = OutputBuffer(capacity: 1024)
        if !Self.isNull(event) { SpilledEvent.append(&draft, to: spilled, (length: 0, isLine: true)) }
        let time = CivilTime.milliseconds(rfc3339: UnsafeRawBufferPointer(rebasing: parts[1]))
        position = (time ?? .min, draft.source.line ?? .max, draft.source.offset ?? .max)
        keyNumber = bytes.withUnsafeBytes { EvidenceReader.keyNumber($0) }
    }

    /// Whether it is evidence alone, so that nothing is written for it.
    package var hasNoEvent: Bool { Self.isNull(event) }

    private static func isNull(_ event: UnsafeRawBufferPointer) -> Bool { event.elementsEqual(null) }

    /// Whether it names no purchase, and may be about the one whose key it has.
    package var isGuest: Bool {
        guard !key.isEmpty, let evidence, !evidence.withUnsafeBytes(EvidenceReader.isAnswer) else { return false }
        return evidence.withUnsafeBytes { EvidenceReader.key($0).isAbsent }
    }

    /// Appends the line of an event, with its end.
    ///
    /// Its key is the original transaction id; where it names none, that of the first purchase that it may be about. For
    /// each further one a line without the event follows.
    package static func append(
        _ event: UnsafeRawBufferPointer, evidence: UnsafeRawBufferPointer, to output: OutputBuffer
    ) {
        var draft = EventDraft()
        let isRead = draft.read(line: event)
        let key = isRead && draft.hasTransaction ? draft.transactionFields.originalTransactionID : .absent
        let time = isRead ? draft.occurredAt : nil
        let possible = EvidenceReader.possibleKeys(evidence)
        append(key: possible.first ?? key, time: time, event, evidence, to: output)
        for key in possible.dropFirst() {
            null.withUnsafeBytes { append(key: key, time: time, $0, evidence, to: output) }
        }
    }

    /// Appends the line of an answer of Apple's about one subscription, as of a time; it has no event.
    package static func append(answer evidence: UnsafeRawBufferPointer, time: Int64?, to output: OutputBuffer) {
        null.withUnsafeBytes { append(key: EvidenceReader.key(evidence), time: time, $0, evidence, to: output) }
    }

    private static func append(
        key: EventText, time: Int64?, _ event: UnsafeRawBufferPointer, _ evidence: UnsafeRawBufferPointer,
        to output: OutputBuffer
    ) {
        key.hasEscapes ? output.append(key.bytes) : output.append(inString: key.bytes)
        output.append(tab)
        if let time { CivilTime.withText(time) { output.append($0) } }
        output.append(tab)
        output.append("{\"event\":")
        output.append(event)
        output.append(",\"evidence\":\"")
        output.append(StrictBase64.encoded(url: Array(evidence)))
        output.append("\"}\n")
    }
}
