// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Writes lines to standard output and standard error.
enum Terminal {
  /// Writes the requested text. If that fails, the process ends; without a message if the reader has closed the pipe.
  static func print(_ text: String) {
    do throws(SystemError) {
      try write(text, to: STDOUT_FILENO)
    } catch {
      if error.code == EPIPE { exit(DaemonExitStatus.failure.rawValue) }
      fail("batond: Can't write to standard output: \(error)", status: .failure)
    }
  }

  static func fail(_ text: String, status: DaemonExitStatus) -> Never {
    try? write(Printable.lines(text), to: STDERR_FILENO)
    exit(status.rawValue)
  }

  private static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try Descriptor.write(Array((text + "\n").utf8)[...], to: descriptor)
  }
}
