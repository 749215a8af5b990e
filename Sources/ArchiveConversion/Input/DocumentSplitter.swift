import NotificationTranslation

/// Cuts JSON arrays and concatenated documents into records, without a look at what they mean.
///
/// It runs once over the bytes and keeps its state between stretches, so a record may be cut anywhere. What is inside a
/// record is judged by the converter; here only strings and brackets are followed. Garbage must not swallow what comes
/// after it, so three things end a record early, since none can be in valid JSON:
/// - a line end inside a string ends the string,
/// - `{` where no value can be (`{"a":1 {` or, in an object, after a comma) begins a new record,
/// - a letter after a string that ends with `{` (`"cut of{"id":7`): this `{` begins the next record, on the same line.
///
/// Offsets are those of the uncompressed input, so they stay the same however the input is cut into stretches.
struct DocumentSplitter: RecordSplitter {
    /// What may come next outside of records.
    private enum Place {
        /// A document.
        case top
        /// The first element of an array, or its end.
        case arrayStart
        /// An element.
        case arrayElement
        /// A comma, or the end of the array.
        case arrayComma
    }

    private enum Record {
        case none, structure, bare
    }

    private let longestRecord: Int
    private var place = Place.top
    /// A needless comma was reported already; a row of them is one fault.
    private var reportedComma = false
    private var record = Record.none
    private var recordStart: Int64 = 0
    /// After the record's last byte that is neither whitespace nor a comma between members.
    private var contentEnd: Int64 = 0
    /// Where scanning continues.
    private(set) var position: Int64
    /// Of the stretch that is scanned: the offset of its first byte, and what was found in it.
    private var (base, items): (Int64, [Chunk.Item]) = (0, [])
    private var depth = 0
    /// The innermost 64 levels, the last in the lowest bit: 1 for an object.
    private var kinds: UInt64 = 0
    /// The last significant byte.
    private var previous: UInt8 = 0
    private var inString = false
    private var escaped = false

    /// Begins at the offset of the first byte.
    init(longestRecord: Int, offset: Int64) {
        self.longestRecord = longestRecord
        position = offset
    }

    var openRecord: Int64? { record == .none ? nil : recordStart }

    mutating func scan(_ bytes: UnsafeRawBufferPointer, base: Int64, before end: StretchEnd) -> [Chunk.Item] {
        (self.base, items) = (base, [])
        var at = Int(position - base)
        while at < bytes.count {
            switch record {
            case .none: at = betweenRecords(bytes, at)
            case .structure: at = inStructure(bytes, at)
            case .bare: at = inBare(bytes, at)
            }
        }
        position = base + Int64(at)
        if end == .nothing, record != .none {
            if inString { contentEnd = position }
            endRecord(at: position)
        } else if end == .nothing, place != .top {
            items.append(.fault(.unclosedArray, offset: position, length: 0))
        }
        return items
    }

    private mutating func betweenRecords(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        let byte = bytes[at]
        let offset = base + Int64(at)
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: break
        case 0x1E where place == .top: break
        case UInt8(ascii: "[") where place == .top: place = .arrayStart
        case UInt8(ascii: ",") where place == .arrayComma: place = .arrayElement
        case UInt8(ascii: ",") where place != .top:
            if !reportedComma { items.append(.fault(.separator, offset: offset, length: 1)) }
            (reportedComma, place) = (true, .arrayElement)
        case UInt8(ascii: "]") where place != .top:
            if place == .arrayElement, !reportedComma { items.append(.fault(.separator, offset: offset, length: 1)) }
            (reportedComma, place) = (false, .top)
        default:
            if place == .arrayComma { items.append(.fault(.separator, offset: offset, length: 0)) }
            begin(byte, offset)
        }
        return at + 1
    }

    private mutating func begin(_ byte: UInt8, _ offset: Int64) {
        (reportedComma, recordStart, contentEnd, previous) = (false, offset, offset + 1, byte)
        (inString, escaped) = (byte == UInt8(ascii: "\""), false)
        kinds = byte == UInt8(ascii: "{") ? 1 : 0
        // A string is a structure of no levels.
        depth = kinds == 1 || byte == UInt8(ascii: "[") ? 1 : 0
        record = depth > 0 || inString ? .structure : .bare
    }

    /// Ends the record at `contentEnd`.
    ///
    /// The limit counts whitespace up to `seen`, where the scan is, so that it does not matter how the input is cut
    /// into stretches.
    private mutating func endRecord(at seen: Int64) {
        record = .none
        if place != .top { place = .arrayComma }
        let length = Int(contentEnd - recordStart)
        guard Int(seen - recordStart) <= longestRecord else {
            items.append(.fault(.tooLong, offset: recordStart, length: length))
            return
        }
        let start = Int(recordStart - base)
        items.append(.record(start..<start + length))
    }

    private mutating func inStructure(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var at = start
        while at < bytes.count {
            if inString {
                at = followString(bytes, at)
                if !inString {
                    previous = UInt8(ascii: "\"")
                    contentEnd = base + Int64(at) - (bytes[at - 1] == 0x0A ? 1 : 0)
                    if depth == 0 {
                        endRecord(at: base + Int64(at))
                        return at
                    }
                }
                continue
            }
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"):
                guard mayOpen else {
                    endRecord(at: base + Int64(at))
                    // The fault is the broken record's alone, whether or not its comma was there.
                    if place != .top { place = .arrayElement }
                    return at
                }
                (depth, kinds) = (depth + 1, kinds << 1 | 1)
            case UInt8(ascii: "["): (depth, kinds) = (depth + 1, kinds << 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 1, byte == UInt8(ascii: "]"), kinds & 1 == 1, place != .top {
                    endRecord(at: base + Int64(at))
                    return at
                }
                (depth, kinds) = (depth - 1, kinds >> 1)
            case 0x20, 0x09, 0x0A, 0x0D:
                at += 1
                continue
            case UInt8(ascii: ","), UInt8(ascii: ":"): break
            default:
                if previous == UInt8(ascii: "\""), let brace = braceInString(bytes) {
                    contentEnd = base + Int64(brace)
                    endRecord(at: contentEnd)
                    if place != .top { place = .arrayElement }
                    return brace
                }
            }
            at += 1
            previous = byte
            if byte != UInt8(ascii: ",") { contentEnd = base + Int64(at) }
            if depth == 0 {
                endRecord(at: base + Int64(at))
                return at
            }
        }
        return at
    }

    /// Whether `{` can be here in valid JSON; levels beyond 64 are not tracked, and the converter refuses it.
    private var mayOpen: Bool {
        if depth > 64 { return true }
        if kinds & 1 == 1 { return previous == UInt8(ascii: ":") }
        return previous == UInt8(ascii: "[") || previous == UInt8(ascii: ",")
    }

    /// The index of the `{` that the string ends with that was followed last; `nil` if it ends otherwise.
    private func braceInString(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = Int(contentEnd - base) - 1
        let first = max(0, Int(recordStart - base) + 1)
        guard at > first, bytes[at] == UInt8(ascii: "\"") else { return nil }
        repeat { at -= 1 } while at > first && bytes[at] == 0x20
        return bytes[at] == UInt8(ascii: "{") ? at : nil
    }

    /// Follows a string up to the index returned; `inString` is false when its end was seen.
    private mutating func followString(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var at = start
        while at < bytes.count {
            if !escaped {
                guard let found = bytes.offset(of: (0x22, 0x5C, 0x0A), from: at) else { return bytes.count }
                at = found
            }
            let byte = bytes[at]
            at += 1
            if byte == 0x0A || (byte == UInt8(ascii: "\"") && !escaped) {
                inString = false
                escaped = false
                return at
            }
            escaped = !escaped && byte == UInt8(ascii: "\\")
        }
        return at
    }

    /// A signed payload, a number, a word or garbage: up to the line's end, or to what must be something else.
    private mutating func inBare(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            let ends: Bool =
                switch byte {
                case 0x0A, UInt8(ascii: "{"), UInt8(ascii: "["): true
                case UInt8(ascii: ","), UInt8(ascii: "]"): place != .top
                default: false
                }
            if ends {
                endRecord(at: base + Int64(at))
                if place != .top, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { place = .arrayElement }
                return at
            }
            at += 1
            if !isSpace(byte) { contentEnd = base + Int64(at) }
        }
        return at
    }
}

extension UnsafeRawBufferPointer {
    /// The index of the last LF at or after `start`; Swift cannot call `memrchr`, and byte by byte an archive of
    /// long lines would cost a tenth of the whole run, eight bytes at a time a twentieth.
    func lastLineEnd(from start: Int) -> Int? {
        let lineFeeds = SIMD16<UInt8>(repeating: 0x0A)
        var at = count
        while at - start >= 16 {
            let found = loadUnaligned(fromByteOffset: at - 16, as: SIMD16<UInt8>.self) .== lineFeeds
            let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0 { break }
            at -= 16
        }
        return start < at ? self[start..<at].lastIndex(of: 0x0A) : nil
    }
}
