// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

@testable import Teams

/// The code that users type. Most inputs have a wrong checksum, so half of them are turned into valid codes, which are
/// then typed as users do.
enum InvitationFuzzer: Fuzzer {
  private static let code = InvitationCode(team: Names.team, secret: Array(0..<16))

  static let seeds: [[UInt8]] = [
    [0] + Array(code.text.utf8), [0] + Array(code.text.lowercased().split(atScalar: "-").joined(separator: " ").utf8),
    [1] + Array(0..<16) + [0, 1, 2, 3, 4, 5, 6, 7], [0] + Array("O0IL1\r\nſıé\u{301}".utf8),
  ]

  static let length = 128

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    guard choices.flag() else {
      let text = String(decoding: choices.remaining(), as: UTF8.self)
      let code: InvitationCode
      do throws(Reason) { code = try InvitationCode(text: text) } catch { return same(error, .invitationInvalid) }
      return try check(code)
    }
    let code = InvitationCode(team: Names.team, secret: choices.bytes(16))
    guard code.keys.identity.count == 16, !choices.isOver else { return }
    try check(code)
    same(try InvitationCode(text: typed(code.text, &choices)), code, "It was typed otherwise")
    hold(code.isFor(Names.team) && !code.isFor(Names.otherTeam), "It is for another team")
  }

  private static func check(_ code: InvitationCode) throws {
    same(try InvitationCode(text: code.text), code)
    same(code.keys.identity.count, 16)
    same(code.serverNameKey.count, 32)
  }

  private static func typed(_ text: String, _ choices: inout Choices) -> String {
    text.map { character -> String in
      switch (character, choices.number(below: 4)) {
      case ("0", 1): "o"
      case ("1", 1): "l"
      case ("1", 2): "I"
      case ("-", 1): ""
      case (_, 2): character.lowercased()
      case (_, 3): " \(character)"
      default: String(character)
      }
    }.joined()
  }
}
