// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Varlink

/// A connection to the daemon that blocks its thread, for programs that do one thing at a time.
///
/// It handles one call at a time. After ``replies(of:_:)``, ``begin(_:_:)`` or ``upgrade(_:_:)`` it accepts no other
/// call.
package final class ControlConnection {
  private let descriptor: Int32
  private var isOwner = true
  private var decoder = MessageDecoder(limit: Limits.controlReplyLength)

  /// Connects to the daemon: at `path`, or else at $BATON_SOCKET, or else to the user's own daemon or the machine's.
  package init(path: String? = nil) throws(ControlError) {
    descriptor = try DaemonSocket.open(option: path)
  }

  /// Connects to the user's search index.
  ///
  /// - Parameter searchPath: The path of its socket; nil for the usual one.
  package init(searchPath: String?) throws(ControlError) {
    descriptor = try SearchSocket.open(searchPath, isBlocking: true)
  }

  deinit { if isOwner { _ = close(descriptor) } }

  /// Calls a method and waits for its one reply, for at most `Limits.controlReplyTime`.
  package func call<M: Method>(_: M.Type, _ parameters: M.Parameters) throws(ControlError) -> M.Reply {
    try send(Call(method: M.name, parameters: parameters.members))
    return try receive(until: .now + Limits.controlReplyTime).decoded(as: M.self)
  }

  /// Calls a method. The reply can be taken later.
  package func begin<M: Method>(_: M.Type, _ parameters: M.Parameters) throws(ControlError) -> ControlReplies<M> {
    try send(Call(method: M.name, parameters: parameters.members))
    return ControlReplies(connection: self)
  }

  /// Calls a method with `more`. The replies are then taken one by one.
  package func replies<M: Method>(
    of _: M.Type,
    _ parameters: M.Parameters
  ) throws(ControlError) -> ControlReplies<M> {
    try send(Call(method: M.name, parameters: parameters.members, mode: .more))
    return ControlReplies(connection: self)
  }

  /// Calls a method with `upgrade`. After the reply, the connection no longer speaks Varlink.
  ///
  /// - Parameter time: How long to wait for the reply.
  /// - Returns: The reply, and the descriptor, which the caller must close. Everything after the reply is still in the
  ///   socket.
  package func upgrade<M: Method>(
    _: M.Type,
    _ parameters: M.Parameters,
    within time: Duration = Limits.controlReplyTime
  ) throws(ControlError) -> (reply: M.Reply, descriptor: Int32) {
    try send(Call(method: M.name, parameters: parameters.members, mode: .upgrade))
    let reply = try receive(until: .now + time, isLast: true).decoded(as: M.self)
    isOwner = false
    var never = timeval()
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &never, socklen_t(MemoryLayout<timeval>.size))
    return (reply, descriptor)
  }

  /// Ends the connection for both sides. Data that has been received can still be read. Call it on any thread, while
  /// the connection exists.
  package var hangUp: @Sendable () -> Void { { [descriptor] in _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }

  /// - Parameters:
  ///   - deadline: When to stop waiting. Nil to wait forever.
  ///   - isLast: Whether bytes after the reply must stay in the socket.
  func receive(until deadline: ContinuousClock.Instant?, isLast: Bool = false) throws(ControlError) -> Reply {
    while true {
      do {
        if let message = try decoder.next() { return try Reply(message: message, depth: Limits.varlinkDepth) }
      } catch {
        throw .protocolViolation("\(error)")
      }
      try waitForBytes(until: deadline)
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      var count = recv(descriptor, &buffer, buffer.count, isLast ? Int32(MSG_PEEK) : 0)
      if isLast, count > 0 {
        // Bytes that were read count as taken by the one who gets the descriptor.
        let length = buffer[..<count].firstIndex(of: 0).map { $0 + 1 } ?? count
        count = recv(descriptor, &buffer, length, 0)
      }
      switch count {
      case 1...: decoder.receive(buffer[..<count])
      case 0: throw .disconnected
      default: if errno != EINTR { throw errno == ECONNRESET ? .disconnected : .system(SystemError("recv")) }
      }
    }
  }

  private func waitForBytes(until deadline: ContinuousClock.Instant?) throws(ControlError) {
    while true {
      var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var time: Int32 = -1
      if let deadline {
        let rest = max(.zero, deadline - .now)
        time = Int32(clamping: rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000 + 1)
      }
      let count = poll(&item, 1, time)
      if count > 0 { return }
      if count == 0 { throw .timedOut }
      if errno != EINTR { throw .system(SystemError("poll")) }
    }
  }

  private func send(_ call: Call) throws(ControlError) {
    let message = try call.message
    var sent = 0
    while sent < message.count {
      let count = message[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE, ECONNRESET: throw .disconnected
      case EAGAIN: throw .timedOut
      default: throw .system(SystemError("send"))
      }
    }
  }
}
