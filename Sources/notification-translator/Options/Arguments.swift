import NotificationArchives
import NotificationReports
import NotificationTranslation

/// A command line, taken apart and checked against the table: each option's value as code uses it.
///
/// A field is `nil` where the option is not given, and what that means is the command's own to say.
struct Arguments: Sendable {
    /// The rows that `settle` writes of a group.
    enum SettledRows: String, CaseIterable { case events, state, transactions }

    /// The command; `nil` when there is none.
    private(set) var command: CommandSpec?
    /// What is neither option nor command, in order.
    private(set) var operands: [String] = []
    /// The options given, in order, the last of each that holds.
    private(set) var given: [(option: OptionSpec, value: String)] = []

    /// How records are found and judged, and where the output goes, as far as options say it directly.
    var request = ConversionRequest(records: .init())
    var timeline = TimelineRequest()

    // MARK: Output

    var output: String?
    var rows = SettledRows.events
    var reports: [String] = []
    var redactionKey: String?
    var reportFormat = ReportFormat.markdown
    /// Of `mapping`, `schema` and tables.
    var format: String?
    var schemaShape: String?
    var errors = LinePipe.ErrorPolicy.inline
    var tellsEnds = false

    // MARK: Judgement

    var isRecordContext = false
    var receivedAt: ReceivedAt?
    var dropsCompanions = false
    var dropsDuplicates = false
    var history = false
    var compared: String?
    var id: String?

    // MARK: Rehearsal

    var rehearsedEnvironment: String?
    var rehearsedInference = SilentInference.all
    var chainFolder: String?
    var retries: UInt64?

    // MARK: Trust

    var verify: String?
    var verifyReceipts: String?
    var secrets: String?
    var bundleID: String?
    var environment: String?
    var expectedAppAppleID: Int64?
    var requiresAuthentic = false

    // MARK: Run

    var isStrict = false
    var maxRejects: Int?
    var jobs: Int?
    var isQuiet = false
    var isVerbose = false
    /// `h` for the short form, empty for the long one.
    var help: String?
    var wantsVersion = false

    func refusal(_ message: String) -> UsageError { UsageError(message: message, command: command?.name) }

    /// Takes a command line apart, without the program's name.
    ///
    /// - Throws: ``UsageError`` for whatever is not in the table.
    init(_ words: [String]) throws(UsageError) {
        var waiting = words[...]
        var found: [(spec: OptionSpec, value: String)] = []
        var optionsEnded = false
        while let word = waiting.popFirst() {
            if optionsEnded || word == "-" || word.hasPrefix("-:") || !word.hasPrefix("-") {
                if command == nil, !optionsEnded, word != "-" {
                    command = try Self.known(command: word)
                } else {
                    operands.append(word)
                }
            } else if word == "--" {
                optionsEnded = true
            } else if word.hasPrefix("--") {
                found.append(try long(word, &waiting))
            } else {
                found += try short(word, &waiting)
            }
        }
        for (spec, value) in found { try accept(spec, value) }
        for (spec, value) in found { for condition in spec.conditions { try check(condition, spec, value) } }
    }

    private mutating func accept(_ spec: OptionSpec, _ value: String) throws(UsageError) {
        if let command, !(command.options + CommandTable.everywhere).contains(where: { $0.name == spec.name }) {
            throw refusal("'\(command.name)' has no option '\(spec.name)'.")
        }
        if value.isEmpty, [.text, .path, .file].contains(spec.value.kind) {
            throw refusal("\(spec.name) needs \(spec.value.name), not an empty text.")
        }
        guard spec.value.store(value, &self) else {
            let near = spec.value.kind == .choice ? Self.hint(value, spec.value.words) : ""
            throw refusal(
                "invalid value '\(printable(value))' for \(spec.name) (expected: \(spec.value.expected))"
                    + (near.isEmpty ? "" : "." + near))
        }
        // The last one holds.
        if !spec.value.isRepeatable { given.removeAll { $0.option.name == spec.name } }
        given.append((spec, value))
    }

    /// Refuses an option that the command does not use with the others that are given.
    private func check(
        _ condition: OptionSpec.Condition, _ spec: OptionSpec, _ value: String, _ suffix: String = ""
    ) throws(UsageError) {
        func word(_ name: String) -> String? {
            given.last { $0.option.name == name }?.value ?? option(named: name)?.value.defaultWord
        }
        func isGiven(_ name: String) -> Bool { given.contains { $0.option.name == name } }
        func needs(_ what: String) -> UsageError { refusal("\(spec.name)\(suffix) needs \(what).") }
        switch condition {
        case .oneOf(let names):
            guard
                !names.contains(where: { isGiven($0) && word($0) != option(named: $0)?.value.defaultWord })
            else { return }
            let only = names.count == 1 ? option(named: names[0]) : nil
            throw needs(only.map { "\($0.name) \($0.value.name)" } ?? Self.either(names))
        case .value(let name, let values):
            guard let known = word(name), !values.contains(known) else { return }
            throw needs("\(name) \(Self.either(values))")
        case .without(let name):
            guard isGiven(name) else { return }
            throw refusal("\(spec.name) cannot be used with \(name).")
        case .story:
            guard id == nil, operands.first.flatMap(StoryTarget.init(place:)) == nil else { return }
            throw needs("FILE:LINE or --id ID")
        case .when(let word, let condition):
            if value == word { try check(condition, spec, value, " " + word) }
        }
    }

    /// `a`, `a or b`, `a, b or c`.
    private static func either(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    private func option(named name: String) -> OptionSpec? { command?.options.first { $0.name == name } }

    private static let options: [OptionSpec] =
        CommandTable.commands.flatMap(\.options) + CommandTable.everywhere

    /// The option that a word names, one of the command's own first.
    private func option(where isNamed: (OptionSpec) -> Bool) -> OptionSpec? {
        command?.options.first(where: isNamed) ?? Self.options.first(where: isNamed)
    }

    /// ` Did you mean 'x'?`, or nothing.
    static func hint(_ word: String, _ words: [String]) -> String {
        nearest(to: word, among: words).map { " Did you mean '\($0)'?" } ?? ""
    }

    private static func known(command word: String) throws(UsageError) -> CommandSpec {
        if let command = CommandTable.command(named: word) { return command }
        let hint = hint(word, CommandTable.commands.map(\.name))
        throw UsageError(message: "unknown command '\(printable(word))'.\(hint)")
    }

    private func long(_ word: String, _ waiting: inout ArraySlice<String>) throws(UsageError) -> (OptionSpec, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let spec = option(where: { $0.name == name }) else {
            throw refusal("unknown option '\(printable(name))'.\(Self.hint(name, Self.options.map(\.name)))")
        }
        if parts.count == 2 {
            guard !spec.value.isFlag else { throw UsageError(message: "\(name) takes no value.") }
            return (spec, String(parts[1]))
        }
        return (spec, try value(of: spec, written: name, &waiting))
    }

    /// One or several letters after one hyphen; what follows a letter that takes a value is its value.
    private func short(
        _ word: String, _ waiting: inout ArraySlice<String>
    ) throws(UsageError) -> [(OptionSpec, String)] {
        var found: [(OptionSpec, String)] = []
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let spec = option(where: { $0.short == letter }) else {
                throw refusal("unknown option '-\(printable(String(letter)))'.")
            }
            guard !spec.value.isFlag else {
                found.append((spec, String(letter)))
                continue
            }
            guard letters.isEmpty else {
                return found + [(spec, String(letters.first == "=" ? letters.dropFirst() : letters))]
            }
            found.append((spec, try value(of: spec, written: "-\(letter)", &waiting)))
        }
        return found
    }

    private func value(
        of spec: OptionSpec, written name: String, _ waiting: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard !spec.value.isFlag else { return "" }
        guard let value = waiting.popFirst() else { throw UsageError(message: "\(name) needs \(spec.value.name).") }
        return value
    }
}

/// A command line that cannot be carried out.
struct UsageError: Error, Equatable {
    /// One or two sentences.
    var message: String
    /// The command whose help says more.
    var command: String?
}

/// The word that was most likely meant, or `nil` when none is near enough.
func nearest(to word: String, among words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(3, word.utf8.count / 3)) ? best.word : nil
}

/// How many letters have to be added, removed, replaced or swapped with their neighbour to make one word of another.
func editDistance(_ first: String, _ second: String) -> Int {
    let (from, to) = (Array(first.utf8), Array(second.utf8))
    var rows = [Array(0...to.count)]
    for row in from.indices {
        rows.append([row + 1])
        for column in to.indices {
            let changed = rows[row][column] + (from[row] == to[column] ? 0 : 1)
            let isSwapped = row > 0 && column > 0 && from[row] == to[column - 1] && from[row - 1] == to[column]
            rows[row + 1].append(
                min(
                    rows[row][column + 1] + 1, rows[row + 1][column] + 1, changed,
                    isSwapped ? rows[row - 1][column - 1] + 1 : changed))
        }
    }
    return rows[from.count][to.count]
}
