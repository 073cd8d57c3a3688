// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VarlinkClient

struct PublicationTests {
  private let now = ContinuousClock.now
  private let first = Reconnection.reconnectBackoff.lowerBound

  /// Returns a publication to which this has happened. Its activity may be offered.
  private func publication(after events: Publication.Event...) -> Publication {
    var publication = Publication(Reconnection { 1 })
    for event in events { _ = publication.handle(event, isEligible: true, at: now) }
    return publication
  }

  /// The daemon has not answered yet.
  private var calling: Publication { publication(after: .becameCurrent) }
  /// Call 1 holds the activity.
  private var current: Publication { publication(after: .becameCurrent, .current(1)) }
  private var updating: Publication { publication(after: .becameCurrent, .current(1), .changed(isUrgent: true)) }
  private var saving: Publication { publication(after: .becameCurrent, .current(1), .willSave) }
  /// Call 1 holds the activity, and call 2 makes it current again.
  private var renewing: Publication { publication(after: .becameCurrent, .current(1), .becameCurrent) }
  private var resigning: Publication { publication(after: .becameCurrent, .current(1), .resigned) }
  /// There is no daemon.
  private var waiting: Publication { publication(after: .becameCurrent, .disconnected) }

  private let change: [Publication.Effect] = [.takeChange, .update(isSaved: false)]
  private func call(_ number: Reconnection.Number) -> [Publication.Effect] {
    [.takeChange, .connection(.call(number))]
  }
  private func release(_ number: Reconnection.Number) -> Publication.Effect { .connection(.release(number)) }
  private func retry(in pause: Duration) -> Publication.Effect { .connection(.wake(at: now + pause)) }
  private let noRetry = Publication.Effect.connection(.wake(at: nil))

  /// Hands over events, and expects the effects of the last one.
  private func expect(
    _ effects: [Publication.Effect],
    after events: Publication.Event...,
    in publication: Publication,
    isEligible: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var publication = publication
    var last: [Publication.Effect] = []
    for event in events { last = publication.handle(event, isEligible: isEligible, at: now) }
    #expect(last == effects, sourceLocation: location)
  }

  // MARK: Becoming current

  @Test func anActivityBecomesCurrentAndStaysIt() {
    expect(call(1), after: .becameCurrent, in: publication())
    expect([], after: .current(1), in: calling)
    expect(call(2), after: .becameCurrent, in: current)
    expect([release(1)], after: .current(2), in: renewing)
  }

  @Test func oneThatIsBecomingCurrentBecomesItAgainAfterwards() {
    expect([], after: .becameCurrent, in: calling)
    expect(call(2), after: .becameCurrent, .current(1), in: calling)
  }

  @Test func aDaemonThatGoesAwayIsCalledAgain() {
    expect([release(1), retry(in: first)], after: .disconnected, in: calling)
    expect([release(1), retry(in: first)], after: .disconnected, in: current)
    expect([release(2), release(1), retry(in: first)], after: .disconnected, in: renewing)
    expect([.takeChange, noRetry, .connection(.call(2))], after: .retry, in: waiting)
    expect([.takeChange, noRetry, .connection(.call(2))], after: .becameCurrent, in: waiting)
    expect([release(2), retry(in: first * 2)], after: .retry, .disconnected, in: waiting)
    expect([release(2), retry(in: first)], after: .retry, .current(2), .disconnected, in: waiting)
  }

  @Test func whatTheDaemonRefusesWaitsForAChange() {
    expect([release(1)], after: .refused, in: calling)
    expect([release(2), release(1)], after: .refused, in: renewing)
    expect(call(2), after: .refused, .changed(isUrgent: true), in: calling)
    // It changed in the meantime.
    expect([release(1)] + call(2), after: .changed(isUrgent: true), .refused, in: calling)
  }

  // MARK: Changes

  @Test func changesAreGathered() {
    let gathering = Publication.Effect.gather(until: now + Publication.activityChangeTime)
    expect([gathering], after: .changed(isUrgent: false), in: current)
    expect([], after: .changed(isUrgent: false), .changed(isUrgent: false), in: current)
    expect(change, after: .changed(isUrgent: false), .gathered, in: current)
    expect([gathering], after: .changed(isUrgent: false), .gathered, .updated, .changed(isUrgent: false), in: current)
    expect(change, after: .changed(isUrgent: false), .changed(isUrgent: true), in: current)
    expect([], after: .changed(isUrgent: true), .updated, .gathered, in: current)
  }

  @Test func aChangeWaitsForTheCallBeforeIt() {
    expect([], after: .changed(isUrgent: true), in: updating)
    expect(change, after: .changed(isUrgent: true), .updated, in: updating)
    expect([], after: .changed(isUrgent: true), in: calling)
    expect(change, after: .changed(isUrgent: true), .current(1), in: calling)
    expect([], after: .becameCurrent, in: updating)
    expect(call(2), after: .becameCurrent, .updated, in: updating)
  }

  @Test func aChangeOfWhatIsNotCurrentIsSentWithTheNextCall() {
    expect([.takeChange], after: .changed(isUrgent: true), in: publication())
    expect([.takeChange], after: .changed(isUrgent: true), in: waiting)
  }

  @Test func anUpdateThatFails() {
    expect([.forgetUpdate], after: .updateUnanswered, in: updating)
    expect([.forgetUpdate] + change, after: .changed(isUrgent: true), .updateUnanswered, in: updating)
    expect([release(1)], after: .updateRefused, in: updating)
    expect([release(1)] + call(2), after: .changed(isUrgent: true), .updateRefused, in: updating)
    expect([release(1), retry(in: first)], after: .updateDisconnected, in: updating)
  }

  @Test func aRefusalDoesNotEndTheWaitForADaemon() {
    expect([], after: .disconnected, .updateRefused, in: updating)
    expect([.takeChange, noRetry, .connection(.call(2))], after: .disconnected, .updateRefused, .retry, in: updating)
  }

  @Test func theDaemonIsNotCalledAgainBeforeItHasAnsweredTheUpdate() {
    expect([], after: .disconnected, .retry, in: updating)
    expect(
      [.forgetUpdate, .takeChange, noRetry, .connection(.call(2))],
      after: .disconnected,
      .retry,
      .updateUnanswered,
      in: updating
    )
  }

  // MARK: Saving

  @Test func theAppIsAskedForItsStateOnce() {
    expect([.save], after: .willSave, in: current)
    expect([], after: .willSave, in: saving)
    expect([.save], after: .saved(isAskedAgain: false), .updated, .willSave, in: saving)
  }

  @Test func noPartOfAStateIsSent() {
    expect([], after: .changed(isUrgent: true), in: saving)
    expect([], after: .becameCurrent, in: saving)
    expect([.takeChange, .update(isSaved: true)], after: .saved(isAskedAgain: false), in: saving)
    expect([], after: .changed(isUrgent: true), .saved(isAskedAgain: false), .updated, in: saving)
    expect(call(2), after: .becameCurrent, .saved(isAskedAgain: false), .updated, in: saving)
  }

  @Test func anAppThatWantsToBeAskedAgainIsSentOnceMore() {
    expect(change, after: .saved(isAskedAgain: true), .updated, in: saving)
    expect([], after: .saved(isAskedAgain: true), .updated, .updated, in: saving)
  }

  @Test func whatIsSavedIsSentEvenWithoutACallThatHoldsIt() {
    expect([.takeChange, .update(isSaved: true)], after: .disconnected, .saved(isAskedAgain: false), in: saving)
  }

  // MARK: Eligibility

  @Test func whatMayNoLongerBeOfferedWaitsForNothing() {
    let withdrawn: [Publication.Effect] = [.cancelUpdate, release(1), retry(in: first)]
    let event = Publication.Event.changed(isUrgent: true)
    expect(withdrawn, after: event, in: saving, isEligible: false)
    expect(withdrawn, after: event, in: updating, isEligible: false)
    expect(withdrawn, after: event, in: calling, isEligible: false)
    expect([.cancelUpdate, release(2), release(1), retry(in: first)], after: event, in: renewing, isEligible: false)
    expect(withdrawn, after: .saved(isAskedAgain: false), in: saving, isEligible: false)
    // It is an update like any other if nothing else is in progress.
    expect(change, after: event, in: current, isEligible: false)
  }

  @Test func whatWasWithdrawnBecomesCurrentAgain() {
    var publication = updating
    _ = publication.handle(.changed(isUrgent: true), isEligible: false, at: now)
    expect([.takeChange, noRetry, .connection(.call(2))], after: .retry, in: publication, isEligible: false)
  }

  // MARK: The end

  @Test func whatResignsGivesUpItsAttempts() {
    expect([], after: .resigned, in: publication())
    expect([release(1)], after: .resigned, in: calling)
    expect([.resign], after: .resigned, in: current)
    expect([release(2), .resign], after: .resigned, in: renewing)
    expect([noRetry], after: .resigned, in: waiting)
    expect([.resign], after: .resigned, in: updating)
    expect([], after: .resigned, in: resigning)
  }

  @Test func whatResignsDoesNotComeBack() {
    expect([], after: .resignationEnded(isDone: true), in: resigning)
    expect([release(1)], after: .resignationEnded(isDone: false), in: resigning)
    expect([release(1)], after: .disconnected, in: resigning)
    expect([.takeChange], after: .retry, in: publication(after: .becameCurrent, .disconnected, .resigned))
  }

  @Test func whatBecomesCurrentAgainWaitsForItsResignation() {
    expect([], after: .becameCurrent, in: resigning)
    expect(call(2), after: .becameCurrent, .resignationEnded(isDone: true), in: resigning)
    expect([release(1)] + call(2), after: .becameCurrent, .resignationEnded(isDone: false), in: resigning)
  }

  @Test func whatAnotherActivityReplacedDoesNotComeBack() {
    expect([release(1)], after: .displaced(isShuttingDown: false), .disconnected, in: current)
    expect([release(1), retry(in: first)], after: .displaced(isShuttingDown: true), .disconnected, in: current)
    expect([.tellContinued(device: "desktop")], after: .continued(device: "desktop"), in: current)
    expect([release(1)], after: .continued(device: nil), .disconnected, in: current)
  }

  @Test(arguments: [.displaced(isShuttingDown: false), .continued(device: nil)] as [Publication.Event])
  func whatTheAppMadeCurrentAgainStays(end: Publication.Event) {
    expect([release(1)], after: end, .current(2), in: renewing)
    expect([release(2), release(1), retry(in: first)], after: end, .disconnected, in: renewing)
    expect(call(2), after: .becameCurrent, end, .updated, in: updating)
  }
}
