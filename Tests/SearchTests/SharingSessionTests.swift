// SPDX-License-Identifier: Apache-2.0

import Activity
import Search
import Testing

/// What happens between a session's begin and its end, beside questions and answers.
struct SharingSessionTests {
  private let peer = SharingPeer(device: "d", team: "t")
  private let start = ContinuousClock().now
  private let own = LogPosition(generation: "own", after: 3)
  private let known = LogPosition(generation: "g", after: 5)

  private var greeting: [Sharing.Effect] {
    [.send(.pull(known), to: peer), .send(.changed(generation: "own", last: 3), to: peer)]
  }

  private func sharing() -> Sharing {
    var sharing = Sharing { 1 }
    _ = sharing.handle(.shares(["t": []]), at: start)
    return sharing
  }

  @Test func whatAMachineSendsWaitsUntilItsPositionIsKnown() {
    let limit = Limits.undeliveredIndexMessagesPerPeer
    for (before, last) in [(limit - 1, [Sharing.Effect.readPage(peer, after: own)]), (limit, [])] {
      var sharing = sharing()
      #expect(sharing.handle(.connected(peer, name: "laptop"), at: start) == [.readPosition(peer)])
      for _ in 0..<before {
        #expect(sharing.handle(.received(.changed(generation: "g", last: 6), from: peer), at: start) == [])
      }
      #expect(sharing.handle(.received(.pull(own), from: peer), at: start) == [])
      #expect(sharing.handle(.positionRead(peer, (own: own, known: known)), at: start) == greeting + last)
    }
  }

  @Test func aPositionThatCannotBeReadIsReadAgainWhenTheIndexChanges() {
    var sharing = sharing()
    _ = sharing.handle(.connected(peer, name: "laptop"), at: start)
    _ = sharing.handle(.received(.pull(own), from: peer), at: start)
    #expect(sharing.handle(.positionRead(peer, nil), at: start) == [])
    #expect(sharing.handle(.received(.pull(own), from: peer), at: start) == [])
    #expect(sharing.handle(.indexChanged, at: start) == [.readEnd])
    #expect(sharing.handle(.endRead(nil), at: start) == [])
    #expect(sharing.handle(.indexChanged, at: start) == [.readEnd])
    #expect(sharing.handle(.endRead(own), at: start) == [.readPosition(peer)])
    #expect(sharing.handle(.positionRead(peer, (own: own, known: known)), at: start) == greeting)
    #expect(sharing.handle(.indexChanged, at: start) == [.readEnd])
    #expect(sharing.handle(.endRead(own), at: start) == [])
  }

  @Test(arguments: [true, false]) func aPositionThatIsReadAfterTheSessionMeansNothing(areAllGone: Bool) {
    var sharing = sharing()
    _ = sharing.handle(.connected(peer, name: "laptop"), at: start)
    #expect(sharing.handle(areAllGone ? .disconnectedAll : .disconnected(peer), at: start) == [])
    #expect(sharing.handle(.positionRead(peer, (own: own, known: known)), at: start) == [])
    #expect(sharing.deadline == nil)
    #expect(sharing.connect(peer, known, at: start) == greeting)
  }

  @Test func changesWhileTheIndexIsReadAreReadTogether() {
    var sharing = Sharing { 1 }
    #expect(sharing.handle(.indexChanged, at: start) == [])
    _ = sharing.handle(.shares(["t": []]), at: start)
    #expect(sharing.handle(.indexChanged, at: start) == [.readEnd])
    #expect(sharing.handle(.indexChanged, at: start) == [])
    #expect(sharing.handle(.indexChanged, at: start) == [])
    #expect(sharing.handle(.endRead(own), at: start) == [.readEnd])
    #expect(sharing.handle(.endRead(own), at: start) == [])
    #expect(sharing.handle(.indexChanged, at: start) == [.readEnd])
  }

  @Test func onePageIsReadForAMachineAtATime() {
    var sharing = sharing()
    _ = sharing.connect(peer, known, at: start)
    let question = Sharing.Event.received(.pull(own), from: peer)
    for page in [LogPage.nothing, nil] {
      #expect(sharing.handle(question, at: start) == [.readPage(peer, after: own)])
      #expect(sharing.handle(question, at: start) == [])
      #expect(sharing.handle(.pageRead(peer, page), at: start) == (page.map { [.send(.page($0), to: peer)] } ?? []))
    }
    // It is still read when another session begins.
    #expect(sharing.handle(question, at: start) == [.readPage(peer, after: own)])
    _ = sharing.handle(.disconnected(peer), at: start)
    _ = sharing.connect(peer, known, at: start)
    #expect(sharing.handle(question, at: start) == [])
    #expect(sharing.handle(.pageRead(peer, .nothing), at: start) == [.send(.page(.nothing), to: peer)])
  }

  @Test(arguments: [Sharing.Event.shares([:]), .shares(["t": ["d"]]), .disconnectedAll])
  func aPageIsNotSentToAMachineThatIsNoLongerSharedWith(event: Sharing.Event) {
    var sharing = sharing()
    _ = sharing.connect(peer, known, at: start)
    #expect(sharing.handle(.received(.pull(own), from: peer), at: start) == [.readPage(peer, after: own)])
    _ = sharing.handle(event, at: start)
    #expect(sharing.handle(.pageRead(peer, .nothing), at: start) == [])
  }

  @Test func nothingIsSharedWithARemovedDevice() {
    var sharing = sharing()
    let other = SharingPeer(device: "e", team: "t")
    _ = sharing.connect(peer, known, at: start)
    _ = sharing.connect(other, known, at: start)
    #expect(sharing.handle(.shares(["t": ["d"]]), at: start) == [.send(.noLog, to: peer)])
    #expect(sharing.handle(.connected(peer, name: "laptop"), at: start) == [.send(.noLog, to: peer)])
    #expect(sharing.handle(.shares(["t": [], "u": []]), at: start) == [.readPosition(peer)])
  }
}
