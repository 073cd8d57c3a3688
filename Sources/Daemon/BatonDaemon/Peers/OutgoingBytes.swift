// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Handoff

/// The app's bytes on their way to the peer. They are kept until the peer has them.
@Loop
struct OutgoingBytes: ~Copyable {
  enum Reading {
    case bytes(Int)
    /// The app has not written more yet.
    case nothing
    /// There is no memory for more until the peer has acknowledged some.
    case full
    /// The app writes no more.
    case end
    case failed
  }

  /// The app's bytes that arrived together with its call.
  private var early: ArraySlice<UInt8> = []
  private var frames: SentFrames

  init(stream: UInt32, account: StreamMemory.Account) { frames = SentFrames(stream: stream, account: account) }

  /// Keeps the bytes of a stream of the previous daemon.
  mutating func restore(_ saved: SavedStream) {
    var rest = saved.replay[...]
    var offset = saved.flow.acknowledgedCount
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { frames.append($0, at: offset, isForced: true) }
      rest = rest.dropFirst(count)
      offset += UInt64(count)
    }
  }

  /// Begins with bytes that were already read from the app's socket.
  mutating func begin(with early: [UInt8]) { self.early = early[...] }

  /// Makes frames of up to `limit` of the app's next bytes.
  ///
  /// - Parameter offset: The offset of the first of them.
  mutating func read(_ limit: UInt64, at offset: UInt64, from descriptor: Int32) -> Reading {
    if !early.isEmpty {
      let count = early.prefix(Int(min(limit, UInt64(early.count)))).withUnsafeBytes { frames.append($0, at: offset) }
      early = early.dropFirst(count)
      return count > 0 ? .bytes(count) : .full
    }
    guard
      let count = frames.read(limit, at: offset, from: descriptor)
        ?? (frames.compact() ? frames.read(limit, at: offset, from: descriptor) : nil)
    else { return .full }
    guard count <= 0 else { return .bytes(count) }
    if count == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .nothing : .failed
  }

  /// How many bytes are sent again next: whole frames, at least one, and about `limit` bytes at most.
  func againCount(_ limit: Int) -> Int { frames.nextCount(min(limit, SentFrames.batchLength)) }

  /// Passes the frames of the next `count` bytes to `body`, some at a time.
  mutating func send(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) { frames.send(count, body) }

  /// Makes everything that was not acknowledged be sent again.
  mutating func rewind() { frames.rewind() }

  /// Forgets what the peer has.
  mutating func acknowledge(_ offset: UInt64) { frames.acknowledge(offset) }

  /// What the next daemon must keep.
  var unacknowledged: [UInt8] { frames.bytes }

  /// What the next daemon must send first.
  var unsent: [UInt8] { Array(early) }

  /// Frees the memory.
  mutating func clear() {
    early = []
    frames.clear()
  }
}
