// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A shell that is running: reports its end.
@Loop
final class ShellProcess {
  /// The number of its terminal; 0 if it has none.
  let terminal: Int
  private let process: Int32
  private let readiness: Readiness

  /// Nil if there is no such process of this user.
  init?(_ process: Int32, onEnd: @escaping @Loop () -> Void) {
    let descriptor = process > 0 ? Descriptor.ofProcess(process) : -1
    guard descriptor >= 0 else { return nil }
    readiness = Readiness(owning: descriptor)
    // The descriptor says that the process is still the same.
    var status = stat()
    guard stat("/proc/\(process)", &status) == 0, status.st_uid == geteuid() else { return nil }
    terminal = Self.terminal(of: process)
    self.process = process
    readiness.onReadable = onEnd
    readiness.isReading = true
  }

  isolated deinit { readiness.close() }

  /// How long ago the user typed in its terminal. Up to 8 s too long, because the kernel notes that in steps. Nil if
  /// nobody knows.
  var idleTime: Duration? {
    var status = stat()
    guard stat("/proc/\(process)/fd/0", &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    return .seconds(max(0, time(nil) - status.st_atim.tv_sec))
  }

  /// The seventh field of /proc/PID/stat. The second one is a name in parentheses, which may contain any character.
  private static func terminal(of process: Int32) -> Int {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return 0 }
    let fields = buffer[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    return fields.count > 4 ? Int(String(decoding: fields[4], as: UTF8.self)) ?? 0 : 0
  }
}
