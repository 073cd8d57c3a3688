// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

@Suite struct TransferTableSendingTests {
  private static let desktop = DeviceID(bytes: [UInt8](repeating: 1, count: 32))!
  private static let laptop = DeviceID(bytes: [UInt8](repeating: 2, count: 32))!

  private var table = TransferTable { _ in .ask }
  private var date = 1000.0

  private func id(_ number: UInt64) -> ActivityID { ActivityID(randomBytes: (number, number)) }

  private func outgoing(_ number: UInt64, to device: DeviceID = desktop) -> Transfer {
    Transfer(
      id: id(number),
      .sending,
      deviceID: device,
      device: "desktop",
      team: "T",
      title: "notes.txt",
      state: .waiting,
      begun: Double(number)
    )
  }

  private mutating func handle(_ event: TransferTable.Event) -> [TransferTable.Effect] { table.handle(event, at: date) }

  @Test mutating func aTransferThatIsSentIsOfferedUntilItIsDone() {
    #expect(handle(.sent(outgoing(1))) == [.save(id(1)), .offer(id(1))])
    #expect(handle(.began(id(1))) == [.save(id(1))])
    #expect(table[id(1)]?.state == .running)
    #expect(handle(.ended(id(1), .done(files: [], omitted: 0, omissions: []))) == [.save(id(1)), .withdraw(id(1))])
    #expect(table[id(1)]?.state == .done)
  }

  @Test mutating func aStreamThatBreaksIsFollowedByAnotherOffer() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.began(id(1)))
    #expect(handle(.ended(id(1), .broken)) == [.save(id(1)), .offer(id(1))])
    #expect(table[id(1)]?.state == .waiting)
  }

  @Test mutating func whoIsSentATransferCannotMakeAQuestionOfIt() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.ended(id(1), .failed(.withdrawn)))
    #expect(handle(.offersChanged([.sample(id(1), 1, from: Self.desktop)])) == [])
    #expect(handle(.retried(id(1))) == [.save(id(1)), .offer(id(1))])
    #expect(table[id(1)]?.direction == .sending && table[id(1)]?.state == .waiting)
  }

  @Test mutating func eachMachineHasItsShareOfTheOffers() {
    for number in 1...20 { _ = handle(.sent(outgoing(UInt64(number)))) }
    #expect(handle(.sent(outgoing(21, to: Self.laptop))).contains(.offer(id(21))))
    var offered = 0
    for number in 1...20 {
      let effects = handle(.canceled(id(UInt64(number))))
      offered += effects.count { if case .offer = $0 { true } else { false } }
    }
    // The first six were offered before.
    #expect(offered == 14)
  }

  @Test mutating func machinesThatAreAwayTakeNobodysPlace() {
    for number in 1..<UInt64(Limits.outgoingTransfers) {
      let away = DeviceID(bytes: [UInt8](repeating: UInt8(100 + number % 100), count: 32))!
      #expect(handle(.sent(outgoing(number, to: away))).contains(.offer(id(number))))
    }
    #expect(handle(.sent(outgoing(1000, to: Self.laptop))).contains(.offer(id(1000))))
  }

  @Test mutating func whatWaitsTooLongIsWithdrawn() {
    var transfer = outgoing(1)
    transfer.expires = 2000
    #expect(handle(.sent(transfer)) == [.save(id(1)), .offer(id(1))])
    #expect(table.deadline == 2000)
    date = 2000
    #expect(handle(.wake) == [.save(id(1)), .withdraw(id(1))])
    #expect(table[id(1)]?.reason == .expired)
  }

  @Test mutating func whatRunsDoesNotExpire() {
    var transfer = outgoing(1)
    transfer.expires = 2000
    _ = handle(.sent(transfer))
    _ = handle(.began(id(1)))
    date = 3000
    _ = handle(.wake)
    #expect(table[id(1)]?.state == .running)
    #expect(table.deadline == nil)
  }

  @Test mutating func whatHasBegunHasItsTimeAgainWhenItBreaks() {
    var transfer = outgoing(1)
    transfer.expires = 2000
    _ = handle(.sent(transfer))
    _ = handle(.began(id(1)))
    date = 3000
    _ = handle(.ended(id(1), .broken))
    #expect(table[id(1)]?.state == .waiting)
    #expect(table.deadline == 3000 + Limits.outboxTime)
  }

  @Test mutating func aTransferThatIsWithdrawnWhileItRunsIsOfferedUntilTheReceiverWasTold() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.began(id(1)))
    #expect(handle(.canceled(id(1))) == [.save(id(1)), .stop(id(1), .withdrawn)])
    #expect(table[id(1)]?.state == .failed)
    #expect(handle(.forgotten(id(1))).isEmpty)
    #expect(handle(.ended(id(1), .failed(.withdrawn))) == [.withdraw(id(1))])
    #expect(table[id(1)]?.reason == .withdrawn)
    #expect(handle(.retried(id(1))) == [.save(id(1)), .offer(id(1))])
  }

  @Test mutating func anotherStreamOfWhatWasWithdrawnIsStopped() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.began(id(1)))
    _ = handle(.canceled(id(1)))
    #expect(handle(.began(id(1))) == [.stop(id(1), .withdrawn)])
    #expect(handle(.ended(id(1), .broken)) == [.withdraw(id(1))])
  }

  @Test mutating func whoeverCancelsCanBeTooLate() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.began(id(1)))
    _ = handle(.canceled(id(1)))
    let done = handle(.ended(id(1), .done(files: [], omitted: 0, omissions: [])))
    #expect(done == [.save(id(1)), .withdraw(id(1))])
    #expect(table[id(1)]?.state == .done)
    #expect(table[id(1)]?.reason == nil)
  }

  @Test mutating func aMachineThatIsRemovedWhileFilesGoThereStopsThem() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.began(id(1)))
    #expect(handle(.notSent(id(1), .machineRemoved)) == [.save(id(1)), .stop(id(1), .machineRemoved)])
    #expect(handle(.ended(id(1), .broken)) == [.withdraw(id(1))])
    #expect(table[id(1)]?.reason == .machineRemoved)
  }
}
