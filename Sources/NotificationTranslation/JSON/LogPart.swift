/// A part of a line that may hold a notification: an object, a string that holds one, or a signed payload.
package struct LogPart {
    package var range: Range<Int>
    /// Whether its end was found; else it goes to the end of the line.
    var isWhole: Bool

    /// How many parts without an end are looked at in one line: each is read up to the end of the line.
    static let mostOpen = 32
}

extension LogPart {
    /// The first such part at or after an index; `nil` if there is none.
    init?(in line: UnsafeRawBufferPointer, from start: Int) {
        var at = start
        while let brace = line.offset(of: 0x7B, from: at) {
            at = brace + 1
            guard let next = line[at...].firstIndex(where: { $0 > 0x20 }) else { return nil }
            var first = brace
            if line[next] == 0x5C {
                while first > start, line[first - 1] == 0x20 || line[first - 1] == 0x5B { first -= 1 }
                first -= 1
            }
            let isText = first < brace
            guard isText ? first >= start && line[first] == 0x22 : line[next] == 0x22 else { continue }
            let end = isText ? Self.stringEnd(line, first) : Self.objectEnd(line, first)
            (range, isWhole) = (first..<(end ?? line.count), end != nil)
            return
        }
        return nil
    }

    /// The index after the quote that ends the string begun at `start`.
    private static func stringEnd(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var from = start + 1
        while let quote = line.offset(of: 0x22, from: from) {
            let text = line[(start + 1)..<quote]
            let first = text.lastIndex { $0 != 0x5C } ?? start
            if !(quote - first).isMultiple(of: 2) { return quote + 1 }
            from = quote + 1
        }
        return nil
    }

    /// The index after the bracket that ends the object, or the array, begun at `start`; `nil` if the line ends before.
    package static func objectEnd(_ line: UnsafeRawBufferPointer, _ start: Int = 0) -> Int? {
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
