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
package struct PrefixTime: PartTimes {
    private var last: ReceiveTime?
    /// Up to where the line was searched.
    private var searched = 0
    /// What something around the text says, which holds for all parts; `nil` for nothing.
    private let fixed: ReceiveTime?

    package init(fixed: ReceiveTime? = nil) { self.fixed = fixed }

    /// The first time in a text; `nil` if there is none.
    ///
    /// A number (seconds or milliseconds since 1970) may be an id, and counts only where no date is written.
    package static func search(_ text: UnsafeRawBufferPointer) -> ReceiveTime? {
        var at = 0
        var number: ReceiveTime?
        while let next = next(in: text, from: &at) {
            if !next.isNumber { return next.time }
            number = number ?? next.time
        }
        return number
    }

    /// The time in some texts, if there is no second one.
    package static func only(in texts: [UnsafeRawBufferPointer]) -> ReceiveTime? {
        let times = texts.lazy.flatMap { text in sequence(state: 0) { next(in: text, from: &$0)?.time } }
        let found = Array(times.prefix(2))
        return found.count == 1 ? found[0] : nil
    }

    /// The next time from an index on, which is then after its digits.
    private static func next(
        in text: UnsafeRawBufferPointer, from at: inout Int
    ) -> (time: ReceiveTime, isNumber: Bool)? {
        while let start = text[at...].firstIndex(where: { 0x30...0x39 ~= $0 }) {
            at = text.endOfDigits(start)
            guard let time = WrittenTime.time(text, start, at), time.milliseconds >= AppleDate.opening else { continue }
            let isNumber = at - start > 4
            // After the digits of a date and its time of day, which might be taken for others.
            if !isNumber { at = min(text.count, start + 19) }
            return (time, isNumber)
        }
        return nil
    }

    package var areOfRows: Bool { false }

    /// The time that holds for a part; what is in the parts before it is not a time of arrival.
    package mutating func time(of part: LogPart, in text: UnsafeRawBufferPointer) -> ReceiveTime? {
        if let fixed { return fixed }
        let range = part.range
        if searched < range.lowerBound {
            last = Self.search(UnsafeRawBufferPointer(rebasing: text[searched..<range.lowerBound])) ?? last
        }
        searched = part.isWhole ? max(searched, range.upperBound) : text.count
        return last
    }

    package mutating func beginTokens() { self = PrefixTime(fixed: fixed) }
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
