// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop

/// One end of a connection through a ``PortTunnel``. It stays as long as its tunnel has it.
@Loop
final class TunnelConnection {
  let id: PortConnections.ID
  /// Called for bytes from the other machine. Whoever has taken them calls ``take(_:)``.
  var onBytes: (@Loop (ArraySlice<UInt8>) -> Void)?
  /// Called once when nothing more will come from the other machine.
  var onEnd: (@Loop () -> Void)?
  /// Called once if the connection is gone. Nothing follows.
  var onReset: (@Loop (ForwardingFailure) -> Void)?
  /// Called when more can be sent after ``isFull`` was true.
  var onSpace: (@Loop () -> Void)?

  private weak var tunnel: PortTunnel?
  /// Bytes that wait for the other machine's reader or for the stream.
  private var unsent: ArraySlice<UInt8> = []
  private var isEnding = false

  init(_ id: PortConnections.ID, _ tunnel: PortTunnel) { (self.id, self.tunnel) = (id, tunnel) }

  /// Whether nothing more should be sent until ``onSpace``.
  var isFull: Bool { !unsent.isEmpty }

  /// - Parameter bytes: One piece that was read while ``isFull`` was false.
  func send(_ bytes: [UInt8]) {
    guard !isEnding else { return }
    unsent += bytes
    tunnel?.flush(self)
  }

  /// Sends nothing more.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    tunnel?.flush(self)
  }

  /// The program here has taken bytes.
  func take(_ count: Int) { if count > 0 { tunnel?.take(id, count) } }

  /// Gives the connection up. No handler is called after this.
  func reset(_ failure: ForwardingFailure) {
    forget()
    tunnel?.reset(id, failure)
  }

  func forget() { (onBytes, onEnd, onReset, onSpace, unsent) = (nil, nil, nil, nil, []) }

  // MARK: For the tunnel

  /// Removes what may be sent now.
  func next(atMost count: Int) -> ArraySlice<UInt8> {
    let part = unsent.prefix(count)
    unsent = unsent.dropFirst(part.count)
    return part
  }

  /// Whether the end is all that is left.
  var isAtEnd: Bool { isEnding && unsent.isEmpty }
}
