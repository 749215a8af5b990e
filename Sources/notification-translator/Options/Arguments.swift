import NotificationArchives

/// A command line, taken apart and checked against the table.
struct Arguments: Sendable, Hashable {
    /// The command's name; `nil` when there is none.
    private(set) var command: String?
    /// What is neither option nor command, in order.
    private(set) var operands: [String] = []
    /// The options given, in order.
    private var given: [Given] = []

    private struct Given: Hashable {
        var option: String
        var value: String
    }

    /// The options given, in order.
    var names: [String] { given.map(\.option) }

    func has(_ option: String) -> Bool { given.contains { $0.option == option } }

    /// The value given last, or `nil`.
    func value(_ option: String) -> String? { given.last { $0.option == option }?.value }

    /// All values given, in order.
    func all(_ option: String) -> [String] { given.filter { $0.option == option }.map(\.value) }

    /// The number given, or `nil`; the parser has seen to it that it is one.
    func number(_ option: String) -> Int? { value(option).flatMap(Int.init) }

    /// An error in the use of this command.
    func refusal(_ message: String) -> UsageError { UsageError(message, command: command) }

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
        for (spec, _) in found { try check(spec) }
    }

    private mutating func accept(_ spec: OptionSpec, _ value: String) throws(UsageError) {
        if let command, let known = CommandTable.command(named: command),
            !CommandTable.everywhere.contains(where: { $0.name == spec.name })
        {
            guard known.options.contains(where: { $0.name == spec.name }) else {
                throw refusal("'\(command)' has no option '\(spec.name)'.")
            }
        }
        switch spec.value {
        case .choice(let choices) where !choices.contains(value):
            let near = nearest(to: value, among: choices)
            throw refusal(
                "invalid value '\(value)' for \(spec.name) (expected: \(choices.joined(separator: ", ")))"
                    + (near.map { ". Did you mean '\($0)'?" } ?? ""))
        case .number where Int(value).map { $0 < 0 } ?? true:
            throw refusal("invalid value '\(value)' for \(spec.name) (expected: a whole number, 0 or more)")
        case .text where value.isEmpty, .path where value.isEmpty:
            throw refusal("\(spec.name) needs \(spec.valueName), not an empty text.")
        default: break
        }
        // The last one holds.
        if !spec.isRepeatable { given.removeAll { $0.option == spec.name } }
        given.append(Given(option: spec.name, value: value))
    }

    /// Refuses an option that the command does not use with the others that are given.
    private func check(_ spec: OptionSpec) throws(UsageError) {
        for condition in spec.conditions {
            switch condition {
            case .oneOf(let names):
                guard !names.contains(where: { has($0) && value($0) != option(named: $0)?.defaultValue }) else {
                    continue
                }
                let needed =
                    names.count == 1
                    ? option(named: names[0]).map { "\($0.name) \($0.valueName)" } ?? "" : Self.either(names)
                throw refusal("\(spec.name) needs \(needed).")
            case .value(let name, let values):
                guard let known = value(name) ?? option(named: name)?.defaultValue, !values.contains(known) else {
                    continue
                }
                throw refusal("\(spec.name) needs \(name) \(Self.either(values)).")
            case .without(let name):
                guard has(name) else { continue }
                throw refusal("\(spec.name) cannot be used with \(name).")
            }
        }
    }

    /// `a`, `a or b`, `a, b or c`.
    private static func either(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    private func option(named name: String) -> OptionSpec? {
        command.flatMap(CommandTable.command)?.options.first { $0.name == name }
    }

    private static let options: [OptionSpec] =
        CommandTable.commands.flatMap(\.options) + CommandTable.everywhere

    /// The option that a word names, one of the command's own first.
    private func option(where isNamed: (OptionSpec) -> Bool) -> OptionSpec? {
        let own = command.flatMap(CommandTable.command)?.options ?? []
        return own.first(where: isNamed) ?? Self.options.first(where: isNamed)
    }

    private static func known(command word: String) throws(UsageError) -> String {
        guard CommandTable.command(named: word) == nil else { return word }
        let hint = nearest(to: word, among: CommandTable.commands.map(\.name)).map { " Did you mean '\($0)'?" } ?? ""
        throw UsageError("unknown command '\(printable(word))'.\(hint)")
    }

    private func long(_ word: String, _ waiting: inout ArraySlice<String>) throws(UsageError) -> (OptionSpec, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let spec = option(where: { $0.name == name }) else {
            let hint = nearest(to: name, among: Self.options.map(\.name)).map { " Did you mean '\($0)'?" } ?? ""
            throw refusal("unknown option '\(printable(name))'.\(hint)")
        }
        if parts.count == 2 {
            guard spec.takesValue else { throw UsageError("\(name) takes no value.") }
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
            guard spec.takesValue else {
                found.append((spec, String(letter)))
                continue
            }
            if letters.isEmpty {
                found.append((spec, try value(of: spec, written: "-\(letter)", &waiting)))
            } else {
                found.append((spec, String(letters.first == "=" ? letters.dropFirst() : letters)))
            }
            break
        }
        return found
    }

    private func value(
        of spec: OptionSpec, written name: String, _ waiting: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard spec.takesValue else { return "" }
        guard let value = waiting.popFirst() else { throw UsageError("\(name) needs \(spec.valueName).") }
        return value
    }
}

/// A command line that cannot be carried out.
struct UsageError: Error, Hashable {
    /// One or two sentences.
    var message: String
    /// The command whose help says more.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}

/// The word that was most likely meant, or `nil` when none is near enough.
func nearest(to word: String, among words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(3, word.utf8.count / 3)) ? best.word : nil
}

/// How many letters have to be added, removed, replaced or swapped with their neighbour to make one word of another.
func editDistance(_ first: String, _ second: String) -> Int {
    let from = Array(first.utf8)
    let to = Array(second.utf8)
    var rows = [Array(0...to.count)]
    for row in 1..<(from.count + 1) {
        var current = [row]
        for column in 1..<(to.count + 1) {
            let same = from[row - 1] == to[column - 1]
            var best = min(
                rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (same ? 0 : 1))
            if row > 1, column > 1, from[row - 1] == to[column - 2], from[row - 2] == to[column - 1] {
                best = min(best, rows[row - 2][column - 2] + 1)
            }
            current.append(best)
        }
        rows.append(current)
    }
    return rows[from.count][to.count]
}
