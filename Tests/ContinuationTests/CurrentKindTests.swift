// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// What is copied or played is beside what the user is doing.
struct CurrentKindTests {
  private let team = Names.team
  private let desktop = Names.desktop

  private func record(_ number: UInt64, _ type: String) throws -> ActivityRecord {
    try ActivityRecord(id: Names.id(number), activityType: type)
  }

  private func offered(_ effects: [ContinuationCore.Effect]) -> [ActivityID] {
    effects.compactMap { if case .send(.offer(let offer), _) = $0 { offer.activity.id } else { nil } }
  }

  private func withdrawn(_ effects: [ContinuationCore.Effect]) -> [ActivityID] {
    effects.compactMap { if case .send(.withdraw(let withdraw), _) = $0 { withdraw.activity } else { nil } }
  }

  @Test func eachKindTakesOnlyThePlaceOfItsOwn() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    machine.publish(try record(2, "io.baton.clipboard"), client: 2)
    machine.publish(try record(3, "io.baton.playback"), client: 3)
    #expect(machine.continuation.currentActivity(of: 1000)?.id == Names.id(1))
    let copied = machine.handle(
      .becameCurrent(try record(4, "io.baton.clipboard"), team: nil, client: c2, user: 1000)
    )
    #expect(withdrawn(copied) == [Names.id(2)])
    #expect(offered(copied) == [Names.id(4)])
    let other = machine.handle(.becameCurrent(Names.record(5), team: nil, client: c1, user: 1000))
    #expect(withdrawn(other) == [Names.id(1)])
    #expect(machine.continuation.currentActivity(of: 1000)?.id == Names.id(5))
  }

  @Test func theAdvertShowsWhatTheUserDoes() throws {
    var machine = Machine()
    let page = Names.record(1)
    machine.publish(page)
    let effects = machine.handle(
      .becameCurrent(try record(2, "io.baton.playback"), team: nil, client: c2, user: 1000)
    )
    #expect(effects.contains(.announce(team, current: page, counter: 3)))
  }

  @Test func whatIsCopiedIsShownIfNothingElseIsCurrent() throws {
    var machine = Machine()
    let copied = try record(1, "io.baton.clipboard")
    let effects = machine.handle(.becameCurrent(copied, team: nil, client: c1, user: 1000))
    #expect(effects.contains(.announce(team, current: copied, counter: 2)))
    #expect(machine.continuation.currentActivity(of: 1000) == nil)
  }

  @Test func aLockedScreenWithholdsAllOfThem() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(Names.record(1))
    machine.publish(try record(2, "io.baton.clipboard"), client: 2)
    let effects = machine.handle(.screensLocked([1000]))
    #expect(Set(withdrawn(effects)) == [Names.id(1), Names.id(2)])
  }

  @Test func anActivityThatStaysHereDoesNotWithholdTheOthers() throws {
    var machine = Machine()
    machine.connect(desktop)
    var record = Names.record(1)
    record.isEligibleForHandoff = false
    machine.publish(record)
    let effects = machine.handle(
      .becameCurrent(try self.record(2, "io.baton.playback"), team: nil, client: c2, user: 1000)
    )
    #expect(offered(effects) == [Names.id(2)])
  }

  // MARK: What was copied can be pasted several times

  private func fetch(_ id: ActivityID, _ peer: PeerID, _ request: UInt64, _ machine: inout Machine) -> [Effect] {
    let fetched = machine.handle(.received(.fetch(Fetch(request: request, activity: id)), from: peer))
    let reported = machine.handle(.received(.continued(Continued(activity: id, delivered: true)), from: peer))
    #expect(withdrawn(fetched + reported) == [])
    #expect(!(fetched + reported).contains { if case .tell(_, .continued) = $0 { true } else { false } })
    return fetched
  }

  @Test func whatWasCopiedStaysOfferedHoweverOftenItIsFetched() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(Names.tablet)
    let copied = try record(1, "io.baton.clipboard")
    machine.publish(copied)
    for (peer, request) in [(desktop, 1), (Names.tablet, 1), (desktop, 2)] as [(PeerID, UInt64)] {
      let payload = Payload(request: request, activity: copied)
      #expect(fetch(copied.id, peer, request, &machine).contains(.send(.payload(payload), to: peer)))
      #expect(machine.continuation.local[copied.id]?.continuedBy.contains(peer) == true)
    }
    #expect(machine.continuation.local[copied.id]?.isOffered == true)
  }

  @Test func twoPeersFetchAtTheSameTime() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(Names.tablet)
    let copied = try record(1, "io.baton.clipboard")
    machine.publish(copied)
    for peer in [desktop, Names.tablet] {
      let effects = machine.handle(.received(.fetch(Fetch(request: 1, activity: copied.id)), from: peer))
      #expect(effects.contains(.send(.payload(Payload(request: 1, activity: copied)), to: peer)))
    }
  }

  @Test func theReceiverKeepsTheOffer() throws {
    var machine = Machine()
    machine.connect(desktop)
    let copied = try record(1, "io.baton.clipboard")
    machine.take(copied, from: desktop)
    #expect(machine.offers() == [copied.id])
    machine.take(copied, from: desktop)
    #expect(machine.offers() == [copied.id])
  }

  @Test func whatWasReplacedCannotBeFetched() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(try record(1, "io.baton.clipboard"))
    machine.publish(try record(2, "io.baton.clipboard"), client: 2)
    let effects = machine.handle(.received(.fetch(Fetch(request: 1, activity: Names.id(1))), from: desktop))
    #expect(effects.contains(.send(.failure(Failure(request: 1, reason: .activityWithdrawn)), to: desktop)))
  }

  @Test func severalProgramsPasteTheSameAtTheSameTime() throws {
    var machine = Machine()
    machine.connect(desktop)
    let copied = try record(1, "io.baton.clipboard")
    machine.offer(copied, from: desktop)
    let request = machine.continuation.peers[desktop]?.nextRequest ?? 0
    let first = machine.handle(.continueRequested(copied.id, client: c1, user: 1000))
    #expect(first.contains(.send(.fetch(Fetch(request: request, activity: copied.id)), to: desktop)))
    let c4 = ClientID(4)
    let clients = [(c2, 1001), (c3, 1000), (c4, 1000)] as [(ClientID, UserID)]
    for (client, user) in clients {
      #expect(machine.handle(.continueRequested(copied.id, client: client, user: user)) == [])
    }
    // Those who leave get nothing, and the others do, whoever was first.
    _ = machine.handle(.clientLeft(c1))
    _ = machine.handle(.clientLeft(c4))
    let effects = machine.handle(.received(.payload(Payload(request: request, activity: copied)), from: desktop))
    let delivered = effects.compactMap { if case .deliver(let client, _, _, _) = $0 { client } else { nil } }
    #expect(delivered == [c2, c3])
    #expect(machine.continuation.continued[copied.id, by: 1001] != nil)
  }

  @Test func allOfThemLearnOfAFailure() throws {
    var machine = Machine()
    machine.connect(desktop)
    let copied = try record(1, "io.baton.clipboard")
    machine.offer(copied, from: desktop)
    let request = machine.continuation.peers[desktop]?.nextRequest ?? 0
    for client in [c1, c2] { _ = machine.handle(.continueRequested(copied.id, client: client, user: 1000)) }
    let failure = Failure(request: request, reason: .activityWithdrawn)
    let effects = machine.handle(.received(.failure(failure), from: desktop))
    #expect([c1, c2].allSatisfy { effects.contains(.fail($0, .activityWithdrawn)) })
  }
}
