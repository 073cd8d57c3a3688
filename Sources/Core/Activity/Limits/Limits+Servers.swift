// SPDX-License-Identifier: Apache-2.0

/// The limits of an administrator's information about the team's servers.
extension Limits {
  /// The maximum number of servers, and of relays.
  package static let rendezvousServers = 8
  /// The maximum length of the file with an administrator's information about servers, in bytes: eight servers and
  /// eight relays with long addresses, and a token.
  package static let rendezvousFileLength = 16 << 10
  /// The maximum number of users that a team's account can revoke: up to 17 for each removed device.
  package static let revokedUsers = 1000
  /// The maximum length of a request to let a team in, in bytes. The daemon gets it in one message.
  package static let rendezvousRequestLength = 52 << 10
  /// The maximum length of the token of a team's account, in bytes. It takes about 100 for each revoked user.
  package static let accountTokenLength = 192 << 10
  /// The maximum length of the file with the keys of operators of servers, in bytes.
  package static let operatorFileLength = 256 << 10
}
