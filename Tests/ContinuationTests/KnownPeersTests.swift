// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct KnownPeersTests {
  /// Returns as many peers as may be known. Each has offered an activity, the first one first.
  private func all() -> KnownPeers {
    var (peers, order) = (KnownPeers(), Order())
    for number in 0..<Limits.knownPeers {
      let peer = Names.peer(number: number)
      #expect(peers.surplus(for: peer) { _ in false } == nil)
      #expect(peers.see(Names.advert(peer, 1, 1, Names.record(1)), of: peer, &order))
    }
    return peers
  }

  @Test func thePeerWhoseOfferIsTheOldestMakesRoom() {
    let peers = all()
    #expect(peers.surplus(for: Names.peer(number: 5)) { _ in false } == nil, "It is known")
    let first = Names.peer(number: 0)
    #expect(peers.surplus(for: Names.peer(number: 60_000)) { _ in false } == first)
    #expect(peers.surplus(for: Names.peer(number: 60_000)) { $0 == first } == Names.peer(number: 1))
    #expect(peers.surplus(for: Names.peer(number: 60_000)) { _ in true } == nil)
  }

  @Test func aPeerThatOffersNothingOrHasASessionIsAnotherMatter() {
    var (peers, order) = (all(), Order())
    let (first, second, third) = (Names.peer(number: 0), Names.peer(number: 1), Names.peer(number: 2))
    let time = Time(instant: .now, date: 1_000_000)
    #expect(peers.beginSession(first, Names.hello(of: first), isFirst: true, at: time) == false)
    #expect(peers.surplus(for: Names.peer(number: 60_000)) { _ in false } == second)
    #expect(peers.see(Names.advert(third, 1, 2, nil), of: third, &order))
    #expect(peers.surplus(for: Names.peer(number: 60_000)) { _ in false } == third)
  }

  @Test func withoutRoomThereIsNeitherAPeerNorASession() {
    var (peers, order) = (all(), Order())
    let other = Names.peer(number: 60_000)
    #expect(!peers.see(Names.advert(other, 1, 1, Names.record(2)), of: other, &order))
    let time = Time(instant: .now, date: 1_000_000)
    #expect(peers.beginSession(other, Names.hello(of: other), isFirst: true, at: time) == nil)
    #expect(peers[other] == nil && peers.count == Limits.knownPeers)
  }

  /// A device's origins outlive the device, until nothing at all is remembered of it.
  @Test func whatNothingIsRememberedOfIsNoOrigin() {
    var (peers, order) = (KnownPeers(), Order())
    func comeAndGo(_ peer: PeerID, time: Int64) {
      #expect(peers.see(Names.advert(peer, 1, 1, Names.record(9), time: time), of: peer, &order))
      #expect(peers.receive(Offer(activity: Names.record(1), counter: 1), from: peer, &order))
      let hadOffers = peers.forget(peer)
      #expect(hadOffers)
    }
    comeAndGo(Names.desktop, time: 1)
    for number in 1..<Limits.knownPeers { comeAndGo(Names.peer(number: number), time: 2) }
    #expect(peers.origins[Names.id(1)] == Names.desktop)
    comeAndGo(Names.peer(number: 0), time: 2)
    #expect(peers.origins[Names.id(1)] == nil)
  }
}
