// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

/// A team that this machine is in.
package struct Team: Sendable {
  /// Whether this machine has the team's key, with which others are admitted and removed.
  package enum Administration: Equatable, Sendable {
    case here, elsewhere
    /// The key is on this machine, and a passphrase opens it.
    case sealed
    /// The key is on this machine but cannot be used, for this reason.
    case unusable(String)
  }

  package var id: TeamID { credentials.team }
  /// This machine's Device ID in the team.
  package var device: DeviceID { credentials.device }
  package let name: String
  /// The users of this machine that may use the team, by uid, in order. Root always may.
  package let owners: [UInt32]
  /// When this machine created or joined it, in seconds since 1970.
  package let created: Int64
  package let credentials: Credentials
  package let administration: Administration
  /// Whether this machine has the team's key, even if it is damaged.
  package var isAdministrator: Bool { administration != .elsewhere }
  /// Whether this machine has a usable team key, as far as this can be determined without a passphrase.
  package var canAdminister: Bool { administration == .here || administration == .sealed }
  /// When this machine's certificate ends, in seconds since 1970.
  package let expires: Int64
  /// The teams that this one replaces, the newest first.
  package let replaces: [TeamID]
  /// Where its devices meet if they share no network; nil if that was never set.
  package let rendezvous: RendezvousAccess?

  /// Returns the same team with other revocation lists and discovery keys.
  func with(_ file: RevocationFile) throws(TLSError) -> Team {
    Team(
      name: name,
      owners: owners,
      created: created,
      credentials: try Credentials(
        key: credentials.key,
        certificate: credentials.certificate,
        authority: credentials.authority,
        discoveryKey: file.newest.discoveryKey,
        previousKeys: file.previousKeys,
        revocations: file.lists
      ),
      administration: administration,
      expires: expires,
      replaces: replaces,
      rendezvous: rendezvous
    )
  }

  /// Returns the same team, whose devices meet elsewhere.
  func with(_ rendezvous: RendezvousAccess) -> Team {
    Team(
      name: name,
      owners: owners,
      created: created,
      credentials: credentials,
      administration: administration,
      expires: expires,
      replaces: replaces,
      rendezvous: rendezvous
    )
  }

  var description: TeamDescription {
    TeamDescription(name: name, owners: owners, created: created, replaces: replaces)
  }

  /// Whether a user may see and use the team.
  package func belongs(to uid: UInt32) -> Bool { uid == 0 || owners.contains(uid) }

  /// Whether a text can be a team's name.
  static func isName(_ text: String) -> Bool {
    (1...Limits.teamNameLength).contains(text.utf8.count)
      && !text.unicodeScalars.contains { scalar in
        let category = scalar.properties.generalCategory
        return category == .control || category == .format
      }
  }
}
