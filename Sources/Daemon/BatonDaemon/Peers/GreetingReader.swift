// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import TLS

/// A connection that has not said which team it is for. It holds little more than the descriptor.
@Loop
final class GreetingReader {
  private let readiness: Readiness
  private var received: [UInt8] = []
  private let judge: @Loop ([UInt8]) -> Greeting
  private let completion: @Loop (Greeting) -> Void

  /// - Parameters:
  ///   - descriptor: A connected, non-blocking socket. This object takes ownership.
  ///   - completion: Called once, never before this returns, and not after ``close()`` or ``refuse()``; with
  ///     `.incomplete` if the other side is gone.
  init(
    owning descriptor: Int32,
    judge: @escaping @Loop ([UInt8]) -> Greeting,
    completion: @escaping @Loop (Greeting) -> Void
  ) {
    self.judge = judge
    self.completion = completion
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.isReading = true
  }

  func close() { readiness.close() }

  /// Tells the other side that its name belongs to no team here.
  func refuse() {
    _ = Greeting.refusal.withUnsafeBytes { send(readiness.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    close()
  }

  /// - Returns: A descriptor of the same connection, which the caller must close, and what was read from it; nil if
  ///   there is no descriptor left.
  func release() -> (descriptor: Int32, received: [UInt8])? {
    defer { close() }
    let descriptor = fcntl(readiness.descriptor, F_DUPFD_CLOEXEC, 0)
    return descriptor < 0 ? nil : (descriptor, received)
  }

  private func readable() {
    let room = Limits.clientHelloLength + Self.recordHeaderLength - received.count
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, room)) { space, initialized in
      count = recv(readiness.descriptor, space.baseAddress, space.count, 0)
      initialized = max(0, count)
    }
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { end(.incomplete) }
      return
    }
    received += bytes
    let greeting = judge(received)
    if greeting != .incomplete { end(greeting) }
  }

  private func end(_ greeting: Greeting) {
    readiness.isReading = false
    completion(greeting)
  }

  private static let recordHeaderLength = 5
}
