// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct RendezvousMessageTests {
  static func advert(_ byte: UInt8 = 7, epoch: UInt64 = 1) throws -> Advert {
    let device = try #require(DeviceID(bytes: [UInt8](repeating: byte, count: DeviceID.byteCount)))
    return Advert(device: device, deviceName: "laptop", epoch: epoch, counter: 3, current: nil, time: 1_800_000_000)
  }

  private let addresses: [[UInt8]] = [[10, 1, 0, 2], Array(0..<16)]
  private let meeting = RendezvousMessage.Meeting(relay: Array(0..<8), id: Array(0..<32))

  @Test(arguments: [RendezvousMessage.Kind.advert, .leaving, .dial, .relay], [true, false])
  func eachKindIsReadAsItWasWritten(_ kind: RendezvousMessage.Kind, _ asks: Bool) throws {
    let message = RendezvousMessage(
      kind: kind,
      asks: asks,
      sequence: .max,
      advert: try Self.advert(),
      port: 65_535,
      addresses: addresses,
      meeting: kind == .relay ? meeting : nil
    )
    #expect(message.plaintext.count == RendezvousMessage.plaintextLength)
    #expect(RendezvousMessage(plaintext: message.plaintext) == message)
  }

  @Test func theLengthIsTheSameWhateverItContains() throws {
    let all = (0..<40).map { UInt8($0) }
    let most = RendezvousMessage(
      kind: .relay,
      sequence: 1,
      advert: try Self.advert(),
      port: 1,
      addresses: (0..<20).map { [UInt8](repeating: $0, count: 16) },
      meeting: RendezvousMessage.Meeting(relay: Array(all.prefix(8)), id: Array(all.prefix(32)))
    )
    #expect(most.addresses.count == RendezvousMessage.rendezvousAddresses)
    #expect(most.plaintext.count == RendezvousMessage.plaintextLength)
    #expect(RendezvousMessage(plaintext: most.plaintext) == most)
    #expect(RendezvousMessage.sealedLength == 640)
  }

  @Test func anythingElseIsRefused() throws {
    let message = RendezvousMessage(
      kind: .advert,
      sequence: 1,
      advert: try Self.advert(),
      port: 1,
      addresses: addresses
    )
    let plaintext = message.plaintext
    #expect(RendezvousMessage(plaintext: Array(plaintext.dropLast())) == nil)
    #expect(RendezvousMessage(plaintext: plaintext + [0]) == nil)
    // The layout, the kind, the number of addresses, and the length of one.
    let count = 1 + 1 + 1 + 8 + Advert.plaintextLength + 2
    for (index, value) in [(0, UInt8(2)), (1, 4), (count, 9), (count + 1, 5)] {
      var wrong = plaintext
      wrong[index] = value
      #expect(RendezvousMessage(plaintext: wrong) == nil)
    }
    #expect(RendezvousMessage(plaintext: [UInt8](repeating: 0xFF, count: RendezvousMessage.plaintextLength)) == nil)
  }

  @Test func noPartOfAMessageIsAMessage() throws {
    let plaintext = RendezvousMessage(
      kind: .relay,
      sequence: 1,
      advert: try Self.advert(),
      port: 1,
      addresses: addresses,
      meeting: meeting
    ).plaintext
    for count in 0..<plaintext.count {
      #expect(RendezvousMessage(plaintext: Array(plaintext.prefix(count))) == nil)
    }
    // What is read says all that it contains.
    for index in plaintext.indices {
      for value: UInt8 in [0, 1, 4, 16, 0x80, 0xFF] {
        var changed = plaintext
        changed[index] = value
        guard let message = RendezvousMessage(plaintext: changed) else { continue }
        #expect(message.plaintext.count == RendezvousMessage.plaintextLength)
        #expect(RendezvousMessage(plaintext: message.plaintext) == message, "\(index) is \(value)")
        #expect(message.addresses.allSatisfy { [4, 16].contains($0.count) })
      }
    }
  }

  @Test func subjectsHaveTheNamesOfDevices() {
    let (name, other) = (String(repeating: "A", count: 26), String(repeating: "B", count: 26))
    #expect(RendezvousSubject("b.adv.\(name)") == .toAll(from: name))
    #expect(RendezvousSubject("b.to.\(other).\(name)") == .toOne(other, from: name))
    #expect(RendezvousSubject.toOne(other, from: name).text == "b.to.\(other).\(name)")
    #expect(RendezvousSubject("b.to.\(other).\(name)")?.sender == name)
    #expect(RendezvousSubject("b.adv.\(other)")?.sender == other)
    for wrong in [
      "", "b.adv", "b.adv.x", "b", "b.adv.*", "b.to.*.\(name)", "b.adv.\(name)A", "b.to.\(name).\(name.dropLast())",
      "b.\(name).adv", "b..\(name)", ".b.adv.\(name)", "B.adv.\(name)", "c.adv.\(name)", "b.to.\(name)",
      "b.to.\(name).\(name).\(name)", "b.adv.\(name).",
    ] {
      #expect(RendezvousSubject(wrong) == nil)
    }
  }

  @Test func serversHaveAHostAndAPort() {
    #expect(ServerAddress("Example.ORG")?.description == "example.org:4222")
    #expect(ServerAddress("192.0.2.1:1")?.description == "192.0.2.1:1")
    #expect(ServerAddress("[2001:db8::1]")?.description == "[2001:db8::1]:4222")
    for wrong in [
      "", ":1", "a:0", "a:65536", "a:+1", "a b", "2001:db8::1", "[]", "[::1]x", "[::1", "a,b", "a\"b", "a:1:2",
    ] {
      #expect(ServerAddress(wrong) == nil)
    }
  }
}
