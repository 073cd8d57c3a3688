import Glibc

Descriptors.openStandard()
signal(SIGPIPE, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
