import Activity

/// How streams share the memory for bytes that were not acknowledged yet, or that an app has not read yet.
///
/// Nobody may hold more than is free: neither a stream, nor all streams with a peer, nor all those of a user. So the
/// first one gets half of the memory at most, and the next one always finds some (the dynamic thresholds of switches,
/// Choudhury and Hahne 1998). Each stream also has ``reserve`` in each direction, which is not counted here.
package struct StreamBudget: Equatable, Sendable {
  /// The bytes that a stream has in each direction, whatever others hold.
  package static let reserve = Int(Limits.streamFirstWindow)

  /// The bytes that streams share.
  // Checked shared, used: sums of what was taken, which is at most what is shared.
  package private(set) var shared: Int
  package private(set) var used = 0
  /// How many streams there can be. Their reserves take half of the memory.
  package private(set) var share: Share

  /// - Parameter memory: The maximum number of bytes that all streams hold together.
  package init(memory: Int) {
    shared = memory / 2
    share = Share(ofAll: memory / 2 / (2 * Self.reserve))
  }

  /// The maximum number of streams with one peer.
  package var streamsPerPeer: Int { max(1, share.total / 4) }

  /// Changes the maximum number of bytes. Streams that hold more get no further ones.
  package mutating func resize(to memory: Int) {
    let other = Self(memory: memory)
    (shared, share) = (other.shared, other.share)
  }

  /// Takes up to `wanted` more bytes.
  ///
  /// - Parameter held: What the stream holds, what all streams with its peer hold, and what all of its user's hold.
  /// - Returns: How many bytes were taken; 0 if there are not `least` of them.
  package mutating func take(_ wanted: Int, atLeast least: Int = 1, held: Int...) -> Int {
    let free = shared - used
    let count = min(wanted, free, free - (held.max() ?? 0))
    guard count >= least else { return 0 }
    used += count
    return count
  }

  /// Gives bytes back.
  package mutating func give(_ count: Int) {
    precondition((0...used).contains(count), "\(count) bytes given back of \(used)")
    used -= count
  }
}
