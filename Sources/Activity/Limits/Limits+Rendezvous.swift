/// The limits of what a team's administrator may say about servers where its devices meet.
extension Limits {
  /// The maximum number of servers, and of relays.
  package static let rendezvousServers = 8
  /// The maximum length of the address of one, in bytes: a host's name, a port and an ID.
  package static let serverAddressLength = 400
  /// The maximum length of what lets a device in, in bytes. It takes about 700.
  package static let rendezvousTokenLength = 4096
  /// The maximum length of the file in which a machine keeps what an administrator has said, in bytes: eight servers
  /// and eight relays with long addresses, and a token.
  package static let rendezvousFileLength = 16 << 10
  /// The maximum number of users that a team's account can name as no longer let in: 17 for each removed device.
  package static let revokedUsers = 2048
  /// The maximum length of a request to let a team in, in bytes.
  package static let rendezvousRequestLength = 128 << 10
  /// The maximum number of operators of servers on one machine, and the length of the file with their keys, in bytes.
  package static let rendezvousOperators = 16
  package static let operatorFileLength = 128 << 10
}
