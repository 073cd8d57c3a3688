// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Delivers signals that end the program or resize its terminal, as calls on the main thread.
enum SignalThread {
  private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH]

  /// Prevents the signals from ending the process. They wait for ``start(_:)``. Call this before there is another
  /// thread, because threads inherit it.
  static func hold() {
    var set = signals
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// - Parameter handler: Called with each signal's number, on the main thread.
  static func start(_ handler: @escaping @MainActor (Int32) -> Void) {
    Thread.detachNewThread {
      var set = signals
      var number: Int32 = 0
      while sigwait(&set, &number) == 0 {
        let number = number
        DispatchQueue.main.async { MainActor.assumeIsolated { handler(number) } }
      }
    }
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
