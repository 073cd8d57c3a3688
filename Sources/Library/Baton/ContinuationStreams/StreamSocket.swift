// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The connected socket that both streams of a pair share.
///
/// Any thread may use it. Nothing here waits. The descriptor is closed when the last reference is released, so never
/// while somebody uses it.
final class StreamSocket: Sendable {
  /// The result of an attempt to move bytes.
  enum Transfer {
    case moved(Int)
    case wouldBlock
    /// No more bytes will ever move, because the other side has ended its direction or closed the whole socket.
    case over
    /// The attempt failed with this `errno`.
    case failed(Int32)
  }

  let descriptor: Int32
  private let ends = Locked(Ends())

  private struct Ends {
    var hasOutput = true
    var drain: StreamDrain?
  }

  /// - Parameter descriptor: A connected Unix stream socket.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func receive(into buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Transfer {
    transfer { recv(descriptor, buffer, length, Int32(MSG_DONTWAIT)) }
  }

  /// Returns what ``receive(into:_:)`` would return for one byte.
  func peek() -> Transfer {
    var byte: UInt8 = 0
    return transfer { recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) }
  }

  func send(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Transfer {
    transfer { Glibc.send(descriptor, bytes, length, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
  }

  /// Whether ``send(_:_:)`` would find space in the socket's buffer.
  var hasSpace: Bool { events(POLLOUT) != 0 }

  /// Whether both directions have ended: the other side has closed its end, or ended its direction after we ended ours.
  var isHungUp: Bool { events(0) & (POLLHUP | POLLERR) != 0 }

  /// Whether our direction is open, so that ``isHungUp`` means that the other side has closed its end.
  var hasOutput: Bool { ends.withLock(\.hasOutput) }

  /// Returns another descriptor for the same socket, or -1 with `errno`.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

  /// Ends our direction. The other app reads the end.
  func closeOutput() {
    let drain = ends.withLock { ends in
      ends.hasOutput = false
      return ends.drain
    }
    _ = shutdown(descriptor, Int32(SHUT_WR))
    drain?.finish()
  }

  /// Ends both directions.
  func hangUp() {
    ends.withLock { $0.hasOutput = false }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Stops reading. Bytes that still arrive are discarded.
  func closeInput() {
    let own = duplicate()
    // Without a descriptor to drain, the other side gets an error because nobody reads, and need not wait forever.
    guard own >= 0 else { return _ = shutdown(descriptor, Int32(SHUT_RD)) }
    let drain = StreamDrain(owning: own)
    let hasOutput = ends.withLock { ends in
      ends.drain = drain
      return ends.hasOutput
    }
    if !hasOutput { drain.finish() }
  }

  private func events(_ interest: Int32) -> Int32 {
    var item = pollfd(fd: descriptor, events: Int16(interest), revents: 0)
    return poll(&item, 1, 0) > 0 ? Int32(item.revents) : 0
  }

  private func transfer(_ call: () -> Int) -> Transfer {
    while true {
      let count = call()
      if count > 0 { return .moved(count) }
      if count == 0 { return .over }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case EPIPE, ECONNRESET: return .over
      default: return .failed(errno)
      }
    }
  }
}
