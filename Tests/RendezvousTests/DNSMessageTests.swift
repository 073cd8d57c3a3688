import Testing

@testable import Rendezvous

struct DNSMessageTests {
  @Test func namesHaveLimits() {
    #expect(
      DNSName("_Devices.Example.ORG")?.wire == [8] + "_devices".utf8 + [7] + "example".utf8 + [3] + "org".utf8 + [0]
    )
    #expect(DNSName("a.b.") == DNSName("A.B"))
    let label = String(repeating: "a", count: 63)
    #expect(DNSName(label) != nil && DNSName(label + "a") == nil)
    let long = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
    #expect(DNSName(long)?.wire.count == 255 && DNSName(long + "b") == nil)
    for wrong in ["", ".", "..", "a..b", ".a", "a b", "ä", "a\\.b", "a\0"] { #expect(DNSName(wrong) == nil) }
  }

  @Test func namesAreReadAsTheyWereWritten() throws {
    var reader = DNSReader([0, 0] + DNSSamples.devices.wire + [1, 0x41, 0xC0, 2, 0xC0, 19, 7])
    _ = try reader.number(2)
    #expect(try reader.name() == DNSSamples.devices)
    #expect(try reader.name() == DNSName("a._devices.home.test"))
    #expect(throws: DNSFailure.self) { try reader.name() }
  }

  @Test(arguments: [
    [], [1], [1, 0x61], [2, 0x61, 0], [0xC0], [0xC0, 0], [0xC0, 1], [0xFF, 0xFF], [1, 0x61, 0xC0, 0], [0x40, 0],
    [0x80, 0],
  ])
  func namesThatDoNotEndAreMalformed(_ bytes: [UInt8]) {
    #expect(throws: DNSFailure.self) {
      var reader = DNSReader(bytes)
      _ = try reader.name()
    }
  }

  @Test func chainsOfPointersAreCutOff() throws {
    // Each pointer leads to the one before it.
    var chain: [UInt8] = [0, 0]
    for pointer in UInt16(0)..<200 { chain.append(number: 0xC000 | pointer * 2) }
    let message = chain
    func name(at pointer: Int) throws -> DNSName {
      var reader = DNSReader(Array(message.prefix(pointer * 2 + 4)))
      _ = try reader.bytes(pointer * 2 + 2)
      return try reader.name()
    }
    #expect(try name(at: 126).wire == [0])
    #expect(throws: DNSFailure.malformed("a pointer leads nowhere")) { try name(at: 127) }
    // A name that contains itself becomes too long.
    var reader = DNSReader([UInt8](repeating: 60, count: 61 * 5))
    #expect(throws: DNSFailure.malformed("a name is too long")) { try reader.name() }
  }

  @Test func stringsAreDividedAndJoined() throws {
    for count in [0, 1, 254, 255, 256, 510, 511] {
      let record = TXTRecord([UInt8](repeating: 7, count: count))
      #expect(record.data.count == count + max(1, (count + 254) / 255))
      #expect(TXTRecord(data: record.data[...]) == record)
    }
    let elsewhere = try #require(TXTRecord(data: [1, 65, 0, 2, 66, 67]))
    #expect(elsewhere.bytes == Array("ABC".utf8) && elsewhere != TXTRecord(elsewhere.bytes))
    for wrong: [UInt8] in [[], [1], [2, 65], [1, 65, 1]] { #expect(TXTRecord(data: wrong[...]) == nil) }
  }

  @Test func sealedBytesAreText() throws {
    for count in 0...300 {
      let sealed = [UInt8](repeating: 0xFB, count: count)
      let record = try #require(TXTRecord(sealed: sealed))
      #expect(record.sealed == sealed && record.bytes.allSatisfy { 0x21...0x7E ~= $0 })
    }
    #expect(TXTRecord(sealed: [UInt8](repeating: 1, count: 675))?.bytes.count == 900)
    #expect(TXTRecord(sealed: [UInt8](repeating: 1, count: 676)) == nil)
    // No padding, no other letters, and no bits that mean nothing.
    for wrong in ["-w==", "+w", "-x", "A", "v=spf1 -all", String(repeating: "A", count: 901)] {
      #expect(TXTRecord(Array(wrong.utf8)).sealed == nil)
    }
  }

  @Test func messagesAreThoseOfOtherPrograms() {
    let zone = DNSSamples.zone.wire
    let pointer = DNSSamples.updateBytes.firstRange(of: [0xC0, 0x0C])
    var expected = DNSSamples.updateBytes
    if let pointer { expected.replaceSubrange(pointer, with: zone) }
    #expect(DNSSamples.update.bytes(id: DNSSamples.updateID) == expected)
    let signature = TSIG(key: DNSSamples.key.name, time: DNSSamples.time, id: DNSSamples.updateID)
    let signed = DNSSamples.key.sign(DNSSamples.updateBytes, signature)
    #expect(signed.mac == DNSSamples.updateMAC)
    let end: [UInt8] = [0xEA, 0x61, 0, 0, 0, 0]
    let whole = DNSSamples.updateBytes + DNSSamples.updateSignature + DNSSamples.updateMAC + end
    #expect(signed.bytes == whole.prefix(10) + [0, 1] + whole.dropFirst(12))
  }

  @Test func whatDoesNotFitIsNotSent() {
    func exchange(_ count: Int) -> DNSExchange? {
      let record = TXTRecord([UInt8](repeating: 1, count: 1000))
      let update = DNSMessage.update(
        zone: DNSSamples.zone,
        name: DNSSamples.devices,
        deletions: Array(repeating: record, count: count),
        additions: [],
        timeToLive: 0
      )
      return DNSExchange(update, key: DNSSamples.key, id: 1, time: 0, at: .now)
    }
    #expect(exchange(64) != nil && exchange(65) == nil)
  }
}
