// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct FetchesTests {
  private var fetches = Fetches()
  private let time = Time(instant: .now, date: 1_000_000)

  private func id(_ number: UInt64, of peer: PeerID = Names.desktop) -> OfferID {
    OfferID(peer: peer, activity: Names.id(number))
  }

  private mutating func begin(_ id: OfferID, _ client: ClientID, user: UserID = 1000) throws(Reason) -> Bool {
    try fetches.begin(id, "org.example.reading", client, user, time)
  }

  @Test mutating func anotherClientTakesTheAnswerOfOneThatHasLeft() throws {
    #expect(try begin(id(1), c1))
    var error = #expect(throws: Reason.self) { try begin(id(1), c2) }
    #expect(error == .alreadyContinued)
    fetches.leave(c2)
    error = #expect(throws: Reason.self) { try begin(id(1), c2) }
    #expect(error == .alreadyContinued)
    fetches.leave(c1)
    #expect(try !begin(id(1), c2, user: 1001))
    #expect(fetches[id(1)]?.client == c2 && fetches[id(1)]?.user == 1001)
  }

  @Test mutating func onlyTheAnswerToItsRequestEndsIt() throws {
    _ = try begin(id(1), c1)
    _ = try begin(id(2), c2)
    #expect(fetches.end(id(1), answeredBy: 1) == nil, "It is not sent")
    fetches.send(id(1), 1)
    fetches.send(id(2), 2)
    #expect(fetches.end(id(1), answeredBy: 2) == nil)
    #expect(fetches.end(1, from: Names.tablet) == nil)
    #expect(fetches.end(id(1), answeredBy: 1)?.client == c1)
    #expect(fetches.end(1, from: Names.desktop) == nil)
    #expect(fetches.end(2, from: Names.desktop)?.client == c2)
    #expect(!fetches.contains(Names.desktop) && fetches.deadline == nil)
  }

  @Test mutating func onlyWhatIsNotSentIsTriedAgain() throws {
    _ = try begin(id(1), c1)
    _ = try begin(id(2), c2)
    fetches.send(id(2), 1)
    fetches.retryLater(Names.tablet, at: time)
    #expect(fetches.deadline == time.instant + Limits.fetchTime)
    fetches.retryLater(Names.desktop, at: time)
    let due = time.instant + Fetches.fetchRetryTime
    #expect(fetches.deadline == due)
    #expect(fetches.retry(at: due - .nanoseconds(1)) == [])
    #expect(fetches.retry(at: due) == [Names.desktop])
    #expect(fetches.retry(at: due) == [])
    #expect(fetches.deadline == due + Fetches.fetchRetryTime)
    #expect(fetches.sendAgain(to: Names.desktop) && !fetches.sendAgain(to: Names.tablet))
    #expect(fetches.from(Names.desktop).values.allSatisfy { $0.request == nil })
  }

  @Test mutating func allFromOnePeerAreTriedAgainTogether() throws {
    _ = try begin(id(1), c1)
    fetches.retryLater(Names.desktop, at: time)
    let due = time.instant + Fetches.fetchRetryTime
    _ = try begin(id(2), c2)
    fetches.retryLater(Names.desktop, at: Time(instant: due - .milliseconds(1), date: time.date))
    #expect(fetches.retry(at: due) == [Names.desktop])
    #expect(fetches.retry(at: due + Fetches.fetchRetryTime - .milliseconds(1)) == [])
    #expect(fetches.retry(at: due + Fetches.fetchRetryTime) == [Names.desktop])
  }

  @Test mutating func whyItEndedLateDependsOnWhetherItWasSent() throws {
    for (number, client) in [(1, c1), (2, c2), (3, c3)] as [(UInt64, ClientID)] { _ = try begin(id(number), client) }
    fetches.send(id(2), 1)
    fetches.leave(c3)
    #expect(fetches.endLate(at: time.instant + Limits.fetchTime - .nanoseconds(1)).isEmpty)
    let late = fetches.endLate(at: time.instant + Limits.fetchTime).sorted { $0.client.number < $1.client.number }
    #expect(late.map(\.client) == [c1, c2])
    #expect(late.map(\.reason) == [.peerUnreachable, .peerTimedOut])
    #expect(fetches.from(Names.desktop).isEmpty)
  }
}
