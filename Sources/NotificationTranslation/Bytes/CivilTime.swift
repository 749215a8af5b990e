/// Instants and the Gregorian calendar, without any calendar of the system: RFC 3339 read and written, days since 1970.
package enum CivilTime {
    /// Milliseconds since 1970 of an RFC 3339 text, `nil` for anything else.
    ///
    /// The date and the time have `T` between them, a fraction of any length may follow, and the zone is `Z` or
    /// `+hh:mm`. Digits beyond the milliseconds are left out.
    package static func milliseconds(rfc3339 text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count >= 20, text[10] == 0x54 || text[10] == 0x74, let last = text.last,
            last == 0x5A || last == 0x7A || "+-".utf8.contains(text[text.count - 6]) && text[text.count - 3] == 0x3A,
            !text.contains(0x20), !text.contains(0x2C)
        else { return nil }
        return read(text)?.milliseconds
    }

    /// Milliseconds since 1970 of `2020-07-16T14:36:42`, with `T` or a blank, a fraction or none, and a zone or none.
    ///
    /// A time without a zone is read as UTC, and it says so. `nil` for anything else.
    static func read(_ text: UnsafeRawBufferPointer) -> (milliseconds: Int64, hasZone: Bool)? {
        guard text.count >= 19, text[10] == 0x54 || text[10] == 0x74 || text[10] == 0x20,
            let local = seconds(text)
        else { return nil }
        return instant(local, UnsafeRawBufferPointer(rebasing: text[19...]))
    }

    /// The same of a number of seconds since 1970, of which the text is the fraction and the zone.
    static func instant(_ local: Int64, _ text: UnsafeRawBufferPointer) -> (milliseconds: Int64, hasZone: Bool)? {
        let isFraction = text.first == 0x2E || text.first == 0x2C
        let decimals = text.dropFirst().prefix { isFraction && digit($0) != nil }
        let fraction = zip(decimals.compactMap(digit), [100, 10, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        let at = isFraction ? decimals.endIndex : 0
        guard let zone = offset(UnsafeRawBufferPointer(rebasing: text[at...])) else { return nil }
        let milliseconds = (local - zone) * 1000 + fraction
        // The zone may lead beyond the years that can be written.
        return earliest...latest ~= milliseconds ? (milliseconds, at < text.count) : nil
    }

    /// Calls `body` with the RFC 3339 form in UTC, three decimals: `2020-11-03T09:12:44.000Z`.
    package static func withText(_ milliseconds: Int64, _ body: (UnsafeRawBufferPointer) -> Void) {
        let limited = min(max(milliseconds, earliest), latest)
        // From the first day that can be written, so that everything below is a division of unsigned numbers.
        let elapsed = UInt64(bitPattern: limited &- earliest)
        let days = elapsed / 86_400_000
        let rest = elapsed % 86_400_000
        let (year, month, day) = date(fromDays: Int64(days) + earliest / 86_400_000)
        let (seconds, thousandths) = (rest / 1000, rest % 1000)
        let (minutes, second) = (seconds / 60, seconds % 60)
        // Three words of eight characters, the first character lowest.
        let words = (
            pair(UInt64(year) / 100) | pair(UInt64(year) % 100) << 16 | pair(UInt64(month)) << 40
                | 0x2D00_002D_0000_0000,
            pair(UInt64(day)) | pair(minutes / 60) << 24 | pair(minutes % 60) << 48 | 0x0000_3A00_0054_0000,
            pair(second) << 8 | pair(thousandths / 10) << 32 | (0x30 + thousandths % 10) << 48
                | 0x5A00_0000_2E00_003A
        )
        withUnsafeBytes(of: (words.0.littleEndian, words.1.littleEndian, words.2.littleEndian)) { body($0) }
    }

    /// Two decimal digits, the first one lowest.
    private static func pair(_ value: UInt64) -> UInt64 {
        let tens = (value &* 103) >> 10
        return tens | (value &- tens &* 10) << 8 | 0x3030
    }

    /// The first and last instant that four digits of year can write.
    package static let earliest: Int64 = -62_135_596_800_000
    package static let latest: Int64 = 253_402_300_799_999

    // MARK: The calendar

    /// Days since 1970-01-01 of a date of the Gregorian calendar.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Year, month and day of the Gregorian calendar.
    static func date(fromDays days: Int64) -> (Int64, Int64, Int64) {
        let era = floorDivide(days + 719_468, 146_097)
        let dayOfEra = days + 719_468 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        // Counted from March.
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month > 9
        let year = era * 400 + yearOfEra + (isNextYear ? 1 : 0)
        return (year, month + (isNextYear ? -9 : 3), dayOfYear - (153 * month + 2) / 5 + 1)
    }

    package static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 {
        value >= 0 ? value / by : (value + 1) / by - 1
    }

    /// Seconds since 1970 of the first 19 characters, `2020-07-16?14:36:42`, read as UTC.
    static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        func number(_ index: Int, _ count: Int) -> Int64? {
            var value: Int64 = 0
            for offset in index..<index + count {
                guard let digit = digit(text[offset]) else { return nil }
                value = value * 10 + digit
            }
            return value
        }
        guard text[4] == 0x2D, text[7] == 0x2D, text[13] == 0x3A, text[16] == 0x3A,
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2)
        else { return nil }
        return seconds(year, month, day, hour, minute, second)
    }

    /// Seconds since 1970 of a date and a time of day; `nil` if no calendar and no clock shows them.
    package static func seconds(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
    ) -> Int64? {
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else { return nil }
        let days = days(year: year, month: month, day: day)
        // A day that its month lacks is one of the next month.
        guard day <= 28 || date(fromDays: days).2 == day else { return nil }
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Seconds ahead of UTC of `Z`, `+02:00`, `-0700`, `+00`, `+1`, ` UTC` or nothing.
    private static func offset(_ text: UnsafeRawBufferPointer) -> Int64? {
        let zone = UnsafeRawBufferPointer(rebasing: text.first == 0x20 ? text[1...] : text[...])
        if zone.isEmpty || equal(zone, "Z") || equal(zone, "z") || equal(zone, "UTC") || equal(zone, "GMT") {
            return 0
        }
        guard zone[0] == 0x2B || zone[0] == 0x2D else { return nil }
        let characters = zone.dropFirst().filter { $0 != 0x3A }
        let digits = characters.compactMap(digit)
        guard [1, 2, 4].contains(digits.count), digits.count == characters.count else { return nil }
        let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
        let hours = digits.count == 1 ? digits[0] : digits[0] * 10 + digits[1]
        let seconds = hours * 3600 + minutes * 60
        return zone[0] == 0x2B ? seconds : -seconds
    }

    /// Months from the year 1 to that of an instant, from 1.
    package static func month(_ milliseconds: Int64) -> Int {
        let limited = min(max(milliseconds, earliest), latest)
        let (year, month, _) = date(fromDays: floorDivide(limited, 86_400_000))
        return Int(year - 1) * 12 + Int(month)
    }

    /// The instant so many months later: of the same day, or of the last one of a month that has not so many.
    static func adding(months: Int64, to milliseconds: Int64) -> Int64 {
        let days = floorDivide(milliseconds, 86_400_000)
        let (year, month, day) = date(fromDays: days)
        let count = year * 12 + month - 1 + months
        let (newYear, newMonth) = (floorDivide(count, 12), count - floorDivide(count, 12) * 12 + 1)
        let first = Self.days(year: newYear, month: newMonth, day: 1)
        let next = Self.days(year: newYear, month: newMonth + 1, day: 1)
        return (min(first + day, next) - 1 - days) * 86_400_000 + milliseconds
    }

    // MARK: Characters

    static func digit(_ byte: UInt8) -> Int64? {
        0x30...0x39 ~= byte ? Int64(byte) - 0x30 : nil
    }

    static func equal(_ text: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        text.elementsEqual(word.bytes)
    }
}
