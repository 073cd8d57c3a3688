// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ActivityTypes

struct TerminalShareTests {
  private let now = ContinuousClock.now

  private func share() -> TerminalShare {
    let numbers = Counter()
    return TerminalShare(resumeTime: .seconds(60)) { "token\(numbers.next())" }
  }

  @Test func aContinuationGetsOneConnection() {
    var share = share()
    #expect(share.handle(.requested(1, token: nil), at: now) == [.refuse(1, .notContinued)])
    #expect(share.handle(.continued, at: now).isEmpty)
    #expect(share.handle(.requested(2, token: nil), at: now) == [.connect(2, token: "token1")])
    #expect(share.handle(.requested(3, token: nil), at: now) == [.refuse(3, .notContinued)])
    #expect(share.connectedCount == 1)
  }

  @Test func aBrokenConnectionIsContinuedUntilItsTimeIsOver() {
    var share = share()
    _ = share.handle(.continued, at: now)
    _ = share.handle(.requested(1, token: nil), at: now)
    #expect(share.handle(.broke(1), at: now) == [.offer])
    #expect(share.isAwaited)
    #expect(share.deadline == now + .seconds(60))
    let before = now + .seconds(59)
    #expect(share.handle(.requested(2, token: "token1"), at: before) == [.connect(2, token: "token1")])
    // The time begins with the last break.
    #expect(share.handle(.broke(2), at: before) == [.offer])
    let after = before + .seconds(60)
    #expect(share.handle(.requested(3, token: "token1"), at: after) == [.refuse(3, .expired)])
    #expect(!share.isAwaited)
  }

  @Test func aConnectionThatEndedIsOver() {
    var share = share()
    _ = share.handle(.continued, at: now)
    _ = share.handle(.requested(1, token: nil), at: now)
    #expect(share.handle(.detached(1), at: now) == [.offer])
    #expect(share.handle(.requested(2, token: "token1"), at: now) == [.refuse(2, .expired)])
    #expect(share.handle(.broke(1), at: now).isEmpty)
  }

  @Test func aStreamThatBreaksBeforeItsHelloGivesItBack() {
    var share = share()
    _ = share.handle(.continued, at: now)
    #expect(share.handle(.broke(1), at: now) == [.offer])
    #expect(share.handle(.requested(2, token: nil), at: now) == [.refuse(2, .notContinued)])
  }

  @Test func theReceiverKnowsOfABreakFirst() {
    var share = share()
    _ = share.handle(.continued, at: now)
    _ = share.handle(.requested(1, token: nil), at: now)
    #expect(share.handle(.requested(2, token: "token1"), at: now) == [.drop(1), .connect(2, token: "token1")])
    #expect(share.handle(.broke(1), at: now).isEmpty)
    #expect(share.connectedCount == 1)
  }

  @Test func aContinuationWithoutAStreamGivesItBack() {
    var share = share()
    _ = share.handle(.continued, at: now)
    let late = now + TerminalShare.openTime
    #expect(share.deadline == late)
    #expect(share.handle(.wake, at: late) == [.offer])
    #expect(share.handle(.requested(1, token: nil), at: late) == [.refuse(1, .notContinued)])
  }

  @Test func notMoreThanTheLimitAreConnectedOrRemembered() {
    var share = share()
    for stream in 1...UInt64(TerminalShare.connectionLimit) {
      _ = share.handle(.continued, at: now)
      _ = share.handle(.requested(stream, token: nil), at: now)
    }
    _ = share.handle(.continued, at: now)
    #expect(share.handle(.requested(99, token: nil), at: now) == [.refuse(99, .limitReached)])
    _ = share.handle(.broke(1), at: now)
    for stream in 100...UInt64(120) {
      _ = share.handle(.continued, at: now)
      _ = share.handle(.requested(stream, token: nil), at: now + .seconds(1))
      _ = share.handle(.broke(stream), at: now + .seconds(1))
    }
    #expect(share.handle(.requested(200, token: "token1"), at: now + .seconds(2)) == [.refuse(200, .expired)])
  }

  @Test func whatComesBackCountsToo() {
    var share = share()
    for stream in 1...UInt64(TerminalShare.connectionLimit + 1) {
      if stream > 1 { _ = share.handle(.broke(1), at: now) }
      _ = share.handle(.continued, at: now)
      _ = share.handle(.requested(stream, token: nil), at: now)
    }
    #expect(share.connectedCount == TerminalShare.connectionLimit)
    #expect(share.handle(.requested(10, token: "token1"), at: now) == [.refuse(10, .limitReached)])
    _ = share.handle(.detached(2), at: now)
    #expect(share.handle(.requested(11, token: "token1"), at: now) == [.connect(11, token: "token1")])
  }
}

/// Counts, for tests that run on one thread.
private final class Counter: @unchecked Sendable {
  private var number = 0

  func next() -> Int {
    number += 1
    return number
  }
}
