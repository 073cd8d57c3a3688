import Daemon
import Glibc

/// Exit statuses of `batond`: those of sysexits.h where it has one.
enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  case usage = 64
  case unavailable = 69
  case configuration = 78

  init(_ code: DaemonError.Code) {
    switch code {
    case .alreadyRunning: self = .unavailable
    // Starting again would not help.
    case .laterVersion: self = .configuration
    case .failed: self = .failure
    }
  }
}

/// Lines on standard output and standard error.
enum Terminal {
  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  static func fail(_ text: String, status: ExitStatus) -> Never {
    write(text, to: STDERR_FILENO)
    exit(status.rawValue)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}
