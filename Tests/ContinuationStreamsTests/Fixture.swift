import ContinuationStreams
import Foundation
import Glibc
import TestSupport

/// Two streams, and the daemon's end of their socket, which blocks.
// Unchecked: Foundation's streams are not Sendable, these take any thread.
final class Fixture: @unchecked Sendable {
  let outcome: StreamOutcome
  private(set) var input: InputStream
  private(set) var output: OutputStream
  let daemon: Daemon

  init(leftover: [UInt8] = [], outcome: StreamOutcome = StreamOutcome()) throws {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestFailure("socketpair")
    }
    self.outcome = outcome
    (input, output) = ContinuationStreams.pair(owning: ends[0], leftover: leftover, outcome: outcome)
    daemon = Daemon(ends[1])
  }

  func open() {
    input.open()
    output.open()
  }
}

/// The other end of the socket. Each call blocks, for `patience` at most.
final class Daemon: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var time = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestFailure("send: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the end, or `count` bytes.
  func read(_ count: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count < count {
      let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      guard got >= 0 else { throw TestFailure("recv: \(String(cString: strerror(errno)))") }
      if got == 0 { break }
      bytes += buffer.prefix(got)
    }
    return bytes
  }

  /// Ends its direction.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// As the daemon's `close`; the number stays this object's until it goes.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension InputStream {
  /// Blocking reads until there is nothing more.
  ///
  /// - Returns: The bytes, and what the last read gave.
  func readAll(_ length: Int = 64 * 1024) -> (bytes: [UInt8], last: Int) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: length)
    while true {
      let count = read(&buffer, maxLength: length)
      guard count > 0 else { return (bytes, count) }
      bytes += buffer.prefix(count)
    }
  }
}

extension OutputStream {
  /// Blocking writes until all is taken.
  ///
  /// - Returns: How many bytes were.
  func writeAll(_ bytes: [UInt8]) -> Int {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { write($0, maxLength: bytes.count) } ?? 0
      }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }
}
