import Glibc

/// Signals, which the main thread waits for.
package enum Signals {
  /// Keeps the kernel from acting on the signals: they wait for ``wait(for:_:)``, and none is lost.
  ///
  /// For the main thread, before there are others: those that it starts do the same.
  package static func hold(_ numbers: [Int32]) {
    var set = signalSet(numbers)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Lets the main thread wait for signals for ever, and calls `handler` on the loop for each that came since they were held.
  ///
  /// `dispatchMain()` must not be called as well: it starts a thread that takes every signal as the kernel would.
  ///
  /// - Parameter numbers: Were given to ``hold(_:)``.
  package static func wait(for numbers: [Int32], _ handler: @escaping @Loop @Sendable (Int32) -> Void) -> Never {
    var set = signalSet(numbers)
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      Task { @Loop [number] in handler(number) }
    }
  }

  /// Writing to a connection that is gone is an error of that write, not the end of the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Writing past the size that a file may have (RLIMIT_FSIZE) is an error of that write, too.
  package static func ignoreFileSize() { signal(SIGXFSZ, SIG_IGN) }

  /// Keeps signals that mean nothing to a service, and whose default is its end, from ending it. What tells of a fault of the
  /// process, of a limit on its time, or quits it (SIGQUIT), does what it always does. Children inherit what is ignored.
  package static func ignoreStray() {
    // What the kernel has from 32 on are real-time signals; Glibc refuses to touch those that it uses itself.
    for number in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT] + Array(32...64) {
      signal(number, SIG_IGN)
    }
  }

  private static func signalSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
