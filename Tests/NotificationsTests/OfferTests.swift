// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// One offer, from its beginning to its end.
struct OfferTests {
  private let note = Machine.offer(1)
  private let renamed = Machine.offer(1, "Other")

  /// Returns a machine that shows the note as notification 7, which answers request 2.
  private func showing() -> Machine {
    var machine = Machine.ready()
    #expect(machine.handle(.offersChanged([note])) == [.new(2, note)])
    #expect(machine.handle(.shown(2, 7)) == [])
    return machine
  }

  @Test func theServerIsAskedWhenThereIsSomethingToShow() {
    var machine = Machine()
    #expect(machine.handle(.offersChanged([])) == [])
    #expect(machine.handle(.offersChanged([note])) == [.ask])
    #expect(machine.handle(.offersChanged([renamed])) == [])
    #expect(machine.handle(.serverReady) == [.new(1, renamed)])
    #expect(machine.handle(.shown(1, 7)) == [])
    #expect(machine.wakeAt == nil)
  }

  @Test func aChangedTitleReplaces() {
    var machine = showing()
    #expect(machine.handle(.offersChanged([renamed])) == [])
    let effects = machine.passing(.seconds(2))
    #expect(effects.map(\.after) == [.seconds(1)])
    #expect(effects.map(\.effect) == [.show(3, NotificationContent(renamed), replacing: 7, isQuiet: true)])
    #expect(machine.handle(.shown(3, 7)) == [])
    #expect(machine.handle(.offersChanged([renamed])) == [])
    #expect(machine.wakeAt == nil)
  }

  @Test func ofManyTitlesTheLastGetsOut() {
    var machine = showing()
    for number in 0..<50 { #expect(machine.handle(.offersChanged([Machine.offer(1, "\(number)")])) == []) }
    let last = NotificationContent(Machine.offer(1, "49"))
    #expect(machine.pass(.seconds(1)) == [.show(3, last, replacing: 7, isQuiet: true)])
  }

  @Test func aTitleThatIsBackAsItWasNeedsNothing() {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    #expect(machine.handle(.offersChanged([note])) == [])
    #expect(machine.pass(.seconds(10)) == [])
  }

  @Test func itIsWithdrawnWithTheOffer() {
    var machine = showing()
    #expect(machine.handle(.offersChanged([])) == [])
    let effects = machine.passing(.seconds(10))
    #expect(effects.map(\.after) == [OfferNotifications.offerReturnTime])
    #expect(effects.map(\.effect) == [.close(7)])
    #expect(machine.wakeAt == nil)
  }

  @Test func anotherIDForTheSameIsTheSame() {
    var machine = showing()
    let again = Machine.offer(2, note.title)
    #expect(machine.handle(.offersChanged([again])) == [])
    #expect(machine.pass(.seconds(60)) == [])
    #expect(machine.handle(.invoked(7)) == [.open(again, token: nil), .close(7)])
    // What a person has opened is not announced under a third ID, but the next page is.
    _ = machine.handle(.opened(again.id))
    #expect(machine.handle(.offersChanged([Machine.offer(3, note.title)])) == [])
    #expect(machine.pass(.seconds(60)) == [])
    let next = Machine.offer(3, "Next")
    #expect(machine.handle(.offersChanged([next])) == [.new(3, next)])
  }

  @Test func twoThatAreOfferedAreTwo() {
    var machine = showing()
    let other = Machine.offer(2, note.title)
    #expect(machine.handle(.offersChanged([other, note])) == [])
    #expect(machine.pass(.seconds(1)) == [.show(3, NotificationContent(other), replacing: nil, isQuiet: true)])
  }

  @Test func goingFromWindowToWindowIsAnnouncedOnce() {
    var machine = Machine.ready()
    var aloud: [String?] = []
    for number in 0..<30 {
      let notice = Machine.offer(100 + number, ["Page", "Directory", "Text"][number % 3])
      let effects = machine.handle(.offersChanged([notice])) + machine.pass(.seconds(20))
      for case .show(let request, let content, _, let isQuiet) in effects {
        if !isQuiet { aloud.append(content.notice.title) }
        _ = machine.handle(.shown(request, UInt32(request)))
      }
    }
    #expect(aloud == ["Page", "Directory", "Text"])
  }

  @Test func whatIsHereIsNotAnnounced() {
    var machine = Machine.ready()
    var here = note
    here.isHere = true
    #expect(machine.handle(.offersChanged([here])) == [])
    // It is closed here.
    #expect(machine.handle(.offersChanged([note])) == [])
    #expect(machine.pass(.seconds(60)) == [])
    #expect(machine.handle(.offersChanged([renamed])) == [.new(2, renamed)])
    #expect(machine.handle(.shown(2, 7)) == [])
    // It is opened here.
    here.title = renamed.title
    #expect(machine.handle(.offersChanged([here])) == [.close(7)])
    #expect(machine.pass(.seconds(60)) == [])
  }

  @Test func whatIsHereTakesNoRoom() {
    var machine = Machine.ready()
    let here = (1...ServerHabits.notifications).map { number in
      var notice = Machine.offer(number, device: UInt8(number))
      notice.isHere = true
      return notice
    }
    let other = Machine.offer(9)
    #expect(machine.handle(.offersChanged(here + [other])) == [.new(2, other)])
  }

  @Test func whatIsSentIsAnnouncedAlsoIfItIsHere() {
    var machine = Machine.ready()
    var sent = note
    (sent.isSent, sent.isHere) = (true, true)
    guard case .show? = machine.handle(.offersChanged([sent])).first else { Issue.record("Nothing is shown"); return }
  }

  @Test func anOfferThatIsGoneWhileItIsSentIsWithdrawn() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([note]))
    #expect(machine.handle(.offersChanged([])) == [])
    #expect(machine.pass(.seconds(5)) == [])
    #expect(machine.handle(.shown(2, 7)) == [.close(7)])
  }

  @Test func anOfferThatIsSoonBackStays() {
    var machine = showing()
    for _ in 0..<20 {
      #expect(machine.handle(.offersChanged([])) == [])
      #expect(machine.pass(OfferNotifications.offerReturnTime - .milliseconds(1)) == [])
      #expect(machine.handle(.offersChanged([note])) == [])
      #expect(machine.pass(.milliseconds(300)) == [])
    }
    #expect(machine.wakeAt == nil)
  }

  @Test func anOfferThatGoesAndComesIsShownAgainOnceItStays() {
    var machine = showing()
    for round in 0..<20 {
      #expect(machine.handle(.offersChanged([])) == [])
      #expect(machine.pass(.seconds(5)) == (round == 0 ? [.close(7)] : []))
      #expect(machine.handle(.offersChanged([note])) == [])
      #expect(machine.pass(OfferNotifications.offerSteadyTime - .milliseconds(1)) == [])
    }
    #expect(machine.pass(.milliseconds(1)) == [.show(3, NotificationContent(note), replacing: nil, isQuiet: true)])
  }

  @Test func oneThatWasGoneForLongIsNew() {
    var machine = showing()
    _ = machine.handle(.offersChanged([]))
    #expect(machine.pass(OfferNotifications.notificationMemory + .seconds(1)) == [.close(7)])
    #expect(machine.handle(.offersChanged([note])) == [.new(3, note)])
  }

  @Test(arguments: [false, true]) func whatWasDismissedStaysAway(isExpired: Bool) {
    var machine = showing()
    #expect(machine.handle(.closed(7, isExpired: isExpired)) == [])
    #expect(machine.handle(.offersChanged([renamed])) == [])
    #expect(machine.pass(.seconds(60)) == [])
    #expect(machine.handle(.offersChanged([])) == [])
    // The desktop still lists a notification that has expired.
    #expect(machine.pass(.seconds(60)) == (isExpired ? [.close(7)] : []))
    #expect(machine.handle(.offersChanged([note])) == [])
    #expect(machine.pass(.seconds(600)) == [])
  }

  @Test func whatWasDismissedWhileItChangesStaysAway() {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    _ = machine.pass(.seconds(1))
    #expect(machine.handle(.closed(7, isExpired: false)) == [])
    #expect(machine.handle(.shown(3, 8)) == [.close(7), .close(8)])
    #expect(machine.pass(.seconds(60)) == [])
    #expect(machine.handle(.shown(3, 8)) == [.close(8)])
  }

  @Test func aServerThatCannotReplaceHasOneAllTheSame() {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    _ = machine.pass(.seconds(1))
    #expect(machine.handle(.shown(3, 8)) == [.close(7)])
  }

  @Test func anActionOpensOnceWithItsToken() {
    var machine = showing()
    #expect(machine.handle(.tokenGiven(7, "token")) == [])
    #expect(machine.handle(.invoked(7)) == [.open(note, token: "token"), .close(7)])
    #expect(machine.handle(.invoked(7)) == [])
    #expect(machine.handle(.closed(7, isExpired: false)) == [])
    #expect(machine.handle(.opened(note.id)) == [])
    #expect(machine.handle(.offersChanged([])) == [])
    // The app on the other machine makes it current again.
    #expect(machine.handle(.offersChanged([note])) == [])
    #expect(machine.pass(.seconds(60)) == [])
  }

  @Test func anActionMayComeAfterTheEnd() {
    var machine = showing()
    #expect(machine.handle(.closed(7, isExpired: false)) == [])
    #expect(machine.handle(.invoked(7)) == [.open(note, token: nil)])
    #expect(machine.handle(.invoked(7)) == [])
  }

  /// Its machine can change it while the person looks at it.
  @Test(arguments: [false, true]) func aClickIsForWhatWasShown(isExpired: Bool) {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    if isExpired { _ = machine.handle(.closed(7, isExpired: true)) }
    #expect(machine.handle(.invoked(7)) == [.close(7)])
    // The person waits for it.
    let asked = machine.passing(.seconds(1))
    #expect(asked.map(\.effect) == [.new(3, renamed)])
    _ = machine.handle(.shown(3, 8))
    _ = machine.pass(OfferNotifications.notificationReadingTime)
    #expect(machine.handle(.invoked(8)).first == .open(renamed, token: nil))
  }

  @Test func aClickWhileAChangeIsOnItsWayOpensNothing() {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    #expect(machine.pass(.seconds(1)).count == 1)
    #expect(machine.handle(.invoked(7)) == [])
    #expect(machine.handle(.shown(3, 8)) == [.close(7)])
    _ = machine.pass(OfferNotifications.notificationReadingTime)
    #expect(machine.handle(.invoked(8)).first == .open(renamed, token: nil))
  }

  @Test func nobodyHasReadWhatHasJustChanged() {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    _ = machine.pass(.seconds(1))
    _ = machine.handle(.shown(3, 7))
    _ = machine.pass(OfferNotifications.notificationReadingTime - .milliseconds(1))
    #expect(machine.handle(.invoked(7)) == [.close(7)])
    #expect(machine.pass(.seconds(1)) == [.new(4, renamed)])
    _ = machine.handle(.shown(4, 9))
    #expect(machine.handle(.invoked(9)).first == .open(renamed, token: nil))
  }

  @Test func anOfferThatTheDaemonFindsChangedIsAskedAgain() {
    var machine = showing()
    #expect(machine.handle(.invoked(7)).first == .open(note, token: nil))
    #expect(machine.handle(.offerChanged(note.id)) == [])
    #expect(machine.handle(.offersChanged([renamed])) == [])
    #expect(machine.pass(.seconds(1)) == [.new(3, renamed)])
  }

  @Test func aTokenThatIsTooLongIsNone() {
    let longest = String(repeating: "x", count: Limits.activationTokenLength)
    var machine = showing()
    _ = machine.handle(.tokenGiven(7, longest + "x"))
    #expect(machine.handle(.invoked(7)).first == .open(note, token: nil))
    machine = showing()
    _ = machine.handle(.tokenGiven(7, longest))
    #expect(machine.handle(.invoked(7)).first == .open(note, token: longest))
  }

  @Test func othersNotificationsAreNotOurs() {
    var machine = showing()
    #expect(machine.handle(.invoked(8)) == [])
    #expect(machine.handle(.closed(8, isExpired: false)) == [])
    #expect(machine.handle(.tokenGiven(8, "token")) == [])
    #expect(machine.handle(.invoked(7)).first == .open(note, token: nil))
  }

  @Test func aFailureIsShownForAWhile() {
    var machine = showing()
    _ = machine.handle(.invoked(7))
    // The open may have failed because the offer is gone.
    #expect(machine.handle(.offersChanged([])) == [])
    _ = machine.pass(.seconds(20))
    let failure = NotificationContent(note, failure: "It is gone")
    #expect(
      machine.handle(.openFailed(note.id, why: "It is gone"))
        == [.show(3, failure, replacing: nil, isQuiet: false)]
    )
    #expect(machine.handle(.shown(3, 9)) == [])
    #expect(machine.handle(.invoked(7)) == [])
    let effects = machine.passing(.seconds(60))
    #expect(effects.map(\.effect) == [.close(9)])
    #expect(effects.map(\.after) == [Limits.failureNotificationTime])
  }

  @Test func aFailureThatIsReadIsOver() {
    var machine = showing()
    _ = machine.handle(.invoked(7))
    _ = machine.handle(.openFailed(note.id, why: "No"))
    #expect(machine.pass(.seconds(1)).count == 1)
    _ = machine.handle(.shown(3, 9))
    #expect(machine.handle(.closed(9, isExpired: false)) == [])
    #expect(machine.pass(.seconds(600)) == [])
  }

  @Test func stoppingWithdrawsAll() {
    var machine = showing()
    #expect(machine.handle(.stopped) == [.close(7)])
    #expect(machine.notifications.isSettled)
    #expect(machine.handle(.offersChanged([Machine.offer(2)])) == [])
    #expect(machine.wakeAt == nil)
  }

  @Test func stoppingWithdrawsWhatIsBeingChanged() {
    var machine = showing()
    _ = machine.handle(.offersChanged([renamed]))
    _ = machine.pass(.seconds(1))
    #expect(machine.handle(.stopped) == [.close(7)])
    #expect(!machine.notifications.isSettled)
    #expect(machine.handle(.shown(3, 7)) == [])
    #expect(machine.notifications.isSettled)
  }

  @Test func stoppingWaitsForWhatWasSent() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([note]))
    #expect(machine.handle(.stopped) == [])
    #expect(!machine.notifications.isSettled)
    #expect(machine.handle(.shown(2, 7)) == [.close(7)])
    #expect(machine.notifications.isSettled)
  }
}
