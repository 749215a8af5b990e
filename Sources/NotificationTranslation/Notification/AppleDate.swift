/// Instants as Apple and the servers around it write them, read into milliseconds since 1970 without any calendar
/// of the system.
enum AppleDate {
    /// Milliseconds since 1970 of a text as V1 has them: `2020-07-16 14:36:42 Etc/GMT` (also `GMT`, `UTC`) or the same
    /// with `America/Los_Angeles`, which follows daylight saving time.
    ///
    /// `nil` for anything else. In the hour that happens twice when summer time ends, the earlier instant is taken.
    static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count > 20, text[10] == 0x20, text[19] == 0x20,
            let local = civilSeconds(text)
        else { return nil }
        let zone = UnsafeRawBufferPointer(rebasing: text[20...])
        if equal(zone, "Etc/GMT") || equal(zone, "GMT") || equal(zone, "UTC") { return local * 1000 }
        if equal(zone, "America/Los_Angeles") { return (local + losAngelesBehind(local)) * 1000 }
        return nil
    }

    /// Milliseconds since 1970 of an RFC 3339 time, of a database's `2020-07-16 14:36:42.5+00`, or of a number of
    /// seconds or milliseconds.
    ///
    /// A text without a zone is taken as UTC. `nil` for anything else, a bare date included.
    static func receiveTime(_ text: UnsafeRawBufferPointer) -> Int64? {
        if let first = text.first, 0x30...0x39 ~= first, text.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) {
            return epoch(text)
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
        return (local - behind) * 1000 + fraction
    }

    /// Appends `2020-11-03T09:12:44.000Z`.
    static func append(_ milliseconds: Int64, to output: OutputBuffer) {
        output.reserve(32)
        withText(milliseconds) { output.append($0) }
    }

    /// Calls `body` with the RFC 3339 form in UTC, three decimals.
    static func withText(_ milliseconds: Int64, _ body: (UnsafeRawBufferPointer) -> Void) {
        let limited = min(max(milliseconds, earliest), latest)
        let days = floorDivide(limited, 86_400_000)
        var rest = limited - days * 86_400_000
        let (year, month, day) = civil(fromDays: days)
        var room: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &room) { text in
            func put(_ value: Int64, _ place: Int, _ digits: Int) {
                var value = value
                for offset in stride(from: digits - 1, through: 0, by: -1) {
                    text[place + offset] = UInt8(truncatingIfNeeded: 0x30 + value % 10)
                    value /= 10
                }
            }
            put(year, 0, 4)
            put(month, 5, 2)
            put(day, 8, 2)
            put(rest / 3_600_000, 11, 2)
            rest %= 3_600_000
            put(rest / 60_000, 14, 2)
            rest %= 60_000
            put(rest / 1000, 17, 2)
            put(rest % 1000, 20, 3)
            (text[4], text[7], text[10], text[13], text[16], text[19], text[23]) =
                (0x2D, 0x2D, 0x54, 0x3A, 0x3A, 0x2E, 0x5A)
            body(UnsafeRawBufferPointer(text))
        }
    }

    /// The first and last instant that four digits of year can write.
    static let earliest: Int64 = -62_135_596_800_000
    static let latest: Int64 = 253_402_300_799_999

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

    private static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
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
        let (year, _, _) = civil(fromDays: floorDivide(local, 86_400))
        let begin = sunday(2, year: year, month: 3) * 86_400 + 7200
        let end = sunday(1, year: year, month: 11) * 86_400 + 7200
        return begin <= local && local < end ? 25_200 : 28_800
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

    /// A number of seconds (up to 11 digits before the point) or milliseconds.
    private static func epoch(_ text: UnsafeRawBufferPointer) -> Int64? {
        let whole = text.prefix { $0 != 0x2E }
        guard let value = JSONNumber.integer(UnsafeRawBufferPointer(rebasing: whole)) else { return nil }
        if whole.count > 11 { return value <= latest ? value : nil }
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
