// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Copies a stream's socket to standard output.
///
/// The daemon considers the stream complete when nothing is left in the socket. So the last byte stays there until the
/// stream has ended and standard output has been read or is closed, even if all bytes were written. If this process is
/// killed or its output fails, then bytes are unread, and both sides learn that the stream broke.
final class IncomingCopy {
  /// How long `baton` waits for the reader of its pipe to read another byte. After that, the reader wants no more for
  /// now.
  private static let streamReadTime = Duration.seconds(5)
  /// The time from the moment a command's output is no longer read until the command gives up its stream. A reader that
  /// has all it needs closes before the stream's end arrives, as tar does at the end of its archive.
  private static let streamEndTime = Duration.seconds(3)

  private let socket: Int32
  private let arrivals: SocketArrivals
  private var buffer = [UInt8](repeating: 0, count: bufferLength)
  /// Whether the first byte in the socket has already been written.
  private var keepsByte = false

  /// How many bytes are read at a time: as many as a pipe holds.
  private static let bufferLength = 64 * 1024
  /// The longest pause between two checks of whether standard output was read, in milliseconds. Nothing reports that.
  private static let longestPause: Int32 = 64

  /// - Parameter socket: Not owned.
  init(socket: Int32) throws(SystemError) {
    self.socket = socket
    arrivals = try SocketArrivals(socket)
  }

  /// Copies until the stream ends, and closes standard output.
  func run() throws {
    while true {
      arrivals.forget()
      let isLast = Descriptor.hasEnded(socket)
      guard try !copy() else { continue }
      if isLast { break }
      try waitForMore()
    }
    try waitUntilRead()
    guard close(STDOUT_FILENO) == 0 else { throw StreamCopy.failure(of: .output, SystemError("close")) }
    if keepsByte { try consume(1) }
  }

  /// - Returns: Whether there was something to copy.
  private func copy() throws -> Bool {
    let skipped = keepsByte ? 1 : 0
    if Descriptor.readableCount(socket) > buffer.count {
      // There is more after it.
      let count = try receive(buffer.count, 0)
      keepsByte = false
      try write(buffer[skipped..<count])
      return true
    }
    let count = try receive(buffer.count, MSG_PEEK)
    guard count > skipped else { return false }
    try write(buffer[skipped..<count])
    try consume(count - 1)
    keepsByte = true
    return true
  }

  private func consume(_ count: Int) throws {
    var rest = count
    while rest > 0 {
      let count = try receive(rest, 0)
      guard count > 0 else { throw StreamCopy.broken }
      rest -= count
    }
  }

  /// - Returns: 0 at the end, and if there is nothing at the moment.
  private func receive(_ limit: Int, _ flags: Int) throws(CommandError) -> Int {
    while true {
      let count = recv(socket, &buffer, limit, Int32(flags | MSG_DONTWAIT))
      if count >= 0 { return count }
      guard errno == EINTR else {
        guard errno == EAGAIN else { throw StreamCopy.broken }
        return 0
      }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws {
    do { try Descriptor.write(bytes, to: STDOUT_FILENO) } catch {
      throw error.code == EPIPE ? OutputClosed() : StreamCopy.failure(of: .output, error) as any Error
    }
  }

  /// Waits until more has arrived or the stream has ended. If the reader has closed standard output, waits at most
  /// `streamEndTime`, and not at all if it left something unread.
  private func waitForMore() throws(OutputClosed) {
    var items = [
      pollfd(fd: arrivals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    while items[0].revents == 0 {
      _ = poll(&items, nfds_t(items.count), -1)
      guard Int32(items[1].revents) & POLLERR == 0 else {
        let time = Int32(Self.streamEndTime / .milliseconds(1))
        if Descriptor.hasUnread(STDOUT_FILENO) || poll(&items, 1, time) == 0 { throw OutputClosed() }
        return
      }
    }
  }

  /// Waits until the reader of standard output has read everything, or has read nothing for `streamReadTime`. It
  /// might read only after this process has ended.
  private func waitUntilRead() throws(OutputClosed) {
    var item = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    var pause: Int32 = 1
    var unread = Descriptor.unread(STDOUT_FILENO)
    var deadline = ContinuousClock.now + Self.streamReadTime
    while unread > 0, ContinuousClock.now < deadline {
      guard Int32(item.revents) & POLLERR == 0 else { throw OutputClosed() }
      _ = poll(&item, 1, pause)
      pause = min(2 * pause, Self.longestPause)
      let rest = Descriptor.unread(STDOUT_FILENO)
      if rest != unread { deadline = ContinuousClock.now + Self.streamReadTime }
      unread = rest
    }
  }
}
