/// Times as programs write them into logs and for people, read from a place in a text on.
///
///     2020-11-03T09:12:44.123Z        also with a space or `/`
///     03/Nov/2020:09:12:44 +0000      web servers
///     03-Nov-2020 09:12:44 UTC        PHP
///     Tue, 03 Nov 2020 09:12:44 GMT   HTTP
///     Tue Nov 03 09:12:44.123 2020    Apache
///     Nov 3, 2020 @ 09:12:44.123      Kibana
///     11/3/2020, 9:12:44.123 AM       Azure: with AM or PM the month leads
///     Tue Nov 03 2020 09:12:44 GMT+0100 (CET)   JavaScript
///     1604394764123                   seconds, with or without a fraction, milliseconds or microseconds
///
/// A time without a year is none.
struct WrittenTime {
    private let text: UnsafeRawBufferPointer
    private var at: Int

    /// 2100: what is later is another number.
    static let latest: Int64 = 4_102_444_800_000

    /// The time that a text is, with the name of the day before it or without.
    static func read(_ text: UnsafeRawBufferPointer) -> ReceiveTime? {
        guard 12...80 ~= text.count, let start = text.firstIndex(where: { 0x30...0x39 ~= $0 }), start < 16 else {
            return nil
        }
        let end = text.endOfDigits(start)
        return end - start < 3 ? time(text, start, end) : nil
    }

    /// The time that begins with a run of digits; after the name of a month, the digits are the day.
    static func time(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> ReceiveTime? {
        var reader = WrittenTime(text: text, at: start)
        switch end - start {
        case 1, 2: return reader.written()
        case 4: return reader.dated()
        case 10, 13, 16: return reader.epoch()
        default: return nil
        }
    }

    // MARK: Forms

    private mutating func dated() -> ReceiveTime? {
        guard let year = year(), skip("-/"), let month = number(2...2), skip("-/"), let day = number(2...2),
            skip("Tt "), text.endOfDigits(at) == at + 2
        else { return nil }
        return time(year, month, day, hasHalf: false)
    }

    private mutating func written() -> ReceiveTime? {
        let start = at
        guard let number = number(1...2) else { return nil }
        var afterMark = self
        if afterMark.skip("/- "), let month = afterMark.month() {
            guard afterMark.skip("/- "), let year = afterMark.year() else { return nil }
            return afterMark.time(year, month, number)
        }
        if skip("/") {
            guard let day = self.number(1...2), skip("/"), let year = year() else { return nil }
            return time(year, number, day, hasHalf: true)
        }
        guard at < text.count, let month = month(before: start) else { return nil }
        while skip(" ,") {}
        return time(year(), month, number)
    }

    /// Digits at the beginning or after a mark.
    private mutating func epoch() -> ReceiveTime? {
        let start = at
        at = text.endOfDigits(at)
        let isMarked =
            start == 0 || ":=[(\"".utf8.contains(text[start - 1]) || at - start == 13 && text[start - 1] == 0x2C
        passFraction(".")
        guard isMarked, at == text.count || !Self.isLetter(text[at]) && !"-._".utf8.contains(text[at]) else {
            return nil
        }
        let time = AppleDate.received(UnsafeRawBufferPointer(rebasing: text[start..<at]))
        return time.flatMap { $0.milliseconds < Self.latest ? $0 : nil }
    }

    /// The time of day after a date, the year if the date has none, and the zone.
    ///
    /// AM or PM may follow (`nil`), has to be there (true), or is not read (false).
    private mutating func time(
        _ knownYear: Int64?, _ month: Int64, _ day: Int64, hasHalf: Bool? = nil
    ) -> ReceiveTime? {
        for _ in 0..<4 where skip(" ,:@T") {}
        guard var hour = number(1...2), skip(":"), let minute = number(2...2), skip(":"), let second = number(2...2)
        else { return nil }
        let start = at
        passFraction(".,")
        let fraction = Array(text[start..<at])
        if hasHalf != false, let isAfternoon = half() {
            guard 1...12 ~= hour else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        } else if hasHalf == true {
            return nil
        }
        var year = knownYear
        if year == nil, skip(" ") { year = self.year() }
        guard let year, let local = CivilTime.seconds(year, month, day, hour, minute, second) else { return nil }
        let time =
            (fraction + zone()).withUnsafeBytes { CivilTime.instant(local, $0) }
            ?? fraction.withUnsafeBytes { CivilTime.instant(local, $0) }
        return time.map { ReceiveTime(milliseconds: $0.milliseconds, hasZone: $0.hasZone) }
    }

    // MARK: Parts

    /// Passes one of these characters.
    private mutating func skip(_ characters: String) -> Bool {
        guard at < text.count, characters.utf8.contains(text[at]) else { return false }
        at += 1
        return true
    }

    private mutating func number(_ digits: ClosedRange<Int>) -> Int64? {
        let end = min(text.endOfDigits(at), at + digits.upperBound)
        guard end - at >= digits.lowerBound else { return nil }
        defer { at = end }
        return text[at..<end].reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
    }

    private mutating func passFraction(_ marks: String) {
        var digits = self
        if digits.skip(marks), text.endOfDigits(digits.at) > digits.at { at = text.endOfDigits(digits.at) }
    }

    private mutating func year() -> Int64? { text.endOfDigits(at) == at + 4 ? number(4...4) : nil }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The month whose name is here.
    private mutating func month() -> Int64? {
        let end = text[min(at, text.count)...].firstIndex { !Self.isLetter($0) } ?? text.count
        guard 3...9 ~= end - at else { return nil }
        let name = text[at..<at + 3].map { $0 | 0x20 }
        guard let place = Self.months.firstIndex(where: { $0.utf8.elementsEqual(name) }) else { return nil }
        at = end
        return Int64(place) + 1
    }

    /// The month whose name ends before an index, with spaces between.
    private func month(before start: Int) -> Int64? {
        guard let end = text[..<start].lastIndex(where: { $0 != 0x20 }), end + 1 < start else { return nil }
        let before = text[...end].lastIndex { !Self.isLetter($0) } ?? -1
        var reader = WrittenTime(text: text, at: before + 1)
        return reader.month()
    }

    /// Whether AM or PM is here, and which.
    private mutating func half() -> Bool? {
        var reader = self
        _ = reader.skip(" ")
        let isAfternoon = reader.skip("Pp")
        // `America/New_York` begins with the same letters.
        guard isAfternoon || reader.skip("Aa"), reader.skip("Mm"),
            reader.at == text.count || !Self.isLetter(text[reader.at])
        else { return nil }
        at = reader.at
        return isAfternoon
    }

    /// The zone that is here or after a space; empty for none.
    private mutating func zone() -> [UInt8] {
        let hasSpace = skip(" ")
        var start = at
        if ["UTC", "GMT"].contains(where: { text[at...].starts(with: $0.utf8) }) {
            at += 3
            // JavaScript writes `GMT+0100`.
            if text.endOfDigits(min(at + 1, text.count)) > at + 1, "+-".utf8.contains(text[at]) { start = at }
        }
        if at == start, skip("+-") {
            while at < start + 6, skip("0123456789:") {}
            if text[at - 1] == 0x3A { at -= 1 }
        } else if at == start, !hasSpace {
            _ = skip("Zz")
        }
        return Array(text[start..<at])
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
}
