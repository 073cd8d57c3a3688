extension Limits {
  /// What the log says of requests, approvals and backups that were refused: any user can give some.
  package static let refusedFileLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  // MARK: Joining

  /// Attempts to join a team that are under way: a person makes one, and another where that hangs.
  package static let joinShare = Share(total: 16, perUser: 4, forOthers: 3, forRoot: 1)
  /// How long one attempt looks for machines and asks them, in all.
  package static let joinTime = Duration.seconds(10)
  /// Machines that one attempt asks at once.
  package static let joinCalls = 8
  /// From dialling a machine until it has proved that it knows the code, where others wait for its place: a local network
  /// answers in milliseconds.
  package static let joinSilence = Duration.seconds(2)
  /// Addresses that one attempt may come to know: a few of each instance, and more than there is time for. Beyond it, chance
  /// decides which ones are kept.
  package static let joinAddresses = 1024
  /// Addresses of one instance that an attempt asks: cable and wireless, in both IP versions.
  package static let joinAddressesPerInstance = 4

  // MARK: Administrators

  /// Bytes of a certificate or key in PEM: ours are some 900.
  package static let certificateLength = 4096
  /// Devices in one message from an administrator to another: at most some 600 bytes each, in one frame.
  package static let admittedPerMessage = 16
  /// Least time between two looks at which certificates end soon: they are renewed in the last four months.
  package static let certificateCheckTime = Duration.seconds(6 * 60 * 60)
  /// Least time between two certificates that one device is given: each is noted on the disk.
  package static let renewalInterval = Duration.seconds(60 * 60)
  /// From giving a device the team's key until it says that it has it on its disk.
  package static let promotionTime = Duration.seconds(10)
  /// How long a passphrase opens the team's key: as long as a code is good, which needs the key.
  package static let unlockTime = invitationTime
  /// How long the code of a renewal can be used: a walk to each of the other machines.
  package static let renewalTime = Duration.seconds(60 * 60)
  /// Teams that one has replaced and that are remembered, so that none of them is entered again.
  package static let replacedTeams = 16
}
