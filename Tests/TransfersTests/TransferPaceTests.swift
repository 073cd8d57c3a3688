// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// What machines make this one do by offering without end.
@Suite struct TransferPaceTests {
  private var table = TransferTable.sample()
  private var date = 1000.0

  private func id(_ number: UInt64) -> ActivityID { ActivityID(randomBytes: (number, number)) }

  private func offer(_ number: UInt64, _ generation: Int = 1, from device: DeviceID = .desktop) -> TransferTable.Offer {
    .sample(id(number), generation, from: device)
  }

  private mutating func handle(_ event: TransferTable.Event) -> [TransferTable.Effect] { table.handle(event, at: date) }

  private static func isReceipt(_ effect: TransferTable.Effect) -> Bool {
    if case .receive = effect { true } else { false }
  }

  private static func isWriting(_ effect: TransferTable.Effect) -> Bool {
    switch effect {
    case .save, .erase: true
    default: false
    }
  }

  @Test mutating func questionsAreNotKeptOnTheDisk() {
    var writes = 0
    for number in 1...20_000 {
      date += 1 / 1590
      writes += handle(.offersChanged([offer(UInt64(number))])).count(where: Self.isWriting)
      writes += handle(.offersChanged([])).count(where: Self.isWriting)
    }
    #expect(writes == 0)
    #expect(table.all.isEmpty)
  }

  @Test(arguments: [DeviceID.trusted, .refused])
  mutating func whatARuleDecidesIsWrittenAtAPace(device: DeviceID) {
    var (writes, attempts) = (0, 0)
    for number in 1...20_000 {
      date += 12 / 20_000
      let effects = handle(.offersChanged([offer(UInt64(number), from: device)])) + handle(.offersChanged([]))
      writes += effects.count(where: Self.isWriting)
      for effect in effects {
        switch effect {
        case .receive(let id), .answer(let id):
          attempts += 1
          writes += handle(.ended(id, .broken)).count(where: Self.isWriting)
        default: break
        }
      }
    }
    #expect(attempts <= 100)
    #expect(writes <= 400)
  }

  @Test mutating func whatIsOfferedAgainAndAgainIsTriedAtAPace() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    var attempts = 1
    for generation in 2...20_000 {
      date += 12 / 20_000
      let failure: TransferTable.Outcome = generation % 2 == 0 ? .broken : .failed(.tooLarge)
      let effects = handle(.ended(id(1), failure)) + handle(.offersChanged([offer(1, generation)]))
      attempts += effects.count(where: Self.isReceipt)
    }
    #expect((20...100).contains(attempts))
  }

  @Test mutating func whatHadToWaitForATurnComesLater() {
    for number in 1...200 {
      _ = handle(.offersChanged([offer(UInt64(number))]))
      _ = handle(.offersChanged([]))
    }
    #expect(handle(.offersChanged([offer(1000)])).isEmpty)
    // It costs others nothing.
    #expect(handle(.offersChanged([offer(1000), offer(2000, from: DeviceID.laptop)])) == [.tell(id(2000))])
    let deadline = table.deadline
    #expect(deadline == date + MachineTurns.transferTurnInterval)
    date = deadline ?? date
    #expect(handle(.wake) == [.tell(id(1000))])
    #expect(table[id(1000)]?.state == .asking)
  }

  @Test mutating func aClockThatIsSetBackMakesNobodyWait() {
    for number in 1...200 { _ = handle(.offersChanged([offer(UInt64(number))])) }
    date -= 86_400
    _ = handle(.offersChanged([]))
    date += MachineTurns.transferTurnInterval
    #expect(handle(.offersChanged([offer(1000)])) == [.tell(id(1000))])
  }
}
