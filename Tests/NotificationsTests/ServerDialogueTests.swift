// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

@Suite struct ServerDialogueTests {
  private let now = ContinuousClock.now

  /// Returns a dialogue with a server that was asked and has replied.
  private func ready() -> ServerDialogue {
    var dialogue = ServerDialogue()
    #expect(dialogue.readiness(at: now) == .asks)
    dialogue.isReady()
    return dialogue
  }

  @Test func aServerIsAskedOnceBeforeAnythingIsSent() {
    var dialogue = ServerDialogue()
    #expect(dialogue.isPossible)
    #expect(dialogue.readiness(at: now) == .asks)
    #expect(!dialogue.isPossible)
    #expect(dialogue.readiness(at: now) == .waits)
    dialogue.isReady()
    #expect(dialogue.isPossible)
    #expect(dialogue.readiness(at: now) == .ready)
  }

  @Test func whatComesUnaskedDoesNotCount() {
    var dialogue = ServerDialogue()
    dialogue.isReady()
    dialogue.isMissing(now)
    #expect(dialogue.retryAt == nil)
    #expect(dialogue.readiness(at: now) == .asks)
  }

  @Test func aMissingServerIsAskedAgainAfterAPause() throws {
    var dialogue = ServerDialogue()
    _ = dialogue.readiness(at: now)
    dialogue.isMissing(now)
    let retryAt = try #require(dialogue.retryAt)
    dialogue.lookAgain()
    #expect(retryAt > now)
    #expect(dialogue.readiness(at: now) == .waits)
    #expect(dialogue.readiness(at: retryAt) == .asks)
  }

  @Test func aLateReplyIsNoLongerAwaited() throws {
    var dialogue = ready()
    let first = dialogue.send(at: now)
    dialogue.replied(to: first + 1)
    #expect(dialogue.isAwaitingReply)
    let deadline = try #require(dialogue.replyDeadline)
    #expect(deadline == now + ServerDialogue.notificationReplyTime)
    #expect(dialogue.giveUp(at: now) == false)
    #expect(dialogue.giveUp(at: deadline) == true)
    #expect(dialogue.giveUp(at: deadline) == false)
    let second = dialogue.send(at: deadline)
    #expect(second > first)
    dialogue.replied(to: second)
    #expect(!dialogue.isAwaitingReply)
  }

  @Test func refusalsMakePausesThatASuccessEnds() throws {
    var dialogue = ready()
    dialogue.pause(now)
    let first = try #require(dialogue.retryAt)
    dialogue.pause(now)
    #expect(try #require(dialogue.retryAt) > first)
    dialogue.succeeded()
    #expect(dialogue.readiness(at: now) == .ready)
    dialogue.pause(now)
    #expect(dialogue.retryAt == first)
  }

  @Test func nothingIsKnownOfTheNextServer() {
    var dialogue = ready()
    _ = dialogue.send(at: now)
    dialogue.pause(now)
    dialogue.forget(.missing)
    #expect(!dialogue.isAwaitingReply && dialogue.retryAt == nil && !dialogue.isPossible)
    dialogue.forget(.unknown)
    #expect(dialogue.readiness(at: now) == .asks)
  }
}
