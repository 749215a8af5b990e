/// Options of a command that belong together.
struct OptionGroup: Sendable {
    let heading: String
    var options: [OptionSpec]

    init(_ heading: String, _ options: [OptionSpec]) {
        self.heading = heading
        self.options = options
    }
}

/// One command of the program.
struct CommandSpec: Sendable {
    let name: String
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

    var options: [OptionSpec] { groups.flatMap(\.options) }

    /// How it is called, such as `notification-translator convert [options] [FILE|DIR|-]...`.
    var usage: String {
        ["notification-translator", name, options.isEmpty ? "" : "[options]", operands]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}
