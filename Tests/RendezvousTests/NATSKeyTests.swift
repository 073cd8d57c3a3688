// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Handoff

struct NATSKeyTests {
  /// The well-known keys of `nkeys` in its own tests have this form: a letter for the kind, and 56 letters in all.
  @Test func kindsHaveTheirLetters() {
    let key = [UInt8](0..<32)
    #expect(NATSKey.text(.operator, key).first == "O")
    #expect(NATSKey.text(.account, key).first == "A")
    #expect(NATSKey.text(.user, key).first == "U")
    for kind in [NATSKey.Kind.operator, .account, .user] { #expect(NATSKey.text(kind, key).utf8.count == 56) }
  }

  /// Checked by nats-server in ``NATSServerTests``, too.
  @Test func aChecksumFollowsTheKey() {
    let texts = (0...UInt8.max).map { NATSKey.text(.user, [UInt8](repeating: $0, count: 32)) }
    #expect(Set(texts.map { $0.suffix(4) }).count > 250)
  }

  @Test func base64HasNoPadding() {
    #expect(Base64URL.encode([]) == "")
    #expect(Base64URL.encode([0xFB]) == "-w")
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    #expect(Base64URL.encode(Array("any carnal pleas".utf8)) == "YW55IGNhcm5hbCBwbGVhcw")
  }
}
