// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Varlink

/// A continuation stream of a program: its socket, and how it ended, which the socket alone does not show. That is
/// known by the daemon that began it, or by its successor, which continues the stream if systemd has kept its socket.
///
/// Releasing it closes the socket. If that is before the stream has ended, the stream breaks for the other side.
@Loop
package final class ProgramStream {
  package enum Beginning: Sendable {
    /// Requests a stream from the machine where the activity began.
    case opening(ActivityID)
    /// Accepts the stream that another machine requested: the value of the event `streamRequested`.
    case accepting(String)
  }

  package enum Event: Sendable {
    /// The socket is ready: a non-blocking descriptor, which this object owns.
    case began(Int32)
    /// The stream has ended. Nil: both directions were complete, and both sides have read everything.
    case ended(Reason?)
    /// The stream could not begin, or it is unknown how it ended.
    case failed(ControlError)
  }

  private let path: String?
  private var handler: (@Loop (Event) -> Void)?
  private var opening: ControlCall<OpenStream>?
  private var accepting: ControlCall<AcceptStream>?
  private var ending: StandingCall<AwaitStream>?
  private var socket: Int32?
  /// Whether the socket of a taken stream has ended. Then no other daemon continues the stream.
  package var isSocketOver: (@Loop () -> Bool)?
  /// Until when to wait for the next daemon.
  private var deadline: ContinuousClock.Instant?

  /// - Parameters:
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  ///   - handler: Called once with `began`, and once with `ended` or `failed`, after which nothing follows.
  /// - Throws: If no daemon can be called.
  package init(
    _ beginning: Beginning,
    path: String? = nil,
    handler: @escaping @Loop (Event) -> Void
  ) throws(ControlError) {
    self.path = path
    self.handler = handler
    switch beginning {
    case .opening(let activity):
      let parameters = OpenStream.Parameters(activity: activity, awaits: true)
      opening = try ControlCall(OpenStream.self, parameters, mode: .upgrade, path: path) { [weak self] result in
        self?.answered(result) { self?.opening?.takeStream() }
      }
    case .accepting(let token):
      let parameters = AcceptStream.Parameters(stream: token, awaits: true)
      accepting = try ControlCall(AcceptStream.self, parameters, mode: .upgrade, path: path) { [weak self] result in
        self?.answered(result) { self?.accepting?.takeStream() }
      }
    }
  }

  isolated deinit { close() }

  /// Gives the stream up. The handler is no longer called.
  package func close() {
    handler = nil
    // The end of this call tells the daemon that the program did not mean the socket's end.
    ending?.cancel()
    ending = nil
    if let socket { _ = Glibc.close(socket) }
    socket = nil
  }

  /// Hands over the socket, for example to another thread. The end of the stream is still reported, until ``close()``.
  ///
  /// - Returns: A non-blocking descriptor, which the caller must close. Nil the second time.
  package func takeSocket() -> Int32? {
    defer { socket = nil }
    return socket
  }

  private func answered(_ result: Result<StreamReply, ControlError>, _ take: () -> Int32?) {
    switch result {
    case .failure(let error): finish(.failed(error))
    case .success(let reply):
      let taken = take()
      (opening, accepting) = (nil, nil)
      guard let stream = taken else { return finish(.failed(.disconnected)) }
      socket = stream
      awaitEnd(of: reply.stream, beside: stream)
      handler?(.began(stream))
    }
  }

  /// - Parameter stream: The call's descriptor is above it, because the kernel closes the descriptors of a killed
  ///   process from the highest number down. So the daemon learns that nobody awaits the end before it sees the end.
  private func awaitEnd(of token: String, beside stream: Int32) {
    let parameters = AwaitStream.Parameters(stream: token)
    ending = StandingCall(
      AwaitStream.self,
      parameters,
      mode: .single,
      path: path,
      isPatient: true,
      lowest: stream + 1
    ) { [weak self] event in
      switch event {
      case .replied(let reply): self?.finish(.ended(reply.reason))
      case .failed(let error): self?.failed(error)
      case .lost: break
      }
    }
    ending?.begin()
  }

  /// Lets the next daemon be asked, unless this one has answered, or none comes in time.
  private func failed(_ error: ControlError) {
    switch error {
    case .failed, .refused, .protocolViolation: return finish(.failed(error))
    case .disconnected: deadline = nil
    default: break
    }
    let deadline = deadline ?? Loop.now + Limits.streamResumeTime
    self.deadline = deadline
    guard Loop.now < deadline, isSocketOver?() != true else { return finish(.failed(error)) }
  }

  private func finish(_ event: Event) {
    let handler = handler
    self.handler = nil
    ending = nil
    handler?(event)
  }
}
