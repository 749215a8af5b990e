/// An instant, in whole milliseconds since 1970 as Apple writes them.
///
/// Coded as RFC 3339 in UTC with three decimals, whatever strategy the coder has for dates. A `Date` of Foundation is
/// `Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)`.
public struct EventTime: Hashable, Sendable, Comparable, Codable, CustomStringConvertible, TextCoded {
    /// Milliseconds since 1970-01-01T00:00:00Z; between the years 1 and 9999.
    public let milliseconds: Int64

    /// The instant this many milliseconds after 1970 began; at most the first or the last one of those years.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, CivilTime.earliest), CivilTime.latest)
    }

    /// The instant of an RFC 3339 text, `nil` if it is none.
    public init?(_ text: String) {
        guard let value = Array(text.utf8).withUnsafeBytes({ CivilTime.milliseconds(rfc3339: $0) }) else { return nil }
        milliseconds = value
    }

    /// The instant that a person writes: a time with a zone or else in UTC, a date, or seconds or milliseconds since
    /// 1970; `nil` for anything else.
    package static func written(_ text: String) -> EventTime? {
        if let number = Int64(text) {
            return EventTime(milliseconds: number.magnitude < 100_000_000_000 ? number * 1000 : number)
        }
        let dated = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        let time = Array(dated.utf8).withUnsafeBytes { CivilTime.read($0)?.milliseconds }
        return time.map { EventTime(milliseconds: $0) }
    }

    /// The RFC 3339 text, such as `2020-11-03T09:12:44.000Z`.
    public var description: String {
        var text = ""
        CivilTime.withText(milliseconds) { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// Whether one instant is before the other.
    public static func < (one: EventTime, other: EventTime) -> Bool { one.milliseconds < other.milliseconds }

    static func decoded(_ text: String) -> EventTime? { EventTime(text) }
    var text: String { description }
}
