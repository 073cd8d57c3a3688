// SPDX-License-Identifier: Apache-2.0

extension Limits {
  // MARK: Joining

  /// How users share the attempts to join a team that are in progress. A user makes one, and another if that hangs.
  package static let joinShare = Share(total: 16, perUser: 4, forOthers: 3, forRoot: 1)

  // MARK: Administrators

  /// The maximum size of a certificate or key in PEM, in bytes. Ours have about 900.
  package static let certificateLength = 4096
  /// The maximum number of devices in one message from an administrator to another. At about 600 bytes each at most,
  /// they fit in one frame.
  package static let admittedPerMessage = 16
  /// How long a passphrase opens the team's key: as long as an invitation code is valid, because using a code needs the
  /// key.
  package static let unlockTime = invitationTime
}
