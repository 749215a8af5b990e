/// The time that is somewhere in a text that is not a time as a whole, such as what a logger writes before a message.
///
///     2020-11-03T09:12:44.123Z  6f1c…  INFO                Lambda
///     I, [2020-11-03T09:12:44.123456 #1234]  INFO -- :     Rails; no zone, so UTC
///     10.0.0.1 - - [03/Nov/2020:09:12:44 +0000]            a web server
///     [Tue Nov 03 09:12:44.123456 2020]                    Apache
///     CreateTime:1604394764123                             Kafka
///
/// A value of the type goes along the parts of one line: what is before the first of them holds for all, until a
/// time is between two.
package struct PrefixTime {
    private var last: ReceiveTime?
    /// Up to where the line was searched.
    private var searched = 0

    package init() {}

    /// The time that holds for a part; to be called for one after the other.
    ///
    /// What is in the parts before is not a time of arrival.
    package mutating func time(before part: LogPart, in line: UnsafeRawBufferPointer) -> ReceiveTime? {
        let range = part.range
        if searched < range.lowerBound {
            last = Self.search(UnsafeRawBufferPointer(rebasing: line[searched..<range.lowerBound])) ?? last
        }
        searched = part.isWhole ? max(searched, range.upperBound) : line.count
        return last
    }

    /// The first time in a text; `nil` if there is none.
    package static func search(_ text: UnsafeRawBufferPointer) -> ReceiveTime? {
        var at = 0
        return next(in: text, from: &at)
    }

    /// The time in some texts, if there is no second one.
    package static func only(in texts: [UnsafeRawBufferPointer]) -> ReceiveTime? {
        var found: ReceiveTime?
        for text in texts {
            var at = 0
            while let time = next(in: text, from: &at) {
                if found != nil { return nil }
                found = time
            }
        }
        return found
    }

    /// The next time from an index on, which is then after its digits.
    private static func next(in text: UnsafeRawBufferPointer, from at: inout Int) -> ReceiveTime? {
        while at < text.count {
            guard isDigit(text[at]) else {
                at += 1
                continue
            }
            let start = at
            at = text.endOfDigits(at)
            guard let time = time(text, start, at), time.milliseconds >= AppleDate.opening else { continue }
            // After the digits of a date and its time of day, which might be taken for others.
            if at - start < 5 { at = min(text.count, start + 19) }
            return time
        }
        return nil
    }

    private static func time(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> ReceiveTime? {
        switch end - start {
        case 4: dated(text, start)
        case 1, 2: WrittenTime.read(text, start, end)
        case 10, 13, 16: epoch(text, start, end)
        default: nil
        }
    }

    /// `2020-11-03 09:12:44`, with `T` or a space and with `-` or `/`, and what belongs to it after that.
    private static func dated(_ text: UnsafeRawBufferPointer, _ start: Int) -> ReceiveTime? {
        guard start + 19 <= text.count, text[start + 4] == 0x2D || text[start + 4] == 0x2F else { return nil }
        var plain = Array(text[start..<start + 19])
        for place in [4, 7] where plain[place] == 0x2F { plain[place] = 0x2D }
        guard "Tt ".utf8.contains(plain[10]), let local = plain.withUnsafeBytes(CivilTime.seconds) else { return nil }
        let end = endOfFraction(text, start + 19)
        return zoned(local, Array(text[start + 19..<end]), text, after: end)
    }

    /// The index after the fraction of a second that begins at an index, if there is one.
    static func endOfFraction(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
        guard start + 1 < text.count, text[start] == 0x2E || text[start] == 0x2C, isDigit(text[start + 1]) else {
            return start
        }
        return text.endOfDigits(start + 1)
    }

    /// Seconds, with or without a fraction, milliseconds or microseconds: at the beginning or after a mark.
    private static func epoch(_ text: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> ReceiveTime? {
        let marks: [UInt8] = [0x3A, 0x3D, 0x5B, 0x28, 0x22]
        let isMarked = start == 0 || marks.contains(text[start - 1]) || end - start == 13 && text[start - 1] == 0x2C
        guard isMarked else { return nil }
        var stop = end
        if stop + 1 < text.count, text[stop] == 0x2E, isDigit(text[stop + 1]) {
            stop = text.endOfDigits(stop + 1)
        }
        if stop < text.count, text[stop] | 0x20 >= 0x61 || text[stop] == 0x2D || text[stop] == 0x2E { return nil }
        let time = AppleDate.received(UnsafeRawBufferPointer(rebasing: text[start..<stop]))
        return time.flatMap { $0.milliseconds < latest ? $0 : nil }
    }

    /// 2100: what is later is another number.
    static let latest: Int64 = 4_102_444_800_000

    /// The time of a number of seconds, the fraction of one and the zone after both, if there is one.
    static func zoned(
        _ local: Int64, _ fraction: [UInt8], _ text: UnsafeRawBufferPointer, after at: Int
    ) -> ReceiveTime? {
        let hasSpace = at < text.count && text[at] == 0x20
        var end = hasSpace ? at + 1 : at
        let zoneStart = end
        if end < text.count, text[end] == 0x2B || text[end] == 0x2D {
            end += 1
            while end < text.count, end < zoneStart + 6, isDigit(text[end]) || text[end] == 0x3A { end += 1 }
            if text[end - 1] == 0x3A { end -= 1 }
        } else if end < text.count, !hasSpace, text[end] | 0x20 == 0x7A {
            end += 1
        } else if end + 3 <= text.count, ["UTC", "GMT"].contains(String(decoding: text[end..<end + 3], as: UTF8.self)) {
            end += 3
        }
        let (rest, zone) = (fraction, text[zoneStart..<end])
        let time = (rest + zone).withUnsafeBytes { CivilTime.instant(local, $0) }
        return (time ?? rest.withUnsafeBytes { CivilTime.instant(local, $0) }).map {
            ReceiveTime(milliseconds: $0.milliseconds, hasZone: $0.hasZone)
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}

/// Gives the parts of a text their times of arrival, one after the other.
package protocol PartTimes {
    /// Whether the parts are rows of a table, each with a time of its own.
    var areOfRows: Bool { get }

    mutating func time(of part: LogPart, in text: UnsafeRawBufferPointer) -> ReceiveTime?

    /// Is called when no more objects follow but the signed payloads, which are searched from the beginning of the
    /// text.
    mutating func beginTokens()
}

/// The time that something around the text says, else the one that is before a part.
struct FixedOrPrefixTime: PartTimes {
    let fixed: ReceiveTime?
    private var prefix = PrefixTime()

    init(fixed: ReceiveTime?) {
        self.fixed = fixed
    }

    var areOfRows: Bool { false }

    mutating func time(of part: LogPart, in text: UnsafeRawBufferPointer) -> ReceiveTime? {
        fixed ?? prefix.time(before: part, in: text)
    }

    mutating func beginTokens() {
        prefix = PrefixTime()
    }
}
