import EventLoop
import Glibc

StandardDescriptors.open()
Signals.ignoreBrokenPipes()
Signals.ignoreFileSize()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
