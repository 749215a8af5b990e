/// Instants as Apple and the servers around it write them, read into milliseconds since 1970.
enum AppleDate {
    /// Milliseconds since 1970 of a text as V1 has them: `2020-07-16 14:36:42 Etc/GMT` (also `GMT`, `UTC`) or the same
    /// with `America/Los_Angeles`, which follows daylight saving time.
    ///
    /// `nil` for anything else. An hour of Los Angeles that happened twice, or never, on the day when the clocks were
    /// changed is ambiguous; the earlier instant is taken.
    static func written(_ text: UnsafeRawBufferPointer) -> (milliseconds: Int64, isAmbiguous: Bool)? {
        guard text.count > 20, text[10] == 0x20, text[19] == 0x20,
            let local = CivilTime.seconds(text)
        else { return nil }
        let zone = UnsafeRawBufferPointer(rebasing: text[20...])
        if CivilTime.equal(zone, "Etc/GMT") || CivilTime.equal(zone, "GMT") || CivilTime.equal(zone, "UTC") {
            return (local * 1000, false)
        }
        guard CivilTime.equal(zone, "America/Los_Angeles") else { return nil }
        let summer = summerTime(local)
        let isAmbiguous = [summer.lowerBound, summer.upperBound - 3600].contains { $0..<$0 + 3600 ~= local }
        return ((local + (summer.contains(local) ? 25_200 : 28_800)) * 1000, isAmbiguous)
    }

    /// An RFC 3339 time, a database's `2020-07-16 14:36:42.5+00`, or a number of seconds or milliseconds.
    ///
    /// A text without a zone is taken as UTC. `nil` for anything else, a bare date included.
    static func received(_ text: UnsafeRawBufferPointer) -> ReceiveTime? {
        if let first = text.first, 0x30...0x39 ~= first, text.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) {
            return epoch(text).map { ReceiveTime(milliseconds: $0) }
        }
        if let time = CivilTime.read(text) {
            return ReceiveTime(milliseconds: time.milliseconds, hasZone: time.hasZone)
        }
        // A table that was aligned for the eye.
        guard text.first == 0x20 || text.last == 0x20, let start = text.firstIndex(where: { $0 != 0x20 }),
            let end = text.lastIndex(where: { $0 != 0x20 })
        else { return nil }
        return received(UnsafeRawBufferPointer(rebasing: text[start...end]))
    }

    /// From when to when the clocks of Los Angeles show summer time in the year of `local`.
    ///
    /// Since 2007: from the second Sunday of March, 2:00, to the first Sunday of November, 2:00.
    private static func summerTime(_ local: Int64) -> Range<Int64> {
        let (year, _, _) = CivilTime.date(fromDays: CivilTime.floorDivide(local, 86_400))
        let begin = sunday(2, year: year, month: 3) * 86_400 + 7200
        return begin..<sunday(1, year: year, month: 11) * 86_400 + 7200
    }

    private static func sunday(_ ordinal: Int64, year: Int64, month: Int64) -> Int64 {
        let first = CivilTime.days(year: year, month: month, day: 1)
        let weekday = (first + 4) % 7
        return first + (7 - weekday) % 7 + (ordinal - 1) * 7
    }

    /// The time of a number of seconds or milliseconds that was written with a fraction or an exponent.
    ///
    /// `nil` outside the years 1 to 9999, as for the infinity of a database.
    static func received(epoch value: Int64) -> ReceiveTime? {
        let milliseconds = value.magnitude < 100_000_000_000 ? value * 1000 : value
        guard CivilTime.earliest...CivilTime.latest ~= milliseconds else { return nil }
        return ReceiveTime(milliseconds: milliseconds)
    }

    /// A number of seconds (up to 11 digits before the point), milliseconds, microseconds or nanoseconds.
    private static func epoch(_ text: UnsafeRawBufferPointer) -> Int64? {
        let whole = text.prefix { $0 != 0x2E }
        // The greatest number is the infinity of a database.
        guard var value = JSONNumber.integer(UnsafeRawBufferPointer(rebasing: whole)), value != .max else { return nil }
        if whole.count > 11 {
            while value > CivilTime.latest { value /= 1000 }
            return value
        }
        let decimals = text.dropFirst(whole.count + 1).prefix(3).compactMap(CivilTime.digit) + [0, 0, 0]
        return value * 1000 + decimals[0] * 100 + decimals[1] * 10 + decimals[2]
    }
}
