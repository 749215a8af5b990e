import Testing

@testable import notification_translator

@Suite("The arguments of the command") struct ArgumentsTests {
    private func message(_ words: String...) -> String {
        do throws(UsageError) {
            _ = try Arguments(words)
            return ""
        } catch { return error.message }
    }

    @Test("Options are accepted anywhere and take their value either way")
    func optionsStandAnywhereAndTakeTheirValueEitherWay() throws {
        let all = try Arguments(["-q", "convert", "a", "--output", "x", "b", "--jobs=4", "-", "--max-rejects", "7"])
        #expect(all.command == "convert")
        #expect(all.operands == ["a", "b", "-"])
        #expect(all.has("--quiet"))
        #expect(all.value("--output") == "x")
        #expect(all.number("--jobs") == 4)
        #expect(all.number("--max-rejects") == 7)
        #expect(!all.has("--verbose"))
    }

    @Test("Short options are bundled and carry their value") func shortOptionsAreBundledAndCarryTheirValue() throws {
        let one = try Arguments(["convert", "-qnj4", "-oout", "-i", "json"])
        #expect(one.has("--quiet") && one.has("--dry-run"))
        #expect(one.number("--jobs") == 4)
        #expect(one.value("--output") == "out")
        #expect(one.value("--input-format") == "json")
        let two = try Arguments(["convert", "-j=2", "-o-"])
        #expect(two.number("--jobs") == 2)
        #expect(two.value("--output") == "-")
    }

    @Test("Two hyphens end the options") func twoHyphensEndTheOptions() throws {
        let arguments = try Arguments(["convert", "--", "-q", "--", "--output"])
        #expect(arguments.operands == ["-q", "--", "--output"])
        #expect(!arguments.has("--quiet"))
    }

    @Test("Of an option given twice the last holds") func ofAnOptionGivenTwiceTheLastHolds() throws {
        let arguments = try Arguments(
            ["convert", "-oa", "--output", "b", "-q", "-q", "--expect-bundle-id=a"] + [
                "--expect-bundle-id", "b", "--verify", "apple",
            ])
        #expect(arguments.all("--output") == ["b"])
        #expect(arguments.all("--expect-bundle-id") == ["b"])
    }

    @Test("There are at most 48 options") func thereAreAtMost48Options() {
        let names = Set((CommandTable.commands.flatMap(\.options) + CommandTable.everywhere).map(\.name))
        #expect(names.count <= 48, "\(names.count)")
    }

    @Test("An option that a command, or a mode of it, does not use is refused, over the whole table")
    func optionsThatAreNotUsedAreRefused() {
        for command in CommandTable.commands {
            for option in command.options {
                let value: [String] =
                    switch option.value {
                    case .none: []
                    case .number: ["1"]
                    case .choice(let choices): [choices[choices.count - 1]]
                    case .text, .path: ["x"]
                    }
                for other in CommandTable.commands where !other.options.contains(where: { $0.name == option.name }) {
                    let words = [other.name, option.name] + value
                    #expect(refusal(words) == "'\(other.name)' has no option '\(option.name)'.")
                }
                for condition in option.conditions {
                    let words = [command.name, option.name] + value
                    switch condition {
                    case .oneOf: #expect(refusal(words).hasPrefix("\(option.name) needs "), "\(words)")
                    case .value(let name, let values):
                        guard let spec = command.options.first(where: { $0.name == name }),
                            case .choice(let all) = spec.value
                        else { continue }
                        for bad in all where !values.contains(bad) {
                            #expect(
                                refusal(words + [name, bad]).hasPrefix("\(option.name) needs \(name) "), "\(words)")
                        }
                    case .without(let name):
                        guard command.options.contains(where: { $0.name == name }) else { continue }
                        #expect(refusal(words + [name]).hasSuffix(" cannot be used with \(name)."), "\(words)")
                    }
                }
            }
        }
    }

    private func refusal(_ words: [String]) -> String {
        do throws(UsageError) {
            _ = try Arguments(words)
            return ""
        } catch { return error.message }
    }

    @Test("Repeatable options keep their order") func repeatableOptionsKeepTheirOrder() throws {
        let arguments = try Arguments(["convert", "--include", "a", "--include=b"])
        #expect(arguments.all("--include") == ["a", "b"])
    }

    @Test("What is not in the table is refused with a suggestion") func whatIsNotInTheTableIsRefusedWithASuggestion() {
        #expect(message("convert", "--envelop", "/a") == "unknown option '--envelop'. Did you mean '--envelope'?")
        #expect(message("convert", "--ouptut", "a") == "unknown option '--ouptut'. Did you mean '--output'?")
        #expect(message("convert", "--colour", "a") == "unknown option '--colour'.")
        #expect(message("convert", "--zzzzzzz") == "unknown option '--zzzzzzz'.")
        #expect(message("convert", "-qZ") == "unknown option '-Z'.")
        #expect(message("convrt") == "unknown command 'convrt'. Did you mean 'convert'?")
        #expect(message("frobnicate") == "unknown command 'frobnicate'.")
        #expect(message("man", "--output", "x") == "'man' has no option '--output'.")
    }

    @Test("Values are checked") func valuesAreChecked() {
        #expect(message("convert", "--output") == "--output needs PATH.")
        #expect(message("convert", "--output=") == "--output needs PATH, not an empty text.")
        #expect(message("convert", "--quiet=yes") == "--quiet takes no value.")
        #expect(
            message("convert", "--jobs", "-1") == "invalid value '-1' for --jobs (expected: a whole number, 0 or more)")
        #expect(
            message("convert", "--jobs", "many")
                == "invalid value 'many' for --jobs (expected: a whole number, 0 or more)")
        #expect(
            message("convert", "-i", "jsn")
                == "invalid value 'jsn' for --input-format (expected: auto, ndjson, json, concat, csv, tsv, log). "
                + "Did you mean 'json'?"
        )
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
        let topics = ["exit-codes", "fields", "formats", "privacy"].compactMap(Topics.text)
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
