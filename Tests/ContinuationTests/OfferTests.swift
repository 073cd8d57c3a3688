// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// What peers offer, as users see it.
struct OfferTests {
  private let team = Names.team
  private let desktop = Names.desktop
  private let tablet = Names.tablet

  private func see(
    _ peer: PeerID,
    _ epoch: UInt64,
    _ counter: UInt64,
    _ record: ActivityRecord?,
    time: Int64 = 0
  ) -> ContinuationCore.Event {
    .advertSeen(Names.advert(peer, epoch, counter, record, time: time), team: peer.team)
  }

  private func offer(_ record: ActivityRecord, _ counter: UInt64, from peer: PeerID) -> ContinuationCore.Event {
    .received(.offer(Offer(activity: record, counter: counter)), from: peer)
  }

  private func withdraw(_ number: UInt64, _ counter: UInt64, from peer: PeerID) -> ContinuationCore.Event {
    .received(.withdraw(Withdraw(activity: Names.id(number), counter: counter)), from: peer)
  }

  /// An item of an index opens only on the machine whose index it is: elsewhere, the app would take the other machine's
  /// name of it for its own.
  @Test func anItemOfAnIndexIsNoOffer() throws {
    let item = try ActivityRecord(id: Names.id(1), activityType: ActivityRecord.searchItemType)
    var machine = Machine()
    #expect(machine.handle(see(desktop, 1, 1, item)) == [])
    machine.connect(desktop)
    #expect(machine.handle(offer(item, 2, from: desktop)) == [])
    #expect(machine.offers().isEmpty)
    #expect(machine.handle(.continueRequested(item.id, client: c1, user: 1000)) == [.fail(c1, .activityNotFound)])
    // Nor does an offer become one.
    _ = machine.handle(offer(Names.record(1), 3, from: desktop))
    #expect(machine.offers() == [item.id])
    #expect(machine.handle(offer(item, 4, from: desktop)) == [.offersChanged])
    #expect(machine.offers().isEmpty)
  }

  // MARK: Adverts

  @Test func anAdvertIsAnOffer() {
    var machine = Machine()
    #expect(machine.handle(see(desktop, 1, 1, Names.record(1))) == [.offersChanged])
    #expect(
      machine.continuation.offers(for: 1000)
        == [
          VisibleOffer(
            activity: Names.record(1),
            peer: desktop,
            deviceName: "device 1",
            source: .advert,
            generation: 1,
            isSent: false
          )
        ]
    )
    #expect(machine.handle(see(desktop, 1, 2, nil)) == [.offersChanged])
    #expect(machine.offers() == [])
    #expect(machine.handle(see(desktop, 1, 3, nil)) == [])
  }

  @Test(arguments: [(5, 7), (5, 6), (4, 100), (0, 0)] as [(UInt64, UInt64)])
  func onlyANewerAdvertIsTaken(epoch: UInt64, counter: UInt64) {
    var machine = Machine()
    _ = machine.handle(see(desktop, 5, 7, Names.record(1)))
    #expect(machine.handle(see(desktop, epoch, counter, Names.record(2))) == [])
    #expect(machine.offers() == [Names.id(1)])
    // Each device has its own count.
    #expect(machine.handle(see(tablet, 1, 1, Names.record(3))) == [.offersChanged])
  }

  @Test func aDeviceThatWasNotMetIsCalledWhatItsNewestAdvertSays() {
    var machine = Machine()
    _ = machine.handle(see(desktop, 1, 1, Names.record(1)))
    var advert = Names.advert(desktop, 1, 1, Names.record(1), time: 1)
    advert.deviceName = "study"
    #expect(machine.handle(.advertSeen(advert, team: team)) == [.offersChanged])
    #expect(machine.continuation.offers(for: 1000).map(\.deviceName) == ["study"])
    // An older advert is ignored.
    #expect(machine.handle(see(desktop, 0, 9, nil)) == [])
    #expect(machine.continuation.offers(for: 1000).map(\.deviceName) == ["study"])
  }

  @Test func aDeviceWithASessionSaysItsNameItself() {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    var advert = Names.advert(desktop, 1, 9, Names.record(1), time: 9)
    advert.deviceName = "somebody else"
    #expect(machine.handle(.advertSeen(advert, team: team)) == [])
    #expect(machine.handle(.renamed(desktop, "study")) == [.offersChanged])
    #expect(machine.continuation.offers(for: 1000).map(\.deviceName) == ["study"])
    _ = machine.handle(.sessionEnded(desktop, .sessionIdle))
    _ = machine.handle(.advertSeen(advert, team: team))
    #expect(machine.continuation.offers(for: 1000).map(\.deviceName) == ["study"])
  }

  @Test func anAdvertInAnothersNameDoesNotSilenceIt() {
    var machine = Machine()
    // The greatest possible numbers, from a member that impersonates the device.
    _ = machine.handle(see(desktop, .max, .max, Names.record(9)))
    #expect(
      machine.handle(.advertSeen(Names.advert(desktop, 5, 1, Names.record(1), time: 1), team: team)) == [.offersChanged]
    )
    #expect(machine.offers() == [Names.id(1)])
    // The device's own word in a session counts, and later adverts must name the epoch that it named there.
    _ = machine.handle(.advertSeen(Names.advert(desktop, .max, .max, nil, time: 2), team: team))
    machine.connect(desktop)
    machine.offer(Names.record(2), from: desktop)
    let now = Int64(machine.time.date)
    #expect(machine.handle(.advertSeen(Names.advert(desktop, .max, .max, nil, time: now + 1), team: team)) == [])
    #expect(machine.offers() == [Names.id(2)])
    _ = machine.handle(.sessionEnded(desktop, .sessionIdle))
    #expect(machine.handle(.advertSeen(Names.advert(desktop, .max, .max, nil, time: now + 1), team: team)) == [])
    #expect(machine.offers() == [Names.id(2)])
    let epoch = machine.continuation.peers[desktop]?.epoch ?? 0
    #expect(
      machine.handle(.advertSeen(Names.advert(desktop, epoch, 1, Names.record(3), time: now + 1), team: team)) == [
        .offersChanged
      ]
    )
    #expect(machine.offers() == [Names.id(3)])
  }

  @Test func aDeviceThatCountsToTheEndCountsAnewInItsNextSession() {
    var machine = Machine()
    machine.connect(desktop)
    _ = machine.handle(.received(.offer(Offer(activity: Names.record(1), counter: .max)), from: desktop))
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    machine.connect(desktop)
    _ = machine.handle(.received(.offer(Offer(activity: Names.record(2), counter: 1)), from: desktop))
    _ = machine.handle(.sessionEnded(desktop, .sessionIdle))
    let epoch = machine.continuation.peers[desktop]?.epoch ?? 0
    let advert = Names.advert(desktop, epoch, 2, Names.record(3), time: Int64(machine.time.date) + 1)
    #expect(machine.handle(.advertSeen(advert, team: team)) == [.offersChanged])
    #expect(machine.offers() == [Names.id(3)])
  }

  @Test(arguments: [(5, 8), (6, 1), (UInt64.max, UInt64.max)] as [(UInt64, UInt64)])
  func aNewerAdvertReplacesTheOlder(epoch: UInt64, counter: UInt64) {
    var machine = Machine()
    _ = machine.handle(see(desktop, 5, 7, Names.record(1)))
    #expect(machine.handle(see(desktop, epoch, counter, Names.record(2))) == [.offersChanged])
    #expect(machine.offers() == [Names.id(2)])
  }

  @Test func aLostAdvertIsALostOffer() {
    var machine = Machine()
    _ = machine.handle(see(desktop, 1, 1, Names.record(1)))
    #expect(machine.handle(.advertLost(desktop)) == [.offersChanged])
    #expect(machine.offers() == [])
    #expect(machine.handle(.advertLost(desktop)) == [])
  }

  @Test func anOldAdvertIsNotTakenAfterTheDeviceWasForgotten() {
    var machine = Machine()
    _ = machine.handle(see(desktop, 5, 7, Names.record(1)))
    _ = machine.handle(.advertLost(desktop))
    #expect(machine.handle(see(desktop, 5, 6, Names.record(2))) == [])
    #expect(machine.handle(see(desktop, 4, 9, Names.record(2))) == [])
    #expect(machine.offers() == [])
    // The same advert is taken, because Avahi may have been restarted.
    #expect(machine.handle(see(desktop, 5, 7, Names.record(1))) == [.offersChanged])
    #expect(machine.handle(see(desktop, 5, 7, Names.record(2))) == [])
  }

  @Test func forgottenDevicesAreSoManyAndNoMore() {
    var machine = Machine()
    for number in 0...Limits.knownPeers {
      _ = machine.handle(see(Names.peer(number: number), UInt64(number) + 1, 1, nil))
      _ = machine.handle(.advertLost(Names.peer(number: number)))
    }
    #expect(machine.continuation.peers.forgotten.count == Limits.knownPeers)
    #expect(machine.continuation.peers.forgotten[Names.peer(number: 0)] == nil, "The oldest goes first")
  }

  @Test func aTitleOfControlCharactersIsNoOffer() {
    var machine = Machine()
    let record = Names.record(1) { $0.title = "\u{1B}[2J" }
    #expect(machine.handle(see(desktop, 1, 1, record)) == [])
    #expect(machine.offers() == [])
  }

  @Test func soManyDevicesAreKnownAndNoMore() {
    var machine = Machine()
    let peer = Names.peer(number:)
    machine.connect(peer(0))
    for number in 1..<Limits.knownPeers { _ = machine.handle(see(peer(number), UInt64(number), 1, nil)) }
    #expect(machine.handle(see(peer(2), 2, 2, Names.record(1))) == [.offersChanged])
    // The peer that makes room has no session and has offered nothing.
    #expect(machine.handle(see(peer(Limits.knownPeers), 1, 1, Names.record(2))) == [.offersChanged])
    #expect(machine.continuation.peers.count == Limits.knownPeers)
    #expect(machine.continuation.peers[peer(1)] == nil)
    #expect(machine.continuation.peers[peer(0)] != nil)
    #expect(machine.offers().count == 2)
  }

  // MARK: Sessions

  @Test func aSessionOffersAndWithdraws() {
    var machine = Machine()
    machine.connect(desktop)
    #expect(machine.handle(offer(Names.record(1), 1, from: desktop)) == [.offersChanged])
    #expect(
      machine.continuation.offers(for: 1000)
        == [
          VisibleOffer(
            activity: Names.record(1),
            peer: desktop,
            deviceName: "device 1",
            source: .session,
            generation: 1,
            isSent: false
          )
        ]
    )
    #expect(machine.handle(withdraw(2, 2, from: desktop)) == [])
    #expect(machine.handle(withdraw(1, 3, from: desktop)) == [.offersChanged])
    #expect(machine.offers() == [])
  }

  @Test func whatTheUserHasHereOrHasJustHandedOverIsKnown() {
    func page(_ number: UInt64, _ title: String?, _ host: String = "example.org") -> ActivityRecord {
      Names.record(number) { ($0.title, $0.webpageURL) = (title, "https://\(host)/\(number)") }
    }
    func offered(_ title: String?, _ host: String = "example.org") -> ActivityRecord {
      Names.record(9) { ($0.title, $0.hasWebPage, $0.webpageHost) = (title, true, host) }
    }
    var machine = Machine()
    machine.connect(desktop)
    var counter: UInt64 = 0
    func isHere(_ offer: ActivityRecord, after time: Duration = .zero) -> Bool? {
      counter += 1
      machine.offer(offer, from: desktop, counter: counter)
      let core = machine.continuation
      return core.offers(for: 1000).first { $0.activity.id == offer.id }.map {
        core.isHere($0, for: 1000, at: machine.time.instant + time)
      }
    }
    machine.publish(page(1, "Ducks"))
    #expect(isHere(offered("Ducks")) == true)
    #expect(isHere(offered("Geese")) == false)
    #expect(isHere(offered("Ducks", "example.com")) == false)
    #expect(isHere(offered(nil)) == false)
    // Another program of the user is used.
    machine.publish(Names.record(2), client: 2)
    #expect(isHere(offered("Ducks")) == true)
    machine.publish(page(3, "Swans"), client: 3)
    machine.giveAway(Names.id(3), to: desktop)
    #expect(isHere(offered("example.org"), after: .seconds(29)) == true)
    #expect(isHere(offered("example.org"), after: LocalActivity.handoverTime) == false)
    // It has another title there, when it has loaded. The next page of the site is news.
    #expect(isHere(offered("Loading")) == true)
    #expect(isHere(offered("Cygnes")) == true)
    machine.advance(LocalActivity.titleSettlingTime)
    #expect(isHere(offered("Oies")) == false)
    #expect(isHere(offered("Cygnes"), after: .seconds(3600)) == true)
    #expect(isHere(offered("Swans"), after: .seconds(3600)) == true)
    // With the title that it has here, it has loaded.
    machine.publish(page(4, "Herons"), client: 4)
    machine.giveAway(Names.id(4), to: desktop)
    #expect(isHere(offered("Herons")) == true)
    #expect(isHere(offered("Storks")) == false)
    // The pages are closed.
    for client in 1...4 { _ = machine.handle(.clientLeft(ClientID(UInt64(client)))) }
    #expect(isHere(offered("Ducks")) == false)
    #expect(isHere(offered("Swans")) == false)
  }

  @Test func theNewestOfferComesFirst() {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    machine.offer(Names.record(1), from: desktop)
    machine.offer(Names.record(2), from: tablet)
    #expect(machine.offers() == [Names.id(2), Names.id(1)])
    machine.offer(Names.record(1), from: desktop)
    #expect(machine.offers() == [Names.id(2), Names.id(1)], "Nothing changed")
    machine.offer(Names.record(1) { $0.title = "Newer" }, from: desktop)
    #expect(machine.offers() == [Names.id(1), Names.id(2)])
  }

  @Test func anUnchangedAdvertKeepsItsPlace() {
    var machine = Machine()
    _ = machine.handle(see(desktop, 1, 1, Names.record(1)))
    _ = machine.handle(see(tablet, 1, 1, Names.record(2)))
    _ = machine.handle(see(desktop, 1, 2, Names.record(1)))
    #expect(machine.offers() == [Names.id(2), Names.id(1)])
  }

  @Test func whileConnectedTheSessionAloneCounts() {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    #expect(machine.handle(see(desktop, 1, 9, Names.record(2))) == [])
    #expect(machine.handle(.advertLost(desktop)) == [])
    #expect(machine.offers() == [Names.id(1)])
  }

  @Test func aSessionHasASecondToConfirm() {
    var machine = Machine()
    _ = machine.handle(see(desktop, 1, 1, Names.record(1)))
    machine.connect(desktop)
    #expect(machine.offers() == [Names.id(1)])
    #expect(machine.wake == machine.time.instant + Limits.offerConfirmTime)
    #expect(machine.pass(Limits.offerConfirmTime - .nanoseconds(1)) == [])
    #expect(machine.pass(.nanoseconds(1)) == [.offersChanged])
    #expect(machine.offers() == [])
    #expect(machine.wake == nil)
  }

  @Test func whatTheSessionConfirmedStays() {
    var machine = Machine()
    _ = machine.handle(see(desktop, 1, 1, Names.record(1)))
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    #expect(machine.pass(Limits.offerConfirmTime) == [])
    #expect(machine.offers() == [Names.id(1)])
  }

  @Test func anIdleSessionKeepsItsOffers() {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop, counter: 4)
    #expect(machine.handle(.sessionEnded(desktop, .sessionIdle)) == [])
    #expect(machine.continuation.offers(for: 1000).map(\.source) == [.advert])
    // After a session, adverts count from where it ended.
    let now = Int64(machine.time.date)
    #expect(machine.handle(see(desktop, 1, 4, Names.record(2), time: now - 10)) == [])
    #expect(machine.handle(see(desktop, 1, 5, Names.record(2), time: now)) == [.offersChanged])
    #expect(machine.offers() == [Names.id(2)])
  }

  @Test(arguments: [Reason.peerUnreachable, .shuttingDown, .peerTimedOut, .protocolViolation])
  func aLostSessionDropsItsOffers(reason: Reason) {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    #expect(machine.handle(.sessionEnded(desktop, reason)) == [.offersChanged])
    #expect(machine.offers() == [])
    #expect(machine.handle(.sessionEnded(desktop, reason)) == [])
  }

  @Test func aNewEpochBeginsToCountAgain() {
    var machine = Machine()
    machine.connect(desktop, epoch: 5)
    machine.offer(Names.record(1), from: desktop, counter: 100)
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    machine.connect(desktop, epoch: 6)
    _ = machine.handle(.sessionEnded(desktop, .sessionIdle))
    let now = Int64(machine.time.date)
    #expect(machine.handle(see(desktop, 5, 101, Names.record(1), time: now)) == [])
    #expect(machine.handle(see(desktop, 6, 1, Names.record(1), time: now)) == [.offersChanged])
  }

  @Test func onePeerOffersSoManyAndNoMore() {
    var machine = Machine()
    machine.connect(desktop)
    let limit = UInt64(Limits.offersPerPeer)
    for number in 1...limit {
      #expect(machine.handle(offer(Names.record(number), number, from: desktop)) == [.offersChanged])
    }
    #expect(machine.handle(offer(Names.record(limit + 1), 99, from: desktop)) == [])
    #expect(machine.offers().count == Limits.offersPerPeer)
    #expect(machine.handle(offer(Names.record(1) { $0.title = "x" }, 100, from: desktop)) == [.offersChanged])
    machine.connect(tablet)
    #expect(machine.handle(offer(Names.record(limit + 2), 1, from: tablet)) == [.offersChanged])
  }

  @Test func withoutASessionNothingIsHeard() {
    var machine = Machine()
    #expect(machine.handle(offer(Names.record(1), 1, from: desktop)) == [])
    #expect(machine.offers() == [])
  }
}
