/// One line between the two halves of a cluster's work: `key<TAB>time<TAB>{"event":…,"evidence":…}`.
///
/// The first half (`pipe --key`) makes it of a notification wherever that lies; a shuffle brings the lines of one key
/// together, sorted by key and time; the second half (`pipe --grouped`) settles them. Key and time hold no tab and no
/// line end: inside a JSON string both are written as escapes.
package struct KeyedLine {
    /// What lines can be brought together by.
    package enum Field: String, Sendable, CaseIterable {
        case originalTransactionID = "original_transaction_id"
        case transactionID = "transaction_id"
        case productID = "product_id"
        case appAccountToken = "app_account_token"
        case bundleID = "bundle_id"
        case environment
        case id
    }

    private static let tab: UInt8 = 0x09

    /// The bytes before the first tab; empty for a notification without a key, and for an error.
    package let key: UnsafeRawBufferPointer
    /// The event's line; the whole value for an error.
    package let event: UnsafeRawBufferPointer
    /// The evidence; `nil` for an error.
    package let evidence: [UInt8]?
    /// The same for notifications that a timeline brings together.
    package let keyNumber: UInt64

    /// Reads a line; `nil` for one that ``append(_:evidence:key:to:)`` has not written.
    ///
    /// - Parameter line: The line without its end; the parts point into it.
    package init?(_ line: UnsafeRawBufferPointer) {
        let parts = line.split(separator: Self.tab, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        key = UnsafeRawBufferPointer(rebasing: parts[0])
        let value = UnsafeRawBufferPointer(rebasing: parts[2])
        if value.starts(with: "{\"error\":".utf8) {
            event = value
            evidence = nil
            keyNumber = 0
            return
        }
        let before = Array("{\"event\":".utf8)
        let between = Array(",\"evidence\":\"".utf8)
        let after = Array("\"}".utf8)
        guard value.starts(with: before), value.count > before.count + between.count + after.count,
            value.suffix(after.count).elementsEqual(after)
        else { return nil }
        // The evidence holds no quote, so it begins behind the last one but one.
        let end = value.count - after.count
        guard let quote = value[..<end].lastIndex(of: 0x22), quote + 1 >= between.count,
            value[(quote + 1 - between.count)...quote].elementsEqual(between),
            let bytes = StrictBase64.decoded(url: Array(value[(quote + 1)..<end])),
            quote + 1 - between.count > before.count
        else { return nil }
        event = UnsafeRawBufferPointer(rebasing: value[before.count..<(quote + 1 - between.count)])
        // Damaged evidence is found here, where it costs nobody else anything.
        var rows: [TimelineRow] = []
        let isWhole = bytes.withUnsafeBytes { EvidenceReader.statement($0, .current, &rows) != nil }
        guard isWhole, EventLine(event) != nil else { return nil }
        evidence = bytes
        keyNumber = bytes.withUnsafeBytes { EvidenceReader.keyNumber($0) }
    }

    /// Appends the line of an event, with its end.
    ///
    /// - Parameters:
    ///   - event: The line of the event, without its end.
    ///   - evidence: Its evidence.
    ///   - field: What lines are brought together by.
    ///   - output: Where it goes.
    package static func append(
        _ event: UnsafeRawBufferPointer, evidence: UnsafeRawBufferPointer, key field: Field, to output: OutputBuffer
    ) {
        if let key = EventLine.text(of: field.rawValue, in: event) { output.append(key) }
        output.append(tab)
        if let time = EventLine.text(of: "occurred_at", in: event) { output.append(time) }
        output.append(tab)
        output.append("{\"event\":")
        output.append(event)
        output.append(",\"evidence\":\"")
        output.append(StrictBase64.encoded(url: Array(evidence)))
        output.append("\"}\n")
    }

    /// Appends what stands before the answer to a line without an event: no key and no time.
    package static func appendNoKey(to output: OutputBuffer) {
        output.append(tab)
        output.append(tab)
    }
}
