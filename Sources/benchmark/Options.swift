/// What the person asked for.
struct Options {
    /// Size of each archive, in millions of bytes.
    var megabytes = 300
    /// How often every contender gets its turn.
    var rounds = 7
    /// The kinds of archive to measure, in order.
    var profiles: [Profile] = [.typical]
    /// Tables as Markdown, to be pasted.
    var isMarkdown = false
    /// Only contenders whose name holds one of these words, and the command itself.
    var only: [String] = []
    /// Decides every byte of the archives.
    var seed: UInt64 = 1
    var wantsHelp = false

    /// Words that are not options, or invalid values.
    struct UsageError: Error {
        let sentence: String
    }

    static let help = """
        usage: swift run -c release benchmark [options]

        Writes archives of made-up notifications into a temporary folder, lets everyone who can read them take turns, and
        prints how much faster or slower each is than `notification-translator convert -j 1`.

          --megabytes N   size of each archive (default 300)
          --rounds N      turns for each contender; the middle one counts (default 7)
          --profile NAME  typical, small, heavy, php, or all; may be given again (default typical)
          --only WORD     only contenders whose name holds the word, beside our own; may be given again
          --seed N        other archives (default 1)
          --markdown      print tables for a README
          -h, --help      this text

        Ratios are taken within a round and then the middle one of all rounds, so a machine that is slow for a while is
        slow for everyone. Those of one thread compare processor time (user + system), those of two jobs the time on the
        clock. The binary measured is the `notification-translator` beside this program.
        """

    /// Reads the words after the program's name.
    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        var chosen: [Profile] = []
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts.first ?? word
            switch name {
            case "-h", "--help": wantsHelp = true
            case "--markdown": isMarkdown = true
            case "--megabytes": megabytes = try Self.number(name, Self.value(parts, &rest), 1...100_000)
            case "--rounds": rounds = try Self.number(name, Self.value(parts, &rest), 1...1_000)
            case "--seed": seed = UInt64(try Self.number(name, Self.value(parts, &rest), 0...Int.max))
            case "--only": only.append(try Self.value(parts, &rest))
            case "--profile":
                let text = try Self.value(parts, &rest)
                if text == "all" {
                    chosen += Profile.allCases
                } else if let profile = Profile(rawValue: text) {
                    chosen.append(profile)
                } else {
                    throw UsageError(
                        sentence: "invalid value '\(text)' for --profile (expected: typical, small, heavy, php, all)")
                }
            default: throw UsageError(sentence: "unknown option '\(word)'; --help lists the options")
            }
        }
        if !chosen.isEmpty { profiles = chosen }
    }

    private static func value(_ parts: [String], _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        if parts.count == 2 { return parts[1] }
        guard let next = rest.popFirst() else { throw UsageError(sentence: "\(parts[0]) wants a value") }
        return next
    }

    private static func number(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                sentence: "invalid value '\(text)' for \(name) "
                    + "(expected: a number from \(range.lowerBound) to \(range.upperBound))"
            )
        }
        return number
    }
}
