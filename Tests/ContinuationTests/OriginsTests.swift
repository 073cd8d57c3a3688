// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct OriginsTests {
  private var order = Order()
  private var origins = Origins()

  private mutating func note(_ numbers: ClosedRange<UInt64>, of peer: PeerID) {
    for number in numbers { origins.note(Names.id(number), of: peer, &order) }
  }

  @Test mutating func theFirstPeerRemains() {
    note(1...1, of: Names.desktop)
    note(1...2, of: Names.tablet)
    #expect(origins[Names.id(1)] == Names.desktop)
    #expect(origins[Names.id(2)] == Names.tablet)
    #expect(origins[Names.id(3)] == nil)
  }

  @Test mutating func theOldestOfThePeerGoesFirst() {
    let limit = UInt64(Limits.offersPerPeer)
    note(100...100, of: Names.tablet)
    note(1...limit, of: Names.desktop)
    // This is not its newest again.
    note(1...1, of: Names.desktop)
    note(limit + 1...limit + 1, of: Names.desktop)
    #expect(origins[Names.id(1)] == nil)
    #expect((2...limit + 1).allSatisfy { origins[Names.id($0)] == Names.desktop })
    #expect(origins[Names.id(100)] == Names.tablet, "Another peer's is older, and stays")
  }

  @Test mutating func whatThePeerOffersStays() {
    let limit = UInt64(Limits.offersPerPeer)
    note(1...limit, of: Names.desktop)
    for number in limit + 1...3 * limit {
      origins.note(Names.id(number), of: Names.desktop, &order) { $0 == Names.id(1) }
    }
    #expect(origins[Names.id(1)] == Names.desktop)
    #expect((1...3 * limit).count { origins[Names.id($0)] != nil } == limit)
  }

  @Test mutating func aForgottenPeerMakesRoomForAnother() {
    note(1...3, of: Names.desktop)
    note(4...4, of: Names.tablet)
    origins.forget(Names.desktop)
    note(1...1, of: Names.tablet)
    #expect([1, 2, 3, 4].map { origins[Names.id($0)] } == [Names.tablet, nil, nil, Names.tablet])
  }
}
