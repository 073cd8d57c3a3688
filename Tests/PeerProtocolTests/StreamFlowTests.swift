import Activity
import PeerProtocol
import Testing

struct StreamFlowTests {
  private let window = Limits.streamWindow

  // MARK: Sending

  @Test func theWindowMayBeSentAndNoMore() {
    var flow = StreamFlow()
    #expect(flow.sendable == window)
    flow.sent(window - 1)
    #expect(flow.sendable == 1)
    flow.sent(1)
    #expect(flow.sendable == 0)
    #expect(flow.sentCount == window)
  }

  @Test func theOtherSideNamesItsOwnLimit() {
    #expect(StreamFlow(sendLimit: 0).sendable == 0)
    #expect(StreamFlow(sendLimit: .max).sendable == .max)
  }

  @Test func acknowledgementsOpenTheWindow() throws {
    var flow = StreamFlow()
    flow.sent(window)
    try flow.acknowledged(received: 1000, limit: window + 1000)
    #expect(flow.sendable == 1000)
    try flow.acknowledged(received: window, limit: .max)
    #expect(flow.sendable == .max - window)
  }

  @Test func acknowledgingWhatWasNotSentIsAViolation() throws {
    var flow = StreamFlow()
    flow.sent(10)
    try flow.acknowledged(received: 10, limit: window)
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(received: 11, limit: window) }
  }

  @Test func takingPermissionBackIsAViolation() throws {
    var flow = StreamFlow()
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(received: 0, limit: window - 1) }
    try flow.acknowledged(received: 0, limit: window + 5)
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(received: 0, limit: window + 4) }
  }

  @Test func takingAnAcknowledgementBackIsAViolation() throws {
    var flow = StreamFlow()
    flow.sent(10)
    try flow.acknowledged(received: 7, limit: window)
    try flow.acknowledged(received: 7, limit: window)
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(received: 6, limit: window) }
  }

  @Test func afterTheEndNothingMayBeSent() throws {
    var flow = StreamFlow()
    flow.sent(10)
    flow.finishSending()
    #expect(flow.sendable == 0)
    #expect(flow.hasFinishedSending)
    // Acknowledgements of what was sent before still come.
    try flow.acknowledged(received: 10, limit: window + 10)
    #expect(flow.sendable == 0)
    #expect(flow.sentCount == 10)
  }

  // MARK: Receiving

  @Test func theWindowMayBeReceivedAndNoMore() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    #expect(flow.heldCount == window)
    #expect(throws: Reason.protocolViolation) { try flow.received(1, at: window) }
    var other = StreamFlow()
    #expect(throws: Reason.protocolViolation) { try other.received(window + 1, at: 0) }
    #expect(throws: Reason.protocolViolation) { try other.received(.max, at: 0) }
    #expect(other.receivedCount == 0)
  }

  @Test(arguments: [0, 9, 11, UInt64.max] as [UInt64]) func bytesFollowOneAnother(offset: UInt64) throws {
    var flow = StreamFlow()
    try flow.received(10, at: 0)
    #expect(throws: Reason.protocolViolation) { try flow.received(1, at: offset) }
    try flow.received(1, at: 10)
    #expect(flow.receivedCount == 11)
  }

  @Test func aQuarterOfTheWindowIsAcknowledged() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    #expect(flow.took(0) == nil)
    #expect(flow.took(window / 4 - 1) == nil)
    #expect(flow.take(1) == [window / 4, window / 4 + window])
    #expect(flow.took(window / 4 - 1) == nil)
    #expect(flow.take(window / 4) == [window / 4 * 3 - 1, window / 4 * 3 - 1 + window])
    #expect(flow.heldCount == window / 4 + 1)
  }

  @Test func whatWasAllowedMayCome() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    #expect(flow.take(window / 4) == [window / 4, window / 4 + window])
    try flow.received(window / 4, at: window)
    #expect(flow.heldCount == window)
    #expect(flow.receivedCount == window / 4 + window)
    #expect(throws: Reason.protocolViolation) { try flow.received(1, at: window + window / 4) }
  }

  @Test func takingEverythingAlwaysAllowsMore() throws {
    var flow = StreamFlow(window: 4)
    for count: UInt64 in 1...100 {
      try flow.received(1, at: count - 1)
      #expect(flow.take(1) == [count, count + 4])
    }
  }

  // MARK: The end

  @Test func theLengthMustBeWhatCame() throws {
    for length: UInt64 in [9, 11, 0, .max] {
      var flow = StreamFlow()
      try flow.received(10, at: 0)
      #expect(throws: Reason.protocolViolation) { try flow.receivedFinish(length: length) }
      #expect(!flow.hasFinishedReceiving)
      try flow.receivedFinish(length: 10)
      #expect(flow.hasFinishedReceiving)
    }
  }

  @Test func afterTheEndNothingMayCome() throws {
    var flow = StreamFlow()
    try flow.receivedFinish(length: 0)
    #expect(throws: Reason.protocolViolation) { try flow.received(1, at: 0) }
    #expect(throws: Reason.protocolViolation) { try flow.receivedFinish(length: 0) }
  }

  @Test func nobodyIsToldOfMoreAfterTheEnd() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    try flow.receivedFinish(length: window)
    #expect(flow.took(window) == nil)
    #expect(flow.heldCount == 0)
  }

  @Test func eachDirectionEndsByItself() throws {
    var flow = StreamFlow()
    flow.sent(5)
    flow.finishSending()
    #expect(!flow.isComplete)
    try flow.received(10, at: 0)
    #expect(flow.took(4) == nil)
    try flow.receivedFinish(length: 10)
    #expect(!flow.isComplete, "The app has not taken everything")
    #expect(flow.took(6) == nil)
    #expect(flow.isComplete)

    var other = StreamFlow()
    try other.receivedFinish(length: 0)
    #expect(!other.isComplete)
    other.sent(window)
    #expect(other.sendable == 0)
    other.finishSending()
    #expect(other.isComplete)
  }
}

extension StreamFlow {
  /// What is acknowledged when the app takes bytes: how many it took, and how many may come in all.
  fileprivate mutating func take(_ count: UInt64) -> [UInt64] { took(count).map { [$0.received, $0.limit] } ?? [] }
}
