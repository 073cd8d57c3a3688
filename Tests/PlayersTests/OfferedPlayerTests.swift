// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Testing

struct OfferedPlayerTests {
  private typealias Effect = OfferedPlayer.Effect

  /// A machine, and the time that has passed.
  private struct Desk {
    var machine = OfferedPlayer()
    var now = ContinuousClock.now

    mutating func handle(_ event: OfferedPlayer.Event, after seconds: Double = 2) -> [Effect] {
      now += .seconds(seconds)
      return machine.handle(event, at: now).filter { effect in
        if case .wake = effect { false } else { true }
      }
    }
  }

  @Test func thePlayerThatBeganLastIsOffered() {
    var desk = Desk()
    #expect(desk.handle(.changed("a", playing())) == [.offer("a")])
    #expect(desk.handle(.changed("b", playing(podcast))) == [.offer("b")])
    #expect(desk.handle(.changed("a", playing(at: 9))) == [])
    #expect(desk.handle(.changed("b", paused(podcast))) == [.offer("a")])
    #expect(desk.handle(.changed("a", paused())) == [])
    #expect(desk.handle(.left("a")) == [.offer("b")])
    #expect(desk.handle(.left("b")) == [.withdraw])
  }

  @Test func whatIsPausedIsOfferedForAWhile() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    #expect(desk.handle(.changed("a", paused())) == [])
    let end = desk.now + OfferedPlayer.pausedPlayerTime
    #expect(desk.machine.handle(.wake, at: desk.now) == [.wake(end)])
    #expect(desk.machine.handle(.wake, at: end - .seconds(1)) == [.wake(end)])
    #expect(desk.machine.handle(.wake, at: end) == [.withdraw, .wake(nil)])
  }

  @Test func whatWasPausedBeforeItWasSeenIsNotOffered() {
    var desk = Desk()
    #expect(desk.handle(.changed("a", paused())) == [])
    #expect(desk.handle(.changed("a", playing())) == [.offer("a")])
  }

  @Test func movingOnIsNoChangeAndAnotherTrackIs() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    #expect(desk.handle(.changed("a", playing(at: 50_000))) == [])
    #expect(desk.handle(.changed("a", playing(podcast))) == [.update])
    #expect(desk.handle(.changed("a", playing(podcast, rate: 1.5))) == [.update])
    #expect(desk.machine.content?.speedPercent == 150)
  }

  @Test func changesAreASecondApart() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    #expect(desk.handle(.changed("a", playing(podcast)), after: 0.2) == [])
    #expect(desk.machine.handle(.wake, at: desk.now) == [.wake(desk.now + .milliseconds(800))])
    #expect(desk.handle(.wake, after: 0.8) == [.update])
  }

  @Test func whatEndsIsNotOfferedWithoutDelay() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    #expect(desk.handle(.left("a"), after: 0.1) == [.withdraw])
  }

  @Test func aGapBetweenTracksIsTheSameOffer() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    #expect(desk.handle(.changed("a", stopped)) == [])
    #expect(desk.handle(.changed("a", playing(podcast)), after: 1) == [.update])
    #expect(desk.handle(.changed("a", stopped)) == [])
    #expect(desk.handle(.wake, after: 1.9) == [])
    #expect(desk.handle(.wake, after: 0.2) == [.withdraw])
  }

  @Test func whatIsContinuedElsewhereIsOfferedWhenItPlaysAgain() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    #expect(desk.handle(.continued) == [])
    // What it said before it was paused.
    #expect(desk.handle(.changed("a", playing(at: 3))) == [])
    #expect(desk.handle(.changed("a", paused())) == [])
    #expect(desk.handle(.changed("a", playing())) == [.offer("a")])
    #expect(!desk.machine.isOfferedAgain)
    // Between two questions, it was paused and played again.
    _ = desk.handle(.continued)
    #expect(desk.handle(.pausedForOther("a")) == [])
    #expect(desk.handle(.changed("a", playing())) == [.offer("a")])
  }

  @Test func whatCouldNotBeOpenedIsTheSameOfferAgain() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing()))
    _ = desk.handle(.continued)
    _ = desk.handle(.changed("a", paused()), after: 300)
    #expect(desk.handle(.offerAgain("b")) == [])
    #expect(desk.handle(.offerAgain("a")) == [.offer("a")])
    #expect(desk.machine.isOfferedAgain)
    // The time begins again.
    #expect(desk.handle(.wake, after: 599) == [])
    #expect(desk.handle(.wake, after: 1) == [.withdraw])
  }

  @Test func liveStreamsAndPlayersWithoutAPositionAreNotOffered() {
    var desk = Desk()
    #expect(desk.handle(.changed("a", playing(PlayedTrack(.address("https://example.org/live"))))) == [])
    #expect(desk.handle(.changed("b", playing(at: nil))) == [])
    #expect(desk.handle(.changed("c", playing(nil))) == [])
    #expect(desk.handle(.changed("d", PlayerState(status: .playing, track: music, position: 0, canSeek: false))) == [])
    #expect(desk.handle(.changed("e", playing(PlayedTrack(.file("/a.ogg"))))) == [.offer("e")])
  }

  @Test func positionsGoOnWithTheSpeed() {
    var desk = Desk()
    _ = desk.handle(.changed("a", playing(at: 10_000, rate: 1.5)))
    #expect(desk.machine.position(of: "a", at: desk.now + .seconds(10)) == 25_000)
    #expect(desk.machine.position(of: "a", at: desk.now + .seconds(1000)) == 100_000)
    _ = desk.handle(.changed("a", paused(at: 20_000)))
    #expect(desk.machine.position(of: "a", at: desk.now + .seconds(10)) == 20_000)
    #expect(desk.machine.position(of: "b", at: desk.now) == nil)
  }

  @Test func thereIsAnEndToPlayers() {
    var desk = Desk()
    for number in 0..<Limits.players * 2 { _ = desk.handle(.changed("\(number)", playing())) }
    #expect(desk.machine.offered == "\(Limits.players - 1)")
    #expect(desk.handle(.lost) == [.withdraw])
  }
}
