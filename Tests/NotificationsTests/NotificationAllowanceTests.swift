// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

/// A machine that constantly has something to show.
struct NotificationAllowanceTests {
  /// A desktop that answers each request immediately, and what it has shown.
  private struct Desktop {
    var machine = Machine.ready()
    var aloud: [OfferNotice] = []
    var quiet: [OfferNotice] = []
    private var lastNumber: UInt32 = 0

    mutating func take(_ effects: [Effect]) {
      for effect in effects {
        guard case .show(let request, let content, let replaced, let isQuiet) = effect else { continue }
        if isQuiet { quiet.append(content.notice) } else { aloud.append(content.notice) }
        lastNumber += 1
        take(machine.handle(.shown(request, replaced ?? lastNumber)))
      }
    }

    mutating func offer(_ notices: [OfferNotice]) { take(machine.handle(.offersChanged(notices))) }

    mutating func pass(_ time: Duration) {
      // Pass the time in steps, because answers arrive in between.
      for _ in 0..<Int(time.components.seconds) * 2 { take(machine.pass(.milliseconds(500))) }
    }
  }

  /// How many notifications the limits allow in an hour.
  private static let aloudInAnHour =
    NotificationAllowance.notificationBurst
    + Int(Duration.seconds(3600) / NotificationAllowance.machineNotificationInterval)
  private static let quietInAnHour =
    NotificationAllowance.quietNotificationBurst
    + Int(Duration.seconds(3600) / NotificationAllowance.quietNotificationInterval)

  @Test func anOfferEachSecondDisturbsEveryFewMinutes() {
    var desktop = Desktop()
    for second in 0..<3600 {
      desktop.offer([Machine.offer(second, device: 1)])
      desktop.pass(.seconds(1))
    }
    #expect((NotificationAllowance.notificationBurst...Self.aloudInAnHour).contains(desktop.aloud.count))
    #expect((1...Self.quietInAnHour).contains(desktop.quiet.count))
    // The last offer is seen after a while.
    desktop.pass(NotificationAllowance.quietNotificationInterval)
    #expect(
      desktop.quiet.last == Machine.offer(3599, device: 1) || desktop.aloud.last == Machine.offer(3599, device: 1)
    )
  }

  @Test func aTitleEachSecondIsToldEverySoOften() {
    var desktop = Desktop()
    for second in 0..<3600 {
      desktop.offer([Machine.offer(1, "\(second)", device: 1)])
      desktop.pass(.seconds(1))
    }
    #expect(desktop.aloud.count == 1)
    #expect((1...Self.quietInAnHour).contains(desktop.quiet.count))
  }

  @Test func othersAreHeardMeanwhile() {
    var desktop = Desktop()
    var flood: [OfferNotice] = []
    for second in 0..<60 {
      flood = (0..<300).map { Machine.offer(1000 + second * 300 + $0, device: 1) }
      desktop.offer(flood)
      desktop.pass(.seconds(1))
    }
    let note = Machine.offer(1, device: 2)
    // This note is the oldest of all, and the first of its machine.
    desktop.offer(flood + [note])
    desktop.pass(.seconds(5))
    #expect(desktop.aloud.contains(note))
    let shown = desktop.machine.notifications.entries[note.id]?.phase
    for second in 0..<60 {
      desktop.offer((0..<300).map { Machine.offer(50_000 + second * 300 + $0, device: 1) } + [note])
      desktop.pass(.seconds(1))
    }
    // Nothing has taken its place.
    #expect(desktop.machine.notifications.entries[note.id]?.phase == shown)
  }

  @Test func aMachineThatWasQuietMayDisturbAgain() {
    var desktop = Desktop()
    for number in 0..<NotificationAllowance.notificationBurst + 1 {
      desktop.offer([Machine.offer(number)])
      desktop.pass(.seconds(4))
    }
    #expect(desktop.aloud.count == NotificationAllowance.notificationBurst && desktop.quiet.count == 1)
    desktop.offer([])
    desktop.pass(.seconds(4))
    _ = desktop.machine.pass(
      NotificationAllowance.machineNotificationInterval * (NotificationAllowance.notificationBurst + 1)
    )
    desktop.offer([Machine.offer(100)])
    #expect(desktop.aloud.last == Machine.offer(100))
    // Nothing is remembered about machines that are quiet.
    _ = desktop.machine.pass(
      NotificationAllowance.machineNotificationInterval * (NotificationAllowance.notificationBurst + 1)
    )
    desktop.offer([])
    #expect(desktop.machine.notifications.allowances.isEmpty)
  }

  /// A machine that offers what another one offers does not speak for it.
  @Test func theSameActivityOfTwoMachinesIsTwo() {
    var desktop = Desktop()
    let notes = [Machine.offer(1, "Evil", device: 1), Machine.offer(1, "Honest", device: 2)]
    desktop.offer(notes)
    desktop.pass(.seconds(2))
    #expect(desktop.aloud == notes)
    #expect(desktop.machine.handle(.invoked(2)).first == .open(notes[1], token: nil))
  }

  @Test func mutingWithdrawsAllOfOneMachine() {
    var desktop = Desktop()
    let (first, second, other) = (Machine.offer(1, device: 1), Machine.offer(2, device: 1), Machine.offer(3, device: 2))
    desktop.offer([first, second, other])
    desktop.pass(.seconds(4))
    #expect(desktop.aloud.count == 3)
    let effects = desktop.machine.handle(.muted(1))
    #expect(effects.first == .mute(Machine.device(1), name: "laptop 1"))
    #expect(effects.count == 3)
    let closed = effects.dropFirst().compactMap { if case .close(let id) = $0 { id } else { nil } }
    #expect(!closed.contains { desktop.machine.notifications.offer(of: $0) != nil })
    #expect(desktop.machine.handle(.muted(1)) == [])
    desktop.offer([other])
    desktop.pass(.seconds(60))
    #expect(desktop.aloud.count == 3 && desktop.quiet.isEmpty)
  }
}
