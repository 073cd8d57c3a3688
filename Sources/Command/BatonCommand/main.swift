import EventLoop
import Glibc

StandardDescriptors.open()
Signals.ignoreBrokenPipes()
Signals.ignoreFileSize()
exit(Program.run().rawValue)
