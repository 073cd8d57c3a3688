// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop
import Glibc
import VarlinkClient

/// One attempt at a transfer: a stream, and the thread that sends or receives through it.
@Loop
final class TransferAttempt {
  /// Called on the attempt's thread, with the stream's socket. The descriptor stays open.
  typealias Body = @Sendable (Int32, TransferControl) -> TransferTable.Outcome

  let control = TransferControl()
  private var stream: ProgramStream?
  /// The stream's, which owns it.
  private var socket: Int32?
  private let body: Body
  private let onBegin: @Loop () -> Void
  private var onEnd: (@Loop (TransferTable.Outcome) -> Void)?
  private var isRunning = false
  /// Runs while the stream has not ended although the thread has.
  private var timer: Timer?

  /// How long a stream may take to end after the thread, which has waited for the other side.
  private static let endTime = Duration.seconds(10)

  /// - Parameters:
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  ///   - onEnd: Called once, unless the attempt is abandoned.
  init(
    _ beginning: ProgramStream.Beginning,
    path: String?,
    _ body: @escaping Body,
    onBegin: @escaping @Loop () -> Void,
    onEnd: @escaping @Loop (TransferTable.Outcome) -> Void
  ) throws(ControlError) {
    (self.body, self.onBegin, self.onEnd) = (body, onBegin, onEnd)
    // The stream keeps this object until it has ended, which can be after the thread.
    stream = try ProgramStream(beginning, path: path) { event in
      switch event {
      case .began(let socket): self.begin(socket)
      case .ended, .failed: self.streamEnded()
      }
    }
  }

  /// Ends the attempt. The thread notices, and what it says is ignored.
  func abandon() {
    onEnd = nil
    if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
    // It may look at files, and not at the socket. The other side does not hear of this any more.
    if socket != nil { control.stop(.withdrawn) }
    socket = nil
    stream?.close()
    stream = nil
  }

  private func begin(_ socket: Int32) {
    // The thread has a descriptor of its own, because the stream may be released meanwhile.
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    self.socket = socket
    let (body, control) = (body, control)
    isRunning =
      descriptor >= 0
      && OwnThread.run {
        let outcome = body(descriptor, control)
        close(descriptor)
        Task { @Loop in self.end(outcome) }
      }
    guard isRunning else {
      if descriptor >= 0 { close(descriptor) }
      abandonAfterFailure()
      return
    }
    onBegin()
  }

  private func abandonAfterFailure() {
    let handler = onEnd
    abandon()
    handler?(.broken)
  }

  private func streamEnded() {
    timer = nil
    stream = nil
    socket = nil
    // Otherwise, the thread finds out by itself.
    if !isRunning { end(.broken) }
  }

  private func end(_ outcome: TransferTable.Outcome) {
    isRunning = false
    let handler = onEnd
    onEnd = nil
    // A stream that broke is not waited for.
    if outcome == .broken { stream = nil }
    if stream != nil {
      // The timer and the stream keep this object until then.
      timer = Timer { self.streamEnded() }
      timer?.set(Loop.now + Self.endTime)
    }
    handler?(outcome)
  }
}
