import SystemLibC

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
