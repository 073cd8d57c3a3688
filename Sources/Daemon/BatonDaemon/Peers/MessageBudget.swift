import Activity
import EventLoop
import Handoff

/// What one peer may still say, on all of its connections together. A new session does not bring a new budget.
@Loop
final class MessageBudget {
  private var bucket = TokenBucket(Limits.peerMessageRate, at: Loop.now)
  private var indexMessages = TokenBucket(Limits.receivedIndexMessageRate, at: Loop.now)

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
      case Renamed.type: Limits.renameCost
      case _ where TeamMessage.Number(rawValue: type) != nil: Limits.signedMessageCost
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
    return bucket.ready(at: now) > now ? bucket.ready(for: Limits.peerMessageBatch, at: now) : nil
  }
}
