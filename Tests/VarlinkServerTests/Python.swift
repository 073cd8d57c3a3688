// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Synchronization

/// A Python program that runs next to the test, and no longer than this object exists.
final class Python: Sendable {
  private let process: pid_t
  private let status = Mutex<Int32?>(nil)

  init(_ program: String, _ arguments: String...) throws {
    let strings = (["python3", "-c", program] + arguments).map { strdup($0) }
    defer { strings.forEach { free($0) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, "python3", nil, nil, strings + [nil], environ)
    guard error == 0 else { throw SystemError("posix_spawn", error) }
    self.process = process
  }

  deinit { kill() }

  /// Nil while the program runs, or if a signal ended it.
  var exitStatus: Int32? {
    status.withLock { status in
      var word: Int32 = 0
      if status == nil, waitpid(process, &word, WNOHANG) == process { status = word }
      return status.flatMap { $0 & 0x7F == 0 ? $0 >> 8 : nil }
    }
  }

  func kill() {
    status.withLock { status in
      guard status == nil else { return }
      var word: Int32 = 0
      _ = Glibc.kill(process, SIGKILL)
      if waitpid(process, &word, 0) == process { status = word }
    }
  }
}
