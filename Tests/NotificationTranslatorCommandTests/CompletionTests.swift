import NotificationTranslation
import Testing

@testable import notification_translator

/// Completions in real shells, typed into a terminal.
@Suite("Completions")
struct CompletionTests {
    /// Starts a shell on a terminal of its own, types a line and a TAB, and prints what is shown until every text that
    /// is waited for has been, or a minute is over.
    private static let driver = """
        import fcntl, os, pty, re, select, struct, sys, termios, time
        folder, prompt, typed = sys.argv[1], sys.argv[2], sys.argv[3]
        wanted, command = sys.argv[4].split('|'), sys.argv[5:]
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update({'TERM': 'xterm', 'ZDOTDIR': folder, 'HOME': folder, 'PS1': prompt, 'LC_ALL': 'C.UTF-8'})
            os.execvp(command[0], command)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 200, 400, 0, 0))
        def read(until):
            shown, end = '', time.time() + 60
            while time.time() < end and not until(shown):
                if select.select([terminal], [], [], 0.1)[0]:
                    try: shown += os.read(terminal, 65536).decode('utf-8', 'replace')
                    except OSError: break
            return shown
        plain = lambda text: re.sub('\\\\x1b\\\\[[0-9;?]*[A-Za-z]|\\\\x1b[=>]|[\\\\r\\\\x07]', '', text)
        read(lambda shown: prompt in plain(shown))
        os.write(terminal, typed.encode() + b'\\t')
        shown = plain(read(lambda shown: all(text in plain(shown).replace(typed, '', 1) for text in wanted)))
        print(shown)
        os.close(terminal)
        """

    /// A folder in which the completions of the shells are installed.
    private static func installed() throws -> Command {
        let command = try Command()
        command.makeFolder("functions")
        try command.write(driver, to: "driver.py")
        try command.write(#require(Completions.script(for: "zsh")), to: "functions/_notification-translator")
        try command.write(#require(Completions.script(for: "bash")), to: "completions.bash")
        try command.write(#require(Completions.script(for: "fish")), to: "completions.fish")
        let fpath = "fpath=(\(command.path("functions")) $fpath)"
        try command.write(
            "\(fpath)\nautoload -Uz compinit\ncompinit -u -D\nPS1='ready> '\nLISTMAX=9999\n", to: ".zshrc")
        let settings = ["show-all-if-ambiguous on", "page-completions off", "completion-query-items 0"]
        try command.write(
            "source \(command.path("completions.bash"))\n" + settings.map { "bind 'set \($0)'\n" }.joined()
                + "PS1='ready> '\n", to: "bashrc")
        return command
    }

    /// Whether lines can be typed into a shell here.
    private static func canType(in shell: String) -> Bool {
        Command.isInstalled(shell) && Command.isInstalled("python3")
    }

    /// What a shell shows after a line and a TAB, once it has shown all that is wanted.
    private func type(_ line: String, _ wanted: [String], in shell: String) throws -> String {
        let command = try Self.installed()
        let start = shell == "zsh" ? "zsh -i" : "bash --noprofile --rcfile \(command.path("bashrc")) -i"
        let run = try ReadmeTests.shell(
            "python3 driver.py \(command.folder) 'ready> ' '\(line)' \"\(wanted.joined(separator: "|"))\" \(start)",
            in: command)
        #expect(run.code == 0, "\(run.errors)")
        return run.output
    }

    private static let name = "notification-translator"

    private static let typed = [
        (" con", ["vert"]), (" explain CANCEL_R", ["EFUND_OR_UPGRADE"]), (" explain status-on-beside", ["-renewal"]),
        (" convert --context=t", ["imeline"]), (" convert --context=", ["timeline", "record"]),
        (" convert --infer ", ["none", "safe", "all"]), (" explain --verify a", ["pple"]),
        (" schema --format post", ["gres"]),
    ]

    @Test(
        "Completions answer at the first TAB in each shell that is installed beside python3",
        arguments: ["bash", "zsh"].filter(canType), typed)
    func answers(in shell: String, _ typed: (line: String, wanted: [String])) throws {
        let (line, wanted) = typed
        let shown = try type(Self.name + line, wanted, in: shell)
        let rest = shown.replacing(Self.name + line, with: "", maxReplacements: 1)
        for text in wanted { #expect(rest.contains(text), "\(shell): \(line): \(shown)") }
    }

    @Test(
        "Completions keep commas, colons and apostrophes of what an option does",
        .enabled(if: canType(in: "zsh"), "needs zsh and python3"))
    func texts() throws {
        let wanted = ["up to Apple's root, or up to a root of your own"]
        let shown = try type(Self.name + " convert --ver", wanted, in: "zsh")
        #expect(shown.contains(wanted[0]), "\(shown)")
        let line = Self.name + " explain --as"
        let asOf = try type(line, ["-of"], in: "zsh")
        #expect(asOf.contains("-of"), "\(asOf)")
    }

    @Test("Completions complete in fish", .enabled(if: Command.isInstalled("fish"), "fish is not installed"))
    func fish() throws {
        let command = try Self.installed()
        let cases = [
            ("explain CANCEL_R", "CANCEL_REFUND_OR_UPGRADE"), ("convert --context ", "timeline"),
            ("convert --ver", "up to Apple's root, or"), ("con", "convert"),
        ]
        for (line, wanted) in cases {
            let run = try ReadmeTests.shell(
                "HOME=$PWD fish --no-config -c 'source completions.fish; complete -C \"\(Self.name) \(line)\"'",
                in: command)
            #expect(run.output.contains(wanted), "\(line): \(run.output) \(run.errors)")
        }
    }

    @Test("Completions know every name that explain explains, but those with spaces")
    func names() throws {
        let scripts = ["bash", "zsh", "fish"].compactMap(Completions.script)
        #expect(scripts.count == 3)
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
        let names = Explanation().names.filter { $0.allSatisfy(plain.contains) }
        #expect(names.count > 400)
        for script in scripts {
            let words = Set(script.split { " '\n;()".contains($0) })
            for name in names { #expect(words.contains(Substring(name)), "\(name)") }
        }
    }
}
