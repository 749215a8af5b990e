import SystemLibC

// Two lives: what a person starts measures; what it starts itself (`--worker NAME …`) is one contender, or writes the
// archive, in a process of its own. So every contender pays for its own start and shows its own memory.
let words = Array(CommandLine.arguments.dropFirst())
if words.first == "--worker" {
    exit(Worker.run(Array(words.dropFirst())))
}
exit(Benchmark.run(words))
