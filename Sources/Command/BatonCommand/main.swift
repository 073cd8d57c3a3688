// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

StandardDescriptors.open()
Signals.ignoreBrokenPipes()
Signals.ignoreFileSize()
exit(Program.run().rawValue)
