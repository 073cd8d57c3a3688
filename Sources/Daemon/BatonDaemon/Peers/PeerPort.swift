// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import EventLoop
import Glibc
import Systemd

/// The TCP port on which peers reach this machine: the configured one or, as long as that cannot be had, any other.
///
/// systemd keeps the socket from the start on, so that no other program gets the port while batond restarts.
@Loop
final class PeerPort {
  /// How often a machine tries to get its configured port if another program has it.
  nonisolated static let portRetryTime = Duration.seconds(10)

  /// Why the configured port cannot be had.
  struct Fault {
    let port: UInt16
    let error: SystemError
    /// The user whose program has the port, if the kernel tells.
    let owner: UInt32?
  }

  /// The present port; 0 if there is none.
  private(set) var number: UInt16 = 0
  /// Nil while this is the configured port.
  private(set) var fault: Fault?
  /// Receives each connection's descriptor. The receiver must close it.
  var onConnection: @Loop (Int32) -> Void = { Sockets.close($0) }
  /// Called when peers reach this machine on another port than before.
  var onMove: @Loop () -> Void = {}

  /// The receiver sets this if it refuses a connection because there are too many.
  var isFlooded: Bool {
    get { listener?.isFlooded == true }
    set { listener?.isFlooded = newValue }
  }

  private let configured: UInt16
  private let keep: (@Loop (Int32) -> Void)?
  private let log: Log
  private var listener: Listener?
  private var timer: Timer?

  /// - Parameters:
  ///   - configured: 0 for any free port.
  ///   - passed: Listening sockets that systemd has passed. This takes ownership.
  ///   - keep: Gives systemd a copy of the socket, in place of any earlier one; nil if systemd keeps none.
  init(_ configured: UInt16, passed: [Int32] = [], keep: (@Loop (Int32) -> Void)? = nil, log: Log) {
    (self.configured, self.keep, self.log) = (configured, keep, log)
    let kept = passed.first { configured == 0 || Sockets.localAddress(of: $0)?.port == configured }
    if let kept {
      take(kept)
    } else if let error = open() {
      settle(for: passed.first, error)
    }
    for descriptor in passed where descriptor != listener?.descriptor { Sockets.close(descriptor) }
  }

  func close() {
    listener?.close()
    (listener, timer) = (nil, nil)
  }

  private func take(_ descriptor: Int32) {
    listener?.close()
    let listener = Listener(owning: descriptor) { [weak self] in self?.onConnection($0) }
    self.listener = listener
    number = listener.port ?? 0
    keep?(descriptor)
  }

  /// - Returns: Why the configured port cannot be had; nil if this is the port now.
  private func open() -> SystemError? {
    do throws(SystemError) {
      take(try Self.listen(configured))
      return nil
    } catch {
      return error
    }
  }

  private static func listen(_ port: UInt16) throws(SystemError) -> Int32 {
    try Sockets.listen(port: port, backlog: Int32(Limits.silentConnections))
  }

  /// Takes another port, and looks from time to time whether the configured one is free.
  private func settle(for passed: Int32?, _ error: SystemError) {
    if let other = passed ?? (try? Self.listen(0)) { take(other) }
    let owner = error.code == EADDRINUSE ? UInt32(exactly: clinux_port_owner(configured)) : nil
    fault = Fault(port: configured, error: error, owner: owner)
    log.warning(
      "The port is in use, so peers reach this machine on a different one until it's free",
      [
        "port": "\(configured)", "instead": "\(number)", "user": owner.map { "\($0)" } ?? "unknown",
        "error": "\(error)",
      ]
    )
    timer = Timer { [weak self] in self?.tryAgain() }
    timer?.set(Loop.now + Self.portRetryTime)
  }

  private func tryAgain() {
    guard open() == nil else {
      timer?.set(Loop.now + Self.portRetryTime)
      return
    }
    (fault, timer) = (nil, nil)
    log.notice("The port is free again, so peers reach this machine on it", ["port": "\(number)"])
    onMove()
  }
}
