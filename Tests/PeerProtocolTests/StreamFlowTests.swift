// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import Testing

struct StreamFlowTests {
  private let window = Limits.streamFirstWindow

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
    #expect(StreamFlow(sendLimit: .max).sendable == Limits.streamWindowMaximum)
  }

  @Test func whatIsNotAcknowledgedIsKeptAndNoMore() throws {
    var flow = StreamFlow(replayLength: 10, sendLimit: .max)
    flow.sent(10)
    #expect(flow.sendable == 0)
    try flow.acknowledged(.init(received: 4, limit: .max))
    #expect(flow.sendable == 4)
  }

  @Test func acknowledgementsOpenTheWindow() throws {
    var flow = StreamFlow()
    flow.sent(window)
    try flow.acknowledged(.init(received: 1000, limit: window + 1000))
    #expect(flow.sendable == 1000)
    try flow.acknowledged(.init(received: window, limit: .max))
    #expect(flow.sendable == Limits.streamWindowMaximum)
  }

  @Test func acknowledgingWhatWasNotSentIsAViolation() throws {
    var flow = StreamFlow()
    flow.sent(10)
    try flow.acknowledged(.init(received: 10, limit: window))
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(.init(received: 11, limit: window)) }
  }

  @Test func takingPermissionBackIsAViolation() throws {
    var flow = StreamFlow()
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(.init(received: 0, limit: window - 1)) }
    try flow.acknowledged(.init(received: 0, limit: window + 5))
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(.init(received: 0, limit: window + 4)) }
  }

  @Test func takingAnAcknowledgementBackIsAViolation() throws {
    var flow = StreamFlow()
    flow.sent(10)
    try flow.acknowledged(.init(received: 7, limit: window))
    try flow.acknowledged(.init(received: 7, limit: window))
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(.init(received: 6, limit: window)) }
  }

  @Test func afterTheEndNothingMayBeSent() throws {
    var flow = StreamFlow()
    flow.sent(10)
    flow.finishSending()
    #expect(flow.sendable == 0)
    #expect(flow.hasFinishedSending)
    // Acknowledgements of what was sent before still arrive.
    try flow.acknowledged(.init(received: 10, limit: window + 10))
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

  @Test func halfOfTheWindowIsAcknowledged() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    #expect(flow.took(0) == nil)
    #expect(flow.took(window / 2 - 1) == nil)
    // Everything has arrived, so nothing needs to be sent again.
    #expect(flow.take(1) == [window, window / 2 + window])
    #expect(flow.took(window / 2 - 1) == nil)
    #expect(flow.take(1) == [window, 2 * window])
    #expect(flow.heldCount == 0)
  }

  @Test func whatWasAllowedMayCome() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    #expect(flow.take(window / 2) == [window, window / 2 + window])
    try flow.received(window / 2, at: window)
    #expect(flow.heldCount == window)
    #expect(flow.receivedCount == window / 2 + window)
    #expect(throws: Reason.protocolViolation) { try flow.received(1, at: window + window / 2) }
  }

  @Test func anAcknowledgementIsDueForASixteenthOfAMegabyteOrManyFrames() throws {
    var flow = StreamFlow(window: Limits.streamWindow)
    try flow.received(StreamFlow.streamQuietLength, at: 0)
    #expect(flow.took(StreamFlow.streamQuietLength - 1) == nil)
    #expect(!flow.isAcknowledgementDue)
    #expect(flow.took(1) == nil)
    #expect(flow.isAcknowledgementDue)
    _ = flow.report()
    #expect(!flow.isAcknowledgementDue)

    for _ in 1...StreamFlow.streamQuietFrames {
      #expect(!flow.isAcknowledgementDue)
      try flow.received(1, at: flow.receivedCount)
      _ = flow.took(1)
    }
    #expect(flow.isAcknowledgementDue)
  }

  @Test func theWindowGrowsToWhatTheAppTakesInFourRoundTrips() throws {
    var flow = StreamFlow()
    var now = ContinuousClock.now
    func measure(_ count: UInt64, after time: Duration) throws -> UInt64? {
      try flow.received(count, at: flow.receivedCount)
      _ = flow.took(count)
      _ = flow.report()
      now += time
      return flow.wantedGrowth(roundTrip: .milliseconds(40), at: now)
    }
    #expect(try measure(window, after: .zero) == nil, "Nothing to compare with")
    #expect(try measure(window / 2, after: .milliseconds(39)) == nil, "Less than a round trip")
    #expect(try measure(window / 2, after: .milliseconds(1)) == 3 * window)
    flow.widen(by: 3 * window)
    #expect(flow.report().limit == flow.receivedCount + 4 * window)
    #expect(try measure(window, after: .milliseconds(40)) == nil, "The window is large enough")
    #expect(try measure(2 * window, after: .milliseconds(80)) == nil, "Two round trips")
    #expect(try measure(2 * window, after: .milliseconds(40)) == 4 * window)
    // Nobody asks for more than the maximum.
    flow.widen(by: Limits.streamWindowMaximum - 5 * window)
    _ = flow.report()
    #expect(try measure(Limits.streamWindowMaximum / 2, after: .milliseconds(40)) == window)
  }

  @Test func takingEverythingAlwaysAllowsMore() throws {
    var flow = StreamFlow(window: 2)
    for count: UInt64 in 1...100 {
      try flow.received(1, at: count - 1)
      #expect(flow.take(1) == [count, count + 2])
    }
  }

  /// The sum of what was taken and the window does not fit into the integer.
  @Test func aCountNearTheGreatestNumberTakesNothingBack() throws {
    var members = StreamFlow().members
    for name in ["received", "taken"] { members[name] = JSON(UInt64.max - 1) }
    members["receiveLimit"] = JSON(UInt64.max)
    var flow = try #require(StreamFlow(json: .object(members)))
    #expect(flow.report().limit == .max)
    try flow.received(1, at: .max - 1)
    #expect(flow.heldCount == 1)
  }

  /// The daemon counts the memory of a window.
  @Test func aWindowBeyondTheMaximumIsNotRead() throws {
    var members = StreamFlow().members
    members["receiveLimit"] = JSON(Limits.streamWindowMaximum)
    #expect(StreamFlow(json: .object(members))?.window == Limits.streamWindowMaximum)
    for limit in [Limits.streamWindowMaximum + 1, .max] {
      members["receiveLimit"] = JSON(limit)
      #expect(StreamFlow(json: .object(members)) == nil)
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
    // The end is announced again in the next session.
    try flow.receivedFinish(length: 0)
    #expect(throws: Reason.protocolViolation) { try flow.receivedFinish(length: 1) }
  }

  @Test func nobodyIsToldOfMoreAfterTheEnd() throws {
    var flow = StreamFlow()
    try flow.received(window, at: 0)
    try flow.receivedFinish(length: window)
    #expect(!flow.report().isFinished, "The app has not taken everything")
    #expect(flow.took(window) == nil)
    #expect(flow.heldCount == 0)
    #expect(!flow.report().isFinished, "The app has not read everything")
    flow.delivered()
    #expect(flow.report() == .init(received: window, limit: 2 * window, isFinished: true))
  }

  @Test func itIsCompleteWhenBothAppsHaveEverything() throws {
    var flow = StreamFlow()
    flow.sent(5)
    flow.finishSending()
    try flow.received(10, at: 0)
    try flow.receivedFinish(length: 10)
    try flow.acknowledged(.init(received: 5, limit: window))
    _ = flow.took(10)
    #expect(!flow.isComplete, "The other app does not know of the end")
    try flow.acknowledged(.init(received: 5, limit: window, isFinished: true))
    #expect(!flow.isComplete, "This app has not read everything")
    flow.delivered()
    #expect(flow.isComplete)

    var other = StreamFlow()
    other.finishSending()
    try other.acknowledged(.init(received: 0, limit: window, isFinished: true))
    #expect(!other.isComplete)
    try other.receivedFinish(length: 0)
    #expect(!other.isComplete)
    other.delivered()
    #expect(other.isComplete)
  }

  @Test func anEndIsNotAcknowledgedBeforeItIsThere() throws {
    var flow = StreamFlow()
    flow.sent(5)
    #expect(throws: Reason.protocolViolation) {
      try flow.acknowledged(.init(received: 5, limit: window, isFinished: true))
    }
    flow.finishSending()
    #expect(throws: Reason.protocolViolation) {
      try flow.acknowledged(.init(received: 4, limit: window, isFinished: true))
    }
  }

  // MARK: The next session

  @Test func whatDidNotComeIsSentAgain() throws {
    var flow = StreamFlow()
    flow.sent(100)
    try flow.acknowledged(.init(received: 30, limit: window))
    try flow.resumed(.init(received: 60, limit: window))
    #expect(flow.repeatable == 40)
    #expect(flow.sendable == 0, "First what is to be sent again")
    // What has not been sent in this session cannot have arrived.
    #expect(throws: Reason.protocolViolation) { try flow.acknowledged(.init(received: 61, limit: window)) }
    flow.repeated(40)
    #expect(flow.sendable == window - 100)
    try flow.acknowledged(.init(received: 100, limit: window))
  }

  @Test func nobodyResumesBehindWhatHeAcknowledged() throws {
    for received: UInt64 in [29, 101] {
      var flow = StreamFlow()
      flow.sent(100)
      try flow.acknowledged(.init(received: 30, limit: window))
      #expect(throws: Reason.protocolViolation) { try flow.resumed(.init(received: received, limit: window)) }
    }
  }

  @Test func aSideTellsAllThatCame() throws {
    var flow = StreamFlow()
    try flow.received(100, at: 0)
    _ = flow.took(40)
    #expect(flow.report() == .init(received: 100, limit: window + 40))
    #expect(throws: Reason.protocolViolation) { try flow.received(1, at: 99) }
    try flow.received(1, at: 100)
  }
}

extension StreamFlow {
  /// Returns what is acknowledged when the app takes bytes: how many have arrived, and how many may arrive in total.
  fileprivate mutating func take(_ count: UInt64) -> [UInt64] { took(count).map { [$0.received, $0.limit] } ?? [] }
}
