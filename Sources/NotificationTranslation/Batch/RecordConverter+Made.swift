/// Records whose JSON text was made of something else: rows of tables, and objects in lines of logs.
extension RecordConverter {
    /// What became of an attempt to take a text as a record.
    enum Attempt: Equatable {
        case found, foreign
        case failed(NotificationError)
    }

    /// Converts JSON text that was made of a record.
    ///
    /// Exactly one line is counted in `output.line`, unless nothing was taken.
    ///
    /// - Parameters:
    ///   - text: The text; grows by ``slack``.
    ///   - record: What it was made of, as a range of the chunk.
    ///   - times: Texts in one of which the time of arrival may be, where the text itself does not name it.
    ///   - place: Where the chunk is in its input.
    ///   - isLast: Whether the text is the last that can be made of the record: a text that is not JSON is a reject
    ///     then, and nothing is taken of it otherwise.
    ///   - output: What the event line, or the reject, is added to.
    /// - Returns: Whether it was taken.
    package mutating func convert(
        made text: OutputBuffer, of record: Range<Int>, times: UnsafeRawBufferPointer?, place: ChunkPlace, isLast: Bool,
        into output: inout ChunkOutput
    ) -> Bool {
        let length = text.count
        text.reserve(Self.slack)
        guard let memory = text.bytes.baseAddress, length > 0 else { return false }
        decoder.scan(memory, from: 0, to: length, stopsAtLineFeed: false)
        let origin = Record(
            offset: place.offset + Int64(record.lowerBound), extent: RecordExtent(length: record.count, isLine: false),
            place: place)
        let receivedAt = times.flatMap(Self.time)
        var failure: NotificationError?
        switch attempt(origin, memory, 0, receivedAt, &output) {
        case .found, .foreign:
            failure = takeAnswers(in: UnsafeRawBufferPointer(start: memory, count: length), receivedAt, &output)
        case .failed(let error):
            // A text that is not JSON fails before anything of it is taken.
            if !isLast, error.code.rawValue.hasPrefix("json.") { return false }
            failure = error
        }
        if var failure {
            failure.offset = 0
            output.reject(failure, offset: origin.offset, origin.extent)
        }
        output.line += 1
        return true
    }

    /// The time in a row without names, before the JSON in it or after.
    private static func time(_ row: UnsafeRawBufferPointer) -> ReceiveTime? {
        guard let first = row.firstIndex(of: 0x7B), let last = row.lastIndex(of: 0x7D), first < last else {
            return PrefixTime.search(row)
        }
        return PrefixTime.search(UnsafeRawBufferPointer(rebasing: row[..<first]))
            ?? PrefixTime.only(in: [UnsafeRawBufferPointer(rebasing: row[(last + 1)...])])
    }

    /// Counts a line that is not a record, such as the names of a table's columns.
    package func pass(_ output: inout ChunkOutput) {
        output.line += 1
    }

    /// Takes the text that was scanned last; what holds no notification is not counted yet.
    mutating func attempt(
        _ record: Record, _ memory: UnsafeRawPointer, _ start: Int, _ receivedAt: ReceiveTime?,
        _ output: inout ChunkOutput
    ) -> Attempt {
        prepare(record)
        let failure = visitor.withRecord(record.place.input, record.offset, record.extent, &output) {
            visitor.passesOverForeign = true
            return decoder.outcome(memory, start, steps, receivedAt, visitor)
        }
        if let failure { return .failed(failure) }
        return visitor.notifications > 0 ? .found : .foreign
    }

    /// Counts the line that was rejected last as a skip that shows signs of a notification.
    package func skipRejected(_ output: inout ChunkOutput) {
        output.takeBackReject()
        visitor.noteSkip(of: UnsafeRawBufferPointer(start: nil, count: 0), in: &output)
        output.noteSigns()
        output.line += 1
    }

    /// Takes Apple's answers in a record, and counts it as a skip if it holds neither them nor a notification.
    ///
    /// - Returns: Why it must not be used.
    func takeAnswers(
        in text: UnsafeRawBufferPointer, _ receivedAt: ReceiveTime?, _ output: inout ChunkOutput
    ) -> NotificationError? {
        do throws(NotificationError) {
            let hasAnswer = try visitor.takeAnswers(in: text, receivedAt, &output)
            if !hasAnswer, visitor.notifications == 0 { skip(text, &output) }
            return nil
        } catch {
            return error
        }
    }

    private func skip(_ text: UnsafeRawBufferPointer, _ output: inout ChunkOutput) {
        visitor.noteSkip(of: text, in: &output)
        if visitor.missedPointer { output.tally.missedPointers += 1 }
        if visitor.explained.leaveSigns(in: text, at: 0) { output.noteSigns() }
    }
}
