extension Limits {
  /// The rate of log lines about requests, approvals and backups that were refused. Any user can submit some.
  package static let refusedFileLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  // MARK: Joining

  /// How users share the attempts to join a team that are in progress. A person makes one, and another if that hangs.
  package static let joinShare = Share(total: 16, perUser: 4, forOthers: 3, forRoot: 1)
  /// How long one attempt looks for machines and asks them, in total.
  package static let joinTime = Duration.seconds(10)
  /// The maximum number of machines that one attempt asks at the same time.
  package static let joinCalls = 8
  /// The time from dialling a machine until it has proved that it knows the code, if others wait for its place. A local
  /// network answers in milliseconds.
  package static let joinSilence = Duration.seconds(2)
  /// The maximum number of addresses that one attempt knows: a few of each instance, which is more than it has time to
  /// ask. Beyond that, chance decides which ones are kept.
  package static let joinAddresses = 1024
  /// The maximum number of addresses of one instance that an attempt asks: cable and wireless, in both IP versions.
  package static let joinAddressesPerInstance = 4

  // MARK: Administrators

  /// The maximum size of a certificate or key in PEM, in bytes. Ours have about 900.
  package static let certificateLength = 4096
  /// The maximum number of devices in one message from an administrator to another. At about 600 bytes each at most,
  /// they fit in one frame.
  package static let admittedPerMessage = 16
  /// The minimum time between two checks for certificates that expire soon. They are renewed in their last four months.
  package static let certificateCheckTime = Duration.seconds(6 * 60 * 60)
  /// The minimum time between two certificates that one device is given, because each is recorded on disk.
  package static let renewalInterval = Duration.seconds(60 * 60)
  /// The time from giving a device the team's key until the device says that it has the key on its disk.
  package static let promotionTime = Duration.seconds(10)
  /// How long a passphrase opens the team's key: as long as an invitation code is valid, because using a code needs the
  /// key.
  package static let unlockTime = invitationTime
  /// How long the code of a renewal can be used: enough to walk to each of the other machines.
  package static let renewalTime = Duration.seconds(60 * 60)
  /// The maximum number of replaced teams that are remembered, so that none of them is entered again.
  package static let replacedTeams = 16
}
