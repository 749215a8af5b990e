#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Lines of logs: JSON stands somewhere in the line, and perhaps a time before it.
extension RecordConverter {
    /// Objects in one line that are tried.
    private static let mostTries = 32

    /// Converts the line of a log that begins at `start`, whatever it holds.
    ///
    /// A line that is JSON itself is read as ``convertLine(of:from:place:into:)`` reads it. In another the first object
    /// that holds a notification is taken, and the time before it is the time of receipt unless the object knows a
    /// better one. A line without one is skipped. Exactly one line is counted in `output.lines`.
    ///
    /// - Parameters:
    ///   - chunk: Whole lines, followed by ``slack`` readable bytes.
    ///   - start: Where the line begins in it.
    ///   - place: Where the chunk stands in its input.
    ///   - output: What the event line, or the reject, is added to.
    /// - Returns: The index behind its LF.
    package mutating func convertLogLine(
        of chunk: UnsafeRawBufferPointer, from start: Int, place: ChunkPlace, into output: inout ChunkOutput
    ) -> Int {
        guard let memory = chunk.baseAddress, start < chunk.count else { return chunk.count }
        let lineFeed = memchr(memory + start, 0x0A, chunk.count - start).map { UnsafeRawPointer($0) - memory }
        var stop = lineFeed ?? chunk.count
        var first = start
        while first < stop, chunk[first] <= 0x20 { first += 1 }
        while stop > first, chunk[stop - 1] <= 0x20 { stop -= 1 }
        guard first < stop, !Self.beginsAsObject(chunk, first, stop), !Self.beginsAsJWS(chunk, first) else {
            return convertLine(of: chunk, from: start, place: place, into: &output)
        }
        let line = UnsafeRawBufferPointer(rebasing: chunk[first..<stop])
        let record = Record(offset: place.offset + Int64(start), length: stop - start, place: place)
        if let failure = takeObjects(in: line, record, &output) {
            output.reject(failure, offset: record.offset, length: record.length)
        }
        output.lines += 1
        return min((lineFeed ?? chunk.count) + 1, chunk.count)
    }

    private static func beginsAsObject(_ chunk: UnsafeRawBufferPointer, _ first: Int, _ stop: Int) -> Bool {
        guard chunk[first] == 0x7B else { return false }
        var next = first + 1
        while next < stop, chunk[next] <= 0x20 { next += 1 }
        return next == stop || chunk[next] == 0x22 || chunk[next] == 0x7D
    }

    private static func beginsAsJWS(_ chunk: UnsafeRawBufferPointer, _ first: Int) -> Bool {
        chunk.count - first > 1 && chunk[first] == 0x65 && chunk[first + 1] == 0x79
    }

    /// Tries the objects of a line one after the other; returns why the one failed that names itself a notification.
    private mutating func takeObjects(
        in line: UnsafeRawBufferPointer, _ record: Record, _ output: inout ChunkOutput
    ) -> NotificationError? {
        guard let memory = line.baseAddress else { return nil }
        var failure: NotificationError?
        var at = 0
        for _ in 0..<Self.mostTries {
            guard let part = LogPart(in: line, from: at) else { break }
            decoder.scan(memory, from: part.range.lowerBound, to: part.range.upperBound, stopsAtLineFeed: false)
            let time = PrefixTime.search(UnsafeRawBufferPointer(rebasing: line[..<part.range.lowerBound]))
            let outcome = attempt(record, memory, part.range.lowerBound, time, &output)
            if outcome == .found { return nil }
            if case .failed(let error) = outcome {
                if visitor.wasRefused || visitor.notifications > 0 { return error }
                if failure == nil, NotificationSigns.stand(in: UnsafeRawBufferPointer(rebasing: line[part.range])) {
                    failure = error
                }
            }
            at = part.isWhole ? part.range.upperBound : part.range.lowerBound + 1
        }
        if failure == nil { skip(line, &output) }
        return failure
    }
}

/// A part of a line that may be JSON: an object, or a string that holds one.
struct LogPart {
    var range: Range<Int>
    /// Whether its end was found; else it goes to the end of the line.
    var isWhole: Bool

    /// The first such part at or behind an index; `nil` if there is none.
    init?(in line: UnsafeRawBufferPointer, from start: Int) {
        var at = start
        while let brace = Self.place(of: 0x7B, line, at) {
            at = brace + 1
            var next = at
            while next < line.count, line[next] == 0x20 { next += 1 }
            guard next < line.count else { return nil }
            if line[next] == 0x5C, brace > start, line[brace - 1] == 0x22 {
                let end = Self.stringEnd(line, brace - 1)
                range = brace - 1..<(end ?? line.count)
                isWhole = end != nil
                return
            }
            guard line[next] == 0x22 else { continue }
            let end = Self.objectEnd(line, brace)
            range = brace..<(end ?? line.count)
            isWhole = end != nil
            return
        }
        return nil
    }

    private static func place(of byte: UInt8, _ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < line.count, let memory = line.baseAddress,
            let found = memchr(memory + start, Int32(byte), line.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - memory
    }

    /// The index behind the quote that ends the string begun at `start`.
    private static func stringEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var from = start + 1
        while let quote = place(of: 0x22, line, from) {
            var first = quote
            while first > start + 1, line[first - 1] == 0x5C { first -= 1 }
            if (quote - first).isMultiple(of: 2) { return quote + 1 }
            from = quote + 1
        }
        return nil
    }

    /// The index behind the brace that ends the object begun at `start`.
    private static func objectEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var depth = 0
        var at = start
        while at < line.count {
            switch line[at] {
            case 0x22:
                guard let end = stringEnd(line, at) else { return nil }
                at = end
                continue
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D:
                depth -= 1
                if depth == 0 { return at + 1 }
            default: break
            }
            at += 1
        }
        return nil
    }
}
