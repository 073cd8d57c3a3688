// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// What one peer may still say, on all of its connections together. A new session does not bring a new budget.
@Loop
final class MessageBudget {
  /// What the messages of one peer may cost, on all of its connections: 1 each, a tenth for a message about a stream's
  /// progress, and 1 for each 2 KiB. Data is free, except for pieces below 4 KiB, which cost a twentieth, and data
  /// without an open stream, which costs 1. The burst takes the loop about 2 ms, at 10 µs for a message that is
  /// answered.
  nonisolated static let peerMessageRate = TokenBucket.Rate(perSecond: 2000, burst: 200)
  /// What a message about certificates, removed devices or the team's key costs, because signatures are verified, and
  /// files are read and written.
  private static let signedMessageCost = 40.0
  /// What another name of a device costs: everyone who watches lists is told, and an administrator's machine compares
  /// it with the names of all devices that it has admitted.
  private static let renameCost = 400.0
  /// The budget at which a peer that had used it up is read again.
  private static let peerMessageBatch = 20.0
  /// The rate of index messages from one peer. The rest is dropped. It leaves room for messages that the network held
  /// up.
  nonisolated static let receivedIndexMessageRate = TokenBucket.Rate(perSecond: 40, burst: 60)

  private var bucket = TokenBucket(MessageBudget.peerMessageRate, at: Loop.now)
  private var indexMessages = TokenBucket(MessageBudget.receivedIndexMessageRate, at: Loop.now)

  /// A frame with fewer bytes of a stream than this is more work than the bytes are.
  private static let smallPiece = 4096

  /// What a frame of a stream costs.
  ///
  /// - Parameter isExpected: Whether the stream is open.
  static func cost(ofData length: Int, isExpected: Bool) -> Double {
    guard isExpected else { return 1 }
    return length < smallPiece ? 0.05 : 0
  }

  /// What any other frame costs.
  static func cost(ofType type: UInt8, length: Int) -> Double {
    let work =
      switch type {
      case Acknowledge.type: 0.1
      case Renamed.type: Self.renameCost
      case _ where TeamMessage.Number(rawValue: type) != nil: Self.signedMessageCost
      default: 1.0
      }
    return work + Double(length) / 2048
  }

  /// Whether the peer may say something about the search index now.
  func takesIndexMessage() -> Bool { indexMessages.take(at: Loop.now) }

  /// - Returns: When the peer may be read again; nil if it may be read now.
  func charge(_ cost: Double) -> ContinuousClock.Instant? {
    guard cost > 0 else { return nil }
    let now = Loop.now
    bucket.charge(cost, at: now)
    // Wait until several messages are allowed, because waking up costs more than one message.
    return bucket.ready(at: now) > now ? bucket.ready(for: Self.peerMessageBatch, at: now) : nil
  }
}
