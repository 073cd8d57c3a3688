// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Desktop
import Glibc
import TestSupport

/// One end of a files stream, which says what a test wants it to say.
final class Peer {
  private let descriptor: Int32
  private var input: [UInt8] = []
  /// What the other side said at its end.
  private(set) var end: TransferFrame?

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: False once the other side has ended.
  @discardableResult func send(_ frames: TransferFrame...) throws -> Bool {
    var bytes: [UInt8] = []
    for frame in frames { frame.append(to: &bytes) }
    return try send(bytes: bytes)
  }

  @discardableResult func send(bytes: [UInt8]) throws -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      try takeArrivals()
      guard end == nil else { return false }
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
        poll(&item, 1, -1)
      } else {
        return false
      }
    }
    return true
  }

  /// Sends frames again and again until the other side has enough.
  func send(endlessly frames: TransferFrame...) throws {
    var bytes: [UInt8] = []
    while bytes.count < 100_000 { for frame in frames { frame.append(to: &bytes) } }
    while try send(bytes: bytes) {}
  }

  /// Waits for the next frame. Nil if the stream has ended.
  func next() throws -> TransferFrame? {
    while true {
      if let frame = try parse() { return frame }
      guard fill(0) else { return nil }
    }
  }

  /// Waits for a frame, and skips those before it.
  @discardableResult func wait(_ condition: (TransferFrame) -> Bool) throws -> [TransferFrame] {
    var frames: [TransferFrame] = []
    while let frame = try next() {
      frames.append(frame)
      if condition(frame) { return frames }
    }
    throw TestFailure("The stream ended after \(frames.suffix(3))")
  }

  /// Sends no more, and waits until the other side has ended, too.
  func finish() throws {
    shutdown(descriptor, Int32(SHUT_WR))
    while try next() != nil {}
  }

  private func takeArrivals() throws {
    while fill(Int32(MSG_DONTWAIT)) {}
    while end == nil, try parse() != nil {}
  }

  private func fill(_ flags: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, flags)
    if count > 0 { input += buffer[..<count] }
    return count > 0
  }

  private func parse() throws -> TransferFrame? {
    guard input.count >= TransferFrame.headerLength else { return nil }
    let length = try TransferFrame.payloadLength(input[..<TransferFrame.headerLength])
    guard input.count >= TransferFrame.headerLength + length else { return nil }
    let payload = input[TransferFrame.headerLength..<TransferFrame.headerLength + length]
    let frame = try TransferFrame(kind: input[0], payload: payload)
    input.removeFirst(TransferFrame.headerLength + length)
    if case .finished = frame { end = frame }
    return frame
  }
}

extension Machines {
  /// Receives from an origin that a test speaks for.
  ///
  /// - Returns: How it ended, and what the origin was told.
  func receive(
    _ allowance: FileReceiver.Allowance = FileReceiver.Allowance(),
    _ control: TransferControl = TransferControl(),
    from origin: @escaping @Sendable (Peer) throws -> Void
  ) throws -> (result: Result<FileReceiver.Result, any Error>, told: TransferFrame?) {
    let there = there
    return try talk(with: origin) { descriptor in
      let staging = try StagingFolder(in: there, transfer: "t")
      let result = try FileReceiver.receive(over: descriptor, into: staging, allowance, control)
      staging.remove()
      return result
    }
  }

  /// Sends to a receiver that a test speaks for.
  func send(
    _ names: [String],
    _ control: TransferControl = TransferControl(),
    to receiver: @escaping @Sendable (Peer) throws -> Void
  ) throws -> (result: Result<FileSender.Result, any Error>, told: TransferFrame?) {
    let paths = names.map { $0.hasPrefix("/") ? Array($0.utf8) : Array("\(here)/\($0)".utf8) }
    return try talk(with: receiver) { try FileSender.send(paths, over: $0, control) }
  }

  private func talk<R>(
    with script: @escaping @Sendable (Peer) throws -> Void,
    _ body: (Int32) throws -> R
  ) throws -> (result: Result<R, any Error>, told: TransferFrame?) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw TestFailure("socketpair") }
    let (own, other) = (ends[0], ends[1])
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
    defer { for end in [own, other] { close(end) } }
    let peer = onThread { () -> TransferFrame? in
      defer { shutdown(other, Int32(SHUT_RDWR)) }
      let peer = Peer(other)
      try script(peer)
      try peer.finish()
      return peer.end
    }
    let result = Result { try body(own) }
    shutdown(own, Int32(SHUT_RDWR))
    return (result, try peer.wait())
  }
}

extension TransferEntry {
  static func file(_ path: String, size: UInt64 = 0) throws -> TransferEntry {
    try TransferEntry(path, .file(size: size, isExecutable: false))
  }

  init(_ path: String, _ kind: Kind) throws {
    guard let path = TransferPath(Array(path.utf8)) else { throw TestFailure(path) }
    self.init(path, kind, modified: FileTime(seconds: 0, nanoseconds: 0))
  }
}

extension TransferFrame {
  /// What honest origins say after these entries.
  static func end(of entries: [TransferEntry]) -> TransferFrame {
    let size = entries.reduce(0) { $0 + $1.size }
    return .entriesEnd(EntriesEnd(count: UInt32(entries.count), size: size, stored: 0, omitted: 0))
  }
}
