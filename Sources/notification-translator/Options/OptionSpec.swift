/// One option: the single place from which parser, help, man page, completions and the README's table know it.
struct OptionSpec: Sendable {
    /// What else has to be given, or not, for an option to be of use.
    enum Condition: Sendable {
        /// One of these options, with a value that is not its default.
        case oneOf([String])
        /// One of these values of an option; the first value of all is what a command line without it means.
        case value(of: String, [String])
        /// Not this option.
        case without(String)
        /// A record or an event of an archive that is to be explained.
        case story
        /// The condition counts for this value of the option alone.
        indirect case when(String, Condition)
    }

    /// With its two hyphens.
    let name: String
    /// The letter of its short form.
    let short: Character?
    let value: OptionValue
    /// Whether a report says the same without it, as it decides where something goes, how much is said or how fast.
    let isAside: Bool
    /// When it is of use; else it is a usage error.
    private(set) var conditions: [Condition]
    /// What it does, for one line of the help: no capital, no full stop.
    private(set) var summary: String

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
        _ name: String, short: Character? = nil, takes value: OptionValue, isAside: Bool = false,
        needs conditions: [Condition] = [], _ summary: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.isAside = isAside
        self.conditions = conditions
        self.summary = summary
    }

    /// How it is written in the help: `-o, --output PATH`.
    var signature: String { (short.map { "-\($0), " } ?? "    ") + name + (value.isFlag ? "" : " " + value.name) }
}

/// What follows an option, and the field of ``Arguments`` that it becomes.
struct OptionValue: Sendable {
    enum Kind: Sendable {
        /// Nothing follows.
        case flag
        case text, number, choice
        /// A file or folder; completed as one.
        case path
        /// A file that is read, so that no output may replace it; or a word.
        case file
    }

    typealias Field<Value> = any WritableKeyPath<Arguments, Value> & Sendable

    let kind: Kind
    /// What it is called in the help: `PATH`, `auto|none|gzip`; empty for a flag.
    let name: String
    /// What an error message says that is expected; empty where every text is taken.
    let expected: String
    let isRepeatable: Bool
    /// The literal words among the values, and the one that a command line without the option means, where there is one.
    let words: [String]
    let defaultWord: String?
    /// Puts the value into its field; `false` if it is none.
    let store: @Sendable (String, inout Arguments) -> Bool

    var isFlag: Bool { kind == .flag }

    /// Whether the value can be a file.
    var takesFile: Bool { kind == .path || kind == .file }

    static func flag(_ field: Field<Bool>) -> Self { Self(field, .flag, "") { _ in true } }

    /// A flag of which it matters how it was written: by its letter, or empty.
    static func written(_ field: Field<String?>) -> Self { Self(field, .flag, "") { $0 } }

    static func text(_ name: String, _ field: Field<String?>, _ kind: Kind = .text) -> Self {
        parsed(name, field, "", as: kind) { .some($0) }
    }

    /// Texts; the option may be given several times.
    static func texts(_ name: String, _ field: Field<[String]>, _ kind: Kind = .text) -> Self {
        Self(kind, name, isRepeatable: true) { text, arguments in
            arguments[keyPath: field].append(text)
            return true
        }
    }

    static func number<Number: FixedWidthInteger & Sendable>(_ name: String, _ field: Field<Number?>) -> Self {
        parsed(name, field, "a whole number, 0 or more", as: .number) { text in
            Number(text).flatMap { $0 < 0 ? nil : $0 }
        }
    }

    /// A text of a form of its own; the first literal word of the name, where there is one, is as good as no option.
    static func parsed<Value: Sendable>(
        _ name: String, _ field: Field<Value?>, _ expected: String, as kind: Kind = .text,
        _ parse: @escaping @Sendable (String) -> Value?
    ) -> Self {
        let none = literals(name).first
        return Self(field, kind, name, expected: expected) { text in
            text == none ? .some(nil) : parse(text).map { .some($0) }
        }
    }

    /// One of some words; the first is the default.
    static func word(_ words: [String], _ field: Field<String?>, hasDefault: Bool = true) -> Self {
        Self(field, .choice, words.joined(separator: "|"), hasDefault: hasDefault) { word in
            words.first { $0 == word }.map { .some($0) }
        }
    }

    /// One of the words of an enum; the first is the default.
    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ field: Field<Word>, _ words: [Word] = Array(Word.allCases)
    ) -> Self { Self(field, .choice, words.map(\.rawValue).joined(separator: "|")) { Word(rawValue: $0) } }

    /// One of two words, the second of which is `true`.
    static func either(_ first: String, _ second: String, _ field: Field<Bool>) -> Self {
        Self(field, .choice, first + "|" + second) { $0 == second ? true : $0 == first ? false : nil }
    }

    private init<Value: Sendable>(
        _ field: Field<Value>, _ kind: Kind, _ name: String, expected: String = "", hasDefault: Bool = true,
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(kind, name, expected: expected, hasDefault: hasDefault) { text, arguments in
            guard let value = parse(text) else { return false }
            arguments[keyPath: field] = value
            return true
        }
    }

    private init(
        _ kind: Kind, _ name: String, expected: String = "", isRepeatable: Bool = false, hasDefault: Bool = true,
        store: @escaping @Sendable (String, inout Arguments) -> Bool
    ) {
        let all = name.split(separator: "|").map(String.init)
        words = kind == .choice ? all : Self.literals(name)
        defaultWord = hasDefault ? words.first : nil
        self.kind = kind
        self.name = name
        self.expected = kind == .choice ? all.joined(separator: ", ") : expected
        self.isRepeatable = isRepeatable
        self.store = store
    }

    /// Of `auto|none|/POINTER`, what is in lower case.
    private static func literals(_ name: String) -> [String] {
        name.split(separator: "|").map(String.init).filter { word in
            word != "-" && word.allSatisfy { $0.isLowercase || $0 == "-" }
        }
    }
}

/// Options of a command that belong together.
struct OptionGroup: Sendable {
    let heading: String
    let options: [OptionSpec]

    /// The same group with other options; those that become `nil` are not in it.
    func map(_ change: (OptionSpec) -> OptionSpec?) -> OptionGroup {
        OptionGroup(heading: heading, options: options.compactMap(change))
    }
}

extension OptionGroup {
    init(_ heading: String, _ options: OptionSpec...) { self.init(heading: heading, options: options) }
}

struct CommandSpec: Sendable {
    let name: String
    /// Carries it out and returns the exit code.
    let run: @Sendable (Arguments) throws -> Int32
    /// What it does, for one line of the help.
    let summary: String
    /// What comes after the options in the usage line.
    var operands = ""
    /// The words that an operand can be, where that is known; for completions.
    var operandChoices: [String] = []
    /// Its options, as the help shows them.
    var groups: [OptionGroup] = []
    /// Some more sentences for the help of the command.
    var details: [String] = []
    /// Command lines and what they do.
    var examples: KeyValuePairs<String, String> = [:]

    var options: [OptionSpec] { groups.flatMap(\.options) }

    var takesFiles: Bool { operands.contains("FILE") }

    /// How it is called, such as `notification-translator convert [options] [FILE|DIR|-]...`.
    var usage: String {
        ["notification-translator", name, options.isEmpty ? "" : "[options]", operands]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}
