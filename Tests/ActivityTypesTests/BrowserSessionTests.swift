// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Testing

@Suite struct BrowserSessionTests {
  private let start = ContinuousClock.now
  private let page = BrowserPage(url: "https://example.org/")
  private let other = BrowserPage(url: "https://example.org/other")

  /// A session that offers a page.
  private func offering(_ page: BrowserPage) -> BrowserSession {
    var session = BrowserSession()
    #expect(session.handle(.page(page, isChosen: true), at: start).contains(.publish))
    return session
  }

  private func later(_ time: Duration) -> ContinuousClock.Instant { start + time }

  @Test func theFirstPageIsOfferedImmediately() {
    var session = BrowserSession()
    let effects = session.handle(.page(page, isChosen: false), at: start)
    #expect(effects == [.publish, .tell(.offered), .wake(at: nil)])
    #expect(session.page == page)
  }

  @Test func ofManyTabsTheLastOneIsOffered() {
    var session = offering(page)
    var changes = 0
    var wake: ContinuousClock.Instant?
    for step in 1...200 {
      let now = later(.milliseconds(50 * step))
      if let due = wake, due <= now {
        changes += session.handle(.wake, at: due).count { $0 == .change }
        wake = nil
      }
      let tab = BrowserPage(url: "https://example.org/\(step)")
      for effect in session.handle(.page(tab, isChosen: true), at: now) {
        if effect == .change { changes += 1 }
        if case .wake(let instant) = effect { wake = instant }
      }
    }
    if let wake { changes += session.handle(.wake, at: wake).count { $0 == .change } }
    #expect(session.page?.url == "https://example.org/200")
    #expect((20...41).contains(changes))
  }

  @Test func withoutAPageNothingIsOffered() {
    var session = offering(page)
    _ = session.handle(.page(other, isChosen: true), at: later(.milliseconds(1)))
    let effects = session.handle(.page(nil, isChosen: false), at: later(.milliseconds(2)))
    #expect(effects == [.withdraw, .wake(at: nil), .tell(.withdrawn)])
    #expect(session.handle(.wake, at: later(.seconds(1))) == [.wake(at: nil)])
    #expect(session.page == nil)
  }

  @Test func aPageOfAnotherTeamWithdrawsTheFirstImmediately() {
    var session = offering(page)
    let work = BrowserPage(url: "https://work.example/", team: "WORK")
    let effects = session.handle(.page(work, isChosen: true), at: later(.milliseconds(1)))
    #expect(effects.first == .withdraw)
    #expect(!effects.contains(.change))
    #expect(session.handle(.wake, at: later(BrowserLimits.changeTime)).contains(.publish))
    #expect(session.page == work)
  }

  @Test func aPageOfLocalhostIsAnActivityOfItsOwn() {
    let local = BrowserPage(url: "http://localhost:8000/")
    for (one, next) in [(page, local), (local, page)] {
      var session = offering(one)
      let effects = session.handle(.page(next, isChosen: true), at: later(.seconds(1)))
      #expect(effects == [.withdraw, .publish, .tell(.offered), .wake(at: nil)])
      #expect(session.page == next)
    }
    var session = offering(local)
    let other = BrowserPage(url: "http://localhost:3000/")
    #expect(session.handle(.page(other, isChosen: true), at: later(.seconds(1))) == [.change, .wake(at: nil)])
    // What is fetched is not the page that comes next, which is another activity.
    _ = session.handle(.page(page, isChosen: true), at: later(.milliseconds(1001)))
    _ = session.handle(.saveRequested, at: later(.milliseconds(1002)))
    #expect(session.page == other)
  }

  @Test func whatWasSupersededWaitsForThePerson() {
    var session = offering(page)
    #expect(session.handle(.displaced, at: start) == [.tell(.displaced), .wake(at: nil)])
    #expect(session.handle(.page(other, isChosen: false), at: later(.seconds(1))).isEmpty)
    #expect(session.handle(.page(other, isChosen: true), at: later(.seconds(2))).contains(.publish))
  }

  /// A program that is slow sees both at once.
  @Test func aChoiceIsNewerThanWhatSupersededThePageBefore() {
    var session = offering(page)
    _ = session.handle(.page(other, isChosen: true), at: later(.seconds(1)))
    #expect(session.handle(.displaced, at: later(.seconds(1.1))).contains(.publish))
    #expect(session.page == other)
    #expect(session.handle(.displaced, at: later(.seconds(1.2))).contains(.tell(.displaced)))
    var late = offering(page)
    _ = late.handle(.page(other, isChosen: true), at: later(.seconds(1)))
    #expect(late.handle(.displaced, at: later(.seconds(2))).contains(.tell(.displaced)))
  }

  @Test func aNewTabThatIsEmptyAtFirstWasChosen() {
    var session = offering(page)
    _ = session.handle(.displaced, at: start)
    // The next host must not take it for displaced.
    #expect(session.handle(.page(nil, isChosen: true), at: later(.seconds(1))).contains(.tell(.withdrawn)))
    #expect(session.handle(.page(other, isChosen: false), at: later(.seconds(2))).contains(.publish))
  }

  @Test func aPageThatThePersonTurnedToBeforeTheNewsOfAnotherMachineIsOffered() {
    // It waits for its turn.
    var session = offering(page)
    _ = session.handle(.page(other, isChosen: true), at: later(.milliseconds(1)))
    var effects = session.handle(.continued(device: "desktop"), at: later(.milliseconds(2)))
    #expect(effects.prefix(2) == [.handOver, .tell(.continued(device: "desktop"))])
    #expect(session.handle(.wake, at: later(.seconds(1))).contains(.publish))
    #expect(session.page == other)
    // It has taken the place of the page that was fetched.
    session = offering(page)
    _ = session.handle(.saveRequested, at: later(.seconds(1)))
    _ = session.handle(.state(request: 1, url: page.url, nil), at: later(.seconds(1)))
    #expect(session.handle(.page(other, isChosen: true), at: later(.seconds(2))).contains(.change))
    effects = session.handle(.continued(device: "desktop"), at: later(.seconds(3)))
    #expect(effects.prefix(2) == [.handOver, .tell(.continued(device: "desktop"))])
    #expect(effects.contains(.publish))
    #expect(session.page == other)
  }

  @Test func aPageThatWasContinuedIsNotOfferedAgainButTheNextOneIs() {
    var session = offering(page)
    let effects = session.handle(.continued(device: "desktop"), at: start)
    #expect(effects == [.handOver, .tell(.continued(device: "desktop")), .wake(at: nil)])
    #expect(session.handle(.page(page, isChosen: false), at: later(.seconds(1))).isEmpty)
    #expect(session.handle(.page(other, isChosen: false), at: later(.seconds(2))).contains(.publish))
  }

  @Test func whatWasTakenBeforeTheConnectionWasLostStaysTaken() {
    var session = BrowserSession(isTaken: true)
    #expect(session.handle(.page(page, isChosen: false), at: start).isEmpty)
    #expect(session.handle(.page(page, isChosen: true), at: start).contains(.publish))
    // Another machine had continued the page, and the person has gone on to the next one since.
    var continued = BrowserSession(isTaken: true, url: page.url)
    #expect(continued.handle(.page(page, isChosen: false), at: start).isEmpty)
    #expect(continued.handle(.page(other, isChosen: false), at: start).contains(.publish))
  }

  @Test func theStateIsAskedForWhenThePageIsFetched() {
    var session = offering(page)
    #expect(session.handle(.saveRequested, at: start).first == .getState(request: 1))
    let state = PageState(place: PagePlace(fraction: 5))
    let effects = session.handle(.state(request: 1, url: page.url, state), at: later(.milliseconds(9)))
    #expect(effects == [.saved, .wake(at: nil)])
    #expect(session.state == state)
  }

  @Test func theStateOfAnotherPageIsNotUsed() {
    var session = offering(page)
    _ = session.handle(.saveRequested, at: start)
    let state = PageState(place: PagePlace(fraction: 5))
    #expect(session.handle(.state(request: 7, url: page.url, state), at: start).isEmpty)
    #expect(session.handle(.state(request: 1, url: other.url, state), at: start).first == .saved)
    #expect(session.state == nil)
  }

  @Test func aPageThatDoesNotAnswerIsPublishedWithoutItsState() {
    var session = offering(page)
    let deadline = later(BrowserLimits.stateTime)
    #expect(session.handle(.saveRequested, at: start).last == .wake(at: deadline))
    #expect(session.handle(.wake, at: deadline) == [.saved, .wake(at: nil)])
    #expect(session.lateRequest == 1)
    #expect(BrowserLimits.stateTime < Limits.saveTime)
    // Another machine fetches it again.
    _ = session.handle(.saveRequested, at: later(.seconds(9)))
    #expect(session.lateRequest == nil)
  }

  @Test func anOlderStateIsNotUsedInPlaceOfOneThatDoesNotCome() {
    var session = offering(page)
    _ = session.handle(.saveRequested, at: start)
    _ = session.handle(.state(request: 1, url: page.url, PageState(place: PagePlace(fraction: 5))), at: start)
    #expect(session.state != nil)
    _ = session.handle(.saveRequested, at: later(.seconds(1)))
    _ = session.handle(.state(request: 2, url: nil, nil), at: later(.seconds(1)))
    #expect(session.state == nil)
  }

  @Test func whatIsFetchedIsTheTabThatIsShown() {
    var session = offering(page)
    _ = session.handle(.page(other, isChosen: true), at: later(.milliseconds(1)))
    #expect(session.page == page)
    #expect(session.handle(.saveRequested, at: later(.milliseconds(2))).first == .getState(request: 1))
    #expect(session.page == other)
  }

  @Test func aPageThatTheDaemonRefusesIsNotOffered() {
    var session = offering(page)
    #expect(session.handle(.refused("why"), at: start) == [.tell(.refused("why")), .wake(at: nil)])
    #expect(session.handle(.page(other, isChosen: false), at: later(.seconds(1))).contains(.publish))
  }
}
