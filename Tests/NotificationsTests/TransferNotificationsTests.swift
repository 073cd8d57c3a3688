// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct TransferNotificationsTests {
  private static let desktop = DeviceID(bytes: [UInt8](repeating: 1, count: 32))!
  private var machine = TransferNotifications()
  private var now = ContinuousClock.now

  private func id(_ number: UInt64) -> ActivityID { ActivityID(randomBytes: (number, number)) }

  private func notice(_ number: UInt64, _ state: TransferNotice.State, isSending: Bool = false) -> TransferNotice {
    TransferNotice(
      id: id(number),
      deviceID: Self.desktop,
      device: "desktop",
      isSending: isSending,
      title: "notes.txt (2.0 MB)",
      state: state
    )
  }

  private func running(_ number: UInt64, _ percent: Int = 10) -> TransferNotice {
    notice(number, .running(percent: percent, speed: nil, timeLeft: nil))
  }

  /// What is done, without when to wake.
  private mutating func handle(_ event: TransferNotifications.Event) -> [TransferNotifications.Effect] {
    machine.handle(event, at: now).filter { if case .wake = $0 { false } else { true } }
  }

  private mutating func findServer() {
    _ = handle(.serverReady)
  }

  private mutating func pass(_ duration: Duration) -> [TransferNotifications.Effect] {
    now += duration
    return handle(.wake)
  }

  @Test mutating func whatIsQuickShowsOnlyItsEnd() {
    #expect(handle(.changed(running(1))).isEmpty)
    let done = notice(1, .done(omitted: 0))
    #expect(handle(.changed(done)) == [.ask])
    #expect(handle(.serverReady) == [.show(1, done, replacing: nil, isQuiet: false)])
    #expect(handle(.shown(1, 7)).isEmpty)
    #expect(handle(.gone(id(1))).isEmpty)
  }

  @Test mutating func theProgressIsReplacedInPlaceOnceASecond() {
    _ = handle(.changed(running(1)))
    #expect(pass(TransferNotifications.shownTransferTime) == [.ask])
    #expect(handle(.serverReady) == [.show(1, running(1), replacing: nil, isQuiet: true)])
    _ = handle(.shown(1, 7))
    #expect(handle(.changed(running(1, 20))).isEmpty)
    #expect(pass(Limits.notificationInterval) == [.show(2, running(1, 20), replacing: 7, isQuiet: true)])
    _ = handle(.shown(2, 7))
    let done = notice(1, .done(omitted: 0))
    #expect(handle(.changed(done)) == [.show(3, done, replacing: 7, isQuiet: false)])
  }

  private mutating func show(_ notice: TransferNotice, as id: UInt32) {
    _ = handle(.changed(notice))
    _ = pass(TransferNotifications.shownTransferTime)
    _ = handle(.serverReady)
    let request = UInt64(id)
    _ = handle(.shown(request, id))
  }

  @Test mutating func whatIsClosedShowsOnlyItsEnd() {
    show(running(1), as: 1)
    _ = handle(.closed(1, isExpired: false))
    #expect(handle(.changed(running(1, 50))).isEmpty)
    #expect(pass(.seconds(60)).isEmpty)
    let failed = notice(1, .failed(why: "The disk is full."))
    #expect(handle(.changed(failed)) == [.show(2, failed, replacing: nil, isQuiet: false)])
  }

  @Test mutating func anInterruptionTakesTheProgressAway() {
    show(running(1), as: 1)
    #expect(handle(.gone(id(1))) == [.close(1)])
  }

  @Test mutating func peopleStopAndOpen() {
    show(running(1), as: 1)
    #expect(handle(.invoked(1, key: "open")).isEmpty)
    #expect(handle(.invoked(1, key: "cancel")) == [.cancel(id(1))])
    show(notice(1, .done(omitted: 0)), as: 2)
    #expect(handle(.invoked(2, key: "cancel")).isEmpty)
    #expect(handle(.invoked(2, key: "default")) == [.open(id(1)), .close(2)])
    #expect(handle(.invoked(3, key: "default")).isEmpty)
  }

  @Test(arguments: [false, true]) mutating func aClickCountsThatIsToldAfterTheEnd(isExpired: Bool) {
    let done = notice(1, .done(omitted: 0))
    show(done, as: 1)
    _ = handle(.closed(1, isExpired: isExpired))
    #expect(handle(.changed(done)).isEmpty)
    #expect(handle(.invoked(1, key: TransferNotificationText.openKey)) == [.open(id(1)), .close(1)])
    show(running(2), as: 2)
    _ = handle(.closed(2, isExpired: isExpired))
    #expect(handle(.invoked(2, key: TransferNotificationText.cancelKey)) == [.cancel(id(2))])
  }

  @Test mutating func whatExpiresComesBackWithNews() {
    show(notice(1, .asking, isSending: true), as: 1)
    _ = handle(.closed(1, isExpired: true))
    #expect(pass(.seconds(60)).isEmpty)
    let running = notice(1, .running(percent: 10, speed: nil, timeLeft: nil), isSending: true)
    #expect(handle(.changed(running)) == [.show(2, running, replacing: nil, isQuiet: true)])
  }

  @Test mutating func anotherTransferCanGetTheSameNumber() {
    show(notice(1, .done(omitted: 0)), as: 1)
    let other = notice(2, .done(omitted: 0))
    #expect(handle(.changed(other)) == [.show(2, other, replacing: nil, isQuiet: false)])
    #expect(handle(.shown(2, 1)).isEmpty)
    #expect(pass(.seconds(60)).isEmpty)
    #expect(handle(.invoked(1, key: TransferNotificationText.openKey)) == [.open(id(2)), .close(1)])
    #expect(handle(.invoked(1, key: TransferNotificationText.openKey)).isEmpty)
  }

  @Test mutating func zeroIsNoNumber() {
    for number: UInt64 in 1...2 {
      let done = notice(number, .done(omitted: 0))
      _ = handle(.changed(done))
      _ = handle(.serverReady)
      #expect(handle(.shown(number, 0)).isEmpty)
    }
    #expect(pass(.seconds(60)).isEmpty)
    #expect(handle(.invoked(0, key: TransferNotificationText.openKey)).isEmpty)
  }

  @Test mutating func nothingIsShownOnALockedScreen() {
    show(running(1), as: 1)
    #expect(handle(.locked(true)) == [.close(1)])
    let done = notice(1, .done(omitted: 0))
    #expect(handle(.changed(done)).isEmpty)
    #expect(handle(.locked(false)) == [.show(2, done, replacing: nil, isQuiet: false)])
  }

  @Test mutating func aMachineCannotFillTheDesktop() {
    _ = handle(.changed(running(1)))
    _ = pass(TransferNotifications.shownTransferTime)
    _ = handle(.serverReady)
    var (shown, count) = (Set([1 as UInt32]), 1)
    _ = handle(.shown(1, 1))
    for number in 2...40 as ClosedRange<UInt64> {
      for effect in handle(.changed(notice(number, .done(omitted: 0)))) {
        switch effect {
        case .show(let request, _, _, _):
          count += 1
          shown.insert(UInt32(request))
          _ = handle(.shown(request, UInt32(request)))
        case .close(let id): shown.remove(id)
        default: continue
        }
        #expect(shown.count <= ServerHabits.notifications)
      }
    }
    #expect(count <= 1 + NotificationAllowance.notificationBurst + NotificationAllowance.quietNotificationBurst)
  }

  @Test mutating func theSenderSeesThatSomebodyIsAsked() {
    let asking = notice(1, .asking, isSending: true)
    _ = handle(.changed(asking))
    #expect(pass(TransferNotifications.askedTransferTime) == [.ask])
    #expect(handle(.serverReady) == [.show(1, asking, replacing: nil, isQuiet: false)])
    _ = handle(.shown(1, 7))
    #expect(handle(.invoked(7, key: "cancel")) == [.cancel(id(1))])
    #expect(handle(.gone(id(1))) == [.close(7)])
  }

  @Test mutating func whatWasShownBeforeALockComesBackQuietly() {
    let done = notice(1, .done(omitted: 0))
    _ = handle(.changed(done))
    _ = handle(.serverReady)
    _ = handle(.shown(1, 7))
    #expect(handle(.locked(true)) == [.close(7)])
    #expect(handle(.locked(false)) == [.show(2, done, replacing: nil, isQuiet: true)])
  }

  @Test mutating func inGNOME43TheNextEndTakesThePlaceOfTheLast() {
    let (first, second) = (notice(1, .done(omitted: 0)), notice(2, .done(omitted: 0)))
    _ = handle(.changed(first))
    _ = handle(.serverIs(ServerHabits(name: "gnome-shell", version: "43.9")))
    _ = handle(.serverReady)
    _ = handle(.shown(1, 7))
    #expect(handle(.changed(second)) == [.close(7), .show(2, second, replacing: nil, isQuiet: false)])
  }

  @Test mutating func anotherServerIsToldAgain() {
    show(running(1), as: 1)
    _ = handle(.serverLost)
    _ = handle(.serverChanged)
    #expect(pass(Limits.notificationInterval) == [.ask])
    #expect(handle(.serverReady) == [.show(2, running(1), replacing: nil, isQuiet: true)])
  }

  @Test mutating func stoppingWithdrawsEverything() {
    show(running(1), as: 1)
    #expect(handle(.stopped) == [.close(1)])
    #expect(handle(.changed(running(2))).isEmpty)
    #expect(machine.isSettled)
  }
}
