// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// What carries the streams that are measured.
enum Route {
  /// Two daemons of one team, by their control sockets.
  case baton(origin: String, receiver: String)
  /// Whatever joins two Unix sockets: it listens at the first, and connects to the second.
  case sockets(source: String, sink: String)

  /// A stream that is open: blocking descriptors of its two ends.
  struct Stream {
    let near: Int32
    let far: Int32

    func close() {
      Sockets.close(near)
      Sockets.close(far)
    }

    /// Wakes the threads that use it: they find that it has ended.
    func shutDown() {
      shutdown(near, Int32(SHUT_RDWR))
      shutdown(far, Int32(SHUT_RDWR))
    }
  }

  /// Opens so many streams.
  ///
  /// - Throws: What the daemon says, or `SystemError`.
  func open(_ count: Int) throws -> [Stream] {
    switch self {
    case .baton(let origin, let receiver): return try Handoff.streams(count, origin: origin, receiver: receiver)
    case .sockets(let source, let sink):
      unlink(sink)
      let listener = try Sockets.listen(path: sink, mode: 0o700, backlog: 1024)
      defer {
        Sockets.close(listener)
        unlink(sink)
      }
      return try (0..<count).map { _ in
        let near = try Sockets.connect(path: source)
        return Stream(near: Self.blocking(near), far: try Self.accept(listener))
      }
    }
  }

  /// Waits for a connection, for at most 10 s.
  private static func accept(_ listener: Int32) throws -> Int32 {
    var item = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, 10_000) == 1 else { throw SystemError("accept", ETIMEDOUT) }
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { throw SystemError("accept") }
    return blocking(descriptor)
  }

  static func blocking(_ descriptor: Int32) -> Int32 {
    _ = fcntl(descriptor, F_SETFL, 0)
    return descriptor
  }
}
