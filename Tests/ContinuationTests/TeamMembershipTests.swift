// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Who sees what, which depends on teams only.
struct TeamMembershipTests {
  private let team = Names.team
  private let otherTeam = Names.otherTeam
  private let desktop = Names.desktop
  private let stranger = Names.stranger

  /// Returns a machine on which user 1000 is in one team and user 1001 in the other, with a connected peer of each.
  private func machine() -> Machine {
    var machine = Machine(teams: [Names.team: [1000], Names.otherTeam: [1001]])
    machine.connect(Names.desktop)
    machine.connect(Names.stranger)
    return machine
  }

  @Test func offersOfAnotherUsersTeamAreNeverSeen() {
    var machine = machine()
    machine.offer(Names.record(1), from: desktop)
    machine.offer(Names.record(2), from: stranger)
    #expect(machine.offers(1000) == [Names.id(1)])
    #expect(machine.offers(1001) == [Names.id(2)])
    #expect(machine.offers(1002) == [])
    #expect(machine.offers(0) == [Names.id(2), Names.id(1)])
    #expect(
      machine.handle(.continueRequested(Names.id(2), client: c1, user: 1000)) == [.fail(c1, .activityNotFound)]
    )
    #expect(
      machine.handle(.continueRequested(Names.id(2), client: c1, user: 0))
        == [.send(.fetch(Fetch(request: 1, activity: Names.id(2))), to: stranger)]
    )
  }

  @Test func mayUseIsForOwnersAndRoot() {
    let machine = machine()
    #expect([0, 1000, 1001, 1002].map { machine.continuation.mayUse(team, $0) } == [true, true, false, false])
    #expect(!machine.continuation.mayUse(Names.peer(1, team: TeamID(bytes: Array(repeating: 9, count: 32))!).team, 0))
  }

  @Test func anActivityIsOfferedInItsUsersTeams() {
    var machine = machine()
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: nil, client: c1, user: 1000)) == [
        .tell(c1, .current), .send(.offer(Offer(activity: Names.record(1), counter: 2)), to: desktop),
        .announce(team, current: Names.record(1), counter: 2),
      ]
    )
    let fetch = ContinuationCore.Event.received(.fetch(Fetch(request: 1, activity: Names.id(1))), from: stranger)
    #expect(
      machine.handle(fetch) == [.send(.failure(Failure(request: 1, reason: .activityNotFound)), to: stranger)]
    )
  }

  @Test func anActivityMayBeLimitedToOneTeam() {
    var machine = Machine(teams: [team: [1000], otherTeam: [1000]])
    machine.connect(desktop)
    machine.connect(stranger)
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: otherTeam, client: c1, user: 1000)) == [
        .tell(c1, .current), .send(.offer(Offer(activity: Names.record(1), counter: 2)), to: stranger),
        .announce(otherTeam, current: Names.record(1), counter: 2),
      ]
    )
    let fetch = ContinuationCore.Event.received(.fetch(Fetch(request: 1, activity: Names.id(1))), from: desktop)
    #expect(machine.handle(fetch) == [.send(.failure(Failure(request: 1, reason: .activityNotFound)), to: desktop)])
  }

  @Test func onlyInATeamOfTheUser() {
    var machine = machine()
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: otherTeam, client: c1, user: 1000))
        == [.fail(c1, .teamNotFound)]
    )
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: otherTeam, client: c1, user: 0)).first == .tell(c1, .current)
    )
  }

  @Test func peersOfATeamThatIsNotOursAreNotHeard() {
    var machine = Machine()
    #expect(machine.handle(.advertSeen(Names.advert(stranger, 1, 1, Names.record(1)), team: otherTeam)) == [])
    #expect(machine.handle(.sessionReady(stranger, Names.hello(of: stranger), isFirst: true)) == [])
    #expect(machine.handle(.received(.offer(Offer(activity: Names.record(1), counter: 1)), from: stranger)) == [])
    #expect(machine.continuation.peers.count == 0)
  }

  // MARK: Leaving a team

  @Test func leavingATeamForgetsItsPeers() {
    var machine = machine()
    machine.offer(Names.record(1), from: desktop)
    #expect(machine.handle(.teamsChanged([otherTeam: [1001]])) == [.offersChanged])
    #expect(machine.offers(0) == [])
    #expect(machine.handle(.sessionEnded(desktop, .shuttingDown)) == [])
  }

  @Test func anActivityOfThatTeamAloneIsNotCurrentAnyMore() {
    var machine = machine()
    machine.publish(Names.record(1), client: 1, user: 1000, team: team)
    machine.publish(Names.record(2), client: 2, user: 1001)
    #expect(machine.handle(.teamsChanged([otherTeam: [1001]])) == [.tell(c1, .resigned(.teamNotFound))])
    #expect(machine.continuation.currentActivity(of: 1000) == nil)
    #expect(machine.continuation.currentActivity(of: 1001) == Names.record(2))
  }

  @Test func aUserWhoLeavesATeamThatOthersShareIsToldSo() {
    var machine = machine()
    machine.publish(Names.record(1), client: 1, user: 1000, team: team)
    machine.publish(Names.record(2), client: 2, user: 1001, team: otherTeam)
    #expect(
      machine.handle(.teamsChanged([team: [1002], otherTeam: [1001]])).first == .tell(c1, .resigned(.teamNotFound))
    )
    #expect(machine.continuation.currentActivity(of: 1000) == nil)
    #expect(machine.continuation.currentActivity(of: 1001) == Names.record(2))
  }

  @Test func whatWasBeingContinuedFails() {
    var machine = machine()
    machine.offer(Names.record(1), from: desktop)
    _ = machine.handle(.continueRequested(Names.id(1), client: c1, user: 1000))
    #expect(machine.handle(.teamsChanged([otherTeam: [1001]])) == [.fail(c1, .teamNotFound), .offersChanged])
  }

  @Test func streamsThatWaitEnd() {
    var machine = machine()
    machine.take(Names.rich(1), from: desktop)
    _ = machine.handle(.streamRequested(Names.id(1), client: c1, user: 1000))
    machine.publish(Names.rich(2), client: 2)
    machine.giveAway(Names.id(2), to: desktop)
    _ = machine.handle(.receivedOfStream(.open(Open(stream: 2, activity: Names.id(2))), from: desktop))
    #expect(machine.handle(.teamsChanged([otherTeam: [1001]])) == [.fail(c1, .streamInterrupted)])
    #expect(!machine.continuation.waitingStreams.peers.contains(desktop))
    #expect(!machine.continuation.openingStreams.peers.contains(desktop))
    #expect(machine.wake == nil)
  }

  @Test func aUserWhoMayNotUseTheTeamAnyMoreGetsNothingOfIt() {
    var machine = machine()
    machine.take(Names.rich(1), from: desktop)
    machine.offer(Names.record(2), from: desktop)
    machine.publish(Names.record(3), client: 3)
    _ = machine.handle(.continueRequested(Names.id(2), client: c1, user: 1000))
    #expect(
      machine.handle(.teamsChanged([team: [1002], otherTeam: [1001]])) == [
        .fail(c1, .teamNotFound), .offersChanged,
        .send(.withdraw(Withdraw(activity: Names.id(3), counter: 3)), to: desktop),
        .announce(team, current: nil, counter: 3),
      ]
    )
    #expect(machine.offers(1000) == [])
    #expect(machine.handle(.streamRequested(Names.id(1), client: c2, user: 1000)) == [.fail(c2, .activityNotFound)])
  }
}
