// SPDX-License-Identifier: Apache-2.0

import Activity

/// The names of a team's instances (Protocol.md section 2). Whoever knows the team tells them from all others; to
/// anybody else they are random. A name proves nothing, because everybody on the network sees it and can repeat it.
///
/// A name is 16 bytes, `random[4] hint[4] code[8]`, in base 32. The code is made with `K_instance`. While the machine
/// admits devices, the hint is made with `K_inviter`, so that a machine with a code of the team finds it. Otherwise, it
/// is random.
package enum InstanceName {
  private static let randomLength = 4
  private static let hintLength = 4
  private static let codeLength = 8

  /// Returns `K_instance` of a team. It never changes.
  package static func key(for team: TeamID) -> [UInt8] {
    HMACSHA256.derive("baton instance name 1", from: team.bytes)
  }

  /// Returns `K_inviter` of a team.
  ///
  /// - Parameter team: The team's short ID, as it is in a code.
  package static func inviterKey(for team: String) -> [UInt8] {
    HMACSHA256.derive("baton invitation instance 1", from: Array(team.utf8))
  }

  /// - Parameters:
  ///   - random: 8 random bytes; the last four are used only without an inviter's key.
  ///   - key: `K_instance`.
  ///   - inviterKey: `K_inviter` while the machine admits devices.
  package static func make(
    random: [UInt8] = SystemRandom.bytes(randomLength + hintLength),
    key: [UInt8],
    inviterKey: [UInt8]? = nil
  ) -> String {
    let start = Array(random.prefix(randomLength))
    let spare = Array(random.dropFirst(randomLength).prefix(hintLength))
    let hint = inviterKey.map { Self.hint(after: start, key: $0) } ?? spare
    return Base32.encode(start + hint + code(after: start + hint, key: key))
  }

  /// What a name consists of; nil if it is not one. Each name has only one spelling, so that nobody can make many of
  /// one.
  fileprivate static func parts(of name: String) -> (start: [UInt8], hint: [UInt8], code: [UInt8])? {
    let length = randomLength + hintLength + codeLength
    guard name.utf8.count == (length * 8 + 4) / 5, let bytes = Base32.decode(name), bytes.count == length,
      Base32.encode(bytes) == name
    else { return nil }
    let rest = bytes.dropFirst(randomLength)
    return (Array(bytes.prefix(randomLength)), Array(rest.prefix(hintLength)), Array(rest.dropFirst(hintLength)))
  }

  fileprivate static func hint(after start: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMACSHA256.authenticate(start, key: key).prefix(hintLength))
  }

  fileprivate static func code(after nonce: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMACSHA256.authenticate(nonce, key: key).prefix(codeLength))
  }
}

/// Picks the instances that may concern this machine, by their names alone.
package struct InstanceFilter: Equatable, Sendable {
  /// `K_instance` of each team of this machine.
  private let keys: Set<[UInt8]>
  /// `K_inviter` of each team that this machine has a code of.
  private let inviterKeys: Set<[UInt8]>

  package init(keys: Set<[UInt8]>, inviterKeys: Set<[UInt8]> = []) {
    self.keys = keys
    self.inviterKeys = inviterKeys
  }

  /// Whether no name passes.
  package var isEmpty: Bool { keys.isEmpty && inviterKeys.isEmpty }

  /// Whether an instance belongs to one of the teams, or to a machine that may have made one of the codes. Can be
  /// called on any thread.
  ///
  /// - Parameter name: Anything that somebody on the network sent.
  package func accepts(_ name: String) -> Bool {
    guard let (start, hint, code) = InstanceName.parts(of: name) else { return false }
    return keys.contains { equalInConstantTime(code, InstanceName.code(after: start + hint, key: $0)) }
      || inviterKeys.contains { equalInConstantTime(hint, InstanceName.hint(after: start, key: $0)) }
  }
}
