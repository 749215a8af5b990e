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

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0..<elements.count)]
    }

    /// One of the donors.
    private mutating func donor() -> [UInt8] { pick(pick(donors)) }

    /// One of the donors, touched by none to three mutations.
    mutating func text() -> [UInt8] {
        var text = donor()
        for _ in 0..<number(0..<4) { mutate(&text) }
        return text
    }

    /// One of the donors, touched, or one made to be hard.
    mutating func hardText() -> [UInt8] {
        switch number(0..<8) {
        case 0: receipt()
        case 1: crowd()
        case 2: [0x5B] + crowd() + [0x2C] + crowd() + [0x5D]
        default: text()
        }
    }

    /// Changes a text in one of many ways.
    mutating func mutate(_ text: inout [UInt8]) {
        guard !text.isEmpty else { return text = donor() }
        let place = number(0..<text.count)
        switch number(0..<20) {
        case 0: text[place] ^= 1 << UInt8(number(0..<8))
        case 1: text[place] = pick(Self.marks)
        case 2: text[place] = UInt8(number(0..<0x20))
        case 3: text[place] = UInt8(number(0x80..<0x100))
        case 4: text.insert(pick(Self.marks), at: place)
        case 5: text.removeSubrange(span(text))
        case 6: text.insert(contentsOf: Array(text[span(text)]), at: place)
        case 7:
            let donor = donor()
            text.insert(contentsOf: donor[span(donor)], at: place)
        case 8: swapSpans(&text)
        case 9: text.removeSubrange(place...)
        case 10:
            let donor = donor()
            text = Array(text[..<place]) + donor[number(0..<donor.count)...]
        case 11, 12: repeatMember(&text)
        case 13: escape(&text)
        case 14: unescape(&text)
        case 15, 16, 17: replaceValue(&text)
        case 18:
            let spaces = pick([1, 2, 7, 30, 63, 64, 65, 127])
            let space: UInt8 = pick([0x20, 0x09, 0x0D, 0x0A])
            text.insert(contentsOf: [UInt8](repeating: space, count: spaces), at: mark(text))
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

    private mutating func swapSpans(_ text: inout [UInt8]) {
        let (one, other) = (span(text), span(text))
        let (first, last) = one.lowerBound < other.lowerBound ? (one, other) : (other, one)
        guard first.upperBound <= last.lowerBound else { return }
        text = Array(
            [
                text[..<first.lowerBound], text[last], text[first.upperBound..<last.lowerBound], text[first],
                text[last.upperBound...],
            ].joined())
    }

    /// The places of a byte, at most about a hundred of them from anywhere on.
    private mutating func places(_ text: [UInt8], where isWanted: (UInt8) -> Bool) -> [Int] {
        let start = number(0..<text.count)
        let turned = Array(start..<text.count) + Array(0..<start)
        var found: [Int] = []
        for place in turned where isWanted(text[place]) {
            found.append(place)
            if found.count == 100 { break }
        }
        return found
    }

    /// The place of something that is not inside a string, if the text is as it should be.
    private mutating func mark(_ text: [UInt8]) -> Int {
        places(text) { [0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3A].contains($0) }.randomElement(using: &random) ?? 0
    }

    /// Writes a member or element, up to the next comma or bracket, once more behind itself or another.
    private mutating func repeatMember(_ text: inout [UInt8]) {
        let starts = places(text) { $0 == 0x7B || $0 == 0x5B || $0 == 0x2C }
        guard let start = starts.randomElement(using: &random),
            let end = text[(start + 1)...].firstIndex(where: { $0 == 0x2C || $0 == 0x7D || $0 == 0x5D })
        else { return }
        let member = [0x2C] + text[(start + 1)..<end]
        let ends = places(text) { $0 == 0x2C || $0 == 0x7D || $0 == 0x5D }
        let place = number(0..<3) == 0 ? ends.randomElement(using: &random) : end
        text.insert(contentsOf: member, at: place ?? end)
    }

    /// An object of many keys, and perhaps one of them twice, somehow written, with other objects in between.
    private mutating func crowd() -> [UInt8] {
        var members = (0..<number(15..<60)).map { "\"\($0)k\":\($0 % 7 == 3 ? "{\"0k\":{},\"\($0)k\":[]}" : "\"1k\"")" }
        if number(0..<2) == 0 {
            let key = number(0..<members.count)
            let again = pick(["\"\(key)k\":0", "\"\(key)\\u006b\":0", "\"\(key)\\u006B\":{\"\(key)k\":0}"])
            members.insert(again, at: number(0..<members.count + 1))
        }
        return Array("{\(members.joined(separator: pick([",", ", "])))}".utf8)
    }

    /// A long text with nothing in it but base64 whose `/` are escaped, as PHP writes it, and now and then another
    /// escape or the end, anywhere.
    private mutating func receipt() -> [UInt8] {
        var text = Array("{\"latest_receipt\":\"".utf8)
        let slashes = number(0..<20)
        for _ in 0..<number(0..<600) {
            text += number(0..<20) < slashes ? Array("\\/".utf8) : [UInt8(number(0x41..<0x5B))]
        }
        let odd = ["\\\"", "\\\\", "\\q", "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\"", "é", " ", "\\\\\\"]
        for _ in 0..<number(0..<3) {
            text.insert(contentsOf: Array(pick(odd).utf8), at: number(0..<text.count + 1))
        }
        return text + Array("\",\"a\":\"\\/\"}".utf8)
    }

    /// Writes a character as `\u00XX`.
    private mutating func escape(_ text: inout [UInt8]) {
        let words = escapesWords
        let letters = places(text) {
            words ? 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F : [0x2B, 0x2F, 0x3D].contains($0)
        }
        guard let place = letters.randomElement(using: &random) else { return }
        let digits = String(text[place], radix: 16, uppercase: Bool.random(using: &random))
        text.replaceSubrange(place...place, with: Array(("\\u00" + digits).utf8))
    }

    /// Takes a backslash away, with the `u00` behind it if there is one.
    private mutating func unescape(_ text: inout [UInt8]) {
        guard let place = places(text, where: { $0 == 0x5C }).randomElement(using: &random) else { return }
        let length = text[place...].starts(with: "\\u00".utf8) ? 4 : 1
        text.removeSubrange(place..<place + length)
    }

    /// Puts another value in the place of a short one.
    private mutating func replaceValue(_ text: inout [UInt8], by value: [UInt8]? = nil) {
        guard let colon = places(text, where: { $0 == 0x3A }).randomElement(using: &random) else { return }
        let end = text[(colon + 1)...].firstIndex { [0x2C, 0x7D, 0x5D].contains($0) } ?? text.count
        let value = value ?? pick(Self.values)
        text.replaceSubrange(colon + 1..<end, with: value)
    }
}
