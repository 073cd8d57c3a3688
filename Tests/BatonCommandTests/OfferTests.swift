// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@testable import BatonCommand

@Suite struct OfferTests {
  func choose(
    _ offers: [ControlOffer],
    id: String? = nil,
    latest: Bool = false,
    stream: Bool = false
  ) throws
    -> ControlOffer?
  {
    try OfferChoice(id: id, latest: latest, needsStream: stream).choose(from: offers)?.offer
  }

  @Test func theOneOfferIsTaken() throws {
    #expect(try choose([]) == nil)
    #expect(try choose([sampleOffer()]) == sampleOffer())
  }

  @Test func severalOffersNeedAChoice() throws {
    let offers = [try sampleOffer(2, title: "New"), try sampleOffer(1, title: "\u{1B}Old")]
    #expect(try choose(offers, latest: true) == offers[0])
    #expect(try choose(offers, id: offers[1].id.description) == offers[1])
    #expect(try choose(offers, id: "00000001") == offers[1])
    #expect(try choose(offers, id: "7") == nil)
    do {
      _ = try choose(offers)
      Issue.record("Two offers and no choice")
    } catch let error as CommandError {
      #expect(error.status == .notFound)
      #expect(
        error.message.hasSuffix(
          "\n  00000002  \"New\" (org.example.files) on laptop\n  00000001  \"\\u{1b}Old\" (org.example.files) on laptop"
        )
      )
    }
    #expect(throws: CommandError.self) { try choose(offers, id: "0000000") }
  }

  @Test func onlyOffersWithStreamsFitAStream() throws {
    let offers = [try sampleOffer(2), try sampleOffer(1, stream: true)]
    #expect(try choose(offers, stream: true) == offers[1])
    #expect(try choose([offers[0]], stream: true) == nil)
    #expect(throws: CommandError.self) { try choose(offers, id: "00000002", stream: true) }
  }

  @Test func changesLeadFromOneListToTheOther() throws {
    let one = try sampleOffer(1), two = try sampleOffer(2), renamed = try sampleOffer(1, title: "Other")
    #expect(
      OfferChange.between([], [one, two]) == [.init(event: .offered, offer: one), .init(event: .offered, offer: two)]
    )
    #expect(OfferChange.between([one, two], [two]) == [.init(event: .withdrawn, offer: one)])
    #expect(OfferChange.between([one], [renamed]) == [.init(event: .changed, offer: renamed)])
    #expect(OfferChange.between([one], [try sampleOffer(1, source: .advert)]) == [])
  }

  @Test func anOfferThatWasGoneInBetweenIsOfferedAgain() throws {
    let taken = try sampleOffer(1, generation: 1), back = try sampleOffer(1, generation: 2)
    #expect(
      OfferChange.between([taken], [back]) == [
        .init(event: .withdrawn, offer: taken), .init(event: .offered, offer: back),
      ]
    )
  }
}
