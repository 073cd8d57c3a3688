// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// Servers that are missing, refuse, hang and restart.
struct ServerTests {
  private let note = Machine.offer(1)
  private let other = Machine.offer(2)

  @Test func aServerThatIsMissingIsAskedForAgainForANewOffer() {
    var machine = Machine()
    #expect(machine.handle(.offersChanged([note])) == [.ask])
    #expect(machine.handle(.serverMissing) == [])
    #expect(machine.pass(.seconds(3600)) == [])
    #expect(machine.handle(.offersChanged([Machine.offer(1, "Other")])) == [])
    #expect(machine.handle(.offersChanged([other, note])) == [.ask])
    #expect(machine.handle(.serverMissing) == [])
    // This does not ask immediately.
    #expect(machine.handle(.offersChanged([Machine.offer(3), other, note])) == [])
    let effects = machine.passing(.seconds(10))
    #expect(effects.map(\.effect) == [.ask])
    #expect(effects.map(\.after) == [.seconds(4)])
  }

  @Test func aServerThatAppearsGetsWhatWaits() {
    var machine = Machine()
    _ = machine.handle(.offersChanged([note]))
    _ = machine.handle(.serverMissing)
    #expect(machine.handle(.serverChanged) == [.ask])
    #expect(machine.handle(.serverReady) == [.new(1, note)])
  }

  @Test func anotherServerGetsTheSameQuietly() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([note]))
    _ = machine.handle(.shown(2, 7))
    #expect(machine.handle(.serverLost) == [])
    #expect(machine.pass(.seconds(10)) == [])
    #expect(machine.handle(.serverChanged) == [.ask])
    #expect(machine.handle(.serverReady) == [.show(3, NotificationContent(note), replacing: nil, isQuiet: true)])
    // The number belonged to the previous server.
    #expect(machine.handle(.closed(7, isExpired: false)) == [])
    #expect(machine.handle(.shown(3, 1)) == [])
    #expect(machine.handle(.closed(1, isExpired: false)) == [])
    #expect(machine.handle(.serverChanged) == [])
  }

  @Test func whatTheOldServerSaysLateIsWithdrawn() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([note]))
    #expect(machine.handle(.serverChanged) == [.ask])
    #expect(machine.handle(.shown(2, 7)) == [.close(7)])
  }

  @Test func whatIsRefusedIsTriedAgainLater() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([note]))
    #expect(machine.handle(.refused(2)) == [])
    var pauses: [Duration] = []
    for request in UInt64(3)...12 {
      let (pause, effects) = machine.passUntilEffect()
      #expect(effects == [.new(request, note)])
      pauses.append(pause)
      _ = machine.handle(.refused(request))
    }
    #expect(pauses.first == Limits.notificationBackoff.lowerBound * 2)
    #expect(pauses.last == Limits.notificationBackoff.upperBound)
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func aRefusedChangeLeavesWhatWasShown() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([note]))
    _ = machine.handle(.shown(2, 7))
    _ = machine.handle(.offersChanged([Machine.offer(1, "Other")]))
    _ = machine.pass(.seconds(1))
    _ = machine.handle(.refused(3))
    let content = NotificationContent(Machine.offer(1, "Other"))
    #expect(machine.pass(.seconds(2)) == [.show(4, content, replacing: 7, isQuiet: true)])
  }

  @Test func aServerThatIsSilentHoldsUpNothingForLong() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([other, note]))
    let effects = machine.passing(.seconds(60))
    #expect(effects.map(\.effect) == [.silent, .new(3, note), .silent])
    #expect(effects.map(\.after) == [20, 20, 40].map(Duration.seconds))
    // A late answer counts.
    #expect(machine.handle(.shown(2, 7)) == [])
    _ = machine.handle(.offersChanged([note]))
    #expect(machine.pass(.seconds(10)) == [.close(7)])
    _ = machine.handle(.offersChanged([]))
    _ = machine.pass(.seconds(10))
    #expect(machine.handle(.shown(3, 8)) == [.close(8)])
  }

  @Test func oneASecondTheNewestFirst() {
    var machine = Machine.ready()
    let notes = (1...4).map { Machine.offer($0) }
    var effects = machine.handle(.offersChanged(notes)).map { (after: Duration.zero, effect: $0) }
    for number in UInt32(0)..<4 {
      _ = machine.handle(.shown(UInt64(number) + 2, number))
      effects += machine.passing(.seconds(1))
    }
    #expect(effects.map(\.after) == [0, 1, 1, 1].map(Duration.seconds))
    #expect(effects.map(\.effect) == notes.enumerated().map { .new(UInt64($0) + 2, $1) })
  }

  @Test func theOldestMakesPlaceAndStaysAway() {
    var machine = Machine.ready()
    let notes = (0...ServerHabits.notifications).map { Machine.offer($0 + 1) }
    var request: UInt64 = 2
    for count in 1...ServerHabits.notifications {
      #expect(machine.handle(.offersChanged(notes.prefix(count).reversed())) == [.new(request, notes[count - 1])])
      _ = machine.handle(.shown(request, UInt32(request)))
      _ = machine.pass(.seconds(1))
      request += 1
    }
    #expect(
      machine.handle(.offersChanged(notes.reversed())) == [.close(2), .new(request, notes[ServerHabits.notifications])]
    )
    _ = machine.handle(.shown(request, UInt32(request)))
    #expect(machine.handle(.offersChanged(notes)) == [.close(UInt32(request))])
    #expect(machine.pass(.seconds(60)) == [])
  }

  @Test func onesThatNobodyWaitsForMakePlaceFirst() {
    var machine = Machine.ready()
    let notes = (1...ServerHabits.notifications).map { Machine.offer($0) }
    _ = machine.handle(.offersChanged(notes))
    for request in UInt64(2)..<UInt64(2 + notes.count) {
      _ = machine.handle(.shown(request, UInt32(request)))
      _ = machine.pass(.seconds(1))
    }
    let new = Machine.offer(100)
    #expect(machine.handle(.offersChanged([new] + notes.dropFirst())) == [.close(2), .new(7, new)])
  }

  @Test func offersBeyondTheLimitAreNotThoughtOf() {
    var machine = Machine.ready()
    let notes = (1...OfferNotifications.notificationEntries + 1).map { Machine.offer($0) }
    _ = machine.handle(.offersChanged(notes))
    #expect(machine.notifications.entries.count == OfferNotifications.notificationEntries)
    // Once offers are gone, their places are free for others.
    _ = machine.handle(.offersChanged(notes.reversed()))
    _ = machine.pass(.seconds(60))
    _ = machine.handle(.offersChanged([]))
    _ = machine.pass(.seconds(60))
    #expect(machine.notifications.entries.count <= ServerHabits.notifications)
  }
}
