// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Asks for a passphrase on the terminal, which does not show it.
enum PassphrasePrompt {
  private static let lineLength = 4096
  /// The signals that can end or stop the command while the terminal hides the input.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  /// Whether there is a terminal to ask on.
  static var isPossible: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    return close(terminal) == 0
  }

  /// - Returns: What was typed; nil if the terminal was closed or its user does not want to enter anything.
  /// - Throws: `SystemError` if there is no terminal.
  static func ask(_ prompt: String) throws(SystemError) -> [UInt8]? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { throw SystemError("/dev/tty") }
    defer { _ = close(terminal) }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for signal in signals { sigaddset(&blocked, signal) }
    let pending = Descriptor.ofSignals(&blocked)
    guard pending >= 0 else { throw SystemError("signalfd") }
    defer { _ = close(pending) }
    while true {
      let (isTyped, line) = try ask(prompt, on: terminal, unless: pending, blocked)
      if isTyped { return line }
      // A signal that did not end the process: it was stopped, and now continues.
    }
  }

  /// Signals are blocked while the terminal hides the input. A signal ends this call, and takes effect once the
  /// terminal shows input again.
  private static func ask(
    _ prompt: String,
    on terminal: Int32,
    unless pending: Int32,
    _ blocked: sigset_t
  ) throws(SystemError) -> (isTyped: Bool, line: [UInt8]?) {
    var (blocked, unblocked, shown) = (blocked, sigset_t(), termios())
    sigprocmask(SIG_BLOCK, &blocked, &unblocked)
    defer { sigprocmask(SIG_SETMASK, &unblocked, nil) }
    guard tcgetattr(terminal, &shown) == 0 else { throw SystemError("/dev/tty") }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    hidden.c_lflag |= tcflag_t(ECHONL)
    while tcsetattr(terminal, TCSAFLUSH, &hidden) != 0 { if errno != EINTR { throw SystemError("/dev/tty") } }
    defer { while tcsetattr(terminal, TCSANOW, &shown) != 0, errno == EINTR {} }
    try Descriptor.write(Array(prompt.utf8)[...], to: terminal)
    var entries = [terminal, pending].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&entries, 2, -1) < 0 { if errno != EINTR { throw SystemError("poll") } }
    guard entries[1].revents == 0 else {
      try? Descriptor.write(Array("\n".utf8)[...], to: terminal)
      return (false, nil)
    }
    var line = [UInt8](repeating: 0, count: lineLength)
    let count = try Descriptor.read(terminal, into: &line)
    return (true, line[..<count].last == UInt8(ascii: "\n") ? Array(line[..<(count - 1)]) : nil)
  }
}
