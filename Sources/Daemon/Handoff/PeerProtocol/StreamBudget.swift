// SPDX-License-Identifier: Apache-2.0

import Activity

/// How streams share the memory for bytes that the peer has not acknowledged, or that an app has not read.
///
/// Each stream has ``reserve`` bytes, whatever others hold. Beyond that, a stream may hold as much as is free, all
/// streams with one peer twice as much, and all those of one user four times as much. So the next one always finds some
/// (the dynamic thresholds of switches, Choudhury and Hahne 1998).
package struct StreamBudget: Equatable, Sendable {
  /// The bytes for what a stream sends, whatever others hold. Peers of version 0.1 acknowledge 128 KiB at a time.
  package static let sendingReserve = 160 * 1024
  /// The same for both directions.
  package static let reserve = sendingReserve + Int(Limits.streamFirstWindow)

  // Checked memory, used, streamCount: sums of what was taken, which have limits.
  private var memory: Int
  /// The bytes that were taken beyond the reserves.
  package private(set) var used = 0
  package private(set) var streamCount = 0

  /// - Parameter memory: The maximum number of bytes that all streams hold together.
  package init(memory: Int) { self.memory = memory }

  /// The maximum number of streams, and each user's share of them.
  package var share: Share { Share(ofAll: memory / (256 * 1024)) }

  /// The maximum number of streams with one peer.
  package var streamsPerPeer: Int { max(1, share.total / 4) }

  /// The bytes that streams may take beyond their reserves.
  package var shared: Int { max(0, min(memory / 2, memory - streamCount * Self.reserve)) }

  /// Changes the maximum number of bytes. Streams that hold more get no further ones.
  package mutating func resize(to memory: Int) { self.memory = memory }

  package mutating func addStream() { streamCount += 1 }

  package mutating func removeStream() {
    precondition(streamCount > 0, "A stream is removed twice")
    streamCount -= 1
  }

  /// Takes up to `wanted` bytes beyond the reserves.
  ///
  /// - Parameters:
  ///   - least: If fewer are free, none are taken.
  ///   - held: What the stream has taken, what all streams with its peer have, and what all of its user's have.
  /// - Returns: How many bytes were taken.
  package mutating func take(
    _ wanted: Int,
    atLeast least: Int = 1,
    held: (stream: Int, peer: Int, user: Int)
  ) -> Int {
    let count = min(wanted, shared - used - max(held.stream, held.peer / 2, held.user / 4))
    guard count >= least else { return 0 }
    used += count
    return count
  }

  /// How many bytes a new stream may take before anything was measured. All new ones leave half of what is shared to
  /// those that need it.
  package var openingGrowth: Int { max(0, (shared / 2 - used) / 16) }

  /// Takes bytes that are there already, even if there are fewer. Until as many were given back, nobody gets any.
  package mutating func force(_ count: Int) { used += count }

  /// Gives bytes back.
  package mutating func give(_ count: Int) {
    precondition((0...used).contains(count), "\(count) bytes given back of \(used)")
    used -= count
  }
}
