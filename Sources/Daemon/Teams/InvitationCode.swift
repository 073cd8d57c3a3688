// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// The code that a person carries to a joining machine: the team's short ID, a secret and a checksum (Protocol.md
/// section 8).
package struct InvitationCode: Equatable, Sendable {
  static let secretLength = 16
  private static let teamDigits = 10
  private static let secretDigits = 26
  private static let checkDigits = 4
  private static let groupDigits = 5

  /// The short ID of the team, as people see it.
  package let team: String
  /// `S`, 16 bytes.
  let secret: [UInt8]

  init(team: TeamID, secret: [UInt8] = SystemRandom.bytes(secretLength)) {
    self.team = team.description
    self.secret = secret
  }

  /// Reads a code as people type it: any case, spaces and dashes anywhere, O for 0, I and L for 1.
  ///
  /// - Throws: `invitationInvalid` if a digit is wrong or missing.
  package init(text: String) throws(Reason) {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .invitationInvalid }
    let digits = text.uppercased().utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): nil
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: byte
      }
    }
    let content = String(decoding: digits.dropLast(Self.checkDigits), as: UTF8.self)
    guard digits.count == Self.teamDigits + Self.secretDigits + Self.checkDigits,
      digits.suffix(Self.checkDigits).elementsEqual(Self.checksum(of: content).utf8),
      let secret = Base32.decode(content.dropFirst(Self.teamDigits)),
      // The last two bits have no meaning, and are zero.
      Base32.encode(secret) == content.dropFirst(Self.teamDigits)
    else { throw .invitationInvalid }
    team = String(content.prefix(Self.teamDigits))
    self.secret = secret
  }

  /// The code, in groups of five digits with a dash between them.
  package var text: String {
    let content = team + Base32.encode(secret)
    let digits = Array(content + Self.checksum(of: content))
    return stride(from: 0, to: digits.count, by: Self.groupDigits)
      .map { String(digits[$0..<min($0 + Self.groupDigits, digits.count)]) }  // Checked: below digits.count.
      .joined(separator: "-")
  }

  /// Whether the code can be for this team, as far as its short ID tells.
  package func isFor(_ team: TeamID) -> Bool { team.description == self.team }

  /// The keys of the code in a handshake.
  package var keys: InvitationKeys {
    InvitationKeys(
      identity: Array(
        HMACSHA256.derive("baton invitation identity 1", from: secret).prefix(InvitationKeys.identityLength)
      ),
      preSharedKey: HMACSHA256.derive("baton invitation key 1", from: secret)
    )
  }

  /// `K_invite`, which makes the server name that the team's administrator answers to.
  package var serverNameKey: [UInt8] { Self.serverNameKey(team: team) }

  /// Returns `K_invite` of a team.
  package static func serverNameKey(for team: TeamID) -> [UInt8] { serverNameKey(team: team.description) }

  /// `K_inviter`, which made a part of the names of the machines that may have given out the code.
  package var inviterKey: [UInt8] { InstanceName.inviterKey(for: team) }

  private static func serverNameKey(team: String) -> [UInt8] {
    HMACSHA256.derive("baton invitation name 1", from: Array(team.utf8))
  }

  /// Returns the first 20 bits of the hash. One of 1,048,576 typing errors passes, and then fails at the administrator.
  private static func checksum(of content: String) -> String {
    String(Base32.encode(SHA256.hash(Array(content.utf8))).prefix(checkDigits))
  }
}

extension TLSContext {
  /// Dials the administrator that gave out `code`.
  package static func joining(code: InvitationCode) throws(TLSError) -> TLSContext {
    try joining(code.keys, serverNameKey: code.serverNameKey)
  }
}
