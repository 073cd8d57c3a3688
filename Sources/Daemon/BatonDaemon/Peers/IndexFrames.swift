// SPDX-License-Identifier: Apache-2.0

import Activity

/// The index messages that wait for one session. They delay nothing that a user waits for: one goes when less than one
/// is on its way to the peer, or, if streams use the session all the time, after `indexMessagePatience`.
struct IndexFrames {
  /// The rate of index messages to one peer. The 2,000 entries of a machine take some seconds, and a message takes the
  /// other side's loop less than a millisecond.
  static let indexMessageRate = TokenBucket.Rate(perSecond: 20, burst: 20)
  /// How long such a message waits at most if streams use the session all the time. So it takes little from them.
  static let indexMessagePatience = Duration.seconds(1)

  /// The first to go is the first.
  private var frames: [[UInt8]] = []
  private var bucket: TokenBucket
  /// When the first of them became the first.
  private var since: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) {
    bucket = TokenBucket(Self.indexMessageRate, at: now)
    since = now
  }

  var isEmpty: Bool { frames.isEmpty }

  /// - Returns: False if too many wait.
  mutating func add(_ frame: [UInt8], at now: ContinuousClock.Instant) -> Bool {
    guard frames.count < Limits.unsentIndexMessagesPerPeer else { return false }
    if frames.isEmpty { since = now }
    frames.append(frame)
    return true
  }

  /// Returns the next frame, if it may go now.
  ///
  /// - Parameters:
  ///   - untaken: The number of bytes of the session that the peer's machine has not taken.
  ///   - hasSpace: Whether streams may send.
  mutating func next(untaken: Int, hasSpace: Bool, at now: ContinuousClock.Instant) -> [UInt8]? {
    guard untaken < Limits.indexMessageLength || hasSpace && since + Self.indexMessagePatience <= now else {
      return nil
    }
    guard !frames.isEmpty, bucket.take(at: now) else { return nil }
    since = now
    return frames.removeFirst()
  }
}
