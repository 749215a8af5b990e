/// Signs that a text carries a notification, in whatever form: a name of Apple's, a packing of such texts, or a request
/// whose body was not kept.
///
/// A name counts as a whole word or as the end of one, whatever the case, the quotes and the escapes: in JSON, PHP's
/// `print_r`, Go's `%+v`, Java's `toString`, YAML, a form, hexadecimal. The name of a type alone is no sign, and
/// neither is a `notificationType` of Google's, which is a number.
package enum NotificationSigns {
    /// The names, in words that an underscore may join; the first, of twelve letters and four, is that of the type.
    private static let names: [[StaticString]] = [
        ["notification", "type"], ["unified", "receipt"], ["latest", "receipt", "info"],
        ["pending", "renewal", "info"],
        ["signed", "payload"],
    ]
    /// Digits of the shortest name in hexadecimal.
    private static let shortest = 26

    /// Whether a name of Apple's may be anywhere in a text, as JSON writes it.
    static func mayBe(in text: UnsafeRawBufferPointer) -> Bool {
        let names: [StaticString] = ["notification_type", "notificationType", "NotificationType", "signedPayload"]
        return names.contains { text.holds($0) }
    }

    /// Whether a text shows signs of a notification; the name of a notification's type is one if `types` says so.
    static func stand(in text: UnsafeRawBufferPointer, types: Bool = true) -> Bool {
        let accepts: Accepting = { _, isType, _ in types || !isType }
        return standEscaped(in: text) {
            holdsName($0, accepts) || holdsHexadecimal($0, accepts) || holdsPacked($0) || holdsEmptyBody($0)
        }
    }

    /// Whether a text shows signs of a notification in addition to those that were read.
    ///
    /// Log messages and SQL column lists also contain Apple's field names. So a name counts only before a value that was
    /// not read; the name of a type counts only if the value is one of Apple's types and no notification in `found` has
    /// it; without these, each name of a type counts.
    static func stand(
        in text: UnsafeRawBufferPointer, beside parts: [Range<Int>], _ found: [FoundNotification]?
    ) -> Bool {
        let types = found?.compactMap(\.fingerprint.first)
        let accepts: Accepting = { text, isType, end in
            let rest = text[end...].drop { #" "'\]"#.utf8.contains($0) }
            guard let mark = rest.first, ":=>;".utf8.contains(mark) else { return false }
            guard isType, let types else { return true }
            return type(in: text, after: end).map { !types.contains($0) } ?? false
        }
        var rest: [UInt8] = []
        var at = 0
        for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) where part.lowerBound >= at {
            let name = text[at..<part.lowerBound].lastIndex(where: isOfWord) ?? at
            rest += text[at..<((text[at..<name].lastIndex { !isOfWord($0) } ?? at - 1) + 1)]
            rest.append(0x0A)
            at = part.upperBound
        }
        rest += text[at...]
        return rest.withUnsafeBytes { rest in
            standEscaped(in: rest) {
                holdsName($0, accepts) || holdsHexadecimal($0, accepts) || holdsPacked($0) || holdsBase64($0, accepts)
            }
        }
    }

    /// Whether a text has the key of a notification type, followed by one of Apple's types; a record with an answer of
    /// Apple's then holds a notification too.
    package static func nameType(in text: UnsafeRawBufferPointer) -> Bool {
        standEscaped(in: text) { holdsName($0) { text, isType, end in isType && type(in: text, after: end) != nil } }
    }

    /// Apple's type that follows a type key, allowing for the separators of other formats: `";s:9:"`, `","value":"`.
    private static func type(in text: UnsafeRawBufferPointer, after end: Int) -> String? {
        var rest = text[end...].prefix(24)
        while let start = rest.firstIndex(where: { 0x41...0x5A ~= $0 }) {
            let word = text[start...].prefix(while: isOfWord)
            let type = String(decoding: word, as: UTF8.self)
            if KnownNames.typesOfVersion1.contains(type) || KnownNames.typesOfVersion2.contains(type) { return type }
            rest = rest[min(max(start + 1, word.endIndex), rest.endIndex)...]
        }
        return nil
    }

    /// Whether a text, or what it is without up to three layers of escapes, shows signs.
    ///
    /// Escapes of escapes are three at most: JSON in a text of JSON in a form.
    private static func standEscaped(
        in text: UnsafeRawBufferPointer, _ stand: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        if stand(text) { return true }
        var plain = withoutEscapes(text)
        for _ in 0..<3 {
            guard let unescaped = plain else { return false }
            if unescaped.withUnsafeBytes(stand) { return true }
            plain = unescaped.withUnsafeBytes(withoutEscapes)
        }
        return false
    }

    // MARK: Names

    /// Says whether a name in a text counts, by whether it is that of a type and by where it ends.
    private typealias Accepting = (_ text: UnsafeRawBufferPointer, _ isType: Bool, _ end: Int) -> Bool

    private static func holdsName(_ text: UnsafeRawBufferPointer, _ accepts: Accepting) -> Bool {
        names.contains { name in
            let isType = name[0].utf8CodeUnitCount == 12
            return holds(name, text) { accepts(text, isType, $0) && !(isType && isNumber(text, $0)) }
        }
    }

    /// Whether words are somewhere in a text, in any case, and what ends with them is accepted.
    private static func holds(
        _ words: [StaticString], _ text: UnsafeRawBufferPointer, where accepts: (_ end: Int) -> Bool
    ) -> Bool {
        var start = 0
        while let place = text.offset(of: words[0], from: start, ignoresCase: true) {
            start = place + words[0].utf8CodeUnitCount
            var end = start
            let isWhole = words.dropFirst().allSatisfy { word in
                if end < text.count, text[end] == 0x5F { end += 1 }
                let rest = UnsafeRawBufferPointer(rebasing: text[end..<min(end + word.utf8CodeUnitCount, text.count)])
                end += word.utf8CodeUnitCount
                return rest.offset(of: word, from: 0, ignoresCase: true) != nil
            }
            if isWhole, end == text.count || !isOfWord(text[end]), accepts(end) { return true }
        }
        return false
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == 0x5F
    }

    /// Whether a number is the value of the name that ends there: Google's types are numbers, Apple's values never are.
    private static func isNumber(_ text: UnsafeRawBufferPointer, _ end: Int) -> Bool {
        var at = end
        while at < text.count, !(0x30...0x39 ~= text[at]) {
            switch text[at] {
            case 0x25: at += 3
            case 0x26: at = (text[at...].prefix(7).firstIndex(of: 0x3B) ?? text.count) + 1
            case let byte where byte <= 0x20 || #"\"':=>"#.utf8.contains(byte): at += 1
            default: return false
            }
        }
        return at < text.count && at > end
    }

    // MARK: Packings

    /// Whether a name is in a run of hexadecimal digits, such as a blob in a dump.
    private static func holdsHexadecimal(_ text: UnsafeRawBufferPointer, _ accepts: Accepting) -> Bool {
        // A run that is long enough has a digit at one of these places.
        var at = shortest - 1
        while at < text.count {
            let end = text[at...].firstIndex { Hexadecimal.value($0) == nil } ?? text.count
            guard end > at else {
                at += shortest
                continue
            }
            let start = (text[..<at].lastIndex { Hexadecimal.value($0) == nil } ?? -1) + 1
            for first in start...start + 1 where end - first >= shortest {
                let bytes = stride(from: first, to: end - 1, by: 2).compactMap {
                    Hexadecimal.byte(text[$0], text[$0 + 1])
                }
                if bytes.withUnsafeBytes({ holdsName($0, accepts) }) { return true }
            }
            at = end + shortest
        }
        return false
    }

    /// Whether a name is in base64 of an object.
    private static func holdsBase64(_ text: UnsafeRawBufferPointer, _ accepts: Accepting) -> Bool {
        ["eyJ", "eyA", "ewo"].contains { (start: StaticString) in
            var at = 0
            while let first = text.offset(of: start, from: at) {
                let end = text[first...].firstIndex { !isOfWord($0) && !"+/-=".utf8.contains($0) } ?? text.count
                let object = OutputBuffer(capacity: end - first)
                if Packing.decode(base64: UnsafeRawBufferPointer(rebasing: text[first..<end]), into: object),
                    holdsName(object.bytes, accepts)
                {
                    return true
                }
                at = end
            }
            return false
        }
    }

    /// Whether base64 of gzip is in a text, or what CloudWatch Logs sends to a function.
    private static func holdsPacked(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while let place = text.offset(of: "H4sI", from: start) {
            start = place + 4
            let isBegin = place == 0 || !isOfWord(text[place - 1]) && text[place - 1] != 0x2B && text[place - 1] != 0x2F
            if isBegin, start < text.count, isOfWord(text[start]) { return true }
        }
        return holds(["awslogs"], text) { end in
            guard let next = text[end...].firstIndex(where: isOfWord), next - end <= 12 else { return false }
            return text[next...].starts(with: "data".utf8)
        }
    }

    /// Whether a text is the log of a POST whose body was not kept: the value of a name that ends with `body` is `-`, as
    /// gateways write, empty or null, or the last field of the line is `-`.
    package static func holdsEmptyBody(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.holds("POST") else { return false }
        if text.suffix(4).elementsEqual(" \"-\"".utf8) { return true }
        return holds(["body"], text) { end in
            guard let mark = text[end...].firstIndex(where: { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 }),
                text[mark] == 0x3A || text[mark] == 0x3D
            else { return false }
            let value = text[(mark + 1)...].drop { $0 == 0x20 }
            if value.starts(with: #""""#.utf8) || value.starts(with: "''".utf8) { return true }
            let word = value.drop { $0 == 0x22 || $0 == 0x27 }
            guard let empty = ["null", "-"].first(where: { word.starts(with: $0.utf8) }) else { return false }
            return word.dropFirst(empty.utf8.count).first.map { !isOfWord($0) && $0 != 0x2D } ?? true
        }
    }

    // MARK: Escapes

    /// The text with its ASCII characters as they are where it has them as `\u0079` or `\x79` or `%79` or `&#121;`, and
    /// without other backslashes; `nil` if that changes nothing.
    private static func withoutEscapes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.offset(of: 0x5C) != nil || text.offset(of: 0x25) != nil || text.holds("&#") else { return nil }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            let (byte, length) = character(text, at)
            if let byte { plain.append(byte) }
            at += length
        }
        return plain.count < text.count ? plain : nil
    }

    /// What begins the number of a character, how many digits it has (`nil`: up to a semicolon), and in which system.
    private static let numbered: [(mark: StaticString, digits: Int?, radix: Int)] = [
        ("%", 2, 16), ("\\u", 4, 16), ("\\x", 2, 16), ("&#x", nil, 16), ("&#X", nil, 16), ("&#", nil, 10),
    ]

    /// The character at an index, `nil` for a backslash that stands for nothing, and how many bytes it takes.
    private static func character(_ text: UnsafeRawBufferPointer, _ at: Int) -> (byte: UInt8?, length: Int) {
        guard [0x25, 0x26, 0x5C].contains(text[at]) else { return (text[at], 1) }
        for number in numbered where text[at...].starts(with: number.mark.bytes) {
            let start = at + number.mark.utf8CodeUnitCount
            let end = number.digits.map { start + $0 } ?? text[at...].prefix(7).firstIndex(of: 0x3B) ?? start
            guard start < end, end <= text.count else { continue }
            let byte = UInt8(String(decoding: text[start..<end], as: UTF8.self), radix: number.radix)
            if let byte, 0x20...0x7E ~= byte { return (byte, end - at + (number.digits == nil ? 1 : 0)) }
        }
        guard text[at] == 0x5C else { return (text[at], 1) }
        let next = at + 1 < text.count ? text[at + 1] : 0
        return [0x6E, 0x72, 0x74].contains(next) ? (0x20, 2) : (nil, 1)
    }
}
