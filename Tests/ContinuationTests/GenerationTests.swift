// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// The generations of offers, which tell an offer that comes back from one that stayed.
struct GenerationTests {
  private let desktop = Names.desktop

  private func generation(_ machine: Machine) -> UInt64? { machine.continuation.offers(for: 1000).first?.generation }

  private func see(
    _ counter: UInt64,
    since: UInt32,
    epoch: UInt64 = 1,
    title: String = "Notes",
    time: Int64 = 0,
    _ machine: inout Machine
  ) -> UInt64? {
    var advert = Names.advert(desktop, epoch, counter, Names.record(1) { $0.title = title }, time: time)
    advert.current?.since = since
    _ = machine.handle(.advertSeen(advert, team: Names.team))
    return generation(machine)
  }

  @Test func anOfferThatWasTakenAndComesBackIsAnother() throws {
    var machine = Machine()
    machine.connect(desktop)
    var generations: Set<UInt64> = []
    for _ in 1...50 {
      machine.offer(Names.record(1), from: desktop)
      #expect(generations.insert(try #require(generation(machine))).inserted)
      // No client looks at the offers between this and the next offer, so for a client both arrive in one batch.
      machine.take(Names.record(1), from: desktop)
    }
    #expect(machine.offers() == [])
  }

  @Test func anOfferThatWasWithdrawnAndComesBackIsAnother() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    let first = try #require(generation(machine))
    _ = machine.handle(.received(.withdraw(Withdraw(activity: Names.id(1), counter: 2)), from: desktop))
    machine.offer(Names.record(1), from: desktop, counter: 3)
    #expect(try #require(generation(machine)) > first)
  }

  @Test func anOfferThatChangesOrIsConfirmedIsTheSame() throws {
    var machine = Machine()
    let first = try #require(see(1, since: 1, title: "Old", &machine))
    #expect(see(2, since: 1, title: "Notes", &machine) == first)
    machine.connect(desktop)
    machine.offer(Names.record(1) { $0.webpageHost = "example.org" }, from: desktop)
    machine.offer(Names.record(1) { $0.title = "Newer" }, from: desktop)
    #expect(generation(machine) == first)
  }

  @Test func anAdvertTellsThatTheActivityWasGoneInBetween() throws {
    var machine = Machine()
    let first = try #require(see(1, since: 1, &machine))
    // Another of the device's activities has changed.
    #expect(see(2, since: 1, &machine) == first)
    let second = try #require(see(4, since: 4, &machine))
    #expect(second != first)
    // A daemon that began to count again.
    #expect(try #require(see(4, since: 4, epoch: 2, &machine)) != second)
  }

  @Test func anAdvertTellsThatTheActivityWasGoneAfterTheSession() throws {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1) { $0.title = "Notes" }, from: desktop, counter: 5)
    let first = try #require(generation(machine))
    _ = machine.handle(.sessionEnded(desktop, .sessionIdle))
    let now = Int64(machine.time.date)
    #expect(see(6, since: 2, time: now, &machine) == first)
    #expect(try #require(see(8, since: 8, time: now, &machine)) != first)
  }

  @Test func anAdvertOfAnOlderDaemonTellsNothing() throws {
    var machine = Machine()
    let first = try #require(see(1, since: 0, &machine))
    #expect(see(5, since: 0, &machine) == first)
    #expect(see(6, since: 1, &machine) == first)
    #expect(see(7, since: 0, &machine) == first)
    #expect(try #require(see(8, since: 8, &machine)) != first)
  }

  @Test func noGenerationIsOneOfAnEarlierDaemon() throws {
    var machine = Machine()
    machine.continuation = ContinuationCore(epoch: 1_700_000_000_000)
    _ = machine.handle(.teamsChanged([Names.team: [1000]]))
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    #expect(try #require(generation(machine)) > 1_700_000_000_000)
  }
}
