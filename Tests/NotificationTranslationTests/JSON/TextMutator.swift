import SimulatedLives

/// Damages texts, now and then so little that they stay JSON.
struct TextMutator {
    var random: SeededGenerator
    /// Texts that pieces are taken from, in kinds that are equally likely.
    let donors: [[[UInt8]]]
    /// Whether letters and digits are written as escapes, or only what programs do write so.
    var escapesWords = true

    private static let marks = Array("\"\\{}[],:".utf8)
    private static let values = [
        "null", "true", "false", "{}", "[]", "[1]", "[[{}]]", "{\"a\":[]}", "\"\"", "\"\\/\\\\\\\"\"", "0", "-0", "-1",
        "01",
        "1.5", "1.", ".5", "1e5", "1E+05", "1e-400", "1e400", "-1e309", "12e", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
        "1.7976931348623157e308", "1.8e308", "1700000000000.5", "\"1700000000000\"", "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\u0000\"", "\"é漢😀\"", "nul", "tru", "+1", "NaN",
    ].map { Array($0.utf8) }

    init(seed: UInt64, donors: [[[UInt8]]]) {
        random = SeededGenerator(seed: seed)
        self.donors = donors
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0..<elements.count)] }

    /// One of the donors, touched by none to three mutations.
    mutating func text() -> [UInt8] {
        var text = pick(pick(donors))
        for _ in 0..<number(0..<4) { mutate(&text) }
        return text
    }

    /// Changes a text in one of many ways.
    private mutating func mutate(_ text: inout [UInt8]) {
        guard !text.isEmpty else { return text = pick(pick(donors)) }
        let place = number(0..<text.count)
        switch number(0..<19) {
        case 0: text[place] ^= 1 << UInt8(number(0..<8))
        case 1: text[place] = pick(Self.marks)
        case 2: text[place] = UInt8(number(0..<0x20))
        case 3: text[place] = UInt8(number(0x80..<0x100))
        case 4: text.insert(pick(Self.marks), at: place)
        case 5: text.removeSubrange(span(text))
        case 6: text.insert(contentsOf: Array(text[span(text)]), at: place)
        case 7:
            let donor = pick(pick(donors))
            text.insert(contentsOf: donor[span(donor)], at: place)
        case 8: text.removeSubrange(place...)
        case 9, 10, 11: repeatMember(&text)
        case 12: escape(&text)
        case 13: unescape(&text)
        case 14, 15, 16: replaceValue(&text, by: pick(Self.values))
        case 17:
            let spaces = [UInt8](
                repeating: pick([0x20, 0x09, 0x0D, 0x0A]), count: pick([1, 2, 7, 30, 63, 64, 65, 127]))
            text.insert(contentsOf: spaces, at: self.place(text) { Self.marks.dropFirst(2).contains($0) } ?? 0)
        default:
            let depth = number(50..<70)
            let nest = [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
            replaceValue(&text, by: nest)
        }
    }

    /// A stretch of a text, mostly a short one.
    private mutating func span(_ text: [UInt8]) -> Range<Int> {
        let start = number(0..<text.count)
        let most = pick([1, 2, 4, 16, 64, 200])
        return start..<min(text.count, start + 1 + number(0..<most))
    }

    /// The place of a byte of some kind, whichever comes first from somewhere on.
    private mutating func place(_ text: [UInt8], where isWanted: (UInt8) -> Bool) -> Int? {
        let start = number(0..<text.count)
        return text[start...].firstIndex(where: isWanted) ?? text[..<start].firstIndex(where: isWanted)
    }

    /// Writes a member or element, up to the next comma or bracket, once more behind itself or another.
    private mutating func repeatMember(_ text: inout [UInt8]) {
        func ends(_ byte: UInt8) -> Bool { [0x2C, 0x7D, 0x5D].contains(byte) }
        guard let start = place(text, where: { [0x7B, 0x5B, 0x2C].contains($0) }),
            let end = text[(start + 1)...].firstIndex(where: ends)
        else { return }
        let member = [0x2C] + text[(start + 1)..<end]
        let other = number(0..<3) == 0 ? place(text, where: ends) : end
        text.insert(contentsOf: member, at: other ?? end)
    }

    /// Writes a character as `\u00XX`.
    private mutating func escape(_ text: inout [UInt8]) {
        let words = escapesWords
        let place = place(text) {
            words ? 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F : [0x2B, 0x2F, 0x3D].contains($0)
        }
        guard let place else { return }
        let digits = String(text[place], radix: 16, uppercase: Bool.random(using: &random))
        text.replaceSubrange(place...place, with: Array(("\\u00" + digits).utf8))
    }

    /// Takes a backslash away, with the `u00` behind it if there is one.
    private mutating func unescape(_ text: inout [UInt8]) {
        guard let place = place(text, where: { $0 == 0x5C }) else { return }
        let length = text[place...].starts(with: "\\u00".utf8) ? 4 : 1
        text.removeSubrange(place..<place + length)
    }

    /// Puts another value in the place of a short one.
    private mutating func replaceValue(_ text: inout [UInt8], by value: [UInt8]) {
        guard let colon = place(text, where: { $0 == 0x3A }) else { return }
        let end = text[(colon + 1)...].firstIndex { [0x2C, 0x7D, 0x5D].contains($0) } ?? text.count
        text.replaceSubrange(colon + 1..<end, with: value)
    }
}
