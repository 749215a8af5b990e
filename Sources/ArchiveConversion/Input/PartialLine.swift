import NotificationTranslation

/// A line of a container's log, in which runtimes cut what a program writes into pieces of 16 KB.
///
/// Most version 1 bodies are longer.
///
///     {"log":"{\"notification_type\":","stream":"stdout","time":"2020-11-03T09:12:44.123456789Z"}     Docker
///     {"log":"\"CANCEL\"}\n","stream":"stdout","time":"2020-11-03T09:12:44.123456799Z"}
///     2020-11-03T09:12:44.123456789Z stdout P {"notification_type":                                   CRI
///     2020-11-03T09:12:44.123456799Z stdout F "CANCEL"}
///
/// Lines of the other stream may be between the pieces.
struct PartialLine {
    let start: Int
    /// What the program wrote, as it is in the line.
    let content: Range<Int>
    /// When the line was written.
    let time: Range<Int>
    let end: Int
    /// Whether the content is escaped as JSON has it.
    let isEscaped: Bool
    /// Whether the next line continues with it.
    let isPartial: Bool
    /// The last letters of the stream it was written to.
    private let stream: UInt32

    /// Whether a line may be one, by its first bytes.
    static func mayBegin(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard start + 24 < bytes.count else { return false }
        let first = bytes[start]
        if first == 0x7B {
            let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
            return word == docker || word == spacedDocker
        }
        return 0x30...0x39 ~= first
    }

    /// `{"log":"`.
    private static let docker: UInt64 = 0x223A_2267_6F6C_227B
    /// `{"log": `, as written by programs that read the log and serialise it again.
    private static let spacedDocker: UInt64 = 0x203A_2267_6F6C_227B

    /// The line that begins at an index; `nil` if it is not such a line.
    init?(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        guard Self.mayBegin(bytes, start) else { return nil }
        let line = UnsafeRawBufferPointer(rebasing: bytes[start...])
        var end = start + (line.place(of: 0x0A) ?? line.count)
        self.start = start
        self.end = end
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        if bytes[start] == 0x7B {
            // Quotes are in the content after backslashes alone.
            let first = bytes[start + 7] == 0x20 ? start + 9 : start + 8
            guard bytes[first - 1] == 0x22,
                let stream = Self.value(of: "\"stream\":", bytes, max(first, end - 512), end),
                let time = Self.value(of: "\"time\":", bytes, stream.value.upperBound, end),
                let last = bytes[first..<stream.key].lastIndex(where: { $0 != 0x20 && $0 != 0x2C }),
                bytes[last] == 0x22, stream.value.count == 6
            else { return nil }
            content = first..<last
            self.time = time.value
            self.stream = bytes.loadUnaligned(fromByteOffset: stream.value.lowerBound + 2, as: UInt32.self)
            isEscaped = true
            isPartial =
                content.count >= Self.pieceSize && !Self.endsWithLineFeed(bytes, content)
                && Self.pieceSize...Self.pieceSize + 16 ~= Self.length(bytes, content)
        } else {
            guard let space = bytes[start..<min(end, start + 40)].firstIndex(of: 0x20), space + 10 <= end,
                bytes[space + 1..<space + 4].elementsEqual("std".utf8), bytes[space + 7] == 0x20,
                bytes[space + 9] == 0x20, bytes[space + 8] == UInt8(ascii: "P") || bytes[space + 8] == UInt8(ascii: "F")
            else { return nil }
            content = space + 10..<end
            time = start..<space
            stream = bytes.loadUnaligned(fromByteOffset: space + 3, as: UInt32.self)
            isEscaped = false
            isPartial = bytes[space + 8] == UInt8(ascii: "P")
        }
    }

    /// Whether another line continues with what this one began.
    func continues(with other: PartialLine) -> Bool {
        isPartial && stream == other.stream && isEscaped == other.isEscaped
    }

    /// How many lines after a piece the next one is searched for.
    static let reach = 64

    /// Whether the LF at an index is after a piece that a later line continues.
    static func isInside(_ bytes: UnsafeRawBufferPointer, endingAt lineFeed: Int) -> Bool {
        // In most archives the next line shows that there are no pieces; to search the beginning of the last one costs
        // 5 % of a heavy record.
        if lineFeed + 25 < bytes.count, !mayBegin(bytes, lineFeed + 1) { return false }
        var end = lineFeed
        var streams: [UInt32] = []
        for _ in 0..<reach {
            let start = lastLineEnd(in: UnsafeRawBufferPointer(rebasing: bytes[..<end]), from: 0).map { $0 + 1 } ?? 0
            guard let line = PartialLine(bytes, from: start) else { return false }
            if !streams.contains(line.stream) {
                if line.isPartial { return true }
                streams.append(line.stream)
            }
            guard streams.count < 2, start > 0 else { return false }
            end = start - 1
        }
        return false
    }

    /// The first place of a key between two indices, and the range of its string value.
    private static func value(
        of key: StaticString, _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> (key: Int, value: Range<Int>)? {
        guard let place = place(of: key, bytes, start, end) else { return nil }
        var quote = place + key.utf8CodeUnitCount
        if quote < end, bytes[quote] == 0x20 { quote += 1 }
        guard quote < end, bytes[quote] == 0x22,
            let valueEnd = bytes[(quote + 1)..<end].firstIndex(of: 0x22)
        else { return nil }
        return (place, quote + 1..<valueEnd)
    }

    /// Where a text comes first between two indices.
    private static func place(
        of text: StaticString, _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Int? {
        let length = text.utf8CodeUnitCount
        guard start >= 0, start + length <= end else { return nil }
        return (start...end - length).first { place in
            (0..<length).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
        }
    }

    /// Bytes of a piece of Docker's; a few more where a character was cut, as its bytes are replaced.
    ///
    /// A line without a line feed of another length is whole: others write lines of this form, too.
    private static let pieceSize = 16_384

    /// How many bytes an escaped text represents.
    private static func length(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var length = range.count
        var at = range.lowerBound
        while at < range.upperBound {
            guard bytes[at] == 0x5C, at + 1 < range.upperBound else {
                at += 1
                continue
            }
            if bytes[at + 1] == UInt8(ascii: "u"), at + 6 <= range.upperBound {
                length -= 6 - utf8Length(bytes[at + 2], bytes[at + 3], bytes[at + 4])
                at += 6
            } else {
                length -= 1
                at += 2
            }
        }
        return length
    }

    /// How many bytes an escaped code unit represents, by its first three digits; two for each half of a surrogate
    /// pair.
    private static func utf8Length(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
        if first | 0x20 == UInt8(ascii: "d"), second >= UInt8(ascii: "8") { return 2 }
        if first != 0x30 || second >= UInt8(ascii: "8") { return 3 }
        return second == 0x30 && third < UInt8(ascii: "8") ? 1 : 2
    }

    private static func endsWithLineFeed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        guard range.count > 1, bytes[range.upperBound - 1] == UInt8(ascii: "n") else { return false }
        let backslashes = bytes[range].dropLast().reversed().prefix { $0 == 0x5C }.count
        return !backslashes.isMultiple(of: 2)
    }
}
