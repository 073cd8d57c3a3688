// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Dials several addresses at the same time, and keeps the first connection that succeeds.
@Loop
final class Dialer {
  /// The maximum number of addresses that are tried. A peer has a few.
  private static let addressLimit = 8
  private var attempts: [Readiness] = []
  private var deadline: Timer?
  private var completion: (@Loop (Int32?, SocketAddress?) -> Void)?
  /// Why the last address that failed did so.
  private(set) var obstacle: DialObstacle?

  /// - Parameter completion: Called once, never before this returns: with a connected descriptor, which the receiver
  ///   owns, or with nil if no address answered in time.
  init(_ addresses: [SocketAddress], completion: @escaping @Loop (Int32?, SocketAddress?) -> Void) {
    self.completion = completion
    deadline = Timer { [weak self] in self?.expired() }
    for address in addresses.prefix(Self.addressLimit) {
      let descriptor: Int32
      do throws(SystemError) { descriptor = try Sockets.connect(to: address) } catch {
        obstacle = DialObstacle(error.code)
        continue
      }
      let attempt = Readiness(owning: descriptor)
      attempts.append(attempt)
      attempt.onWritable = { [weak self, weak attempt] in
        guard let self, let attempt else { return }
        self.answered(attempt, address)
      }
      attempt.isWriting = true
    }
    deadline?.set(attempts.isEmpty ? Loop.now : Loop.now + Limits.connectTime)
  }

  isolated deinit { cancel() }

  /// Gives up without calling the completion.
  func cancel() {
    completion = nil
    finish(nil, nil)
  }

  private func expired() {
    if !attempts.isEmpty { obstacle = .silence }
    finish(nil, nil)
  }

  private func answered(_ attempt: Readiness, _ address: SocketAddress) {
    if let error = Sockets.error(of: attempt.descriptor) {
      obstacle = DialObstacle(error)
      attempt.close()
      attempts.removeAll { $0 === attempt }
      if attempts.isEmpty { finish(nil, nil) }
      return
    }
    // The attempt owns its descriptor, and closes it with the others.
    let descriptor = fcntl(attempt.descriptor, F_DUPFD_CLOEXEC, 3)
    finish(descriptor >= 0 ? descriptor : nil, address)
  }

  private func finish(_ descriptor: Int32?, _ address: SocketAddress?) {
    let completion = completion
    self.completion = nil
    deadline = nil
    for attempt in attempts { attempt.close() }
    attempts = []
    completion?(descriptor, address)
  }
}
