/// The command `completions`.
enum CompletionsCommand {
    /// Prints the script of the shell asked for.
    static func run(_ arguments: Arguments) throws -> Int32 {
        guard arguments.operands.count == 1, let script = Completions.script(for: arguments.operands[0]) else {
            throw arguments.refusal("completions takes one shell: bash, zsh or fish.")
        }
        return try Program.print(script)
    }
}
