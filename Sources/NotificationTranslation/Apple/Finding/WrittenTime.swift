/// Times with the name of a month, or with AM and PM, as programs write them for people.
///
///     03/Nov/2020:09:12:44 +0000      web servers
///     03-Nov-2020 09:12:44 UTC        PHP
///     Tue, 03 Nov 2020 09:12:44 GMT   HTTP
///     Tue Nov 03 09:12:44.123 2020    Apache
///     Nov 3, 2020 @ 09:12:44.123      Kibana
///     11/3/2020, 9:12:44.123 AM       Azure: with AM or PM the month leads
///
/// A time without a year is none.
enum WrittenTime {
    /// The time that a text is, with the name of the day before it or without.
    static func read(_ text: UnsafeRawBufferPointer) -> ReceiveTime? {
        guard 12...48 ~= text.count else { return nil }
        var at = 0
        while at < text.count, !PrefixTime.isDigit(text[at]) { at += 1 }
        let end = text.endOfDigits(at)
        return at < 16 && 1...2 ~= end - at ? read(text, at, end) : nil
    }

    /// The time in whose date the digits at a place are the day, or the month before AM and PM.
    static func read(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> ReceiveTime? {
        guard end < text.count, let number = number(text, start, end) else { return nil }
        if let (month, after) = month(text, end + 1), "/- ".utf8.contains(text[end]) {
            guard after < text.count, "/- ".utf8.contains(text[after]), let year = year(text, after + 1) else {
                return nil
            }
            return time(text, after + 5, Date(year: year, month: month, day: number))
        }
        if text[end] == 0x2F {
            let slash = text.endOfDigits(end + 1)
            guard slash < text.count, text[slash] == 0x2F, let day = self.number(text, end + 1, slash),
                let year = year(text, slash + 1)
            else { return nil }
            return time(text, slash + 5, Date(year: year, month: number, day: day), asksForHalf: true)
        }
        guard let month = month(text, before: start) else { return nil }
        var at = end
        while at < text.count, text[at] == 0x20 || text[at] == 0x2C { at += 1 }
        if let year = year(text, at) { return time(text, at + 4, Date(year: year, month: month, day: number)) }
        return time(text, at, Date(year: nil, month: month, day: number))
    }

    private struct Date {
        var year: Int64?
        var month: Int64
        var day: Int64
    }

    /// The time of day after a date, what belongs to it, and the year if the date has none.
    private static func time(
        _ text: UnsafeRawBufferPointer, _ start: Int, _ date: Date, asksForHalf: Bool = false
    ) -> ReceiveTime? {
        var at = start
        while at < text.count, at < start + 4, " ,:@T".utf8.contains(text[at]) { at += 1 }
        let colon = text.endOfDigits(at)
        guard var hour = number(text, at, colon), colon + 6 <= text.count, text[colon] == 0x3A, text[colon + 3] == 0x3A,
            let minute = number(text, colon + 1, colon + 3), let second = number(text, colon + 4, colon + 6)
        else { return nil }
        at = colon + 6
        let fraction = Array(text[at..<PrefixTime.endOfFraction(text, at)])
        at += fraction.count
        if let isAfternoon = half(text, &at) {
            guard 1...12 ~= hour else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        } else if asksForHalf {
            return nil
        }
        var year = date.year
        if year == nil {
            guard at < text.count, text[at] == 0x20 else { return nil }
            year = self.year(text, at + 1)
            at += 5
        }
        guard let year, let local = CivilTime.seconds(year, date.month, date.day, hour, minute, second) else {
            return nil
        }
        return PrefixTime.zoned(local, fraction, text, after: min(at, text.count))
    }

    /// Whether AM or PM follows a time, and which; `at` is then after it.
    private static func half(_ text: UnsafeRawBufferPointer, _ at: inout Int) -> Bool? {
        let start = at < text.count && text[at] == 0x20 ? at + 1 : at
        guard start + 2 <= text.count, text[start + 1] & 0xDF == 0x4D else { return nil }
        let letter = text[start] & 0xDF
        guard letter == 0x41 || letter == 0x50 else { return nil }
        // `America/New_York` begins with the same letters.
        if start + 2 < text.count, isLetter(text[start + 2]) { return nil }
        at = start + 2
        return letter == 0x50
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The month whose name begins at an index, and the index after the name.
    private static func month(_ text: UnsafeRawBufferPointer, _ start: Int) -> (month: Int64, after: Int)? {
        var end = start
        while end < text.count, isLetter(text[end]) { end += 1 }
        guard 3...9 ~= end - start else { return nil }
        let name = text[start..<start + 3].map { $0 | 0x20 }
        guard let place = months.firstIndex(where: { $0.utf8.elementsEqual(name) }) else { return nil }
        return (Int64(place) + 1, end)
    }

    /// The month whose name ends before an index, with spaces between.
    private static func month(_ text: UnsafeRawBufferPointer, before start: Int) -> Int64? {
        var end = start
        while end > 0, text[end - 1] == 0x20 { end -= 1 }
        guard end < start else { return nil }
        var first = end
        while first > 0, isLetter(text[first - 1]) { first -= 1 }
        return month(text, first)?.month
    }

    private static func year(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int64? {
        guard start + 4 <= text.count, start + 4 == text.count || !PrefixTime.isDigit(text[start + 4]) else {
            return nil
        }
        return number(text, start, start + 4, atMost: 4)
    }

    /// The number that some digits say, as many as are allowed.
    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int, atMost most: Int = 2) -> Int64?
    {
        guard 1...most ~= end - start, text[start..<end].allSatisfy(PrefixTime.isDigit) else { return nil }
        return text[start..<end].reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
}
