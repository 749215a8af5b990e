/// Completions for shells, made from the table of commands and options.
enum Completions {
    /// The script for a shell, or `nil` when it is not known.
    static func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var names: String { CommandTable.commands.map(\.name).joined(separator: " ") }

    private static func options(of command: CommandSpec) -> [OptionSpec] {
        command.options + CommandTable.everywhere
    }

    private static var bash: String {
        var values = ""
        for option in CommandTable.commands.flatMap(\.options) {
            let names = (option.short.map { "-\($0)|" } ?? "") + option.name
            switch option.value {
            case .choice(let choices):
                values +=
                    "        \(names)) COMPREPLY=($(compgen -W '\(choices.joined(separator: " "))' -- \"$word\")); return;;\n"
            case .path: values += "        \(names)) COMPREPLY=($(compgen -f -- \"$word\")); return;;\n"
            case .text, .number: values += "        \(names)) return;;\n"
            case .none: break
            }
        }
        var words = ""
        for command in CommandTable.commands {
            let all = (options(of: command).map(\.name) + command.operandChoices).joined(separator: " ")
            words += "        \(command.name)) COMPREPLY=($(compgen -W '\(all)' -- \"$word\"))"
            words +=
                command.takesFiles
                ? "\n            [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"));;\n" : ";;\n"
        }
        return """
            _notification_translator() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                COMPREPLY=()
                case $before in
            \(values)    esac
                case ${COMP_WORDS[1]} in
            \(words)        *) COMPREPLY=($(compgen -W '\(names) --help --version' -- "$word"));;
                esac
            }
            complete -o filenames -F _notification_translator notification-translator

            """
    }

    private static var zsh: String {
        var cases = ""
        for command in CommandTable.commands {
            cases += "        \(command.name)) _arguments -s"
            for option in options(of: command) { cases += zshSpec(option) }
            if !command.operandChoices.isEmpty {
                cases += " '*:word:(\(command.operandChoices.joined(separator: " ")))'"
            } else if command.takesFiles {
                cases += " '*:file:_files'"
            }
            cases += ";;\n"
        }
        let commands = CommandTable.commands.map { "'\($0.name):\(quoted($0.summary))'" }.joined(separator: " ")
        return """
            #compdef notification-translator
            _notification_translator() {
                local -a commands=(\(commands))
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                shift words; (( CURRENT-- ))
                case $words[1] in
            \(cases)    esac
            }
            compdef _notification_translator notification-translator

            """
    }

    private static func zshSpec(_ option: OptionSpec) -> String {
        let text = quoted(option.summary).replacing("[", with: "\\[").replacing("]", with: "\\]")
        let action =
            switch option.value {
            case .none: ""
            case .text(let name), .number(let name): ":\(name.replacing(":", with: "")): "
            case .path(let name): ":\(name):_files"
            case .choice(let choices): ":value:(\(choices.joined(separator: " ")))"
            }
        let star = option.isRepeatable ? "*" : ""
        let long = " '\(star)\(option.name)\(option.takesValue ? "=" : "")[\(text)]\(action)'"
        return long + (option.short.map { " '-\($0)[\(text)]\(action)'" } ?? "")
    }

    private static var fish: String {
        var text = "complete -c notification-translator -f\n"
        for command in CommandTable.commands {
            text += "complete -c notification-translator -n __fish_use_subcommand -a \(command.name)"
            text += " -d '\(quoted(command.summary))'\n"
            let condition = " -n '__fish_seen_subcommand_from \(command.name)'"
            for option in options(of: command) {
                text += "complete -c notification-translator\(condition) -l \(option.name.dropFirst(2))"
                if let short = option.short { text += " -s \(short)" }
                switch option.value {
                case .none: break
                case .choice(let choices): text += " -x -a '\(choices.joined(separator: " "))'"
                case .path: text += " -r -F"
                case .text, .number: text += " -x"
                }
                text += " -d '\(quoted(option.summary))'\n"
            }
            if command.takesFiles { text += "complete -c notification-translator\(condition) -F\n" }
            if !command.operandChoices.isEmpty {
                text +=
                    "complete -c notification-translator\(condition) -a '\(command.operandChoices.joined(separator: " "))'\n"
            }
        }
        return text
    }

    /// Safe between single quotes of any of the shells.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "").replacing(":", with: ",")
    }
}
