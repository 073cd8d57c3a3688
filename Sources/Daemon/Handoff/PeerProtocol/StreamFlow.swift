// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What one side knows about one continuation stream (Protocol.md section 7): how much it may send, how much has
/// arrived, which direction has ended, and what the next session must send again. It counts bytes and holds none.
///
/// These numbers must stay in ascending order. For sending: acknowledged, transmitted, count and limit, with at most
/// `replayLength` between the first and the third. For receiving: taken, count and limit. What the other side says is
/// refused if it would break that order.
///
/// The window for what arrives grows with ``widen(by:)``, if ``wantedGrowth(roundTrip:at:)`` says so.
package struct StreamFlow: Equatable, Sendable {
  /// The number of bytes that the app has taken, and of their frames, after which the sender is told within
  /// `StreamBridge.streamQuietTime`, although that is much less than a window. It may have memory for only
  /// `Limits.streamFirstWindow`.
  package static let streamQuietLength: UInt64 = 16 * 1024
  package static let streamQuietFrames = 256

  // Checked sending.acknowledged, sending.transmitted, sending.limit, receiving.acknowledged: see above.
  // Checked receiving.taken, receiving.limit, replayLength: the same.
  struct Sending: Equatable, Sendable {
    /// The bytes that the app has given.
    var count: UInt64 = 0
    /// How many of these were sent in this session, or arrived in an earlier one.
    var transmitted: UInt64 = 0
    var acknowledged: UInt64 = 0
    var limit: UInt64
    var isFinished = false
    var isFinishAcknowledged = false
  }

  struct Receiving: Equatable, Sendable {
    var count: UInt64 = 0
    var taken: UInt64 = 0
    var limit: UInt64
    /// The bytes taken when the other side was last told, and the frames that have arrived since.
    var acknowledged: UInt64 = 0
    var frames = 0
    var isFinished = false
    /// Not saved for the next daemon, which asks the app's socket again.
    var isDelivered = false
  }

  /// How far one direction has come, as its receiver sees it.
  package struct Progress: Structure {
    /// The bytes that have arrived and need not be sent again.
    package var received: UInt64
    /// The bytes that may be sent in total.
    package var limit: UInt64
    /// The app has taken everything, and knows that there is no more.
    @Coded<FalseByDefault> package var isFinished: Bool

    private enum CodingKeys: String, CodingKey {
      case received, limit
      case isFinished = "finished"
    }

    package init(received: UInt64, limit: UInt64, isFinished: Bool = false) {
      self.received = received
      self.limit = limit
      self.isFinished = isFinished
    }
  }

  /// The most bytes that this side holds for its app.
  package private(set) var window: UInt64
  private var gauge = DeliveryGauge()
  private let replayLength: UInt64
  var sending: Sending
  var receiving: Receiving

  /// - Parameters:
  ///   - window: The most bytes that this side holds for its app.
  ///   - replayLength: The most bytes that this side keeps until they are acknowledged.
  ///   - sendLimit: How many bytes the other side takes at first.
  package init(
    window: UInt64 = Limits.streamFirstWindow,
    replayLength: UInt64 = Limits.streamWindowMaximum,
    sendLimit: UInt64 = Limits.streamFirstWindow
  ) {
    self.window = window
    self.replayLength = replayLength
    sending = Sending(limit: sendLimit)
    receiving = Receiving(limit: window)
  }

  // MARK: Sending

  /// The bytes that may be taken from the app and sent now; none while there are bytes to send again.
  package var sendable: UInt64 {
    guard !sending.isFinished, repeatable == 0 else { return 0 }
    return min(sending.limit - sending.count, replayLength - (sending.count - sending.acknowledged))
  }

  /// The bytes that the app has given so far, which is the offset of the next one.
  package var sentCount: UInt64 { sending.count }

  /// The bytes that must be sent again.
  package var repeatable: UInt64 { sending.count - sending.transmitted }

  /// The bytes that have arrived and need not be kept.
  package var acknowledgedCount: UInt64 { sending.acknowledged }

  package var hasFinishedSending: Bool { sending.isFinished }

  /// - Parameter count: At most ``sendable``.
  package mutating func sent(_ count: UInt64) {
    precondition(count <= sendable, "\(count) bytes sent where \(sendable) may be")
    sending.count += count
    sending.transmitted = sending.count
  }

  /// - Parameter count: At most ``repeatable``.
  package mutating func repeated(_ count: UInt64) {
    precondition(count <= repeatable, "\(count) bytes sent again of \(repeatable)")
    sending.transmitted += count
  }

  /// Notes that this side's app has written its last byte.
  package mutating func finishSending() { sending.isFinished = true }

  /// Notes that the other side has received bytes, and allows more.
  ///
  /// - Throws: `Reason.protocolViolation` if it claims bytes that were not sent, or takes back what it said.
  package mutating func acknowledged(_ progress: Progress) throws(Reason) {
    guard (sending.acknowledged...sending.transmitted).contains(progress.received), progress.limit >= sending.limit,
      !progress.isFinished || sending.isFinished && progress.received == sending.count
    else { throw .protocolViolation }
    sending.acknowledged = progress.received
    sending.limit = progress.limit
    if progress.isFinished { sending.isFinishAcknowledged = true }
  }

  // MARK: Receiving

  /// The bytes that have arrived so far.
  package var receivedCount: UInt64 { receiving.count }

  package var hasFinishedReceiving: Bool { receiving.isFinished }

  /// The bytes that have arrived and that the app's socket has not taken.
  package var heldCount: UInt64 { receiving.count - receiving.taken }

  /// - Throws: `Reason.protocolViolation` if they are not the next bytes, are too many, or come after the end.
  package mutating func received(_ count: UInt64, at offset: UInt64) throws(Reason) {
    guard !receiving.isFinished, offset == receiving.count, count <= receiving.limit - receiving.count else {
      throw .protocolViolation
    }
    receiving.count += count
    receiving.frames += 1  // Checked: each has a byte, of at most a window.
  }

  /// Notes that the other side's app has written its last byte.
  ///
  /// - Throws: `Reason.protocolViolation` if the length is not the number of bytes that arrived.
  package mutating func receivedFinish(length: UInt64) throws(Reason) {
    guard length == receiving.count else { throw .protocolViolation }
    receiving.isFinished = true
  }

  /// Notes that the app's socket has taken bytes.
  ///
  /// - Returns: What to acknowledge; nil if it is too little for a message now.
  package mutating func took(_ count: UInt64) -> Progress? {
    precondition(count <= heldCount, "\(count) bytes taken of \(heldCount)")
    receiving.taken += count
    let threshold = max(1, window / 2)
    guard !receiving.isFinished, receiving.taken - receiving.acknowledged >= threshold else { return nil }
    return report()
  }

  /// Whether the other side must be told soon what the app has taken, even if nothing more arrives.
  package var isAcknowledgementDue: Bool {
    let isLong = receiving.taken - receiving.acknowledged >= min(Self.streamQuietLength, window / 4)
    return !receiving.isFinished && receiving.taken > receiving.acknowledged
      && (isLong || receiving.frames >= Self.streamQuietFrames)
  }

  /// By how much the window is too small for what the app takes in four round trips.
  ///
  /// - Parameter roundTrip: The time of a round trip of the session.
  /// - Returns: Nil if it is large enough, or nothing was measured since the last call.
  package mutating func wantedGrowth(
    roundTrip: @autoclosure () -> Duration,
    at now: ContinuousClock.Instant
  ) -> UInt64? {
    guard let count = gauge.count(taken: receiving.taken, roundTrip: roundTrip(), at: now) else { return nil }
    // The other side learns of it somewhat later than a round trip, and then has to send faster.
    // Checked: at most the maximum.
    let wanted = 4 * min(count, Limits.streamWindowMaximum / 4)
    return wanted > window ? wanted - window : nil
  }

  /// Makes the window larger, and tells the other side with the next acknowledgement.
  package mutating func widen(by count: UInt64) {
    window += count  // Checked window: the caller has memory for it.
  }

  /// Notes that the app has read everything from its socket, and was told that there is no more.
  package mutating func delivered() {
    precondition(receiving.isFinished && heldCount == 0, "\(heldCount) bytes are not delivered")
    receiving.isDelivered = true
  }

  package var isDelivered: Bool { receiving.isDelivered }

  /// Returns what to tell the other side now.
  package mutating func report() -> Progress {
    receiving.acknowledged = receiving.taken
    receiving.frames = 0
    let (limit, isOver) = receiving.taken.addingReportingOverflow(window)
    receiving.limit = isOver ? .max : limit
    return Progress(
      received: receiving.count,
      limit: receiving.limit,
      isFinished: receiving.isDelivered
    )
  }

  // MARK: The next session

  /// Notes how far the other side has come, as it says in a new session. What has not arrived must be sent again.
  ///
  /// - Throws: `Reason.protocolViolation`, as in ``acknowledged(_:)``.
  package mutating func resumed(_ progress: Progress) throws(Reason) {
    sending.transmitted = sending.count
    try acknowledged(progress)
    sending.transmitted = progress.received
  }

  /// Both directions have ended, and each app has everything that the other wrote.
  package var isComplete: Bool { sending.isFinishAcknowledged && receiving.isDelivered }
}
