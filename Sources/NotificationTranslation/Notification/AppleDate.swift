/// Instants as Apple and the servers around it write them, read into milliseconds since 1970 without any calendar
/// of the system.
enum AppleDate {
    /// Milliseconds since 1970 of a text as V1 has them: `2020-07-16 14:36:42 Etc/GMT` (also `GMT`, `UTC`) or the same
    /// with `America/Los_Angeles`, which follows daylight saving time.
    ///
    /// `nil` for anything else. In the hour that happens twice when summer time ends, the earlier instant is taken; see
    /// ``isAmbiguous(_:)``.
    static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count > 20, text[10] == 0x20, text[19] == 0x20,
            let local = civilSeconds(text)
        else { return nil }
        let zone = UnsafeRawBufferPointer(rebasing: text[20...])
        if equal(zone, "Etc/GMT") || equal(zone, "GMT") || equal(zone, "UTC") { return local * 1000 }
        if equal(zone, "America/Los_Angeles") { return (local + losAngelesBehind(local)) * 1000 }
        return nil
    }

    /// Whether a text shows an hour of Los Angeles that happened twice, or never, on the day when the clocks were changed.
    static func isAmbiguous(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > 20, let local = civilSeconds(text),
            equal(UnsafeRawBufferPointer(rebasing: text[20...]), "America/Los_Angeles")
        else { return false }
        let summer = summerTime(local)
        return summer.lowerBound..<summer.lowerBound + 3600 ~= local
            || summer.upperBound - 3600..<summer.upperBound ~= local
    }

    /// Milliseconds since 1970 of a time with its zone, as programs write it that keep times as values: RFC 3339, or a
    /// database's `2020-07-16 14:36:42.5+00`.
    ///
    /// `nil` for anything else, a time without a zone included.
    static func instant(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count > 19, let last = text.last, !(0x30...0x39 ~= last) || text[19...].contains(where: isSign)
        else { return nil }
        return receiveTime(text)
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == 0x2B || byte == 0x2D }

    /// Milliseconds since 1970 of an RFC 3339 time, of a database's `2020-07-16 14:36:42.5+00`, or of a number of
    /// seconds or milliseconds.
    ///
    /// A text without a zone is taken as UTC. `nil` for anything else, a bare date included.
    static func receiveTime(_ text: UnsafeRawBufferPointer) -> Int64? {
        received(text)?.milliseconds
    }

    /// The same, with what is known of its zone.
    static func received(_ text: UnsafeRawBufferPointer) -> ReceiveTime? {
        if let first = text.first, 0x30...0x39 ~= first, text.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) {
            return epoch(text).map { ReceiveTime(milliseconds: $0) }
        }
        guard text.count >= 19, text[10] == 0x54 || text[10] == 0x74 || text[10] == 0x20,
            let local = civilSeconds(text)
        else { return nil }
        var at = 19
        var fraction: Int64 = 0
        if at < text.count, text[at] == 0x2E || text[at] == 0x2C {
            at += 1
            var scale: Int64 = 100
            while at < text.count, let digit = digit(text[at]) {
                fraction += digit * scale
                scale /= 10
                at += 1
            }
        }
        guard let behind = offset(UnsafeRawBufferPointer(rebasing: text[at...])) else { return nil }
        return ReceiveTime(milliseconds: (local - behind) * 1000 + fraction, hasZone: at < text.count)
    }

    /// Calls `body` with the RFC 3339 form in UTC, three decimals: `2020-11-03T09:12:44.000Z`.
    static func withText(_ milliseconds: Int64, _ body: (UnsafeRawBufferPointer) -> Void) {
        let words = words(milliseconds)
        withUnsafeBytes(of: (words.0.littleEndian, words.1.littleEndian, words.2.littleEndian)) { body($0) }
    }

    /// The same as three words of eight characters, the first character lowest.
    @inline(__always)
    static func words(_ milliseconds: Int64) -> (UInt64, UInt64, UInt64) {
        let limited = min(max(milliseconds, earliest), latest)
        // From the first day that can be written, so that everything below is a division of unsigned numbers.
        let elapsed = UInt64(bitPattern: limited &- earliest)
        let days = elapsed / 86_400_000
        let rest = elapsed % 86_400_000
        let (year, month, day) = civil(fromDays: Int64(days) + earliest / 86_400_000)
        let (seconds, thousandths) = (rest / 1000, rest % 1000)
        let (minutes, second) = (seconds / 60, seconds % 60)
        return (
            pair(UInt64(year) / 100) | pair(UInt64(year) % 100) << 16 | pair(UInt64(month)) << 40
                | 0x2D00_002D_0000_0000,
            pair(UInt64(day)) | pair(minutes / 60) << 24 | pair(minutes % 60) << 48 | 0x0000_3A00_0054_0000,
            pair(second) << 8 | pair(thousandths / 10) << 32 | (0x30 + thousandths % 10) << 48
                | 0x5A00_0000_2E00_003A
        )
    }

    /// Two decimal digits, the first one lowest.
    @inline(__always)
    private static func pair(_ value: UInt64) -> UInt64 {
        let tens = (value &* 103) >> 10
        return tens | (value &- tens &* 10) << 8 | 0x3030
    }

    /// The first and last instant that four digits of year can write.
    static let earliest: Int64 = -62_135_596_800_000
    static let latest: Int64 = 253_402_300_799_999

    /// 1 January 2008: the App Store opened in July of that year, so a body holds no date before it that is true.
    ///
    /// Seconds where milliseconds belong, and the zero values of typed languages, all lie before it.
    static let opening: Int64 = 1_199_145_600_000

    // MARK: Civil time

    /// Days since 1970-01-01 of a date of the Gregorian calendar.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Year, month and day of the Gregorian calendar.
    ///
    /// The divisions are those of Neri and Schneider ("Euclidean affine functions and their application to calendar
    /// algorithms", 2022): each is one multiplication.
    @inline(__always)
    static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
        // Two eras of 400 years ahead, so that no number is negative: the year 0 is written in some receipts.
        let shifted = UInt64(truncatingIfNeeded: days + 719_468 + 2 * 146_097)
        let quarters = 4 * shifted + 3
        let century = quarters / 146_097
        let ofCentury = (quarters % 146_097) | 3
        let scaled = 2_939_745 * ofCentury
        let yearOfCentury = scaled >> 32
        let dayOfYear = (scaled & 0xFFFF_FFFF) / 2_939_745 / 4
        let months = 2141 * dayOfYear + 197_913
        let isNextYear = dayOfYear >= 306
        let year = Int64(100 * century + yearOfCentury) - 800 + (isNextYear ? 1 : 0)
        return (year, Int64(months >> 16) - (isNextYear ? 12 : 0), Int64((months & 0xFFFF) / 2141) + 1)
    }

    private static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 {
        value >= 0 ? value / by : -((by - 1 - value) / by)
    }

    /// Seconds since 1970 of the first 19 characters, `2020-07-16?14:36:42`, read as UTC.
    private static func civilSeconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        func number(_ place: Int, _ count: Int) -> Int64? {
            var value: Int64 = 0
            for offset in place..<place + count {
                guard let digit = digit(text[offset]) else { return nil }
                value = value * 10 + digit
            }
            return value
        }
        guard text[4] == 0x2D, text[7] == 0x2D, text[13] == 0x3A, text[16] == 0x3A,
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Seconds that Los Angeles is behind UTC when its clocks show `local`.
    ///
    /// Summer time since 2007: from the second Sunday of March, 2:00, to the first Sunday of November, 2:00.
    private static func losAngelesBehind(_ local: Int64) -> Int64 {
        summerTime(local).contains(local) ? 25_200 : 28_800
    }

    /// From when to when clocks show summer time in the year of `local`.
    private static func summerTime(_ local: Int64) -> Range<Int64> {
        let (year, _, _) = civil(fromDays: floorDivide(local, 86_400))
        let begin = sunday(2, year: year, month: 3) * 86_400 + 7200
        return begin..<sunday(1, year: year, month: 11) * 86_400 + 7200
    }

    private static func sunday(_ ordinal: Int64, year: Int64, month: Int64) -> Int64 {
        let first = days(year: year, month: month, day: 1)
        let weekday = (first + 4) % 7
        return first + (7 - weekday) % 7 + (ordinal - 1) * 7
    }

    /// Seconds ahead of UTC of `Z`, `+02:00`, `-0700`, `+00`, ` UTC` or nothing.
    private static func offset(_ text: UnsafeRawBufferPointer) -> Int64? {
        let zone = UnsafeRawBufferPointer(rebasing: text.first == 0x20 ? text[1...] : text[...])
        if zone.isEmpty || equal(zone, "Z") || equal(zone, "z") || equal(zone, "UTC") || equal(zone, "GMT") {
            return 0
        }
        guard zone[0] == 0x2B || zone[0] == 0x2D else { return nil }
        let digits = zone.dropFirst().filter { $0 != 0x3A }.compactMap(digit)
        guard digits.count == 2 || digits.count == 4 else { return nil }
        let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
        let seconds = (digits[0] * 10 + digits[1]) * 3600 + minutes * 60
        return zone[0] == 0x2B ? seconds : -seconds
    }

    /// The time that a number of seconds or milliseconds says which was not written in digits alone.
    static func received(epoch value: Int64) -> ReceiveTime {
        ReceiveTime(milliseconds: abs(value) < 100_000_000_000 ? value * 1000 : value)
    }

    /// A number of seconds (up to 11 digits before the point), milliseconds, microseconds or nanoseconds.
    private static func epoch(_ text: UnsafeRawBufferPointer) -> Int64? {
        let whole = text.prefix { $0 != 0x2E }
        guard var value = JSONNumber.integer(UnsafeRawBufferPointer(rebasing: whole)) else { return nil }
        if whole.count > 11 {
            while value > latest { value /= 1000 }
            return value
        }
        let decimals = text.dropFirst(whole.count + 1).prefix(3).compactMap(digit) + [0, 0, 0]
        return value * 1000 + decimals[0] * 100 + decimals[1] * 10 + decimals[2]
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int64? {
        0x30...0x39 ~= byte ? Int64(byte) - 0x30 : nil
    }

    private static func equal(_ text: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        text.elementsEqual(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}
