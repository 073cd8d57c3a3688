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
      fail("batond: Standard output failed: \(error)", status: .failure)
    }
  }

  static func fail(_ text: String, status: DaemonExitStatus) -> Never {
    try? write(Printable.lines(text), to: STDERR_FILENO)
    exit(status.rawValue)
  }

  private static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&item, 1, -1)
      } else if errno != EINTR {
        throw SystemError("write")
      }
    }
  }
}
