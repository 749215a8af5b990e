/// The line that shows how far a run has come.
struct Progress: Sendable {
    private let sizes: [Int64?]
    private let start = ContinuousClock.now

    /// Looks at the files to be read; when all have a size, the line shows how much is left.
    init(_ inputs: [InputFile], isShown: Bool) {
        sizes = isShown ? inputs.map(\.regularSize) : []
    }

    /// Seconds since the run began.
    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// The line, such as `4,812,003 records · 1.9 of 3.1 GB · 61 % · 18 s left`.
    func line(records: Int, input: Int, filePosition: Int64, bytes: Int64) -> String {
        var text = "  \(grouped(records)) records · "
        let known = sizes.compactMap { $0 }
        let total = known.reduce(0, +)
        guard !sizes.isEmpty, known.count == sizes.count, total > 0, input < sizes.count else {
            return text + byteSize(bytes)
        }
        let done = min(total, known[..<input].reduce(0, +) + filePosition)
        let share = Double(done) / Double(total)
        text += "\(byteSize(done)) of \(byteSize(total)) · \(Int(share * 100)) %"
        if share > 0.01, seconds > 1 { text += " · \(Int(seconds / share * (1 - share)) + 1) s left" }
        return text
    }

    /// The line of a later part of a run, such as `settling subscriptions · 61 %`.
    static func line(_ part: String, _ done: Int64, of all: Int64) -> String {
        "  \(part) · \(all > 0 ? Int(Double(done) / Double(all) * 100) : 0) %"
    }
}

/// A count with commas between thousands.
package func grouped(_ number: Int) -> String {
    var digits = String(number)
    var at = digits.utf8.count - 3
    while at > 0 {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: at))
        at -= 3
    }
    return digits
}

/// A number of bytes for people, in powers of 1000: `1.9 GB`.
package func byteSize(_ bytes: Int64) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var value = Double(bytes)
    var unit = 0
    while value >= 999.95, unit < 4 {
        value /= 1000
        unit += 1
    }
    return "\(oneDecimal(value)) \(["B", "kB", "MB", "GB", "TB"][unit])"
}

/// A number with one decimal.
package func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}

/// A number and what it counts: `1 record`, `2,000 records`.
package func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
}

/// A text about a number: `#` stands for the number, and of `[one|many]` the form that agrees with it is taken; `[s]` is
/// `[|s]`.
package func agreeing(_ number: Int, _ text: String) -> String {
    var result = ""
    for (place, part) in text.split(separator: "[", omittingEmptySubsequences: false).enumerated() {
        let halves = part.split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
        let forms = halves[0].split(separator: "|", omittingEmptySubsequences: false)
        if place > 0 { result += number == 1 ? forms.count > 1 ? forms[0] : "" : forms[forms.count - 1] }
        result += place == 0 ? part : halves[halves.count - 1]
    }
    return result.replacing("#", with: grouped(number))
}
