// SPDX-License-Identifier: Apache-2.0

/// How much of its app's bytes a stream may send before others get their turn.
struct StreamTurns {
  /// In batches, for one of several streams, and for one on a long path.
  ///
  /// Whoever has a few bytes waits for the whole turn. Among several streams, larger turns are cheaper, and bytes wait
  /// for the other streams anyway. On a long path, what a turn takes is nothing, and TCP needs enough to find out how
  /// fast the path is.
  private static let longTurn = 4

  private var last: UInt32?
  /// Whether several streams send.
  private(set) var isShared = false

  /// Call it when a stream has sent more than a few bytes in its turn.
  mutating func note(_ stream: UInt32) {
    isShared = last != nil && last != stream
    last = stream
  }

  /// Call it when a stream is over.
  mutating func forget(_ stream: UInt32) {
    if last == stream { last = nil }
  }

  /// - Returns: How many batches a turn has.
  func length(onLongPath isLong: Bool) -> Int { isShared || isLong ? Self.longTurn : 1 }
}
