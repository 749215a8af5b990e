extension ReportFigures {
    /// Finds the days without any notification where some were to be expected.
    ///
    /// A run of empty days is a gap if in the four weeks before and the four weeks after it one came every other day
    /// or more, and ten or more would have come at that pace: by chance that happens once in 20,000 times.
    mutating func takeDays(_ tally: ReportTally) {
        let counts = tally.days.entries.filter { $0.key != ReportTally.beyond }
            .map { (day: Int64(truncatingIfNeeded: $0.key), count: $0.count) }.sorted { $0.day < $1.day }
        if counts.count < tally.days.entries.count { isCapped = true }
        guard let first = counts.first, let last = counts.last else { return }
        days = (Self.name(ofDay: first.day), Self.name(ofDay: last.day))
        for place in counts.indices.dropFirst() {
            let (from, to) = (counts[place - 1].day + 1, counts[place].day - 1)
            guard from <= to else { continue }
            var around = 0
            var at = place - 1
            while at >= 0, counts[at].day >= from - 28 {
                around += counts[at].count
                at -= 1
            }
            at = place
            while at < counts.count, counts[at].day <= to + 28 {
                around += counts[at].count
                at += 1
            }
            guard around >= 28, Int64(around) * (to - from + 1) >= 10 * 56 else { continue }
            gaps.append(
                Gap(from: Self.name(ofDay: from), to: Self.name(ofDay: to), days: Int(to - from + 1), around: around))
        }
    }

    /// A day such as `2020-03-14`, by what ``ReportTally/day(_:)`` makes of it.
    private static func name(ofDay day: Int64) -> String {
        EventTime(milliseconds: day * 86_400_000 + CivilTime.earliest).description.prefix(10).description
    }
}
