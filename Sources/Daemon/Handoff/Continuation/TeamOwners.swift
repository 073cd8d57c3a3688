// SPDX-License-Identifier: Apache-2.0

import Activity

/// The teams that this machine is in, at most `Limits.teams`, and the users who own each.
struct TeamOwners: Sendable {
  private var owners: [TeamID: Set<UserID>] = [:]

  var all: some Collection<TeamID> { owners.keys }

  func contains(_ team: TeamID) -> Bool { owners[team] != nil }

  /// Whether `user` may use the team: its owners and root may.
  func mayUse(_ team: TeamID, _ user: UserID) -> Bool {
    owners[team].map { user == 0 || $0.contains(user) } ?? false
  }

  /// Replaces the teams and their owners.
  ///
  /// - Returns: The teams that are new or have other owners than before.
  mutating func change(to owners: [TeamID: Set<UserID>]) -> Set<TeamID> {
    let earlier = self.owners
    self.owners = owners
    return Set(owners.keys.filter { owners[$0] != earlier[$0] })
  }
}
