import CLinux
import Glibc

/// Signals as events of the loop.
@Loop
package final class Signals {
  private let readiness: Readiness

  /// Keeps the kernel from acting on the signals, which wait for a ``Signals`` from now on; none is lost.
  ///
  /// For the main thread, before there are others: those that it starts do the same.
  package nonisolated static func hold(_ numbers: [Int32]) {
    var set = signalSet(numbers)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Calls `handler` for each of the signals that came since they were held, and that come from now on.
  ///
  /// - Parameter numbers: Were given to ``hold(_:)``.
  /// - Throws: `SystemError`; see signalfd(2).
  package init(_ numbers: [Int32], handler: @escaping @Loop (Int32) -> Void) throws(SystemError) {
    var set = Self.signalSet(numbers)
    let descriptor = clinux_signalfd(&set)
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = {
      while case let number = clinux_take_signal(descriptor), number != 0 { handler(number) }
    }
    readiness.isReading = true
  }

  /// Writing to a connection that is gone is an error of that write, not the end of the process.
  package nonisolated static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  private nonisolated static func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
