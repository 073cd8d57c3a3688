import Activity
import PeerProtocol
import Testing

@testable import Continuation

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
}
