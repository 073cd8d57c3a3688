// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Activities that a user opens on this machine, for a program of the same user.
struct OpenedActivityTests {
  private var machine = Machine()
  private let program = ClientID(7)

  private mutating func open(_ record: ActivityRecord, from origin: Origin = .local, user: UserID = 1000) -> [Effect] {
    machine.handle(.activityOpened(record, from: origin, client: ClientID(1), user: user))
  }

  private mutating func take(
    _ id: ActivityID,
    from device: DeviceID? = nil,
    user: UserID = 1000
  ) -> [Effect] {
    machine.handle(.continueRequested(id, from: device, client: program, user: user))
  }

  @Test mutating func aProgramGetsItOnce() {
    let record = Names.rich(1)
    #expect(open(record) == [.succeed(ClientID(1))])
    #expect(machine.wake == machine.time.instant + OpenedActivities.openedActivityTime)
    #expect(take(record.id) == [.deliver(program, record, device: nil, origin: .local)])
    #expect(take(record.id) == [.fail(program, .activityNotFound)])
    #expect(machine.wake == nil)
  }

  @Test mutating func nobodyElseGetsItAndNoListShowsIt() {
    let record = Names.rich(1)
    machine.connect(Names.desktop)
    #expect(open(record) == [.succeed(ClientID(1))])
    #expect(machine.offers().isEmpty && machine.offers(0).isEmpty)
    for user: UserID in [0, 1001] { #expect(take(record.id, user: user) == [.fail(program, .activityNotFound)]) }
    let effects = machine.handle(.received(.fetch(Fetch(request: 1, activity: record.id)), from: Names.desktop))
    #expect(effects == [.send(.failure(Failure(request: 1, reason: .activityNotFound)), to: Names.desktop)])
    // A device that offers the same ID is another matter.
    machine.offer(Names.record(1), from: Names.desktop)
    #expect(take(record.id, from: Names.desktop.device).contains { if case .send = $0 { true } else { false } })
    #expect(take(record.id) == [.deliver(program, record, device: nil, origin: .local)])
  }

  @Test mutating func whereItCameFromIsNotLost() {
    for (number, origin) in [Origin.device(Names.desktop.device), .unknown].enumerated() {
      let record = Names.rich(UInt64(number) + 1)
      #expect(open(record, from: origin) == [.succeed(ClientID(1))])
      #expect(take(record.id) == [.deliver(program, record, device: nil, origin: origin)])
    }
  }

  @Test mutating func itIsDroppedAfterAWhile() {
    let record = Names.rich(1)
    _ = open(record)
    #expect(machine.pass(OpenedActivities.openedActivityTime) == [])
    #expect(machine.continuation.opened.count == 0 && machine.wake == nil)
    #expect(take(record.id) == [.fail(program, .activityNotFound)])
  }

  @Test mutating func itIsDroppedIfNoProgramTakesIt() {
    let record = Names.rich(1)
    _ = open(record)
    #expect(machine.handle(.activityDropped(record.id, user: 1001)) == [])
    #expect(machine.continuation.opened.count == 1)
    #expect(machine.handle(.activityDropped(record.id, user: 1000)) == [])
    #expect(machine.continuation.opened.count == 0)
  }

  @Test mutating func oneUserOpensOnlySoMany() {
    for number in 1...UInt64(OpenedActivities.openedActivitiesPerUser) {
      #expect(open(Names.record(number)) == [.succeed(ClientID(1))])
    }
    #expect(open(Names.record(99)) == [.fail(ClientID(1), .limitReached)])
    #expect(open(Names.record(99), user: 1001) == [.succeed(ClientID(1))])
    _ = take(Names.id(1))
    #expect(open(Names.record(100)) == [.succeed(ClientID(1))])
  }

  @Test mutating func noStreamCanBeOpenedToIt() {
    let record = Names.rich(1)
    _ = open(record)
    _ = take(record.id)
    let effects = machine.handle(.streamRequested(record.id, client: program, user: 1000))
    #expect(effects == [.fail(program, .activityNotFound)])
  }
}
