// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@testable import VarlinkServer

struct CallFlowTests {
  private let now = ContinuousClock.now
  private let late = ContinuousClock.now + .seconds(600)
  private static let reads: [CallFlow.Effect] = [.read(true), .awaitHangUp(false)]
  private static let isDeaf: [CallFlow.Effect] = [.read(false), .awaitHangUp(true)]
  private static let rests: [CallFlow.Effect] = [.read(false), .awaitHangUp(false)]

  /// Returns the flow of a client that has made its first call, to which this has happened since.
  private func flow(after events: [CallFlow.Event]) -> CallFlow {
    var flow = CallFlow(firstCallDeadline: now + .seconds(1))
    flow.handle(.called)
    for event in events { flow.handle(event) }
    return flow
  }

  private func effects(
    after events: [CallFlow.Event],
    _ holdings: CallFlow.Holdings = CallFlow.Holdings()
  ) -> [CallFlow.Effect] {
    var flow = flow(after: events)
    return flow.advance(holdings, at: now)
  }

  // MARK: Calls

  @Test func aCallWaitsForItsTurnOnce() {
    var flow = flow(after: [.receivedBytes])
    #expect(flow.advance(CallFlow.Holdings(), at: now) == [.askForTurn] + Self.reads)
    #expect(flow.advance(CallFlow.Holdings(), at: now) == Self.reads)
    flow.handle(.receivedBytes)
    #expect(flow.advance(CallFlow.Holdings(), at: now) == Self.reads)
    flow.handle(.hasTurn)
    #expect(flow.advance(CallFlow.Holdings(), at: now) == [.askForTurn] + Self.reads)
    flow.handle(.hasTurn)
    flow.handle(.foundNoCall)
    #expect(!flow.mayHaveCall)
    #expect(flow.advance(CallFlow.Holdings(), at: now) == Self.reads)
  }

  @Test(
    arguments: [
      ([.receivedBytes], false, true),
      ([], false, false),
      ([.receivedBytes], true, false),
      ([.receivedBytes, .began(.single)], false, false),
      ([.receivedBytes, .began(.single), .answered], false, true),
      ([.receivedBytes, .began(.upgrade), .upgraded], false, false),
      ([.receivedBytes, .foundNoCall], false, false),
      ([.receivedBytes, .stop], false, false),
      ([.receivedBytes, .drop(.notReading)], false, false),
      ([.receivedBytes, .left], false, true),
      ([.receivedBytes, .inputEnded], false, true),
      ([.receivedBytes, .closed], false, false),
    ] as [([CallFlow.Event], Bool, Bool)]
  )
  func aCallBeginsIfNothingIsBeforeIt(events: [CallFlow.Event], hasOutput: Bool, mayBegin: Bool) {
    #expect(flow(after: events).mayBeginCall(hasOutput: hasOutput, at: now) == mayBegin)
  }

  @Test func nothingIsReadAheadOfTooMuchOrOutOfTurn() {
    #expect(effects(after: [], CallFlow.Holdings(isFull: true)) == Self.rests)
    #expect(effects(after: [.began(.more)], CallFlow.Holdings(isFull: true)) == Self.isDeaf)
    #expect(effects(after: [.receivedBytes], CallFlow.Holdings(hasHadItsTime: true)) == [.askForTurn] + Self.rests)
    #expect(effects(after: [], CallFlow.Holdings(hasHadItsTime: true)) == Self.reads)
  }

  // MARK: The client

  /// What becomes of a connection whose client ends, by what is being handled.
  @Test(
    arguments: [
      // The client shut down its sending direction.
      ([.inputEnded], false, [.close]),
      ([.inputEnded], true, rests),
      ([.began(.single), .inputEnded], false, isDeaf),
      ([.began(.single), .inputEnded, .answered], true, rests),
      ([.receivedBytes, .inputEnded], false, [.askForTurn] + rests),
      // It left, and what it sent must still be read.
      ([.left], false, reads),
      ([.began(.single), .left], false, [.close]),
      ([.began(.more), .left], false, [.close]),
      ([.began(.oneway), .left], false, reads),
      ([.receivedBytes, .left], false, [.askForTurn] + reads),
      // It left, and that was read.
      ([.left, .inputEnded], false, [.close]),
      ([.inputEnded, .left], false, [.close]),
      ([.began(.oneway), .inputEnded, .left], false, rests),
      ([.began(.single), .inputEnded, .left], false, [.close]),
    ] as [([CallFlow.Event], Bool, [CallFlow.Effect])]
  )
  func anEndIsNoticed(events: [CallFlow.Event], hasOutput: Bool, effects expected: [CallFlow.Effect]) {
    #expect(effects(after: events, CallFlow.Holdings(hasOutput: hasOutput)) == expected)
  }

  @Test func aClientThatLeftTakesNoReplies() {
    #expect(flow(after: []).takesReplies)
    #expect(flow(after: [.inputEnded]).takesReplies)
    for end in [.left, .drop(.notReading), .closed] as [CallFlow.Event] { #expect(!flow(after: [end]).takesReplies) }
    #expect(flow(after: [.left]).hasLeft)
    #expect(flow(after: [.inputEnded, .left]).hasLeft)
    #expect(!flow(after: [.inputEnded]).hasLeft)
  }

  // MARK: Handing over

  @Test func theSocketIsHandedOverWhenAllIsWritten() {
    let events: [CallFlow.Event] = [.began(.upgrade), .upgraded]
    #expect(effects(after: events) == [.handOver])
    #expect(effects(after: events + [.inputEnded]) == [.handOver])
    #expect(effects(after: events, CallFlow.Holdings(hasOutput: true)) == Self.reads)
    #expect(effects(after: events + [.left]) == [.close])
  }

  // MARK: The server

  @Test func aStoppingServerWritesAndCloses() {
    #expect(effects(after: [.stop]) == [.close])
    #expect(effects(after: [.began(.more), .stop]) == [.close])
    #expect(effects(after: [.began(.single), .stop]) == [.close])
    let owing = CallFlow.Holdings(owesAnswer: true)
    #expect(effects(after: [.began(.single), .stop], owing) == Self.reads)
    #expect(effects(after: [.began(.single), .stop, .left], owing) == [.close])
    #expect(effects(after: [.began(.single), .stop, .drop(.notReading)], owing) == [.close])
    #expect(effects(after: [.stop], CallFlow.Holdings(hasOutput: true)) == Self.reads)
  }

  @Test func aStoppingServerAwaitsTheFirstCallForAWhile() {
    var flow = CallFlow(firstCallDeadline: now + .seconds(1))
    flow.handle(.stop)
    flow.handle(.receivedBytes)
    #expect(flow.mayBeginCall(hasOutput: false, at: now))
    #expect(flow.advance(CallFlow.Holdings(), at: now) == [.askForTurn] + Self.reads)
    #expect(flow.advance(CallFlow.Holdings(), at: late) == [.close])
    flow.handle(.called)
    #expect(flow.advance(CallFlow.Holdings(), at: now) == [.close])
  }

  @Test func whoeverIsDroppedIsClosedForTheFirstReason() {
    let dropped = flow(after: [.drop(.notReading), .stop, .drop(.messageTooLong)])
    #expect(dropped.isDropped)
    #expect(dropped.dropReason == .notReading)
    #expect(effects(after: [.drop(.notReading)], CallFlow.Holdings(hasOutput: true)) == [.close])
    #expect(effects(after: [.began(.oneway), .receivedBytes, .drop(.notReading)]) == [.close])
    #expect(flow(after: [.stop, .drop(.messageTooLong)]).dropReason == .messageTooLong)
  }

  @Test(arguments: [.stop, .drop(.notReading), .receivedBytes, .hasTurn, .left, .answered] as [CallFlow.Event])
  func whatIsClosedStaysClosed(event: CallFlow.Event) {
    let closed = flow(after: [.closed, event])
    #expect(closed.isClosed)
    #expect(closed.dropReason == nil)
  }

  @Test func theEndOfACallUsuallyLeavesNothingToDo() {
    #expect(flow(after: [.receivedBytes, .began(.single), .answered]).isSettled(isEmpty: true))
    #expect(!flow(after: []).isSettled(isEmpty: false))
    for event in [.inputEnded, .left, .began(.single), .stop, .drop(.notReading)] as [CallFlow.Event] {
      #expect(!flow(after: [event]).isSettled(isEmpty: true), "\(event)")
    }
  }
}
