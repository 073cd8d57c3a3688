// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import TLS

@Suite struct DigestTests {
  @Test func theVectorsHold() {
    #expect(
      SHA256.hash(Array("abc".utf8)) == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    )
    #expect(SHA256.hash([]) == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    // RFC 4231, test case 2.
    #expect(
      HMACSHA256.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    )
  }

  @Test func serverNamesAreOfTheirKeyAlone() {
    let key = SystemRandom.bytes(32)
    let name = ServerName.make(key: key)
    #expect(name.utf8.count == 45 && name == name.lowercased())
    #expect(name != ServerName.make(key: key), "The nonce is new each time")
    #expect(ServerName.open(name, key: key) != nil && ServerName.open(name.uppercased(), key: key) != nil)
    #expect(ServerName.open(name, key: SystemRandom.bytes(32)) == nil)
    #expect(ServerName.open("", key: key) == nil && ServerName.open(name + "0", key: key) == nil)
    for index in name.indices {
      var changed = name
      changed.replaceSubrange(index...index, with: name[index] == "z" ? "y" : "z")
      // Only the lowest bit of the last digit has no meaning.
      #expect(ServerName.open(changed, key: key) == nil || name.index(after: index) == name.endIndex)
    }
  }

  @Test func aServerNameSaysWhenItWasMade() {
    let key = SystemRandom.bytes(32)
    for time in [0, 1, 1_800_000_000, Int64(UInt32.max)] {
      #expect(ServerName.open(ServerName.make(time: time, key: key), key: key)?.time == time)
    }
    let names = (0..<100).map { _ in Base32.decode(ServerName.make(time: 1, key: key)) ?? [] }
    #expect(Set(names.map { Array($0[8..<12]) }).count > 90, "Nobody else can see it")
  }

  @Test func aServerNameIsAsThePublishedProtocolSays() {
    // Computed with Python's hmac.
    let name = ServerName.make(nonce: Array(0..<8), time: 1_800_000_000, key: [1, 2, 3])
    #expect(name == "000g40r40m30fc54fdk9zmqanwdwec5j4tbf4pa4bxect")
    let bound = ServerName.make(nonce: Array(0..<8), time: 1_800_000_000, for: DeviceID(bytes: 0..<32), key: [1, 2, 3])
    #expect(bound == "000g40r40m30fc54fdkbg2ycbhebwzyasd2zrwke4fmn6")
  }
}
