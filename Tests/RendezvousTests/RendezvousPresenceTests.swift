// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct RendezvousPresenceTests {
  private typealias Effect = RendezvousPresence.Effect

  private let start = ContinuousClock.now
  private var presence: RendezvousPresence

  init() throws { presence = RendezvousPresence(own: try RendezvousMessageTests.advert(1).device) { 0.5 } }

  private func message(
    _ kind: RendezvousMessage.Kind = .advert,
    _ sequence: UInt64,
    device: UInt8 = 7,
    epoch: UInt64 = 1,
    asks: Bool = false
  ) throws -> RendezvousMessage {
    RendezvousMessage(
      kind: kind,
      asks: asks,
      sequence: sequence,
      advert: try RendezvousMessageTests.advert(device, epoch: epoch),
      port: 1,
      addresses: [],
      meeting: kind == .relay ? RendezvousMessage.Meeting(relay: Array(0..<8), id: Array(0..<32)) : nil
    )
  }

  private mutating func handle(_ event: RendezvousPresence.Event, after time: Duration = .zero) -> [Effect] {
    presence.handle(event, at: start + time).filter { if case .wake = $0 { false } else { true } }
  }

  @Test mutating func whoArrivesAsksAndIsAnswered() throws {
    #expect(handle(.arrived) == [.advertise(asks: true)])
    let asking = try message(.advert, 1, asks: true)
    #expect(handle(.heard(asking, from: "x")) == [.found(asking)])
    // After a part of the time over which answers are spread.
    #expect(handle(.wake, after: .milliseconds(999)) == [])
    #expect(handle(.wake, after: .seconds(1)) == [.answer("x")])
    #expect(handle(.wake, after: .seconds(2)) == [])
  }

  @Test mutating func nothingIsAnsweredOrSentAway() throws {
    let asking = try message(.advert, 1, asks: true)
    #expect(handle(.heard(asking, from: "x")) == [.found(asking)])
    #expect(handle(.changed) == [])
    #expect(handle(.wanted(asking.advert.device)) == [])
    #expect(handle(.wake, after: .seconds(3)) == [])
  }

  @Test mutating func whatIsOfferedIsRepeated() {
    _ = handle(.arrived)
    #expect(handle(.wake, after: .seconds(269)) == [])
    #expect(handle(.wake, after: .seconds(270)) == [.advertise(asks: false)])
    #expect(handle(.wake, after: .seconds(540)) == [.advertise(asks: false)])
  }

  @Test mutating func changesArePaced() {
    _ = handle(.arrived)
    #expect(handle(.changed) == [.advertise(asks: false)])
    #expect(handle(.changed) == [])
    #expect(handle(.wake, after: AdvertPacer.advertInterval) == [.advertise(asks: false)])
  }

  @Test mutating func aRecordingIsIgnored() throws {
    _ = handle(.arrived)
    let (first, second) = (try message(.advert, 1), try message(.advert, 2))
    #expect(handle(.heard(second, from: "x")) == [.found(second)])
    for _ in 0..<1000 {
      #expect(handle(.heard(first, from: "x")) == [])
      #expect(handle(.heard(second, from: "y")) == [])
    }
    #expect(presence.name(of: first.advert.device) == "x")
    // A daemon that has started again begins anew.
    let restarted = try message(.advert, 1, epoch: 2)
    #expect(handle(.heard(restarted, from: "x")) == [.found(restarted)])
    #expect(handle(.heard(try message(.advert, 9), from: "x")) == [])
  }

  @Test mutating func whoHasLeftIsNotBroughtBackByARecording() throws {
    let (there, gone) = (try message(.advert, 1), try message(.leaving, 2))
    _ = handle(.heard(there, from: "x"))
    #expect(handle(.heard(gone, from: "x")) == [.lost(there.advert.device)])
    #expect(presence.devices.isEmpty)
    #expect(handle(.heard(there, from: "x")) == [])
    #expect(handle(.heard(gone, from: "x")) == [])
    let back = try message(.advert, 3)
    #expect(handle(.heard(back, from: "x")) == [.found(back)])
  }

  @Test mutating func whoIsNotHeardIsGone() throws {
    let there = try message(.advert, 1)
    _ = handle(.heard(there, from: "x"))
    #expect(handle(.wake, after: RendezvousPresence.rendezvousPresenceTime - .milliseconds(1)) == [])
    #expect(handle(.wake, after: RendezvousPresence.rendezvousPresenceTime) == [.lost(there.advert.device)])
    #expect(handle(.heard(there, from: "x"), after: RendezvousPresence.rendezvousPresenceTime) == [])
  }

  @Test mutating func requestsOfOneDeviceAreFew() throws {
    let device = try message(.dial, 1).advert.device
    var served = 0
    for number in 1...100 {
      let effects = handle(.heard(try message(.dial, UInt64(number)), from: "x"))
      served += effects.count { $0 == .dial(device) }
    }
    #expect(served == 5)
    let meeting = try message(.relay, 101)
    #expect(handle(.heard(meeting, from: "x")) == [.found(meeting)])
    let later = try message(.relay, 102)
    #expect(
      handle(.heard(later, from: "x"), after: .seconds(5))
        == [.found(later), .meet(device, try #require(later.meeting))]
    )
  }

  @Test mutating func ownMessagesAndTooManyDevicesAreIgnored() throws {
    #expect(handle(.heard(try message(.advert, 1, device: 1), from: "own")) == [])
    for number in 0..<Limits.rendezvousDevices {
      var device = try message(.advert, 1)
      let bytes = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 9, count: DeviceID.byteCount - 2)
      device.advert.device = try #require(DeviceID(bytes: bytes))
      #expect(handle(.heard(device, from: "d\(number)")) == [.found(device)])
    }
    let late = try message(.advert, 1)
    #expect(handle(.heard(late, from: "late")) == [])
    // One that has left gives its place.
    var gone = try message(.leaving, 2)
    gone.advert.device = try #require(presence.devices.first)
    #expect(handle(.heard(gone, from: "d")) == [.lost(gone.advert.device)])
    #expect(handle(.heard(late, from: "late")) == [.found(late)])
  }

  @Test mutating func anAnswerIsGivenOnceAndNotAfterLeaving() throws {
    _ = handle(.arrived)
    for number in 1...5 { _ = handle(.heard(try message(.advert, UInt64(number), asks: true), from: "x")) }
    #expect(handle(.wake, after: .seconds(1)) == [.answer("x")])
    _ = handle(.heard(try message(.advert, 6, asks: true), from: "x"), after: .seconds(2))
    #expect(handle(.departed, after: .seconds(2)) == [])
    #expect(handle(.wake, after: .seconds(9)) == [])
    #expect(handle(.arrived, after: .seconds(9)) == [.advertise(asks: true)])
    #expect(handle(.wake, after: .seconds(20)) == [], "It has told everybody by arriving")
  }

  @Test(arguments: [(0.0, 240, 0), (1, 300, 2)]) func randomTimesHaveBounds(
    _ part: Double,
    _ advert: Int,
    _ answer: Int
  )
    throws
  {
    var presence = RendezvousPresence(own: try RendezvousMessageTests.advert(1).device) { part }
    #expect(presence.handle(.arrived, at: start).last == .wake(at: start + .seconds(advert)))
    let asking = try message(.advert, 1, asks: true)
    let effects = presence.handle(.heard(asking, from: "x"), at: start)
    #expect(answer == 0 ? effects.contains(.answer("x")) : effects.last == .wake(at: start + .seconds(answer)))
  }

  /// A recording is ignored as long as the device is remembered, and the row goes after that.
  @Test mutating func whoHasLeftIsForgottenInTime() throws {
    let (there, gone) = (try message(.advert, 1), try message(.leaving, 2))
    #expect(handle(.heard(gone, from: "x")) == [], "Nobody knew it")
    #expect(handle(.heard(there, from: "x"), after: RendezvousPresence.rendezvousMemoryTime - .milliseconds(1)) == [])
    #expect(presence.handle(.wake, at: start + RendezvousPresence.rendezvousMemoryTime) == [.wake(at: nil)])
    #expect(handle(.heard(there, from: "x"), after: RendezvousPresence.rendezvousMemoryTime) == [.found(there)])
  }

  @Test mutating func aMeetingNeedsAPlace() throws {
    var wrong = try message(.relay, 1)
    wrong.meeting = nil
    #expect(handle(.heard(wrong, from: "x")) == [.found(wrong)])
    let right = try message(.relay, 2)
    let meeting = try #require(right.meeting)
    #expect(handle(.heard(right, from: "x")) == [.found(right), .meet(right.advert.device, meeting)])
  }

  @Test mutating func aDeviceHasItsNewestName() throws {
    let device = try message(.advert, 1).advert.device
    _ = handle(.heard(try message(.advert, 1), from: "x"))
    _ = handle(.heard(try message(.advert, 2), from: "y"))
    #expect(presence.name(of: device) == "y" && presence.devices == [device])
    _ = handle(.heard(try message(.leaving, 3), from: "y"))
    #expect(presence.name(of: device) == nil && presence.devices.isEmpty)
  }

  @Test mutating func aWantedDeviceIsAskedToDial() throws {
    _ = handle(.arrived)
    let there = try message(.advert, 1)
    _ = handle(.heard(there, from: "x"))
    #expect(handle(.wanted(there.advert.device)) == [.askToDial("x")])
    #expect(handle(.departed) == [])
    #expect(handle(.wanted(there.advert.device)) == [])
  }
}
