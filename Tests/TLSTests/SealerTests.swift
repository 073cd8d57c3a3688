// SPDX-License-Identifier: Apache-2.0

import TLS
import Testing

@Suite struct SealerTests {
  private let key = SystemRandom.bytes(32)
  private let nonce = SystemRandom.bytes(12)
  private let additional = Array("instance".utf8)

  @Test(arguments: [0, 1, 16, 336, 100_000])
  func whatWasSealedOpens(length: Int) throws {
    let sealer = try #require(Sealer(key: key))
    let plaintext = SystemRandom.bytes(length)
    let sealed = try sealer.seal(plaintext, nonce: nonce, additional: additional)
    #expect(sealed.count == length + Sealer.tagLength)
    #expect(sealer.open(sealed, nonce: nonce, additional: additional) == plaintext)
  }

  @Test func nothingElseOpens() throws {
    let sealer = try #require(Sealer(key: key))
    let sealed = try sealer.seal(Array("something".utf8), nonce: nonce, additional: additional)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(sealer.open(changed, nonce: nonce, additional: additional) == nil)
    }
    #expect(Sealer(key: SystemRandom.bytes(32))?.open(sealed, nonce: nonce, additional: additional) == nil)
    #expect(sealer.open(sealed, nonce: SystemRandom.bytes(12), additional: additional) == nil)
    #expect(sealer.open(sealed, nonce: nonce, additional: additional + [0]) == nil)
    #expect(sealer.open(sealed, nonce: nonce, additional: []) == nil)
    for length in 0..<sealed.count {
      #expect(sealer.open(Array(sealed.prefix(length)), nonce: nonce, additional: additional) == nil)
    }
    #expect(sealer.open(sealed + [0], nonce: nonce, additional: additional) == nil)
  }

  @Test func lengthsAreChecked() throws {
    #expect(Sealer(key: SystemRandom.bytes(31)) == nil && Sealer(key: SystemRandom.bytes(33)) == nil)
    let sealer = try #require(Sealer(key: key))
    #expect(throws: TLSError.self) { try sealer.seal([], nonce: SystemRandom.bytes(11), additional: []) }
    #expect(sealer.open(SystemRandom.bytes(40), nonce: [], additional: []) == nil)
  }

  /// Test case 16 of the GCM specification.
  @Test func theVectorHolds() throws {
    let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let plaintext = bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    let sealed = bytes(
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"
    )
    let result = try #require(Sealer(key: key)).seal(
      plaintext,
      nonce: bytes("cafebabefacedbaddecaf888"),
      additional: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    )
    #expect(result == sealed)
  }
}

/// Returns the bytes that hexadecimal digits of a specification stand for.
func bytes(_ text: String) -> [UInt8] {
  stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
}
