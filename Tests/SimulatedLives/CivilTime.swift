/// Milliseconds since 1970.
package typealias Instant = Int64

extension Instant {
    static let second: Instant = 1000
    static let minute = 60 * second
    static let hour = 60 * minute
    static let day = 24 * hour
}

/// A calendar date and time without a zone, proleptic Gregorian.
struct CivilTime: Equatable, Sendable {
    var year: Int
    var month: Int
    var day: Int
    var millisecondOfDay: Int64 = 0

    init(_ year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(_ instant: Instant) {
        let days = instant.flooredQuotient(by: .day)
        let shifted = days + 719_468
        let cycle = shifted.flooredQuotient(by: 146_097)
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        year = Int(yearOfCycle + cycle * 400) + (month <= 2 ? 1 : 0)
        millisecondOfDay = instant - days * .day
    }

    var instant: Instant {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let cycle = marchYear.flooredQuotient(by: 400)
        let yearOfCycle = marchYear - cycle * 400
        let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return (cycle * 146_097 + dayOfCycle - 719_468) * .day + millisecondOfDay
    }

    /// The same day of a later month, or that month's last day.
    func adding(months: Int) -> CivilTime {
        let index = year * 12 + month - 1 + months
        var result = self
        result.year = index / 12
        result.month = index % 12 + 1
        result.day = min(day, CivilTime.lengthOfMonth(year: result.year, month: result.month))
        return result
    }

    /// `2020-07-16 14:36:42`.
    var text: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) \(clock)" }

    /// `2020-07-16T14:36:42.000Z`, read as UTC.
    var rfc3339: String {
        let fraction = padded(Int(millisecondOfDay % 1000), 3)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock).\(fraction)Z"
    }

    private var clock: String {
        let seconds = Int(millisecondOfDay / 1000)
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }

    private static func lengthOfMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Instant {
    /// The text of Apple's `_date` fields.
    var greenwichText: String { CivilTime(self).text + " Etc/GMT" }

    /// The text of Apple's `_date_pst` fields, which follow daylight saving in spite of their name.
    var californiaText: String { CivilTime(self - (isCaliforniaSummer ? 7 : 8) * .hour).text + " America/Los_Angeles" }

    private var isCaliforniaSummer: Bool {
        let year = CivilTime(self).year
        let begin = CivilTime(year, 3, 1).instant.firstSunday + 7 * .day + 10 * .hour
        let end = CivilTime(year, 11, 1).instant.firstSunday + 9 * .hour
        return self >= begin && self < end
    }

    private var firstSunday: Instant {
        let dayOfWeek = (flooredQuotient(by: .day) + 4) % 7
        return self + (7 - dayOfWeek) % 7 * .day
    }

    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}

func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
