import Testing

@testable import Rendezvous

struct NATSKeyTests {
  /// The well-known keys of `nkeys` in its own tests have this form: a letter for the kind, and 56 letters in all.
  @Test func kindsHaveTheirLetters() {
    let key = [UInt8](0..<32)
    #expect(NATSKey.text(.operator, key).first == "O")
    #expect(NATSKey.text(.account, key).first == "A")
    #expect(NATSKey.text(.user, key).first == "U")
    for kind in [NATSKey.Kind.operator, .account, .user] { #expect(NATSKey.text(kind, key).utf8.count == 56) }
  }

  @Test func aKeyIsReadAsItWasWritten() throws {
    for byte: UInt8 in [0, 1, 127, 255] {
      let key = [UInt8](repeating: byte, count: 32)
      let read = try #require(NATSKey.parse(NATSKey.text(.user, key)))
      #expect(read.kind == .user && read.key == key)
    }
  }

  @Test func aChangedLetterIsNoticed() {
    let text = NATSKey.text(.account, [UInt8](0..<32))
    for index in text.indices {
      let other: Character = text[index] == "B" ? "C" : "B"
      #expect(NATSKey.parse(text.replacingCharacters(in: index, with: other)) == nil)
    }
    for wrong in ["", "A", text + "A", String(text.dropLast()), text.lowercased()] {
      #expect(NATSKey.parse(wrong) == nil)
    }
  }

  @Test func base64HasNoPadding() {
    #expect(Base64URL.encode([]) == "")
    #expect(Base64URL.encode([0xFB]) == "-w")
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    #expect(Base64URL.encode(Array("any carnal pleas".utf8)) == "YW55IGNhcm5hbCBwbGVhcw")
  }
}

extension String {
  fileprivate func replacingCharacters(in index: Index, with letter: Character) -> String {
    String(self[..<index]) + String(letter) + String(self[self.index(after: index)...])
  }
}
