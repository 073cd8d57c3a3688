// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Varlink

/// One call to the daemon on its own connection, without blocking, for programs with a loop. Releasing the call closes
/// the connection, and gives up what the call holds at the daemon.
@Loop
package final class ControlCall<M: Method> {
  /// Called for each reply, and for the error that ends the call. It is not called after an error, or after
  /// ``cancel()``. The last reply ends the call.
  package typealias Handler = @Loop (Result<M.Reply, ControlError>) -> Void

  private let channel: Channel
  private let mode: Call.Mode
  private var decoder = MessageDecoder(limit: Limits.controlReplyLength)
  private var handler: Handler?
  private var timer: EventLoop.Timer?
  /// The stream that the connection of a call with `upgrade` has become.
  private var stream: Int32?

  /// Connects and calls.
  ///
  /// - Parameters:
  ///   - mode: `.more` for several replies; `.upgrade` for ``takeStream()``.
  ///   - path: The path of the socket. Nil for the user's default daemon, or the user's search index.
  ///   - isPatient: Whether the first reply may take any length of time. Otherwise the call fails after
  ///     `Limits.controlReplyTime`.
  ///   - lowest: The lowest number that the connection's descriptor may have.
  ///   - handler: Never called before this returns.
  /// - Throws: A ``ControlError`` if the connection fails, for example because no daemon is running.
  package init(
    _: M.Type,
    _ parameters: M.Parameters,
    mode: Call.Mode = .single,
    path: String? = nil,
    isPatient: Bool = false,
    lowest: Int32 = 3,
    handler: @escaping Handler
  ) throws(ControlError) {
    let message = try Call(method: M.name, parameters: parameters.members, mode: mode).message
    var descriptor =
      try M.interface == SearchSocket.interface
      ? SearchSocket.open(path, isBlocking: false)
      : DaemonSocket.open(option: path, isBlocking: false)
    if descriptor < lowest {
      let lower = descriptor
      descriptor = fcntl(lower, F_DUPFD_CLOEXEC, lowest)
      defer { close(lower) }
      guard descriptor >= 0 else { throw .system(SystemError("fcntl")) }
    }
    channel = Channel(owning: descriptor)
    self.mode = mode
    self.handler = handler
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] _ in self?.fail(.disconnected) }
    // The stream's bytes stay in the socket, because bytes that were read count as taken by the app.
    if mode == .upgrade { channel.read = { Sockets.receive(upTo: 0, from: descriptor, into: $0) } }
    channel.isReading = true
    channel.write(message)
    guard !isPatient else { return }
    timer = EventLoop.Timer { [weak self] in self?.fail(.timedOut) }
    timer?.set(Loop.now + Limits.controlReplyTime)
  }

  isolated deinit { cancel() }

  /// Ends the call. The handler is no longer called.
  package func cancel() {
    handler = nil
    timer = nil
    channel.close()
    if let stream { _ = close(stream) }
    stream = nil
  }

  /// Returns the stream that the connection has become, for the handler of a call with `upgrade`.
  ///
  /// - Returns: A non-blocking descriptor, which the caller must close. Nil if there is none, and the second time.
  package func takeStream() -> Int32? {
    defer { stream = nil }
    return stream
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    decoder.receive(bytes)
    do {
      while handler != nil, let message = try decoder.next() {
        try receive(try Reply(message: message, depth: Limits.varlinkDepth))
      }
    } catch let error as ControlError {
      fail(error)
    } catch {
      fail(.protocolViolation("\(error)"))
    }
  }

  private func receive(_ reply: Reply) throws(ControlError) {
    let value = try reply.decoded(as: M.self)
    timer = nil
    let handler = handler
    if mode == .upgrade {
      let descriptor = fcntl(channel.descriptor, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else { throw .system(SystemError("fcntl")) }
      stream = descriptor
    }
    if !reply.continues {
      self.handler = nil
      channel.close()
    }
    handler?(.success(value))
  }

  private func fail(_ error: ControlError) {
    let handler = handler
    cancel()
    handler?(.failure(error))
  }
}
