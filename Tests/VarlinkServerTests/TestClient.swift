// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Testing

/// A client that writes and reads bytes as the test wants. Every wait ends after 60 s.
final class TestClient {
  let descriptor: Int32
  private var received: [UInt8] = []
  private var isOpen = true

  init(_ path: String) throws { descriptor = try Sockets.connect(path: path) }

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  /// Two ends of a connection, neither of which waits.
  static func pair() throws -> (server: Int32, client: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
    return (ends[0], ends[1])
  }

  deinit { close() }

  func close() {
    if isOpen { _ = Glibc.close(descriptor) }
    isOpen = false
  }

  func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Returns false if the server closed the connection before it took all bytes.
  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard await wait(for: POLLOUT) else { return false }
      } else {
        return false
      }
    }
    return true
  }

  /// Sends as much as the socket takes now, and returns how many bytes that was.
  func sendWhatFits(_ bytes: ArraySlice<UInt8>) -> Int {
    max(0, bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
  }

  @discardableResult
  func send(_ messages: String...) async -> Bool { await send(messages.flatMap { Array($0.utf8) + [0] }) }

  /// Returns the next message; nil at the end of the connection.
  func receive() async -> String? {
    while true {
      if let end = received.firstIndex(of: 0) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard await read() else { return nil }
    }
  }

  func receive(_ count: Int) async -> [String] {
    var messages: [String] = []
    while messages.count < count, let message = await receive() { messages.append(message) }
    return messages
  }

  /// Returns bytes that are not messages; fewer if the connection ends.
  func receiveBytes(_ count: Int) async -> [UInt8] {
    while received.count < count, await read() {}
    defer { received.removeFirst(min(count, received.count)) }
    return Array(received.prefix(count))
  }

  /// Returns the messages that arrive until the connection is closed.
  func receiveToEnd() async -> [String] {
    var messages: [String] = []
    while let message = await receive() { messages.append(message) }
    return messages
  }

  private func read() async -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        received += buffer[..<count]
        return true
      }
      guard count < 0, errno == EAGAIN, await wait(for: POLLIN) else { return false }
    }
  }

  /// Waits without blocking a thread, because Swift concurrency has only as many threads as there are processors.
  private func wait(for event: Int32) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      if poll(&entry, 1, 0) > 0 { return true }
      guard .now < deadline else { break }
      try? await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("Nothing happened on the connection for 60 s")
    return false
  }
}

/// The number of bytes that a socket has for who reads from it; -1 if there's no such socket.
func unread(_ descriptor: Int32) -> Int {
  var count: Int32 = 0
  return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
}
