// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import VarlinkClient

/// Requests one stream of an activity, and fetches something through it.
///
/// Releasing the object gives the stream up.
@Loop
package final class DocumentClient {
  private enum State {
    case opening, fetching, fetched, ended
  }

  private var stream: ProgramStream?
  /// That of the stream, which owns it.
  private var socket: Int32?
  private var state = State.opening
  private let fail: @Loop () -> Void
  private let onEnd: @Loop () -> Void

  /// - Parameters:
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  ///   - fetch: Called on another thread, with a socket that is closed afterwards.
  ///   - completion: Called once with the result, unless this object is released before.
  ///   - onEnd: Called once, after that, when this object is of no more use.
  package init<Value: Sendable>(
    opening activity: ActivityID,
    path: String? = nil,
    _ fetch: @escaping @Sendable (Int32) throws(DocumentStreamError) -> Value,
    completion: @escaping @Loop (Result<Value, DocumentStreamError>) -> Void,
    onEnd: @escaping @Loop () -> Void
  ) throws(ControlError) {
    self.onEnd = onEnd
    fail = { completion(.failure(.broken)) }
    stream = try ProgramStream(.opening(activity), path: path) { [weak self] event in
      switch event {
      case .began(let socket): self?.begin(socket, fetch, completion)
      case .ended, .failed: self?.ended()
      }
    }
  }

  /// The thread sees the stream's end.
  isolated deinit {
    if stream != nil, let socket { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func begin<Value: Sendable>(
    _ socket: Int32,
    _ fetch: @escaping @Sendable (Int32) throws(DocumentStreamError) -> Value,
    _ completion: @escaping @Loop (Result<Value, DocumentStreamError>) -> Void
  ) {
    // The thread has a descriptor of its own, because the stream may be released meanwhile.
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return ended() }
    state = .fetching
    self.socket = socket
    SeparateWork.begin {
      let result: Result<Value, DocumentStreamError>
      do throws(DocumentStreamError) { result = .success(try fetch(descriptor)) } catch { result = .failure(error) }
      close(descriptor)
      Task { @Loop [weak self] in
        // A released object's result is nobody's.
        guard let self else { return }
        self.state = .fetched
        completion(result)
        // A stream that nobody needs is not waited for.
        if case .failure = result { self.ended() } else if self.stream == nil { self.ended() }
      }
    }
  }

  private func ended() {
    stream = nil
    switch state {
    case .opening: fail()
    // The thread finds out by itself.
    case .fetching: return
    case .fetched: break
    case .ended: return
    }
    state = .ended
    onEnd()
  }
}
