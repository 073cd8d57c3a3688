// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc

/// A socket that a thread waits for, whether it blocks or not.
///
/// The thread does not wait forever: neither for somebody who does nothing, nor for somebody who is too slow.
package final class BlockingStream {
  private let descriptor: Int32
  private let idleTime: Duration
  private let begin = ContinuousClock.now
  private var transferred = 0
  /// In bytes per second, on average. Anyone who is slower would occupy a thread for days.
  private static let slowest = 1024
  /// How long the transfer may be slower: as long as the daemons take to find each other again, several times.
  private let slowTime: Duration
  private var buffer = [UInt8](repeating: 0, count: 256 * 1024)
  /// What was read after the line.
  private var rest: ArraySlice<UInt8> = []

  package init(_ descriptor: Int32, idleTime: Duration) {
    self.descriptor = descriptor
    self.idleTime = idleTime
    slowTime = idleTime * 4
  }

  /// Until when something must happen.
  private var deadline: ContinuousClock.Instant {
    min(.now + idleTime, begin + slowTime + .seconds(transferred / Self.slowest))
  }

  /// Reads a line, and returns it without its end. A stream that ends before the line does counts as its end.
  package func readLine() throws(DocumentStreamError) -> [UInt8] {
    var line: [UInt8] = []
    // However slowly the bytes come.
    let deadline = ContinuousClock.now + idleTime
    while line.count < DocumentRequest.lineLength {
      let part = try receive(atMost: DocumentRequest.lineLength, until: deadline)
      if let end = part.firstIndex(of: 0x0A) {
        rest = part[end...].dropFirst()
        return line + part[..<end]
      }
      if part.isEmpty { break }
      line += part
    }
    throw .broken
  }

  /// Reads some bytes. Empty at the end.
  package func read(atMost count: Int) throws(DocumentStreamError) -> ArraySlice<UInt8> {
    guard rest.isEmpty else {
      let part = rest.prefix(count)
      rest = rest.dropFirst(part.count)
      return part
    }
    return try receive(atMost: count, until: deadline)
  }

  private func receive(
    atMost count: Int,
    until deadline: ContinuousClock.Instant
  ) throws(DocumentStreamError) -> ArraySlice<UInt8> {
    while true {
      guard Descriptor.wait(descriptor, for: POLLIN, until: deadline) else { throw .timedOut }
      let length = recv(descriptor, &buffer, min(count, buffer.count), Int32(MSG_DONTWAIT))
      if length >= 0 {
        transferred += length
        return buffer[..<length]
      }
      guard errno == EINTR || errno == EAGAIN else {
        throw errno == ECONNRESET ? .broken : .system(SystemError("recv"))
      }
    }
  }

  package func write(_ bytes: some Sequence<UInt8>) throws(DocumentStreamError) {
    var left = Array(bytes)[...]
    while !left.isEmpty {
      guard Descriptor.wait(descriptor, for: POLLOUT, until: deadline) else { throw .timedOut }
      let count = left.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        transferred += count
        left = left.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        throw errno == EPIPE || errno == ECONNRESET ? .broken : .system(SystemError("send"))
      }
    }
  }

  /// Ends our direction.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
}
