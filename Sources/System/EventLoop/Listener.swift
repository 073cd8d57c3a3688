// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A listening socket that hands over each connection it accepts.
@Loop
package final class Listener {
  private let readiness: Readiness
  private let onConnection: @Loop (Int32) -> Void
  /// If the process has no descriptors left, accepting is retried at this interval. Otherwise, it would be retried
  /// immediately, over and over.
  private static let pauseWithoutDescriptors = Duration.milliseconds(100)
  private var pause: Timer?
  /// The handler sets this if it refuses a connection because there are too many. Then accepting rests for several
  /// times as long as it took, so that it takes at most a fifth of the loop's time. Meanwhile, connections wait in the
  /// kernel's queue.
  package var isFlooded = false
  private static let rest = 4
  /// The number of connections to accept before other work gets its turn.
  private static let connectionsPerEvent = 16

  /// - Parameters:
  ///   - descriptor: A listening socket. The listener takes ownership and makes it non-blocking.
  ///   - onConnection: Receives each connection's descriptor, which is non-blocking and close-on-exec. The receiver
  ///     must close it.
  package init(owning descriptor: Int32, onConnection: @escaping @Loop (Int32) -> Void) {
    self.onConnection = onConnection
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    readiness = Readiness(owning: descriptor)
    pause = Timer { [weak self] in self?.readiness.isReading = true }
    readiness.onReadable = { [weak self] in self?.acceptSome() }
    readiness.isReading = true
  }

  /// False stops accepting. Connections then wait in the kernel's queue.
  package var isAccepting: Bool {
    get { readiness.isReading }
    set { readiness.isReading = newValue }
  }

  package var descriptor: Int32 { readiness.descriptor }

  /// The port that a TCP listener got.
  package var port: UInt16? { Sockets.localAddress(of: readiness.descriptor)?.port }

  package func close() {
    pause = nil
    readiness.close()
  }

  private func acceptSome() {
    isFlooded = false
    let start = Self.usedTime
    accept()
    guard isFlooded, readiness.isReading else { return }
    readiness.isReading = false
    pause?.set(Loop.now + (Self.usedTime - start) * Self.rest)
  }

  /// The processor time of this thread.
  private static var usedTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func accept() {
    for _ in 0..<Self.connectionsPerEvent where readiness.isReading && !readiness.isClosed {
      let descriptor = Glibc.accept(readiness.descriptor, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        onConnection(descriptor)
        continue
      }
      switch errno {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        readiness.isReading = false
        pause?.set(Loop.now + Self.pauseWithoutDescriptors)
        return
      case ECONNABORTED, EINTR: continue
      default: return
      }
    }
  }
}
