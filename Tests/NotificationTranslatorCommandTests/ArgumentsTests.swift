import NotificationArchives
import Testing

@testable import notification_translator

@Suite("The arguments of the command") struct ArgumentsTests {
    private func refusal(_ words: [String]) -> String {
        do throws(UsageError) {
            _ = try Arguments(words)
            return ""
        } catch { return error.message }
    }

    @Test("Options are accepted anywhere and take their value either way")
    func optionsStandAnywhereAndTakeTheirValueEitherWay() throws {
        let all = try Arguments(["-q", "convert", "a", "--output", "x", "b", "--jobs=4", "-", "--max-rejects", "7"])
        #expect(all.command?.name == "convert")
        #expect(all.operands == ["a", "b", "-"])
        #expect(all.isQuiet && !all.isVerbose)
        #expect(all.output == "x")
        #expect(all.jobs == 4)
        #expect(all.maxRejects == 7)
    }

    @Test("Short options are bundled and carry their value") func shortOptionsAreBundledAndCarryTheirValue() throws {
        let one = try Arguments(["convert", "-qnj4", "-oout", "-i", "json"])
        #expect(one.isQuiet && one.request.dryRun)
        #expect(one.jobs == 4)
        #expect(one.output == "out")
        #expect(one.request.inputFormat == .json)
        let two = try Arguments(["convert", "-j=2", "-o-"])
        #expect(two.jobs == 2)
        #expect(two.output == "-")
    }

    @Test("Two hyphens end the options") func twoHyphensEndTheOptions() throws {
        let arguments = try Arguments(["convert", "--", "-q", "--", "--output"])
        #expect(arguments.operands == ["-q", "--", "--output"])
        #expect(!arguments.isQuiet)
    }

    @Test("Of an option given twice the last holds, and repeatable options keep their order")
    func ofAnOptionGivenTwiceTheLastHolds() throws {
        let app = ["--expect-bundle-id=a", "--expect-bundle-id", "b", "--verify", "apple"]
        let arguments = try Arguments(["convert", "-oa", "--output", "b", "-q", "-q"] + app)
        #expect(arguments.output == "b")
        #expect(arguments.bundleID == "b")
        let repeatable = try Arguments(["convert", "--include", "a", "--include=b"])
        #expect(repeatable.request.include == ["a", "b"])
    }

    @Test("There are at most 48 options") func thereAreAtMost47Options() {
        let names = Set((CommandTable.commands.flatMap(\.options) + CommandTable.everywhere).map(\.name))
        #expect(names.count <= 48, "\(names.count)")
    }

    /// A value of an option that is not its default.
    private func value(_ option: OptionSpec) -> [String] {
        switch option.value.kind {
        case .flag: []
        case .number: ["1"]
        case .choice: [option.value.words[option.value.words.count - 1]]
        case .text, .path, .file:
            [option.value.name.contains("TIME") ? "2021-01-01" : option.value.name.contains("POINTER") ? "/a" : "x"]
        }
    }

    /// What satisfies the conditions of an option.
    private func company(_ option: OptionSpec, of command: CommandSpec) -> [String] {
        option.conditions.flatMap { condition -> [String] in
            switch condition {
            case .oneOf(let names):
                let needed = command.options.first { names.contains($0.name) }
                return needed.map { [$0.name] + value($0) + company($0, of: command) } ?? []
            case .value(let name, let values) where command.options.contains { $0.name == name }:
                return option.name == "--sign" ? [name, values[0]] : []
            default: return []
            }
        }
    }

    /// What a command line becomes, field by field, also those of the requests in it; without how it was written.
    private func fields(_ words: [String]) throws -> [String: String] {
        func fields(_ value: Any, _ name: String) -> [(String, String)] {
            guard value is Arguments || value is ConversionRequest || value is TimelineRequest else {
                let parts = Mirror(reflecting: value).displayStyle == .struct ? Mirror(reflecting: value).children : nil
                guard let parts, name.hasPrefix("records") || name.hasPrefix("judging") else {
                    return [(name, "\(value)")]
                }
                return parts.flatMap { fields($0.value, "\(name).\($0.label ?? "")") }
            }
            return Mirror(reflecting: value).children.flatMap { fields($0.value, $0.label ?? "") }
        }
        let all = fields(try Arguments(words), "").filter { !["given", "command"].contains($0.0) }
        return Dictionary(all, uniquingKeysWith: { $1 })
    }

    @Test("Each option of each command changes one field, and no two options of a command the same")
    func optionsHaveFields() throws {
        for command in CommandTable.commands {
            var taken: [String: String] = [:]
            for option in command.options + CommandTable.everywhere {
                let operand = command.name == "explain" ? ["a:1"] : []
                let company = company(option, of: command)
                // --environment has a value that needs no other option.
                let words = option.name == "--environment" ? ["Xcode"] : value(option)
                if option.name == "--sign" {
                    // The one option that needs a value which needs it.
                    #expect(try Arguments(["rehearse", "--sign", "x"] + company).chainFolder == "x")
                    continue
                }
                let without = try fields([command.name] + operand + company)
                let with = try fields([command.name] + operand + company + [option.name] + words)
                let changed = with.keys.filter { with[$0] != without[$0] }
                #expect(changed.count == 1, "\(command.name) \(option.name): \(changed)")
                let field = changed.first ?? ""
                #expect(taken[field] == nil, "\(command.name) \(option.name): \(field)")
                taken[field] = option.name
            }
        }
    }

    @Test("An option that a command, or a mode of it, does not use is refused, over the whole table")
    func optionsThatAreNotUsedAreRefused() {
        for command in CommandTable.commands {
            for option in command.options {
                let words = [option.name] + value(option)
                for other in CommandTable.commands where !other.options.contains(where: { $0.name == option.name }) {
                    #expect(refusal([other.name] + words) == "'\(other.name)' has no option '\(option.name)'.")
                }
                for condition in option.conditions { check(condition, option, [command.name] + words, command) }
            }
        }
    }

    private func check(
        _ condition: OptionSpec.Condition, _ option: OptionSpec, _ words: [String], _ command: CommandSpec
    ) {
        switch condition {
        case .oneOf: #expect(refusal(words).hasPrefix("\(option.name) needs "), "\(words)")
        case .value(let name, let values):
            guard let spec = command.options.first(where: { $0.name == name }) else { return }
            for bad in spec.value.words where !values.contains(bad) {
                let message = refusal(words + [name, bad])
                #expect(message.hasPrefix("\(option.name) ") && message.contains(" needs \(name) "), "\(words)")
            }
        case .without(let name):
            guard command.options.contains(where: { $0.name == name }) else { return }
            #expect(refusal(words + [name]).hasSuffix(" cannot be used with \(name)."), "\(words)")
        case .story:
            guard option.name != "--id" else { return }
            #expect(refusal(words).contains(" needs "), "\(words)")
        case .when(let word, let condition):
            let message = refusal([command.name, option.name, word])
            if case .oneOf = condition { #expect(message.hasPrefix("\(option.name) \(word) needs "), "\(words)") }
            guard case .value(let name, _) = condition, command.options.contains(where: { $0.name == name })
            else { return }
            check(condition, option, [command.name, option.name, word], command)
        }
    }

    @Test(
        "What is not in the table, and a value that is none, is refused with a suggestion",
        arguments: [
            ("convert --envelop /a", "unknown option '--envelop'. Did you mean '--envelope'?"),
            ("convert --ouptut a", "unknown option '--ouptut'. Did you mean '--output'?"),
            ("convert --colour a", "unknown option '--colour'."), ("convert --zzzzzzz", "unknown option '--zzzzzzz'."),
            ("convert -qZ", "unknown option '-Z'."), ("convrt", "unknown command 'convrt'. Did you mean 'convert'?"),
            ("frobnicate", "unknown command 'frobnicate'."), ("man --output x", "'man' has no option '--output'."),
            ("convert --output", "--output needs PATH."),
            ("convert --output=", "--output needs PATH, not an empty text."),
            ("mapping --format x", "invalid value 'x' for --format (expected: markdown, json, csv)"),
            ("convert --quiet=yes", "--quiet takes no value."),
            ("convert --jobs -1", "invalid value '-1' for --jobs (expected: a whole number, 0 or more)"),
            ("convert --jobs many", "invalid value 'many' for --jobs (expected: a whole number, 0 or more)"),
            (
                "convert -i jsn",
                "invalid value 'jsn' for --input-format (expected: auto, ndjson, json, concat, csv, tsv, log). "
                    + "Did you mean 'json'?"
            ),
        ])
    func refuses(line: String, message: String) {
        #expect(refusal(line.split(separator: " ").map(String.init)) == message)
    }

    @Test("Every option is in the help, the manual and the completions")
    func everyOptionIsInTheHelpTheManualAndTheCompletions() {
        let shells = ["bash", "zsh", "fish"].compactMap(Completions.script)
        #expect(shells.count == 3)
        for command in CommandTable.commands {
            let help = HelpText.of(command)
            for option in command.options {
                // A long list of values is broken into lines.
                #expect(help.filter { !$0.isWhitespace }.contains(option.signature.filter { !$0.isWhitespace }))
                #expect(ManPage.text.contains(option.name.replacing("-", with: "\\-")))
                #expect(HelpText.optionTable.contains(option.name))
                for shell in shells { #expect(shell.contains(option.name.dropFirst(2))) }
            }
        }
    }

    @Test("Every line of the help fits eighty columns") func everyLineOfTheHelpFitsEightyColumns() {
        let topics = Topics.all.map { $0.value() }
        #expect(topics.count == 4)
        let helps = CommandTable.commands.flatMap { [HelpText.of($0), HelpText.short($0)] }
        for text in [HelpText.overview] + helps + topics {
            for line in text.split(separator: "\n") { #expect(line.count <= HelpText.columns, "\(line)") }
        }
        let broken = HelpText.wrapped(String(repeating: "word ", count: 40), indent: 2, hanging: 4, breaking: " \\")
        #expect(broken.split(separator: "\n").dropLast().allSatisfy { $0.hasSuffix(" \\") })
    }

    @Test("Names of options are the same in all commands and letters are unique")
    func namesOfOptionsAreTheSameInAllCommandsAndLettersAreUnique() {
        var letters: [Character: String] = ["h": "--help"]
        for option in CommandTable.commands.flatMap(\.options) {
            guard let short = option.short else { continue }
            #expect(letters[short] == nil || letters[short] == option.name)
            letters[short] = option.name
        }
    }

    @Test("Edit distance counts swapped neighbours once") func editDistanceCountsSwappedNeighboursOnce() {
        #expect(editDistance("output", "ouptut") == 1)
        #expect(editDistance("", "abc") == 3)
        #expect(editDistance("abc", "") == 3)
        #expect(editDistance("kitten", "sitting") == 3)
        #expect(nearest(to: "x", among: []) == nil)
    }
}
