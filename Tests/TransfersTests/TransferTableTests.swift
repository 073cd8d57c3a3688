// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

@Suite struct TransferTableTests {

  private var table = TransferTable.sample()
  private var date = 1000.0

  private func id(_ number: UInt64) -> ActivityID { ActivityID(randomBytes: (number, number)) }

  private func outgoing(_ number: UInt64, to device: DeviceID = .desktop) -> Transfer {
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

  /// One that a person has accepted.
  private func incoming(_ number: UInt64, _ state: Transfer.State) -> Transfer {
    var transfer = Transfer(
      id: id(number),
      .receiving,
      deviceID: DeviceID.desktop,
      device: "desktop",
      team: "T",
      title: "",
      state: state,
      begun: 0
    )
    transfer.acceptedTitle = TransferTable.Offer.title
    return transfer
  }

  private func offer(
    _ number: UInt64,
    _ generation: Int = 1,
    from device: DeviceID = .desktop,
    name: String = "desktop",
    title: String = TransferTable.Offer.title
  ) -> TransferTable.Offer {
    .sample(id(number), generation, from: device, name: name, title: title)
  }

  private mutating func handle(_ event: TransferTable.Event) -> [TransferTable.Effect] { table.handle(event, at: date) }

  @Test(arguments: [TransferTable.Rule.refuse, .ask])
  mutating func whatARuleLetInGoesOnOnlyWhileItDoes(_ rule: TransferTable.Rule) {
    _ = handle(.offersChanged([offer(1, from: .trusted)]))
    _ = handle(.began(id(1)))
    _ = handle(.offersChanged([]))
    _ = handle(.ended(id(1), .broken))
    #expect(table[id(1)]?.state == .waiting)
    table.rule = { _ in rule }
    let effects = handle(.offersChanged([offer(1, 2, from: .trusted, title: "other.txt (1 byte)")]))
    #expect(!effects.contains(.receive(id(1))))
    #expect(table[id(1)]?.state == (rule == .ask ? .asking : .failed))
    if rule == .ask { #expect(table[id(1)]?.title == "other.txt (1 byte)") }
  }

  @Test mutating func nothingIsReceivedUntilSomebodyAcceptsIt() {
    #expect(handle(.offersChanged([offer(1)])) == [.tell(id(1))])
    #expect(table[id(1)]?.state == .asking)
    #expect(handle(.accepted(id(1), title: TransferTable.Offer.title)) == [.save(id(1)), .receive(id(1))])
    _ = handle(.placed(id(1), folder: "/f"))
    _ = handle(.began(id(1)))
    // It is continued, so it is no longer offered.
    #expect(handle(.offersChanged([])).isEmpty)
    let done = handle(.ended(id(1), .done(files: ["file:///a"], omitted: 0, omissions: [])))
    #expect(done == [.save(id(1)), .discard(id(1), folder: "/f")])
    #expect(table[id(1)]?.files == ["file:///a"])
  }

  @Test mutating func aRuleAccepts() {
    #expect(handle(.offersChanged([offer(1, from: DeviceID.trusted)])) == [.save(id(1)), .receive(id(1))])
    #expect(table[id(1)]?.acceptedTitle == nil)
  }

  @Test mutating func aRuleRefusesAndBothSidesKnow() {
    #expect(handle(.offersChanged([offer(1, from: DeviceID.refused)])) == [.tell(id(1)), .save(id(1)), .answer(id(1))])
    #expect(table[id(1)]?.reason == .notAllowed)
  }

  @Test mutating func whatAPersonAcceptedIsRemembered() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    #expect(table[id(1)]?.acceptedTitle == TransferTable.Offer.title)
  }

  @Test mutating func whatWasChangedAfterTheQuestionIsAskedAgain() {
    _ = handle(.offersChanged([offer(1, title: "run-me.desktop (1 byte)")]))
    #expect(!handle(.offersChanged([offer(1, title: "holiday.jpg (1 byte)")])).isEmpty)
    #expect(table[id(1)]?.title == "holiday.jpg (1 byte)")
    #expect(handle(.accepted(id(1), title: "run-me.desktop (1 byte)")).isEmpty)
    #expect(table[id(1)]?.state == .asking)
    #expect(handle(.accepted(id(1), title: "holiday.jpg (1 byte)")).contains(.receive(id(1))))
    #expect(table[id(1)]?.acceptedTitle == "holiday.jpg (1 byte)")
  }

  @Test mutating func itIsKnownHowOftenAQuestionWasChanged() {
    _ = handle(.offersChanged([offer(1)]))
    #expect(table[id(1)]?.revision == nil)
    _ = handle(.offersChanged([offer(1, title: "caf\u{E9} (1 byte)")]))
    #expect(table[id(1)]?.revision == 2)
    // To people, it looks the same, but it is another name.
    _ = handle(.offersChanged([offer(1, title: "cafe\u{301} (1 byte)")]))
    #expect(table[id(1)]?.revision == 3)
    _ = handle(.offersChanged([]))
    _ = handle(.offersChanged([offer(1, 2)]))
    #expect(table[id(1)]?.revision == 4)
  }

  @Test mutating func whatArrivedIsNamedAfterItself() {
    _ = handle(.offersChanged([offer(1, from: DeviceID.trusted, title: "holiday.jpg (1 byte)")]))
    _ = handle(.measured(id(1), TransferTable.Measure(size: 9, count: 3, received: 9)))
    let files = ["file:///f/run-me.desktop", "file:///f/caf%C3%A9", "file:///f/c"]
    _ = handle(.ended(id(1), .done(files: files, omitted: 0, omissions: [])))
    #expect(table[id(1)]?.title == "run-me.desktop, café and 1 more (3 files, 9 bytes)")
  }

  @Test(arguments: TransferFailure.allCases)
  mutating func whatFailedAndIsOfferedOnceMore(failure: TransferFailure) {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.ended(id(1), .failed(failure)))
    _ = handle(.offersChanged([]))
    let effects = handle(.offersChanged([offer(1, 2)]))
    switch failure.nextOffer {
    case .isRefused: #expect(effects == [.answer(id(1))])
    case .isNew:
      #expect(effects == [.erase(id(1)), .tell(id(1))])
      #expect(table[id(1)]?.state == .asking)
    case .isTried: #expect(effects == [.tell(id(1)), .receive(id(1))])
    }
  }

  @Test mutating func theSameOfferOfWhatFailedIsAnswered() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.ended(id(1), .failed(.diskFull)))
    #expect(handle(.offersChanged([offer(1)])) == [.answer(id(1))])
  }

  @Test mutating func anOfferThatIsWithdrawnDoesNotAskAnyLonger() {
    _ = handle(.offersChanged([offer(1)]))
    #expect(handle(.offersChanged([])) == [.tell(id(1))])
    #expect(table[id(1)] == nil)
  }

  @Test mutating func itGoesOnWhenItIsOfferedAgain() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.began(id(1)))
    _ = handle(.offersChanged([]))
    #expect(handle(.ended(id(1), .broken)) == [.save(id(1))])
    #expect(table.deadline == 1001)
    #expect(handle(.offersChanged([offer(1, 2)])) == [.receive(id(1))])
  }

  @Test mutating func whatFailsWhileItIsOfferedIsTriedEverMoreRarely() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    var pauses: [Double] = []
    for _ in 0..<9 {
      _ = handle(.ended(id(1), .broken))
      #expect(handle(.offersChanged([offer(1)])).isEmpty)
      guard let next = table.deadline else {
        Issue.record("no wake-up")
        return
      }
      pauses.append(next - date)
      date = next
      #expect(handle(.wake) == [.receive(id(1))])
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  }

  @Test mutating func aPauseDoesNotOutliveAClockThatIsSetBack() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.ended(id(1), .broken))
    date -= 86_400
    #expect(handle(.wake) == [.receive(id(1))])
  }

  @Test mutating func whatBreaksOffDoesNotWaitForever() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.offersChanged([]))
    date += 10
    _ = handle(.ended(id(1), .broken))
    _ = handle(.wake)
    #expect(table[id(1)]?.state == .waiting)
    date += Limits.outboxTime
    #expect(handle(.wake) == [.save(id(1))])
    #expect(table[id(1)]?.reason == .expired)
  }

  @Test mutating func whatBrokeOffGivesWayToWhatIsOffered() {
    for number in 1...UInt64(Limits.incomingTransfersPerDevice) {
      date += 1
      _ = handle(.offersChanged([offer(number)]))
      _ = handle(.accepted(id(number), title: TransferTable.Offer.title))
      _ = handle(.ended(id(number), .broken))
    }
    #expect(handle(.offersChanged([offer(1000)])) == [.save(id(1)), .tell(id(1000))])
    #expect(table[id(1)]?.reason == .noRoom)
    #expect(table[id(1000)]?.state == .asking)
  }

  @Test mutating func whatBrokeOffGivesWayToAnotherMachine() {
    for device in 1...UInt8(Limits.incomingTransfers / Limits.incomingTransfersPerDevice) {
      for number in 1...UInt64(Limits.incomingTransfersPerDevice) {
        let next = UInt64(device) * 100 + number
        _ = handle(.offersChanged([offer(next, from: DeviceID(bytes: [UInt8](repeating: 50 + device, count: 32))!)]))
        _ = handle(.accepted(id(next), title: TransferTable.Offer.title))
        _ = handle(.ended(id(next), .broken))
      }
    }
    _ = handle(.offersChanged([offer(1000)]))
    #expect(table[id(1000)]?.state == .asking)
  }

  @Test mutating func anOfferThatComesWhileTheEndIsWrittenIsAnswered() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.began(id(1)))
    #expect(handle(.offersChanged([offer(1, 2)])).isEmpty)
    let effects = handle(.ended(id(1), .done(files: [], omitted: 0, omissions: [])))
    #expect(effects == [.save(id(1)), .answer(id(1))])
    // It is answered once.
    #expect(handle(.ended(id(1), .broken)).isEmpty)
  }

  /// The agent was killed after the files had their names, and before it said so.
  @Test(arguments: [true, false])
  mutating func whatHadArrivedIsAnsweredAndNotReceivedAgain(isOfferedFirst: Bool) {
    let arrived = TransferTable.Outcome.done(files: ["file:///f"], omitted: 0, omissions: [])
    _ = handle(.restored([incoming(1, .running)]))
    if isOfferedFirst { #expect(handle(.offersChanged([offer(1)])) == [.receive(id(1))]) }
    let effects = handle(.found(id(1), arrived))
    #expect(effects == [.save(id(1))] + (isOfferedFirst ? [.answer(id(1))] : []))
    #expect(table[id(1)]?.state == .done)
    if !isOfferedFirst { #expect(handle(.offersChanged([offer(1)])) == [.answer(id(1))]) }
    // The answer's stream ends nothing.
    _ = handle(.began(id(1)))
    #expect(handle(.ended(id(1), .done(files: [], omitted: 0, omissions: []))).isEmpty)
    #expect(table[id(1)]?.files == ["file:///f"])
  }

  /// The person did not want it any longer.
  @Test mutating func whatHadArrivedAndWasCanceledIsThereAndIsAnswered() {
    _ = handle(.restored([incoming(1, .running)]))
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.canceled(id(1)))
    let effects = handle(.found(id(1), .done(files: ["file:///f"], omitted: 0, omissions: [])))
    #expect(effects == [.save(id(1)), .answer(id(1))])
    #expect(table[id(1)]?.state == .done)
  }

  @Test mutating func anOfferThatComesBeforeTheStreamBreaksIsTakenAtOnce() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.began(id(1)))
    _ = handle(.offersChanged([offer(1, 2)]))
    #expect(handle(.ended(id(1), .broken)) == [.save(id(1)), .receive(id(1))])
  }

  @Test mutating func anotherMachineSpeaksForNoTransfer() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.ended(id(1), .broken))
    #expect(handle(.offersChanged([offer(1, 2, from: DeviceID.laptop)])).isEmpty)
  }

  @Test mutating func anotherMachineDoesNotKeepATransferFromItsOrigin() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.accepted(id(1), title: TransferTable.Offer.title))
    _ = handle(.began(id(1)))
    _ = handle(.ended(id(1), .broken))
    // Neither does it end the pause of the origin's offer.
    #expect(handle(.offersChanged([offer(1, 2, from: DeviceID.laptop), offer(1)])).isEmpty)
    date += 1
    #expect(handle(.wake) == [.receive(id(1))])
    _ = handle(.ended(id(1), .broken))
    #expect(handle(.offersChanged([offer(1, 3, from: DeviceID.laptop), offer(1, 2)])) == [.receive(id(1))])
  }

  @Test mutating func theOriginIsToldHowItEnded() {
    _ = handle(.offersChanged([offer(1), offer(2)]))
    #expect(handle(.canceled(id(1))) == [.save(id(1)), .answer(id(1))])
    #expect(table[id(1)]?.reason == .declined)
    _ = handle(.accepted(id(2), title: TransferTable.Offer.title))
    _ = handle(.ended(id(2), .done(files: [], omitted: 0, omissions: [])))
    #expect(handle(.offersChanged([offer(2, 2)])) == [.answer(id(2))])
    #expect(handle(.ended(id(2), .done(files: [], omitted: 0, omissions: []))).isEmpty)
  }

  @Test mutating func aMachineCannotFillTheTable() {
    let many = (1...100).map { offer(UInt64($0)) }
    _ = handle(.offersChanged(many))
    #expect(table.all.count == Limits.incomingTransfersPerDevice)
    _ = handle(.offersChanged(many + [offer(200, from: DeviceID.laptop)]))
    #expect(table[id(200)]?.state == .asking)
  }

  @Test mutating func whatFoundNoRoomAsksWhenThereIsSome() {
    let many = (1...UInt64(Limits.incomingTransfersPerDevice + 1)).map { offer($0) }
    _ = handle(.offersChanged(many))
    let last = id(UInt64(many.count))
    #expect(table[last] == nil)
    _ = handle(.canceled(id(1)))
    _ = handle(.ended(id(1), .failed(.declined)))
    #expect(table[last]?.state == .asking)
  }

  private static func isReceipt(_ effect: TransferTable.Effect) -> Bool {
    if case .receive = effect { true } else { false }
  }

  @Test mutating func fewRunAtTheSameTime() {
    let many = (1...10).map { offer(UInt64($0), from: DeviceID.trusted) }
    let first = handle(.offersChanged(many)).count(where: Self.isReceipt)
    #expect(first == Limits.runningTransfersPerDevice)
    let next = handle(.ended(id(1), .done(files: [], omitted: 0, omissions: [])))
    #expect(next.contains(where: Self.isReceipt))
  }

  @Test mutating func whatWasForgottenIsNotMetAgainWhileItIsOffered() {
    _ = handle(.offersChanged([offer(1)]))
    _ = handle(.canceled(id(1)))
    _ = handle(.ended(id(1), .broken))
    _ = handle(.forgotten(id(1)))
    #expect(handle(.offersChanged([offer(1), offer(2)])) == [.tell(id(2))])
    _ = handle(.offersChanged([]))
    #expect(handle(.offersChanged([offer(1, 2)])) == [.tell(id(1))])
  }

  // MARK: Both

  @Test mutating func whatRanWhenTheAgentStoppedGoesOn() {
    var sending = outgoing(1)
    sending.state = .running
    #expect(handle(.restored([sending, incoming(2, .running)])) == [.offer(id(1))])
    #expect(handle(.offersChanged([offer(2)])) == [.receive(id(2))])
  }

  @Test mutating func whatFailedCanBeTriedAgain() {
    _ = handle(.sent(outgoing(1)))
    _ = handle(.ended(id(1), .failed(.diskFull)))
    #expect(table[id(1)]?.reason == .diskFull)
    #expect(handle(.retried(id(1))) == [.save(id(1)), .offer(id(1))])
    #expect(table[id(1)]?.reason == nil)
  }

  @Test mutating func onlyWhatIsOverIsForgotten() {
    _ = handle(.sent(outgoing(1)))
    #expect(handle(.forgotten(id(1))).isEmpty)
    _ = handle(.canceled(id(1)))
    #expect(handle(.forgotten(id(1))) == [.erase(id(1))])
    #expect(table.all.isEmpty)
  }

  @Test mutating func theListOfWhatIsOverIsLimited() {
    for number in 1...(Limits.finishedTransfers + 20) {
      date += 1
      _ = handle(.sent(outgoing(UInt64(number))))
      _ = handle(.canceled(id(UInt64(number))))
    }
    #expect(table.all.count == Limits.finishedTransfers)
    #expect(table.deadline == (table.all.last?.ended ?? 0) + Limits.finishedTransferTime)
    date += Limits.finishedTransferTime + 1000
    _ = handle(.wake)
    #expect(table.all.isEmpty)
  }

  @Test mutating func aMachineDisplacesOnlyItsOwnRecords() {
    _ = handle(.sent(outgoing(1000, to: DeviceID.laptop)))
    _ = handle(.canceled(id(1000)))
    for number in 1...(Limits.finishedTransfers + 20) {
      date += 1
      _ = handle(.offersChanged([offer(UInt64(number), from: DeviceID.refused)]))
      _ = handle(.ended(id(UInt64(number)), .failed(.notAllowed)))
    }
    #expect(table[id(1000)] != nil)
    #expect(table.all.count <= Limits.finishedTransfers + 1)
  }
}
