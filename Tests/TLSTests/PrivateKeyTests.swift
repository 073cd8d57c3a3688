// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Testing

@testable import TLS

struct PrivateKeyTests {
  private static func bytes(_ digits: String) -> [UInt8] {
    let letters = Array(digits)
    return stride(from: 0, to: letters.count, by: 2).compactMap { UInt8(String(letters[$0..<$0 + 2]), radix: 16) }
  }

  /// RFC 8032, section 7.1, tests 1 and 2.
  @Test(arguments: [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
  ])
  func signaturesAreThoseOfTheStandard(_ seed: String, _ publicKey: String, _ text: String, _ signature: String) throws
  {
    let key = try PrivateKey(seed: Self.bytes(seed))
    #expect(try key.rawPublicKey == Self.bytes(publicKey))
    #expect(try key.sign(Self.bytes(text)) == Self.bytes(signature))
    #expect(PrivateKey.isSigned(Self.bytes(text), with: Self.bytes(signature), by: Self.bytes(publicKey)))
  }

  @Test func aSignatureIsOfOneTextAndOneKey() throws {
    let (key, other) = (try PrivateKey.make(), try PrivateKey.make())
    let (text, own) = (Array("text".utf8), try key.rawPublicKey)
    let signature = try key.sign(text)
    #expect(PrivateKey.isSigned(text, with: signature, by: own))
    #expect(try !PrivateKey.isSigned(text, with: signature, by: other.rawPublicKey))
    for wrong in [[], Array("Text".utf8), text + [0], Array(text.dropLast())] {
      #expect(!PrivateKey.isSigned(wrong, with: signature, by: own))
    }
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1
      #expect(!PrivateKey.isSigned(text, with: changed, by: own))
    }
    for wrong in [[], Array(signature.dropLast()), signature + [0]] {
      #expect(!PrivateKey.isSigned(text, with: wrong, by: own))
    }
    #expect(PrivateKey.isSigned([], with: try key.sign([]), by: own))
  }

  /// An error that stays in OpenSSL's queue would be taken for that of a later call.
  @Test func aKeyHas32BytesAndAnErrorIsNotLeftBehind() throws {
    let key = try PrivateKey.make()
    let (text, own) = ([UInt8](1...9), try key.rawPublicKey)
    let signature = try key.sign(text)
    ERR_clear_error()
    for wrong in [[], Array(own.dropLast()), own + [0], [UInt8](repeating: 0xFF, count: 32)] {
      #expect(!PrivateKey.isSigned(text, with: signature, by: wrong))
      #expect(ERR_peek_error() == 0)
    }
  }

  @Test func aSeedHas32Bytes() {
    for count in [0, 31, 33] {
      #expect(throws: TLSError.self) { try PrivateKey(seed: Array(repeating: 1, count: count)) }
    }
  }
}
