/// One option: the single place from which parser, help, man page, completions and the README's table know it.
struct OptionSpec: Sendable {
    /// What has to follow the option.
    enum Value: Sendable {
        /// Nothing: it is there or not.
        case none
        /// A text, called so in the help.
        case text(String)
        /// A whole number from 0.
        case number(String)
        /// One of these; the first is the default, where there is one.
        case choice([String])
        /// A path; completed as one.
        case path(String)
    }

    /// What else has to be given, or not, for an option to be of use.
    enum Condition: Sendable {
        /// One of these options, with a value that is not its default.
        case oneOf([String])
        /// One of these values of an option; the first value of all is what a command line without it means.
        case value(of: String, [String])
        /// Not this option.
        case without(String)
    }

    /// With its two hyphens.
    let name: String
    /// The letter of its short form.
    var short: Character?
    var value = Value.none
    var isRepeatable = false
    /// Whether leaving out a choice means its first value.
    var hasDefault = true
    /// When it is of use; else it is a usage error.
    var conditions: [Condition] = []
    /// What it does, for one line of the help: no capital, no full stop.
    var summary: String

    /// The same option, which says something else.
    func saying(_ summary: String) -> OptionSpec {
        var option = self
        option.summary = summary
        return option
    }

    /// The same option, of use only under one more condition.
    func needing(_ condition: Condition) -> OptionSpec {
        var option = self
        option.conditions.append(condition)
        return option
    }

    init(
        _ name: String, short: Character? = nil, takes value: Value = .none, repeatable: Bool = false,
        hasDefault: Bool = true, needs conditions: [Condition] = [], _ summary: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        isRepeatable = repeatable
        self.hasDefault = hasDefault
        self.conditions = conditions
        self.summary = summary
    }

    /// What follows the name in the help: `PATH`, `auto|none|gzip`; empty for a flag.
    var valueName: String {
        switch value {
        case .none: ""
        case .text(let name), .number(let name), .path(let name): name
        case .choice(let choices): choices.joined(separator: "|")
        }
    }

    /// Whether something has to follow.
    var takesValue: Bool {
        if case .none = value { false } else { true }
    }

    /// The value that a command line without the option means, where that is a word.
    var defaultValue: String? {
        guard hasDefault, takesValue, let bar = valueName.firstIndex(of: "|") else { return nil }
        return String(valueName[..<bar])
    }

    /// How it is written in the help: `-o, --output PATH`.
    var signature: String {
        (short.map { "-\($0), " } ?? "    ") + name + (takesValue ? " " + valueName : "")
    }
}

/// Options of a command that belong together.
struct OptionGroup: Sendable {
    let heading: String
    var options: [OptionSpec]

    init(_ heading: String, _ options: [OptionSpec]) {
        self.heading = heading
        self.options = options
    }
}

/// The commands there are.
enum CommandName: String, Sendable, CaseIterable {
    case convert, state, transactions, worklist, rehearse, pipe, evidence, settle, report, explain, mapping, schema
    case help, completions, man
}

/// One command of the program.
struct CommandSpec: Sendable {
    let command: CommandName
    /// What it does, for one line of the help.
    let summary: String
    /// What comes after the options in the usage line.
    var operands = ""
    /// The words that an operand can be, where that is known; for completions.
    var operandChoices: [String] = []
    /// Whether operands are files.
    var takesFiles = false
    /// Its options, as the help shows them.
    var groups: [OptionGroup] = []
    /// Some more sentences for the help of the command.
    var details: [String] = []
    /// Command lines and what they do.
    var examples: [(line: String, meaning: String)] = []

    var name: String { command.rawValue }
    var options: [OptionSpec] { groups.flatMap(\.options) }

    /// How it is called, such as `notification-translator convert [options] [FILE|DIR|-]...`.
    var usage: String {
        ["notification-translator", name, options.isEmpty ? "" : "[options]", operands]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}
