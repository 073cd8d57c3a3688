import Activity

/// What one side knows of one continuation stream: how much may be sent, how much came, which direction has ended
/// (Protocol.md section 7). It counts bytes and holds none.
package struct StreamFlow: Equatable, Sendable {
  private struct Sending: Equatable {
    var count: UInt64 = 0
    var acknowledged: UInt64 = 0
    var limit: UInt64
    var isFinished = false
  }

  private struct Receiving: Equatable {
    var count: UInt64 = 0
    var taken: UInt64 = 0
    var limit: UInt64
    var acknowledged: UInt64 = 0
    var isFinished = false
  }

  private let window: UInt64
  private var sending: Sending
  private var receiving: Receiving

  /// - Parameters:
  ///   - window: Bytes that this side holds for its app.
  ///   - sendLimit: Bytes that the other side takes at first.
  package init(window: UInt64 = Limits.streamWindow, sendLimit: UInt64 = Limits.streamWindow) {
    self.window = window
    sending = Sending(limit: sendLimit)
    receiving = Receiving(limit: window)
  }

  // MARK: Sending

  /// Bytes that may be sent now.
  package var sendable: UInt64 { sending.isFinished ? 0 : sending.limit - sending.count }

  /// Bytes sent so far: the offset of the next.
  package var sentCount: UInt64 { sending.count }

  package var hasFinishedSending: Bool { sending.isFinished }

  /// - Parameter count: At most ``sendable``.
  package mutating func sent(_ count: UInt64) {
    precondition(count <= sendable, "\(count) bytes sent where \(sendable) may be")
    sending.count += count
  }

  /// This side's app has written its last byte.
  package mutating func finishSending() { sending.isFinished = true }

  /// The other side's app has taken bytes and allows more.
  ///
  /// - Throws: `Reason.protocolViolation` where it took what was not sent, or takes back what it said.
  package mutating func acknowledged(received: UInt64, limit: UInt64) throws(Reason) {
    guard (sending.acknowledged...sending.count).contains(received), limit >= sending.limit else {
      throw .protocolViolation
    }
    sending.acknowledged = received
    sending.limit = limit
  }

  // MARK: Receiving

  /// Bytes that came so far.
  package var receivedCount: UInt64 { receiving.count }

  package var hasFinishedReceiving: Bool { receiving.isFinished }

  /// Bytes that came and that the app has not taken.
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
  /// - Throws: `Reason.protocolViolation` where it says so twice, or not everything came.
  package mutating func receivedFinish(length: UInt64) throws(Reason) {
    guard !receiving.isFinished, length == receiving.count else { throw .protocolViolation }
    receiving.isFinished = true
  }

  /// The app has taken bytes.
  ///
  /// - Returns: What to acknowledge; nil while that is too little for a message.
  package mutating func took(_ count: UInt64) -> (received: UInt64, limit: UInt64)? {
    precondition(count <= heldCount, "\(count) bytes taken of \(heldCount)")
    receiving.taken += count
    let threshold = max(1, window / 4)
    guard !receiving.isFinished, receiving.taken - receiving.acknowledged >= threshold else { return nil }
    receiving.acknowledged = receiving.taken
    receiving.limit = receiving.taken.addingReportingOverflow(window).partialValue
    return (receiving.taken, receiving.limit)
  }

  /// Both directions have ended and the app has everything.
  package var isComplete: Bool { sending.isFinished && receiving.isFinished && heldCount == 0 }
}
