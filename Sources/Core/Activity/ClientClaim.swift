// SPDX-License-Identifier: Apache-2.0

/// The claim that a client makes with its server name, which proves nothing.
package enum ClientClaim: CaseIterable, Sendable {
  /// By the team's newest discovery key.
  case member
  /// With a previous discovery key: the device was offline, or was removed.
  case outdated
  /// By the name that every device has that ever was in the team.
  case returning
  /// By the name that everybody who knows the short Team ID has.
  case joining
}
