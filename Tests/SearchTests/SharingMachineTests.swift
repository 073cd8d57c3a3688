// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Search

struct SharingMachineTests {
  private let peer = SharingPeer(device: "d", team: "t")
  private let start = ContinuousClock().now

  private func sharing() -> Sharing {
    var sharing = Sharing { 1 }
    #expect(sharing.handle(.shares(["t": []]), at: start) == [])
    return sharing
  }

  private func page(_ after: Int, _ last: Int, isComplete: Bool = true, generation: String = "g") -> LogPage {
    let lines = after < last ? [SharedLine(number: after + 1, id: 1, change: .removed)] : []
    return LogPage(
      generation: generation,
      after: after,
      lines: lines,
      last: last,
      isReset: false,
      isComplete: isComplete
    )
  }

  @Test func asksAtOnceAndThenOnlyForNews() {
    var sharing = sharing()
    let position = LogPosition(generation: "g", after: 5)
    #expect(
      sharing.connect(peer, position, at: start)
        == [.send(.pull(position), to: peer), .send(.changed(generation: "own", last: 3), to: peer)]
    )
    let first = page(5, 7, isComplete: false)
    #expect(
      sharing.handle(.received(.page(first), from: peer), at: start) == [.apply(first, from: peer, name: "laptop")]
    )
    let next = LogPosition(generation: "g", after: 6)
    #expect(sharing.handle(.applied(peer, next, isComplete: false), at: start) == [.send(.pull(next), to: peer)])
    let second = page(6, 7)
    #expect(
      sharing.handle(.received(.page(second), from: peer), at: start) == [.apply(second, from: peer, name: "laptop")]
    )
    let last = LogPosition(generation: "g", after: 7)
    #expect(sharing.handle(.applied(peer, last, isComplete: true), at: start) == [])
    #expect(sharing.deadline == start + .seconds(3600))
    #expect(sharing.handle(.received(.changed(generation: "g", last: 7), from: peer), at: start) == [])
    #expect(
      sharing.handle(.received(.changed(generation: "g", last: 8), from: peer), at: start)
        == [.send(.pull(last), to: peer)]
    )
    #expect(sharing.handle(.received(.changed(generation: "g", last: 9), from: peer), at: start) == [])
  }

  @Test func ignoresPagesThatAnswerNothing() {
    var sharing = sharing()
    let position = LogPosition(generation: "g", after: 5)
    #expect(sharing.handle(.received(.page(page(5, 6)), from: peer), at: start) == [])
    _ = sharing.connect(peer, position, at: start)
    #expect(sharing.handle(.received(.page(page(4, 6)), from: peer), at: start) == [])
    #expect(sharing.handle(.received(.page(page(5, 6, generation: "h")), from: peer), at: start) == [])
    let answer = page(5, 6)
    #expect(
      sharing.handle(.received(.page(answer), from: peer), at: start) == [.apply(answer, from: peer, name: "laptop")]
    )
    #expect(sharing.handle(.received(.page(answer), from: peer), at: start) == [])
  }

  @Test func asksAgainLaterAndLater() throws {
    var sharing = sharing()
    let position = LogPosition()
    _ = sharing.connect(peer, position, at: start)
    var now = start
    var pauses: [Duration] = []
    for _ in 0..<9 {
      let deadline = try #require(sharing.deadline)
      #expect(sharing.handle(.timePassed, at: now) == [])
      pauses.append(now.duration(to: deadline))
      now = deadline
      #expect(sharing.handle(.timePassed, at: now) == [.send(.pull(position), to: peer)])
    }
    #expect(pauses.first == .seconds(10))
    #expect(pauses.last == .seconds(900))
    // Its agent is there now.
    now += .seconds(6)
    #expect(
      sharing.handle(.received(.pull(position), from: peer), at: now)
        == [.readPage(peer, after: position), .send(.pull(position), to: peer)]
    )
    #expect(sharing.handle(.pageRead(peer, .nothing), at: now) == [.send(.page(.nothing), to: peer)])
    #expect(sharing.handle(.received(.pull(position), from: peer), at: now) == [.readPage(peer, after: position)])
    _ = sharing.handle(.disconnected(peer), at: now)
    #expect(sharing.deadline == nil)
    #expect(sharing.handle(.received(.pull(position), from: peer), at: now) == [])
  }

  @Test func tellsOthersOnceAboutSeveralChanges() {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(), at: start)
    _ = sharing.handle(.received(.page(.nothing), from: peer), at: start)
    _ = sharing.handle(.applied(peer, LogPosition(), isComplete: true), at: start)
    for last in 4..<100 {
      #expect(
        sharing.handle(.endRead(LogPosition(generation: "own", after: last)), at: start + .milliseconds(last)) == []
      )
    }
    #expect(sharing.deadline == start + .milliseconds(4) + Sharing.sharedChangeTime)
    #expect(
      sharing.handle(.timePassed, at: start + .seconds(3)) == [.send(.changed(generation: "own", last: 99), to: peer)]
    )
    #expect(sharing.deadline == start + .seconds(3600))
  }

  @Test func asksNowAndThenBecauseNewsCanBeLost() {
    var sharing = sharing()
    let position = LogPosition()
    for hour in 0..<3 {
      let now = start + .seconds(3600 * hour)
      let effects =
        hour == 0 ? sharing.connect(peer, position, at: now) : sharing.handle(.timePassed, at: now)
      #expect(effects.first == .send(.pull(position), to: peer))
      _ = sharing.handle(.received(.page(.nothing), from: peer), at: now)
      #expect(sharing.handle(.applied(peer, position, isComplete: true), at: now) == [])
      #expect(sharing.deadline == now + .seconds(3600))
    }
  }

  @Test func withoutSharingItOnlyAnswersThatThereIsNothing() {
    var sharing = Sharing { 1 }
    #expect(sharing.handle(.endRead(LogPosition(generation: "own", after: 3)), at: start) == [])
    #expect(sharing.handle(.connected(peer, name: "laptop"), at: start) == [.send(.noLog, to: peer)])
    #expect(sharing.handle(.endRead(LogPosition(generation: "own", after: 4)), at: start) == [])
    #expect(sharing.handle(.timePassed, at: start + .seconds(3)) == [])
    #expect(sharing.handle(.received(.changed(generation: "g", last: 8), from: peer), at: start) == [])
    #expect(sharing.handle(.received(.page(page(0, 1)), from: peer), at: start) == [])
    #expect(
      sharing.handle(.received(.pull(LogPosition(generation: "own", after: 1)), from: peer), at: start)
        == [.send(.page(.nothing), to: peer)]
    )
    let answers = (0..<10_000).filter { _ in
      !sharing.handle(.received(.pull(LogPosition()), from: peer), at: start).isEmpty
    }
    #expect(answers.count == 199)
    #expect(sharing.deadline == nil)
  }

  @Test func whoStopsSharingSaysSo() {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(generation: "g", after: 5), at: start)
    #expect(sharing.handle(.shares([:]), at: start) == [.send(.noLog, to: peer)])
    #expect(sharing.handle(.received(.page(page(5, 6)), from: peer), at: start) == [])
    #expect(sharing.handle(.shares(["t": []]), at: start) == [.readPosition(peer)])
    // It has not heard anything else yet.
    #expect(sharing.handle(.shares([:]), at: start) == [])
    #expect(sharing.handle(.shares(["t": []]), at: start) == [.readPosition(peer)])
    let known = (own: LogPosition(generation: "own", after: 3), known: LogPosition())
    #expect(
      sharing.handle(.positionRead(peer, known), at: start).first == .send(.pull(LogPosition()), to: peer)
    )
    #expect(sharing.handle(.shares([:]), at: start) == [.send(.noLog, to: peer)])
  }

  @Test func whoLearnsThatNothingIsSharedAsks() {
    var sharing = sharing()
    let position = LogPosition(generation: "g", after: 5)
    _ = sharing.connect(peer, position, at: start)
    _ = sharing.handle(.received(.page(page(5, 6)), from: peer), at: start)
    _ = sharing.handle(.applied(peer, LogPosition(generation: "g", after: 6), isComplete: true), at: start)
    #expect(
      sharing.handle(.received(.noLog, from: peer), at: start)
        == [.send(.pull(LogPosition(generation: "g", after: 6)), to: peer)]
    )
  }

  @Test func aNewIndexAsksForEverything() {
    var sharing = sharing()
    let position = LogPosition(generation: "g", after: 5)
    _ = sharing.connect(peer, position, at: start)
    let other = SharingPeer(device: "e", team: "u")
    #expect(sharing.handle(.connected(other, name: "desktop"), at: start) == [.send(.noLog, to: other)])
    #expect(
      sharing.handle(.endRead(LogPosition(generation: "new", after: 0)), at: start) == [
        .send(.pull(LogPosition()), to: peer)
      ]
    )
    #expect(
      sharing.handle(.timePassed, at: start + Sharing.sharedChangeTime)
        == [.send(.changed(generation: "new", last: 0), to: peer)]
    )
    // A page for the old index is still being applied.
    var page = page(0, 1)
    page.isReset = true
    _ = sharing.handle(.received(.page(page), from: peer), at: start)
    #expect(sharing.handle(.endRead(LogPosition(generation: "newer", after: 0)), at: start) == [])
    #expect(
      sharing.handle(.applied(peer, LogPosition(), isComplete: false), at: start)
        == [.send(.pull(LogPosition()), to: peer)]
    )
  }

  @Test func whoEndsSharingWhileItsFirstPageIsAppliedIsAskedAgain() {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(), at: start)
    var first = page(0, 1)
    first.isReset = true
    _ = sharing.handle(.received(.page(first), from: peer), at: start)
    #expect(sharing.handle(.received(.noLog, from: peer), at: start) == [])
    let position = LogPosition(generation: "g", after: 1)
    #expect(
      sharing.handle(.applied(peer, position, isComplete: true), at: start) == [.send(.pull(position), to: peer)]
    )
  }

  @Test func whatTheAnswerContainsIsNoNews() {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(), at: start)
    #expect(sharing.handle(.received(.changed(generation: "g", last: 1), from: peer), at: start) == [])
    var first = page(0, 1)
    first.isReset = true
    _ = sharing.handle(.received(.page(first), from: peer), at: start)
    let position = LogPosition(generation: "g", after: 1)
    #expect(sharing.handle(.applied(peer, position, isComplete: true), at: start) == [])
  }

  @Test func anAgentThatHasJustStartedIsAskedAgainSoon() throws {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(), at: start)
    var now = start
    for _ in 0..<5 {
      now = try #require(sharing.deadline)
      _ = sharing.handle(.timePassed, at: now)
    }
    // It started after the last question, and asks itself.
    now += .seconds(1)
    #expect(
      sharing.handle(.received(.pull(LogPosition()), from: peer), at: now) == [.readPage(peer, after: LogPosition())]
    )
    #expect(sharing.deadline == now + .seconds(5))
    #expect(sharing.handle(.timePassed, at: now + .seconds(5)) == [.send(.pull(LogPosition()), to: peer)])
    #expect(sharing.deadline == now + .seconds(15))
  }

  @Test func aFloodOfQuestionsIsNotAnswered() {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(), at: start)
    let answers = (0..<10_000).filter { _ in
      defer { _ = sharing.handle(.pageRead(peer, .nothing), at: start) }
      return !sharing.handle(.received(.pull(LogPosition()), from: peer), at: start).isEmpty
    }
    #expect(answers.count == 200)
  }

  @Test func aPageThatCannotBeAppliedIsAskedForLater() throws {
    var sharing = sharing()
    _ = sharing.connect(peer, LogPosition(), at: start)
    _ = sharing.handle(.received(.page(.nothing), from: peer), at: start)
    #expect(sharing.deadline == nil)
    #expect(sharing.handle(.failed(peer), at: start) == [])
    let deadline = try #require(sharing.deadline)
    #expect(sharing.handle(.timePassed, at: deadline) == [.send(.pull(LogPosition()), to: peer)])
  }

  @Test func aMachineThatChangesEverythingAllTheTimeIsAskedLater() throws {
    var sharing = sharing()
    var now = start
    var position = LogPosition(generation: "g", after: 0)
    _ = sharing.connect(peer, position, at: now)
    let burst = Int(SharingPace.sharedLineRate.burst)
    var isLater = false
    while position.after < 2 * burst, !isLater {
      let lines = (1...100).map { SharedLine(number: position.after + $0, id: $0, change: .removed) }
      let page = LogPage(
        generation: "g",
        after: position.after,
        lines: lines,
        last: position.after + 1000,
        isReset: false,
        isComplete: false
      )
      #expect(sharing.handle(.received(.page(page), from: peer), at: now) == [.apply(page, from: peer, name: "laptop")])
      position.after += 100
      isLater = sharing.handle(.applied(peer, position, isComplete: false), at: now).isEmpty
    }
    #expect(position.after == burst)
    let deadline = try #require(sharing.deadline)
    #expect(deadline > now && deadline <= now + .seconds(1 / SharingPace.sharedLineRate.perSecond + 0.01))
    // News and a new session change nothing about it.
    #expect(sharing.handle(.received(.changed(generation: "g", last: 99999), from: peer), at: now) == [])
    _ = sharing.handle(.disconnected(peer), at: now)
    #expect(
      sharing.connect(peer, position, at: now) == [.send(.changed(generation: "own", last: 3), to: peer)]
    )
    now = deadline
    #expect(sharing.handle(.timePassed, at: now) == [.send(.pull(position), to: peer)])
  }
}

extension Sharing {
  /// Begins a session with a machine, and tells what is known of its log.
  mutating func connect(_ peer: SharingPeer, _ position: LogPosition, at now: ContinuousClock.Instant) -> [Effect] {
    #expect(handle(.connected(peer, name: "laptop"), at: now) == [.readPosition(peer)])
    let own = LogPosition(generation: "own", after: 3)
    return handle(.positionRead(peer, (own: own, known: position)), at: now)
  }
}
