// SPDX-License-Identifier: Apache-2.0

/// The limits that more than one file needs, here and in `Limits+*.swift`, each with its unit and its reason. A limit
/// that only one file needs is in that file, unless tests of other parts also need it.
package enum Limits {
  // MARK: Activities

  /// The maximum size of an encoded `userInfo` in bytes: the 3 KB that Apple's Handoff guide documents.
  package static let userInfoLength = 3072
  /// The maximum nesting depth of arrays and objects in a `userInfo`. It is enough for real state, and bounds the
  /// parser's recursion.
  package static let userInfoDepth = 8
  /// The maximum length of an activity type in bytes. The advert, whose length is fixed, contains the whole type.
  package static let activityTypeLength = 128
  /// The maximum length of a title that an app may set, in bytes. Longer ones are refused, not cut.
  package static let titleLength = 512
  /// The maximum length of a device name in bytes: a DNS label, because a host name is one.
  package static let deviceNameLength = 63
  /// The maximum length of a URL in bytes: what browsers accept.
  package static let urlLength = 2048
  /// The maximum length of a persistent identifier in bytes. It is enough for a URL of usual length, and leaves room
  /// for the rest of the activity in its frame.
  package static let persistentIdentifierLength = 1024

  // MARK: Diagnosis

  /// The time from asking a peer to dial back until it answers: `connectTime`, and some for the network.
  package static let probeTime = connectTime + .seconds(1)
  /// The time from asking D-Bus and Avahi for a sign of life until they answer. They are on the same machine.
  package static let discoveryCheckTime = Duration.seconds(2)
  /// How long a diagnosis waits until peers are connected or have failed. Waiting longer reveals nothing more.
  package static let peerCheckTime = Duration.seconds(6)
  /// How users share the diagnoses that run at the same time.
  package static let diagnosisShare = Share(total: 6, perUser: 2, forOthers: 3, forRoot: 1)
  /// The maximum difference between the clocks of two machines, in seconds.
  package static let clockTolerance = 300.0

  // MARK: Continuations

  /// The time from a fetch to the payload. The origin's app may take `saveTime`, and connecting and the
  /// network the rest.
  package static let fetchTime = Duration.seconds(5)
  /// The time from `willSave` until the app provides fresh state. Apple's documentation gives no figure. Apps block
  /// there for up to 1 s, Electron among them, and would always lose against the same limit.
  package static let saveTime = Duration.seconds(3)
  /// The maximum number of fetches of one peer that are in progress at the same time.
  package static let fetchesPerPeer = 16
  /// The time from the start of a session until offers known only from adverts are dropped. A session reports its own
  /// offers immediately.
  package static let offerConfirmTime = Duration.seconds(1)

  // MARK: Streams

  // How many may be open: `StreamBudget.share` and `StreamBudget.streamsPerPeer`.

  /// The maximum number of streams that are being opened, or wait for an app to accept them. It is no budget of memory,
  /// because they hold no bytes: opening takes milliseconds, and only an app that hangs lets streams wait.
  package static let openingStreams = 256
  package static let openingStreamsPerPeer = openingStreams / 4
  /// Each user's share of them.
  package static let openingStreamShare = Share(ofAll: openingStreams)
  /// The maximum number of streams that are kept over a restart of the daemon. systemd keeps two descriptors for each.
  package static let keptStreams = 1024
  /// The number of bytes that a side may send before it has heard from the receiver of a stream. Each stream has memory
  /// for them, whatever other streams hold.
  package static let streamFirstWindow: UInt64 = 64 * 1024
  /// The number of bytes that a receiver holds for one stream while its app does not read, if there is memory and until
  /// it has measured that more can be on their way at the same time.
  package static let streamWindow: UInt64 = 512 * 1024
  /// The maximum number of bytes that a receiver holds for one stream, and the maximum number of unacknowledged bytes
  /// in one direction that a sender keeps, to send them again on the next session: 400 MB/s at 160 ms.
  package static let streamWindowMaximum: UInt64 = 64 * 1024 * 1024
  /// The maximum number of bytes that all streams hold together, unless the configuration sets a different one. It
  /// decides how many streams there can be (`StreamBudget`).
  package static let streamMemory = 256 * 1024 * 1024
  /// How long a stream waits for the next session with its peer. It outlasts a change of network and a restart of a
  /// router, but not the sleep of a laptop.
  package static let streamResumeTime = Duration.seconds(30)
  /// The time from opening a stream until the origin's app accepts it.
  package static let streamAcceptTime = Duration.seconds(15)

  // MARK: Discovery

  /// The maximum length of an advert's TXT record in bytes, in total. RFC 6763 section 6.2 wants it in one 512-byte DNS
  /// message.
  package static let advertLength = 400
  /// The number of instances from which users are warned that Avahi's cache may be full. It holds 4,096 records by
  /// default, and each instance has five: PTR, SRV, TXT, A and AAAA.
  package static let cachedInstances = 800
  /// The time from asking for an instance's addresses until the answer. Avahi gives up after the same time.
  package static let resolveTime = Duration.seconds(5)

  // MARK: Configuration

  /// The maximum number of faults that are reported for all files together. A file with more is not a configuration.
  package static let configurationFaults = 100

  // MARK: Teams

  /// How long an invitation can be used.
  package static let invitationTime = Duration.seconds(15 * 60)
  /// The maximum number of teams on one machine. Each is announced separately.
  package static let teams = 32
  package static let teamShare = Share(total: teams, perUser: 16, forOthers: 12, forRoot: 4)
  /// The maximum length of a team's name in bytes.
  package static let teamNameLength = 63
  /// The maximum size of a membership request or approval in PEM, in bytes.
  package static let enrolmentFileLength = 16 * 1024
  /// The maximum number of devices that the administrator's machine remembers having admitted to one team. Removed
  /// devices are forgotten first. A backup (``backupLength``) has room for all of them, so it is no budget of memory.
  package static let admittedDevices = 256
  /// The maximum number of previous discovery keys of a team that a device keeps. A device is still found if it was
  /// offline while that many devices were removed.
  package static let previousDiscoveryKeys = 16
  /// The maximum number of devices that may be removed from one team. Their list, at about 100 bytes each, fits in one
  /// frame, even together with the certificates of a device that joins.
  package static let revokedDevices = 100
  /// The maximum size of a revocation list in DER, in bytes. In base 64 it is 13,824 bytes, which leaves room for the
  /// rest of its frame.
  package static let revocationListLength = 10 * 1024 + 128
  /// The minimum number of characters of a passphrase. Each guess costs about 100 ms and 64 MiB, and there are about
  /// 10^17 passphrases of 12 small letters.
  package static let passphraseCharacters = 12
  /// The maximum length of a passphrase in bytes.
  package static let passphraseLength = 1024
  /// The maximum size of a team's backup in bytes. It fits in a Varlink message together with the longest passphrase.
  /// If a backup would be larger, it omits names and other inessential data.
  package static let backupLength = 56 * 1024
  /// The maximum number of revocation lists that a device holds for one team, besides the newest. There is another one
  /// each time the authority's machine is restored and then removes a device before it has met one with the other
  /// lists. The oldest is dropped first.
  package static let otherRevocationLists = 32

  // MARK: Stopping

  /// How long streams may continue to finish after SIGTERM.
  package static let stopTime = Duration.seconds(3)
}
