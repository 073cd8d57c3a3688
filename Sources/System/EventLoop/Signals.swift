// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The signals that the main thread waits for.
package enum Signals {
  /// Blocks the signals, so that the kernel does not act on them. They stay pending until ``wait(for:_:)``, and none is
  /// lost.
  ///
  /// Call this on the main thread before it starts other threads, because they inherit what is blocked.
  package static func hold(_ numbers: [Int32]) {
    var set = signalSet(numbers)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Makes the main thread wait for signals forever. Calls `handler` on the loop for each signal, including those that
  /// arrived since ``hold(_:)``.
  ///
  /// Do not call `dispatchMain()` as well, because it starts a thread that gives every signal its default effect.
  ///
  /// - Parameter numbers: The signals that were given to ``hold(_:)``.
  package static func wait(for numbers: [Int32], _ handler: @escaping @Loop @Sendable (Int32) -> Void) -> Never {
    var set = signalSet(numbers)
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      Task { @Loop [number] in handler(number) }
    }
  }

  /// Waits on this thread for one of the signals, which were given to ``hold(_:)``.
  package static func next(of numbers: [Int32]) -> Int32 {
    var set = signalSet(numbers)
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Lets other threads of the process handle all signals, except those that report a fault of this thread.
  static func leaveToOthers() {
    var set = sigset_t()
    sigfillset(&set)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { sigdelset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Makes writing to a closed connection an error of that write, instead of the end of the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Makes writing beyond the limit on a file's size (RLIMIT_FSIZE) an error of that write, too.
  package static func ignoreFileSize() { signal(SIGXFSZ, SIG_IGN) }

  /// Ignores signals that mean nothing to a service but would end it by default. Signals keep their usual effect if
  /// they report a fault of the process or a limit on its time, or quit it (SIGQUIT). Children inherit which signals
  /// are ignored.
  package static func ignoreStray() {
    // The numbers from 32 on are real-time signals. Glibc refuses to change the ones that it uses itself.
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
