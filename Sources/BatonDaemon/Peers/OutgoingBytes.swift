import EventLoop
import Glibc
import PeerProtocol

/// The app's bytes on their way to the peer, through the frame buffer. They are kept until the peer has them.
@Loop
struct OutgoingBytes: ~Copyable {
  enum Reading {
    case bytes(Int)
    /// The app has not written more yet.
    case nothing
    /// The app writes no more.
    case end
    case failed
  }

  /// The app's bytes that arrived together with its call.
  private var early: ArraySlice<UInt8> = []
  private var replay = ReplayBuffer()

  init() {}

  /// The bytes of a stream of the previous daemon.
  init(_ saved: SavedStream) {
    saved.replay.withUnsafeBytes { replay.keep($0, at: saved.flow.acknowledgedCount) }
  }

  /// Begins with bytes that were already read from the app's socket.
  mutating func begin(with early: [UInt8]) { self.early = early[...] }

  /// Fills the frame buffer with up to `limit` of the app's next bytes, and keeps them.
  ///
  /// - Parameter offset: The offset of the first of them.
  mutating func read(_ limit: UInt64, at offset: UInt64, from descriptor: Int32) -> Reading {
    let limit = Int(min(limit, UInt64(DataFrameBuffer.capacity)))
    let count = early.isEmpty ? DataFrameBuffer.fill(from: descriptor, limit) : takeEarly(limit)
    guard count > 0 else {
      if count == 0 { return .end }
      return errno == EAGAIN || errno == EINTR ? .nothing : .failed
    }
    var place = offset
    DataFrameBuffer.forEachPart(count) { part in
      replay.keep(part, at: place)
      place += UInt64(part.count)
    }
    return .bytes(count)
  }

  private mutating func takeEarly(_ limit: Int) -> Int {
    let count = early.prefix(limit).withUnsafeBytes { DataFrameBuffer.fill($0) }
    early = early.dropFirst(count)
    return count
  }

  /// Fills the frame buffer with up to `limit` bytes that were kept.
  ///
  /// - Returns: How many bytes, at least 1.
  func readAgain(_ limit: UInt64, at offset: UInt64) -> Int {
    DataFrameBuffer.fill(replay.bytes(at: offset, Int(min(limit, UInt64(DataFrameBuffer.capacity)))))
  }

  /// What the next daemon must keep.
  func unacknowledged(_ flow: StreamFlow) -> [UInt8] {
    let count = Int(flow.sentCount - flow.acknowledgedCount)
    let first = replay.bytes(at: flow.acknowledgedCount, count)
    let rest = replay.bytes(at: flow.acknowledgedCount + UInt64(first.count), count - first.count)
    return Array(first) + Array(rest)
  }

  /// What the next daemon must send first.
  var unsent: [UInt8] { Array(early) }

  /// Frees the memory.
  mutating func clear() {
    early = []
    replay.clear()
  }
}
