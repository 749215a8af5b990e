/// Texts that are not JSON as a whole, such as lines of logs: objects and signed payloads are somewhere in them.
extension NotificationDecoder {
    /// Whether a text may be a line of a log with a notification in it.
    static func mayHoldPart(_ text: UnsafeRawBufferPointer) -> Bool {
        text.place(of: 0x7B) != nil && NotificationSigns.mayBe(in: text)
            || CompactToken.range(in: text, from: 0) != nil
    }

    /// Takes the notifications in a text that is not JSON as a whole, such as a wrapped line of a log.
    ///
    /// False if there is none.
    func takeTextAround(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(NotificationError) -> Bool {
        guard bytes.count > 20, texts < Envelope.mostTexts, Self.mayHoldPart(bytes) else { return false }
        // Decoding the parts overwrites the buffers that the text may be in.
        let copy = OutputBuffer(capacity: bytes.count + JSONScanner.slack)
        copy.append(bytes)
        defer { withExtendedLifetime(copy) {} }
        let (before, knownBefore, comparedBefore) = (visitor.notifications, visitor.knownPrints, visitor.comparesPrints)
        var seen = visitor.seenPrints
        let searchedBefore = visitor.beginSearch()
        visitor.comparesPrints = true
        let explained = visitor.explained.count
        defer {
            visitor.explained.enclose(from: explained, in: nil)
            visitor.seenPrints = seen
            visitor.knownPrints = knownBefore
            visitor.comparesPrints = comparedBefore
            visitor.endSearch(searchedBefore)
        }
        var times = FixedOrPrefixTime(fixed: receivedAt)
        if var failure = takeParts(of: copy.bytes, with: try inner(), nil, &times, &seen, visitor) {
            failure.offset = offset
            throw failure
        }
        return visitor.notifications > before
    }

    /// Takes every notification of a text; if there is none, its signed payloads, which need no JSON around them.
    ///
    /// What says the same as one before is passed over if the visitor compares.
    ///
    /// - Parameters:
    ///   - text: Followed by ``JSONScanner/slack`` readable bytes.
    ///   - reader: Reads the objects.
    ///   - envelope: The steps to the body in each object, if they are given.
    ///   - times: Gives each part its time of receipt.
    ///   - seen: The prints of what is found are added to it.
    ///   - visitor: Is given what is found.
    /// - Returns: The first failure of what has signs of a notification.
    func takeParts(
        of text: UnsafeRawBufferPointer, with reader: NotificationDecoder, _ envelope: [String]?,
        _ times: inout some PartTimes, _ seen: inout Set<UInt64>, _ visitor: FoundVisitor
    ) -> NotificationError? {
        guard let memory = text.baseAddress else { return nil }
        let before = visitor.notifications
        var failure: NotificationError?
        var parts = LogPart.Search(text)
        while !visitor.wasRefused, let part = parts.next() {
            let time = times.time(of: part, in: text)
            let foundBefore = visitor.notifications
            if let error = reader.takePart(part.range, memory, envelope, time, visitor),
                visitor.wasRefused || visitor.notifications > foundBefore
                    || NotificationSigns.stand(in: UnsafeRawBufferPointer(rebasing: text[part.range]))
            {
                failure = failure ?? error
            }
            seen.formUnion(visitor.seenPrints)
            // A refused row does not stop the rows after it.
            if times.areOfRows { visitor.wasRefused = false }
        }
        // Malformed JSON is reported as malformed. In other forms a signed payload is searched, which is complete in
        // itself.
        guard visitor.notifications == before, !visitor.wasRefused, failure.map(OtherForm.mayBe) ?? true else {
            return failure
        }
        var at = 0
        times.beginTokens()
        while !visitor.wasRefused, let token = CompactToken.range(in: text, from: at) {
            at = token.upperBound
            let signed = UnsafeRawBufferPointer(rebasing: text[token])
            guard Self.mayBeNotification(signed) else { continue }
            let time = times.time(of: LogPart(whole: token), in: text)
            if visitor.notifications == before { failure = nil }
            visitor.seenPrints = []
            do throws(NotificationError) {
                try takeSignedPayload(signed, at: 0, time, visitor)
            } catch {
                failure = error
            }
            visitor.knownPrints.formUnion(visitor.seenPrints)
            seen.formUnion(visitor.seenPrints)
        }
        return failure
    }

    private func takePart(
        _ range: Range<Int>, _ memory: UnsafeRawPointer, _ envelope: [String]?, _ time: ReceiveTime?,
        _ visitor: FoundVisitor
    ) -> NotificationError? {
        if texts > 0 { visitor.openedTexts += 1 }
        visitor.seenPrints = []
        scan(memory, from: range.lowerBound, to: range.upperBound, stopsAtLineFeed: false)
        defer { visitor.knownPrints.formUnion(visitor.seenPrints) }
        return outcome(memory, range.lowerBound, envelope, time, visitor)
    }
}

/// Gives the parts of a text their times of receipt, one after the other.
protocol PartTimes {
    /// Whether the parts are rows of a table, each with a time of its own.
    var areOfRows: Bool { get }

    mutating func time(of part: LogPart, in text: UnsafeRawBufferPointer) -> ReceiveTime?

    /// Is called when no more objects follow but the signed payloads, which are searched from the beginning of the
    /// text.
    mutating func beginTokens()
}

extension NotificationDecoder {
    /// The time that something around the text says, else the one that is before a part.
    private struct FixedOrPrefixTime: PartTimes {
        let fixed: ReceiveTime?
        private var prefix = PrefixTime()

        init(fixed: ReceiveTime?) {
            self.fixed = fixed
        }

        var areOfRows: Bool { false }

        mutating func time(of part: LogPart, in text: UnsafeRawBufferPointer) -> ReceiveTime? {
            fixed ?? prefix.time(before: part, in: text)
        }

        mutating func beginTokens() {
            prefix = PrefixTime()
        }
    }
}
