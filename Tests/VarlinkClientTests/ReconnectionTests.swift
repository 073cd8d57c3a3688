// SPDX-License-Identifier: Apache-2.0

import Testing
import VarlinkClient

struct ReconnectionTests {
  private let now = ContinuousClock.now
  private let first = Reconnection.reconnectBackoff.lowerBound

  /// Returns a machine to which this has happened.
  private func machine(after events: Reconnection.Event...) -> Reconnection {
    var machine = Reconnection { 1 }
    for event in events { _ = machine.handle(event, at: now) }
    return machine
  }

  /// Call 1 stands.
  private var standing: Reconnection { machine(after: .call, .replied(1)) }
  /// Call 1 stands, and call 2 is to replace it.
  private var replacing: Reconnection { machine(after: .call, .replied(1), .call) }
  private var waiting: Reconnection { machine(after: .call, .failed(1, .disconnected)) }
  /// Call 1 stands, and call 2 failed.
  private var waitingToReplace: Reconnection { machine(after: .call, .replied(1), .call, .failed(2, .timedOut)) }

  private func expect(
    _ effects: [Reconnection.Effect],
    after event: Reconnection.Event,
    _ machine: Reconnection,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var machine = machine
    #expect(machine.handle(event, at: now) == effects, sourceLocation: location)
  }

  @Test func eachStateIsTold() {
    let states = [machine(), machine(after: .call), standing, replacing, waiting, waitingToReplace]
    #expect(states.map(\.isStanding) == [false, false, true, true, false, true])
    #expect(states.map(\.isCalling) == [false, true, false, true, false, false])
    #expect(states.map(\.isWaiting) == [false, false, false, false, true, true])
  }

  @Test func aCallReplacesAnAttemptImmediatelyAndAStandingCallLater() {
    expect([.call(1)], after: .call, machine())
    expect([.call(2), .release(1)], after: .call, machine(after: .call))
    expect([.call(2)], after: .call, standing)
    expect([.call(3), .release(2)], after: .call, replacing)
    expect([.wake(at: nil), .call(2)], after: .call, waiting)
    expect([.wake(at: nil), .call(3)], after: .call, waitingToReplace)
  }

  @Test func anAttemptStandsFromItsFirstReply() {
    expect([], after: .replied(1), machine(after: .call))
    expect([], after: .replied(1), standing)
    expect([], after: .replied(1), replacing)
    expect([.release(1)], after: .replied(2), replacing)
  }

  @Test func aFailureIsFollowedByAnAttempt() {
    let wake = Reconnection.Effect.wake(at: now + first)
    expect([.release(1), wake, .tellFailed(.timedOut)], after: .failed(1, .timedOut), machine(after: .call))
    expect([.release(1), wake, .tellLost, .tellFailed(.timedOut)], after: .failed(1, .timedOut), standing)
    expect([.release(2), wake, .tellFailed(.timedOut)], after: .failed(2, .timedOut), replacing)
    expect([.call(2)], after: .wake, waiting)
    expect([.call(3)], after: .wake, waitingToReplace)
  }

  @Test func anAttemptUnderWayTellsHowItEnds() {
    expect([.release(1), .tellLost], after: .failed(1, .disconnected), replacing)
    let calling = machine(after: .call, .replied(1), .call, .failed(1, .disconnected))
    #expect(calling.isCalling && !calling.isStanding)
  }

  @Test func aStandingCallThatIsLostBeforeItsReplacementStartsThePauseAgain() {
    expect(
      [.release(1), .wake(at: now + first * 2), .tellLost, .tellFailed(.disconnected)],
      after: .failed(1, .disconnected),
      waitingToReplace
    )
  }

  @Test func aPauseOfItsOwnCountsAsOneOfTheBackOff() {
    let own = Duration.seconds(600)
    expect(
      [.release(1), .wake(at: now + own), .tellFailed(.timedOut)],
      after: .failed(1, .timedOut, pause: own),
      machine(after: .call)
    )
    expect(
      [.release(2), .wake(at: now + first * 2), .tellFailed(.timedOut)],
      after: .failed(2, .timedOut),
      machine(after: .call, .failed(1, .timedOut, pause: own), .wake)
    )
  }

  @Test func thePauseDoublesUntilAnAttemptSucceeds() {
    var machine = Reconnection { 1 }
    var pauses: [Duration] = []
    for number in 1...8 as ClosedRange<UInt64> {
      _ = machine.handle(number == 1 ? .call : .wake, at: now)
      for case .wake(let instant?) in machine.handle(.failed(number, .disconnected), at: now) {
        pauses.append(instant - now)
      }
    }
    #expect(pauses.map { $0 / first } == [1, 2, 4, 8, 16, 32, 50, 50])
    _ = machine.handle(.wake, at: now)
    _ = machine.handle(.replied(9), at: now)
    #expect(machine.handle(.pause, at: now) == [.release(9), .wake(at: now + first)])
  }

  @Test func thePauseIsAtLeastHalfOfWhatIsDue() {
    var machine = Reconnection { 0 }
    #expect(machine.handle(.pause, at: now) == [.wake(at: now + first * 0.5)])
  }

  @Test func aPauseGivesUpEveryCall() {
    let wake = Reconnection.Effect.wake(at: now + first)
    expect([wake], after: .pause, machine())
    expect([.release(1), wake], after: .pause, machine(after: .call))
    expect([.release(1), wake], after: .pause, standing)
    expect([.release(2), .release(1), wake], after: .pause, replacing)
    expect([.release(1), .wake(at: now + first * 2)], after: .pause, waitingToReplace)
  }

  @Test func whatIsSettledKeepsTheCallThatStands() {
    expect([], after: .settle, machine())
    expect([.release(1)], after: .settle, machine(after: .call))
    expect([], after: .settle, standing)
    expect([.release(2)], after: .settle, replacing)
    expect([.wake(at: nil)], after: .settle, waiting)
    expect([.wake(at: nil)], after: .settle, waitingToReplace)
    #expect(machine(after: .call, .replied(1), .call, .settle).isStanding)
  }

  @Test func whatIsStoppedHasNoCallAndNoTime() {
    expect([], after: .stop, machine())
    expect([.release(1)], after: .stop, machine(after: .call))
    expect([.release(1)], after: .stop, standing)
    expect([.release(2), .release(1)], after: .stop, replacing)
    expect([.wake(at: nil)], after: .stop, waiting)
    expect([.wake(at: nil), .release(1)], after: .stop, waitingToReplace)
  }

  @Test(arguments: [.replied(1), .failed(1, .disconnected), .wake] as [Reconnection.Event])
  func lateEventsAreIgnored(event: Reconnection.Event) {
    expect([], after: event, machine())
    expect([], after: event, machine(after: .call, .call))
    expect([], after: event, machine(after: .call, .stop))
    expect([], after: event, machine(after: .call, .replied(1), .stop))
  }
}
