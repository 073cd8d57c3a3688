// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS
import Testing

@testable import Teams

@Suite struct InvitationCodeTests {
  /// The code of team K7Q2M9XW4T and the secret 00 01 … 0F, computed with Python's hashlib and hmac.
  private let text = "K7Q2M-9XW4T-000G4-0R40M-30E20-9185G-R38E1-WGK7M"

  @Test func theCodeIsAsThePublishedProtocolSays() throws {
    let code = try InvitationCode(text: text)
    #expect(code.team == "K7Q2M9XW4T" && code.secret == Array(0..<16))
    #expect(code.text == text)
    #expect(
      Hexadecimal.encode(code.keys.preSharedKey) == "2d95acfc7e430753d51fbece3742169ab29387dfc9b8947d242f4fb180874a89"
    )
    #expect(Hexadecimal.encode(code.keys.identity) == "d85269bc809b0435e743710faaa83da6")
    #expect(
      Hexadecimal.encode(code.serverNameKey) == "1fbe7c94d8263eb5297be36ba7abbadb388d936fa2182313b7c234950235b6d6"
    )
  }

  @Test func codesComeBackFromTheirText() throws {
    for _ in 0..<200 {
      let team = try #require(TeamID(bytes: SystemRandom.bytes(32)))
      let code = InvitationCode(team: team)
      #expect(try InvitationCode(text: code.text) == code)
      #expect(code.isFor(team) && code.team == team.description)
      #expect(code.serverNameKey == InvitationCode.serverNameKey(for: team))
      #expect(code.text.split(separator: "-").map(\.count) == Array(repeating: 5, count: 8))
    }
  }

  @Test func peopleMayTypeItAsTheyLike() throws {
    let code = try InvitationCode(text: text)
    let forms = [
      text.lowercased(), text.filter { $0 != "-" }, "  " + text.replacing("-", with: " - ") + "\r\n",
      text.replacing("0", with: "O").replacing("1", with: "l"),
      text.replacing("1", with: "I").replacing("0", with: "o"),
    ]
    for form in forms { #expect(try InvitationCode(text: form) == code, "\(form)") }
  }

  @Test func typingErrorsAreNoticed() throws {
    let digits = Array(text.filter { $0 != "-" })
    for (index, digit) in digits.enumerated() {
      var changed = digits
      changed[index] = digit == "7" ? "8" : "7"
      #expect(throws: Reason.invitationInvalid) { try InvitationCode(text: String(changed)) }
      changed[index] = "U"
      #expect(throws: Reason.invitationInvalid) { try InvitationCode(text: String(changed)) }
      var missing = digits
      missing.remove(at: index)
      #expect(throws: Reason.invitationInvalid) { try InvitationCode(text: String(missing)) }
      guard index > 0, digits[index - 1] != digit else { continue }
      var swapped = digits
      swapped.swapAt(index - 1, index)
      #expect(throws: Reason.invitationInvalid) { try InvitationCode(text: String(swapped)) }
    }
    for other in ["", "-", text + "0", "é", String(repeating: "é", count: 40), text.replacing("K", with: "Ⅸ")] {
      #expect(throws: Reason.invitationInvalid) { try InvitationCode(text: other) }
    }
  }
}
