import NotificationLibC

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
