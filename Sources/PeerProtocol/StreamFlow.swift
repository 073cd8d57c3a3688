import Activity

/// What one side knows of one continuation stream: how much may be sent, how much came, which direction has ended, and
/// what is to be sent again on the next session (Protocol.md section 7). It counts bytes and holds none.
///
/// What it is told by the other side is refused where these would not stay in order: acknowledged, transmitted, count and
/// limit of what is sent, with at most `replayLength` from the first to the third; taken, count and limit of what is received.
package struct StreamFlow: Equatable, Sendable {
  // Checked sending.acknowledged, sending.transmitted, sending.limit, receiving.acknowledged, receiving.taken: see above.
  // Checked receiving.limit, replayLength: the same.
  struct Sending: Equatable, Sendable {
    /// Bytes that the app gave.
    var count: UInt64 = 0
    /// Bytes of these that went out on this session, or came on one before it.
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
    /// Bytes taken when the other side was told last.
    var acknowledged: UInt64 = 0
    var isFinished = false
    /// Not kept for the next daemon, which asks the app's socket anew.
    var isDelivered = false
  }

  /// How far one direction has come, as its receiver sees it.
  package struct Progress: Equatable, Sendable {
    /// Bytes that came and need not be sent again.
    package var received: UInt64
    /// Bytes that may be sent in all.
    package var limit: UInt64
    /// The app has taken everything, and knows that it was all.
    package var isFinished: Bool

    package init(received: UInt64, limit: UInt64, isFinished: Bool = false) {
      self.received = received
      self.limit = limit
      self.isFinished = isFinished
    }
  }

  private let window: UInt64
  private let replayLength: UInt64
  var sending: Sending
  var receiving: Receiving

  /// - Parameters:
  ///   - window: Bytes that this side holds for its app.
  ///   - replayLength: Bytes that this side keeps until they are acknowledged.
  ///   - sendLimit: Bytes that the other side takes at first.
  package init(
    window: UInt64 = Limits.streamWindow,
    replayLength: UInt64 = Limits.streamReplayLength,
    sendLimit: UInt64 = Limits.streamWindow
  ) {
    self.window = window
    self.replayLength = replayLength
    sending = Sending(limit: sendLimit)
    receiving = Receiving(limit: window)
  }

  // MARK: Sending

  /// Bytes that may be taken from the app and sent now: none while there are some to be sent again.
  package var sendable: UInt64 {
    guard !sending.isFinished, repeatable == 0 else { return 0 }
    return min(sending.limit - sending.count, replayLength - (sending.count - sending.acknowledged))
  }

  /// Bytes that the app gave so far: the offset of the next.
  package var sentCount: UInt64 { sending.count }

  /// Bytes that are to be sent again, from ``repeatOffset`` on.
  package var repeatable: UInt64 { sending.count - sending.transmitted }

  /// The offset of the next byte that is to be sent again.
  package var repeatOffset: UInt64 { sending.transmitted }

  /// Bytes that came and need not be kept.
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

  /// This side's app has written its last byte.
  package mutating func finishSending() { sending.isFinished = true }

  /// The other side has received bytes, and allows more.
  ///
  /// - Throws: `Reason.protocolViolation` where it received what was not sent, or takes back what it said.
  package mutating func acknowledged(_ progress: Progress) throws(Reason) {
    guard (sending.acknowledged...sending.transmitted).contains(progress.received), progress.limit >= sending.limit,
      !progress.isFinished || sending.isFinished && progress.received == sending.count
    else { throw .protocolViolation }
    sending.acknowledged = progress.received
    sending.limit = progress.limit
    if progress.isFinished { sending.isFinishAcknowledged = true }
  }

  // MARK: Receiving

  /// Bytes that came so far.
  package var receivedCount: UInt64 { receiving.count }

  package var hasFinishedReceiving: Bool { receiving.isFinished }

  /// Bytes that came and that the app's socket has not taken.
  package var heldCount: UInt64 { receiving.count - receiving.taken }

  /// - Throws: `Reason.protocolViolation` where they are not the next bytes, are too many, or come after the end.
  package mutating func received(_ count: UInt64, at offset: UInt64) throws(Reason) {
    guard !receiving.isFinished, offset == receiving.count, count <= receiving.limit - receiving.count else {
      throw .protocolViolation
    }
    receiving.count += count
  }

  /// The other side's app has written its last byte.
  ///
  /// - Throws: `Reason.protocolViolation` where not everything came, or more.
  package mutating func receivedFinish(length: UInt64) throws(Reason) {
    guard length == receiving.count else { throw .protocolViolation }
    receiving.isFinished = true
  }

  /// The app's socket has taken bytes.
  ///
  /// - Returns: What to acknowledge; nil while that is too little for a message.
  package mutating func took(_ count: UInt64) -> Progress? {
    precondition(count <= heldCount, "\(count) bytes taken of \(heldCount)")
    receiving.taken += count
    let threshold = max(1, window / 4)
    guard !receiving.isFinished, receiving.taken - receiving.acknowledged >= threshold else { return nil }
    return report()
  }

  /// The app has everything out of its socket, and was told that it was all.
  package mutating func delivered() {
    precondition(receiving.isFinished && heldCount == 0, "\(heldCount) bytes are not delivered")
    receiving.isDelivered = true
  }

  package var isDelivered: Bool { receiving.isDelivered }

  /// What the other side is told now.
  package mutating func report() -> Progress {
    receiving.acknowledged = receiving.taken
    let (limit, isOver) = receiving.taken.addingReportingOverflow(window)
    receiving.limit = isOver ? .max : limit
    return Progress(
      received: receiving.count,
      limit: receiving.limit,
      isFinished: receiving.isDelivered
    )
  }

  // MARK: The next session

  /// The other side says on a new session how far it has come. What did not come is to be sent again.
  ///
  /// - Throws: `Reason.protocolViolation` as ``acknowledged(_:)``.
  package mutating func resumed(_ progress: Progress) throws(Reason) {
    sending.transmitted = sending.count
    try acknowledged(progress)
    sending.transmitted = progress.received
  }

  /// Both directions have ended, and each app has everything that the other wrote.
  package var isComplete: Bool { sending.isFinishAcknowledged && receiving.isDelivered }
}
