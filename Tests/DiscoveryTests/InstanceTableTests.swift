// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Discovery

struct InstanceTableTests {
  private let v4 = Sighting(instance: "one", interface: 2, ipVersion: 0)
  private let v6 = Sighting(instance: "one", interface: 2, ipVersion: 1)
  private let a: [UInt8] = [1, 65]
  private let b: [UInt8] = [1, 66]
  private let foundA = InstanceTable.Effect.found(instance: "one", text: [[65]])
  private let foundB = InstanceTable.Effect.found(instance: "one", text: [[66]])

  /// Returns a table that has seen the instance in both ways and knows its text.
  private func table() -> InstanceTable {
    var table = InstanceTable()
    #expect(table.handle(.appeared(v4)) == [.watch(v4)])
    #expect(table.handle(.textAppeared(a, v4)) == [foundA])
    #expect(table.handle(.appeared(v6)) == [.watch(v6)])
    #expect(table.handle(.textAppeared(a, v6)) == [])
    return table
  }

  @Test func anInstanceIsFoundOnceForAllSightings() {
    let table = table()
    #expect(table.sightings(of: "one") == [v4, v6])
    #expect(table.sightings(of: "two") == [])
  }

  @Test func theSameSightingIsWatchedOnce() {
    var table = table()
    #expect(table.handle(.appeared(v4)) == [])
  }

  @Test func aChangeIsToldOnceAndNotTakenBack() {
    var table = table()
    #expect(table.handle(.textAppeared(b, v4)) == [foundB])
    #expect(table.handle(.textAppeared(b, v6)) == [])
    #expect(table.handle(.textDisappeared(a, v4)) == [])
    #expect(table.handle(.textDisappeared(a, v6)) == [])
  }

  @Test func aReturnToTheOldTextIsToldByTheRemoval() {
    var table = table()
    _ = table.handle(.textAppeared(b, v4))
    _ = table.handle(.textAppeared(b, v6))
    // The text is a again, whose record is still alive. So Avahi announces nothing except, seconds later, that b has
    // ended.
    #expect(table.handle(.textDisappeared(b, v4)) == [])
    #expect(table.handle(.textDisappeared(b, v6)) == [foundA])
  }

  @Test func aStaleRecordThatComesLastIsCorrectedByItsRemoval() {
    var table = InstanceTable()
    _ = table.handle(.appeared(v4))
    #expect(table.handle(.textAppeared(b, v4)) == [foundB])
    #expect(table.handle(.textAppeared(a, v4)) == [foundA])
    #expect(table.handle(.textDisappeared(a, v4)) == [foundB])
  }

  @Test func aLateInterfaceDoesNotBringTheOldTextBack() {
    var table = table()
    _ = table.handle(.textAppeared(b, v4))
    let c: [UInt8] = [1, 67]
    #expect(table.handle(.textAppeared(c, v4)) == [.found(instance: "one", text: [[67]])])
    #expect(table.handle(.textAppeared(b, v6)) == [])
  }

  @Test func itIsLostWithItsLastSighting() {
    var table = table()
    #expect(table.handle(.disappeared(v4)) == [.unwatch(v4)])
    #expect(table.handle(.disappeared(v6)) == [.unwatch(v6), .lost(instance: "one")])
    #expect(table.handle(.disappeared(v6)) == [])
    #expect(table.handle(.textAppeared(b, v6)) == [])
    #expect(table.handle(.appeared(v4)) == [.watch(v4)])
    #expect(table.handle(.textAppeared(a, v4)) == [foundA])
  }

  @Test func whatWasNeverFoundIsNotLost() {
    var table = InstanceTable()
    _ = table.handle(.appeared(v4))
    #expect(table.handle(.disappeared(v4)) == [.unwatch(v4)])
  }

  @Test func theTextOfTheOtherInterfaceCountsWhenOneGoes() {
    var table = table()
    _ = table.handle(.textAppeared(b, v4))
    #expect(table.handle(.disappeared(v4)) == [.unwatch(v4), foundA])
  }

  @Test func aFailedWatchIsTriedAgain() {
    var table = InstanceTable()
    _ = table.handle(.appeared(v4))
    #expect(table.handle(.watchFailed(v4)) == [])
    #expect(table.handle(.retryDue) == [.watch(v4)])
    #expect(table.handle(.retryDue) == [])
  }

  @Test func aResetLosesEverythingFound() {
    var table = table()
    _ = table.handle(.appeared(Sighting(instance: "two", interface: 2, ipVersion: 0)))
    #expect(table.handle(.reset) == [.lost(instance: "one")])
    #expect(table.handle(.reset) == [])
    #expect(table.sightings(of: "one") == [])
  }

  @Test func brokenAndLongTextsAreIgnored() {
    var table = InstanceTable()
    _ = table.handle(.appeared(v4))
    #expect(table.handle(.textAppeared([9, 1], v4)) == [])
    #expect(table.handle(.textAppeared([UInt8](repeating: 0, count: Limits.advertLength + 1), v4)) == [])
    #expect(table.handle(.textAppeared([UInt8](repeating: 0, count: Limits.advertLength), v4)).count == 1)
  }

  @Test func aFloodOfTextsIsBounded() {
    var table = InstanceTable()
    _ = table.handle(.appeared(v4))
    for number in 0...UInt8(InstanceTable.textsPerInstance) { _ = table.handle(.textAppeared([1, number], v4)) }
    // The first text has been forgotten, and does not come back when all the others go.
    var told: [InstanceTable.Effect] = []
    for number in (1...UInt8(InstanceTable.textsPerInstance)).reversed() {
      told += table.handle(.textDisappeared([1, number], v4))
    }
    #expect(told.last == .found(instance: "one", text: [[1]]))
  }

  @Test func instancesBeyondTheLimitWaitForRoom() {
    var table = InstanceTable()
    func sighting(_ number: Int) -> Sighting { Sighting(instance: "\(number)", interface: 2, ipVersion: 0) }
    for number in 0..<InstanceTable.instances { #expect(table.handle(.appeared(sighting(number))).count == 1) }
    let first = sighting(InstanceTable.instances)
    let second = sighting(InstanceTable.instances + 1)
    #expect(table.handle(.appeared(first)) == [])
    #expect(table.handle(.appeared(second)) == [])
    #expect(table.handle(.disappeared(sighting(7))) == [.unwatch(sighting(7)), .watch(first)])
    #expect(table.handle(.disappeared(second)) == [])
    #expect(table.handle(.disappeared(first)) == [.unwatch(first)])
  }

  /// A stranger's instances do not displace those of the team, and do not hide others for long.
  @Test func everyInstanceIsLookedAtHoweverManyThereAre() {
    var table = InstanceTable()
    func sighting(_ name: String) -> Sighting { Sighting(instance: name, interface: 2, ipVersion: 0) }
    _ = table.handle(.appeared(sighting("proven")))
    _ = table.handle(.appeared(sighting("ours")))
    _ = table.handle(.ranked(instance: "proven", .proven))
    _ = table.handle(.ranked(instance: "ours", .ours))
    for number in 0..<InstanceTable.instances + 300 { _ = table.handle(.appeared(sighting("stranger \(number)"))) }
    #expect(table.handle(.appeared(sighting("late"))) == [] && table.isCrowded)
    // The first turn goes to the instances that came first. Then each of the others gets one.
    #expect(table.handle(.rotated) == [])
    var looked: Set<String> = []
    for _ in 0..<3 {
      for effect in table.handle(.rotated) {
        if case .watch(let sighting) = effect { looked.insert(sighting.instance) }
        if case .unwatch(let sighting) = effect { #expect(sighting.instance.hasPrefix("stranger")) }
      }
      _ = table.handle(.ranked(instance: "late", .ours))
    }
    #expect(looked.contains("late") && looked.count > 300)
    for name in ["proven", "ours", "late"] { #expect(table.sightings(of: name) == [sighting(name)]) }
  }

  /// If a member makes up too many, the instances of devices that had a session stay.
  @Test func whatIsProvenGivesWayToNothing() {
    var table = InstanceTable()
    func sighting(_ number: Int) -> Sighting { Sighting(instance: "\(number)", interface: 2, ipVersion: 0) }
    for number in 0..<2 * InstanceTable.instances {
      _ = table.handle(.appeared(sighting(number)))
      _ = table.handle(.ranked(instance: "\(number)", number < 10 ? .proven : .ours))
    }
    for _ in 0..<10 { _ = table.handle(.rotated) }
    for number in 0..<10 { #expect(table.sightings(of: "\(number)") == [sighting(number)]) }
  }

  @Test func sightingsThatWaitAreBounded() {
    var table = InstanceTable()
    for number in 0..<(InstanceTable.instances + InstanceTable.instancesWaiting + 100) {
      _ = table.handle(.appeared(Sighting(instance: "\(number)", interface: 2, ipVersion: 0)))
    }
    var revived = 0
    for number in 0..<(InstanceTable.instances + InstanceTable.instancesWaiting + 100) {
      revived += table.handle(.disappeared(Sighting(instance: "\(number)", interface: 2, ipVersion: 0))).count {
        if case .watch = $0 { true } else { false }
      }
    }
    #expect(revived == InstanceTable.instancesWaiting)
  }

  @Test func watchesAreBoundedButEachInstanceHasOne() {
    var table = InstanceTable()
    var watches = 0
    for interface in Int32(1)...8 {
      for number in 0..<InstanceTable.instances {
        let effects = table.handle(.appeared(Sighting(instance: "\(number)", interface: interface, ipVersion: 0)))
        watches += effects.count
      }
    }
    #expect(watches == max(InstanceTable.textWatches, InstanceTable.instances))
    // When the watched sightings of an instance go, one that was not watched takes over.
    #expect(table.handle(.disappeared(Sighting(instance: "3", interface: 1, ipVersion: 0))).count == 2)
    let other = Sighting(instance: "3", interface: 2, ipVersion: 0)
    #expect(table.handle(.disappeared(other)).contains(.unwatch(other)))
    #expect(table.sightings(of: "3").count == 6)
  }

  // MARK: Refreshing

  @Test func whatIsStillThereIsNotToldAgain() {
    var table = table()
    #expect(table.handle(.refreshed) == [.unwatch(v4), .unwatch(v6)])
    // What Avahi remembers is watched only after it has appeared again.
    #expect(table.handle(.retryDue) == [])
    #expect(table.handle(.appeared(v6)) == [.watch(v6)])
    #expect(table.handle(.textAppeared(a, v6)) == [])
    #expect(table.handle(.appeared(v4)) == [.watch(v4)])
    #expect(table.handle(.settled) == [])
    #expect(table.sightings(of: "one") == [v4, v6])
  }

  @Test func whatDoesNotAppearAgainIsLost() {
    var table = table()
    let other = Sighting(instance: "two", interface: 2, ipVersion: 0)
    _ = table.handle(.appeared(other))
    _ = table.handle(.textAppeared(b, other))
    _ = table.handle(.refreshed)
    _ = table.handle(.appeared(v4))
    #expect(table.handle(.settled) == [.lost(instance: "two")])
    #expect(table.sightings(of: "one") == [v4])
    #expect(table.handle(.settled) == [])
  }

  @Test func anotherTextIsToldAfterARefresh() {
    var table = table()
    _ = table.handle(.refreshed)
    _ = table.handle(.appeared(v4))
    #expect(table.handle(.textAppeared(b, v4)) == [foundB])
    #expect(table.handle(.settled) == [])
    // A text from before the refresh does not return.
    #expect(table.handle(.textDisappeared(b, v4)) == [])
  }

  @Test func aRefreshLosesNoWatch() {
    var table = InstanceTable()
    let all = (0..<InstanceTable.instances).map { Sighting(instance: "\($0)", interface: 2, ipVersion: 0) }
    for _ in 0..<3 {
      for sighting in all { #expect(table.handle(.appeared(sighting)) == [.watch(sighting)]) }
      #expect(table.handle(.refreshed).count == all.count)
    }
  }
}
