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

    private static func options(of command: CommandSpec) -> [OptionSpec] { command.options + CommandTable.everywhere }

    /// What an operand of a command can be besides a file: words without spaces, separated by spaces.
    private static func operands(of command: CommandSpec) -> String {
        let words = command.name == "explain" ? Explanation().names : command.operandChoices
        return words.filter { $0.utf8.allSatisfy { isPlain($0) } }.joined(separator: " ")
    }

    /// Whether a byte needs no quotes in any of the shells.
    static func isPlain(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "_-./".utf8.contains(byte)
    }

    private static var bash: String {
        var values = ""
        for command in CommandTable.commands {
            for option in command.options where !option.value.isFlag {
                let names = [option.short.map { "-\($0)" }, option.name].compactMap { $0 }
                let words = option.value.words.joined(separator: " ")
                var calls = words.isEmpty ? "" : " _notification_translator_words '\(words)';"
                if option.value.takesFile { calls += " _notification_translator_files;" }
                let patterns = names.map { "'\(command.name) \($0)'" }.joined(separator: "|")
                values += "        \(patterns))\(calls) return;;\n"
            }
        }
        let names = CommandTable.commands.map(\.name).joined(separator: " ")
        var operands = ""
        for command in CommandTable.commands {
            let all = options(of: command).map(\.name).joined(separator: " ")
            operands += "        \(command.name))\n            if [[ $word == -* ]]; then"
            operands += " _notification_translator_words '\(all)'; return; fi\n"
            let words = self.operands(of: command)
            if !words.isEmpty { operands += "            _notification_translator_words '\(words)'\n" }
            if command.takesFiles { operands += "            _notification_translator_files\n" }
            operands += "            ;;\n"
        }
        return """
            # The word being completed is in $word; candidates are added.
            _notification_translator_words() {
                COMPREPLY+=($(compgen -W "$1" -- "$word"))
            }
            _notification_translator_files() {
                local IFS=$'\\n'
                COMPREPLY+=($(compgen -f -- "$word"))
                type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
            }
            _notification_translator() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                COMPREPLY=()
                # bash takes --context=x apart into three words.
                if [[ $word == = ]]; then
                    word=
                elif [[ $before == = ]]; then
                    before=${COMP_WORDS[COMP_CWORD-2]}
                fi
                if ((COMP_CWORD == 1)); then
                    _notification_translator_words '\(names) --help --version'
                    return
                fi
                case "${COMP_WORDS[1]} $before" in
            \(values)    esac
                case ${COMP_WORDS[1]} in
            \(operands)    esac
            }
            complete -F _notification_translator notification-translator

            """
    }

    private static var zsh: String {
        var cases = ""
        for command in CommandTable.commands {
            cases += "        \(command.name)) _arguments -s"
            for option in options(of: command) { cases += zshSpec(option) }
            let words = operands(of: command)
            switch (words.isEmpty, command.takesFiles) {
            case (false, true): cases += " '*:name or file:_notification_translator_\(command.name)'"
            case (false, false): cases += " '*:word:(\(words))'"
            case (true, true): cases += " '*:file:_files'"
            case (true, false): break
            }
            cases += ";;\n"
        }
        var functions = ""
        for command in CommandTable.commands where command.takesFiles && !operands(of: command).isEmpty {
            functions += "_notification_translator_\(command.name)() {\n"
            functions += "    _alternative 'names:name:(\(operands(of: command)))' 'files:file:_files'\n}\n"
        }
        let mixed = CommandTable.commands.flatMap(\.options).filter(\.value.takesFile).map {
            $0.value.words.joined(separator: " ")
        }
        for words in Set(mixed).sorted() where !words.isEmpty {
            functions += "\(function(for: words))() {\n"
            functions += "    _alternative 'words:word:(\(words))' 'files:file:_files'\n}\n"
        }
        let commands = CommandTable.commands.map { "\(quoted("\($0.name):\($0.summary)"))" }.joined(separator: " ")
        return """
            #compdef notification-translator
            \(functions)_notification_translator() {
                local -a commands=(\(commands))
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                shift words; (( CURRENT-- ))
                case $words[1] in
            \(cases)    esac
            }
            # Found in fpath, the file is the function and completes at once; sourced, it only says whose it is.
            if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
                _notification_translator "$@"
            else
                compdef _notification_translator notification-translator
            fi

            """
    }

    /// The name of the function that completes some words, or files.
    private static func function(for words: String) -> String {
        "_notification_translator_or_files_" + words.replacing(" ", with: "_").replacing("-", with: "_")
    }

    private static func zshSpec(_ option: OptionSpec) -> String {
        let text = option.summary.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
        var action = ""
        if !option.value.isFlag {
            let name = option.value.name.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            let words = option.value.words.joined(separator: " ")
            let files = option.value.takesFile
            action = ":\(name):"
            if !words.isEmpty, files {
                action += function(for: words)
            } else {
                action += !words.isEmpty ? "(\(words))" : files ? "_files" : " "
            }
        }
        let star = option.value.isRepeatable ? "*" : ""
        let long = " " + quoted("\(star)\(option.name)\(option.value.isFlag ? "" : "=")[\(text)]\(action)")
        return long + (option.short.map { " " + quoted("\(star)-\($0)[\(text)]\(action)") } ?? "")
    }

    private static var fish: String {
        var text = "complete -c notification-translator -f\n"
        for command in CommandTable.commands {
            text += "complete -c notification-translator -n __fish_use_subcommand -a \(command.name)"
            text += " -d \(fishQuoted(command.summary))\n"
            let condition = " -n '__fish_seen_subcommand_from \(command.name)'"
            for option in options(of: command) {
                text += "complete -c notification-translator\(condition) -l \(option.name.dropFirst(2))"
                if let short = option.short { text += " -s \(short)" }
                let words = option.value.words.joined(separator: " ")
                if !option.value.isFlag { text += option.value.takesFile ? " -r -F" : " -x" }
                if !words.isEmpty { text += " -a '\(words)'" }
                text += " -d \(fishQuoted(option.summary))\n"
            }
            if command.takesFiles { text += "complete -c notification-translator\(condition) -F\n" }
            let words = operands(of: command)
            if !words.isEmpty { text += "complete -c notification-translator\(condition) -a '\(words)'\n" }
        }
        return text
    }

    /// A word of bash or zsh between single quotes.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    /// A word of fish between single quotes.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
