// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// Notifications while the screen is locked and after it is unlocked.
struct LockTests {
  private let note = Machine.offer(1)

  private func showing() -> Machine {
    var machine = Machine.ready()
    #expect(machine.handle(.offersChanged([note])) == [.new(2, note)])
    #expect(machine.handle(.shown(2, 7)) == [])
    return machine
  }

  @Test func whatIsThereIsWithdrawnAndComesBackQuietly() {
    var machine = showing()
    #expect(machine.handle(.locked(true)) == [.close(7)])
    #expect(machine.handle(.closed(7, isExpired: false)) == [])
    #expect(machine.handle(.locked(true)) == [])
    #expect(machine.pass(.seconds(3600)) == [])
    #expect(machine.wakeAt == nil)
    #expect(
      machine.handle(.locked(false)) == [.show(3, NotificationContent(note), replacing: nil, isQuiet: true)]
    )
  }

  @Test func whatIsNewWaits() {
    var machine = Machine.ready()
    #expect(machine.handle(.locked(true)) == [])
    #expect(machine.handle(.offersChanged([note])) == [])
    #expect(machine.pass(.seconds(60)) == [])
    #expect(machine.handle(.locked(false)) == [.new(2, note)])
  }

  @Test func whatIsOnItsWayIsWithdrawnWhenItIsThere() {
    var machine = showing()
    let other = Machine.offer(1, "Other")
    _ = machine.handle(.offersChanged([other]))
    _ = machine.pass(.seconds(1))
    #expect(machine.handle(.locked(true)) == [.close(7)])
    #expect(machine.handle(.closed(7, isExpired: false)) == [])
    #expect(machine.handle(.shown(3, 8)) == [.close(8)])
    #expect(machine.handle(.locked(false)) == [])
    #expect(machine.pass(.seconds(2)) == [.show(4, NotificationContent(other), replacing: nil, isQuiet: true)])
  }

  @Test func whatExpiredIsTakenFromTheList() {
    var machine = showing()
    #expect(machine.handle(.closed(7, isExpired: true)) == [])
    #expect(machine.handle(.locked(true)) == [.close(7)])
    #expect(machine.handle(.locked(false)) == [])
    #expect(machine.pass(.seconds(60)) == [])
  }

  @Test func aFailureIsNotSaidTwice() {
    var machine = showing()
    _ = machine.handle(.invoked(7))
    #expect(machine.pass(.seconds(2)) == [])
    #expect(machine.handle(.openFailed(note.id, why: "No")).count == 1)
    #expect(machine.handle(.shown(3, 9)) == [])
    #expect(machine.handle(.locked(true)) == [.close(9)])
    #expect(machine.handle(.locked(false)) == [])
    #expect(machine.pass(.seconds(60)) == [])
  }
}
