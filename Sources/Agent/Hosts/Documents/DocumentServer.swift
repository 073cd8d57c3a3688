// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc
import VarlinkClient

/// Accepts one stream that another machine requested, and answers what it asks for.
///
/// Releasing the object gives the stream up.
@Loop
package final class DocumentServer {
  private var stream: ProgramStream?
  /// That of the stream, which owns it.
  private var socket: Int32?
  private var onEnd: (@Loop () -> Void)?

  /// - Parameters:
  ///   - token: The value of the event `streamRequested`.
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  ///   - provider: Called on another thread.
  ///   - onEnd: Called once when the stream is over, however it ended.
  package convenience init(
    accepting token: String,
    path: String? = nil,
    provider: @escaping @Sendable (DocumentRequest) -> Result<DocumentContent, DocumentRefusal>,
    onEnd: @escaping @Loop () -> Void
  ) throws(ControlError) {
    try self.init(accepting: token, path: path, lines: { DocumentRequest(line: $0).map(provider) }, onEnd: onEnd)
  }

  /// - Parameter provider: Called on another thread with the line of a request of any kind. It returns nil if it is not
  ///   a request.
  package init(
    accepting token: String,
    path: String? = nil,
    lines provider: @escaping @Sendable ([UInt8]) -> Result<DocumentContent, DocumentRefusal>?,
    onEnd: @escaping @Loop () -> Void
  ) throws(ControlError) {
    self.onEnd = onEnd
    stream = try ProgramStream(.accepting(token), path: path) { [weak self] event in
      switch event {
      case .began(let socket): self?.serve(socket, provider)
      case .ended, .failed: self?.end()
      }
    }
  }

  /// The thread sees the stream's end.
  isolated deinit {
    if stream != nil, let socket { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func end() {
    let onEnd = onEnd
    self.onEnd = nil
    stream = nil
    onEnd?()
  }

  private func serve(
    _ socket: Int32,
    _ provider: @escaping @Sendable ([UInt8]) -> Result<DocumentContent, DocumentRefusal>?
  ) {
    // The thread has a descriptor of its own, because the stream may be released meanwhile.
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return end() }
    self.socket = socket
    SeparateWork.begin {
      defer { close(descriptor) }
      do throws(DocumentStreamError) {
        try DocumentStream.serve(descriptor, lines: provider)
      } catch {
        // Nobody can be told. The other side sees that bytes are missing.
        shutdown(descriptor, Int32(SHUT_RDWR))
      }
    }
  }
}
