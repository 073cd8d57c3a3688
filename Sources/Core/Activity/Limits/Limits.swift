/// The limits that several files need, here and in `Limits+*.swift`, each with its unit and its reason. A limit that
/// only one file needs is in that file.
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
  /// The maximum length of a title in an advert, in bytes. Longer titles are cut there at a character boundary.
  package static let advertTitleLength = 64
  /// The maximum size of a whole activity as JSON, in bytes. With a request's number, it fits in one frame. Control
  /// characters and quotes take more bytes in JSON than in the app.
  package static let activityLength = framePayloadLength - 64
  /// The maximum length of a device name in bytes: a DNS label, because a host name is one.
  package static let deviceNameLength = 63
  /// The maximum length of a URL in bytes: what browsers accept.
  package static let urlLength = 2048
  /// The maximum length of a persistent identifier in bytes. It is enough for a URL of usual length, and leaves room
  /// for the rest of the activity in its frame.
  package static let persistentIdentifierLength = 1024
  /// The maximum number of activities that one user may hold at the same time, current or not.
  package static let activitiesPerUser = 160
  /// The maximum number of activities that one user has sent to single devices and that still wait there. A person who
  /// sends more has lost track of them. It has room for the outbox.
  package static let sentActivitiesPerUser = 112
  /// The maximum number of activities that one device is offered because they were sent to it. Further ones wait. It is
  /// half of `offersPerPeer`, so that there is room for current activities.
  package static let sentActivitiesPerPeer = 8

  /// The maximum length of the host that an offer names, in bytes. It has room for a DNS name in a non-ASCII script,
  /// and more.
  package static let hostLength = 512

  // MARK: Shared folders

  /// The maximum number of folders that a machine shares: as many as one user may have teams.
  package static let sharedFolders = 16
  /// The maximum length of a shared folder's name in bytes, like that of a device's name.
  package static let sharedFolderNameLength = 63
  /// The maximum length of a shared folder's path in bytes. A `userInfo` that contains only URLs of shared folders is
  /// about 350 kB when it is delivered with each byte percent-encoded. That fits in `controlSendQueueLength`.
  package static let sharedFolderPathLength = 1024

  // MARK: Diagnosis

  /// The minimum time between two probe connections that one peer may request, in case a person asks again and again.
  package static let probeInterval = Duration.seconds(5)
  /// The time from asking a peer to dial back until it answers: `connectTime`, and some for the network.
  package static let probeTime = connectTime + .seconds(1)
  /// The time from asking D-Bus and Avahi for a sign of life until they answer. They are on the same machine.
  package static let discoveryCheckTime = Duration.seconds(2)
  /// The time from sending a multicast to this machine itself until it is received.
  package static let multicastTestTime = Duration.milliseconds(500)
  /// How long a diagnosis waits until peers are connected or have failed. Waiting longer reveals nothing more.
  package static let peerCheckTime = Duration.seconds(6)
  /// How long a client waits for a whole diagnosis: all of the above, one after the other, and some more.
  package static let diagnosisTime = Duration.seconds(20)
  /// How users share the diagnoses that run at the same time.
  package static let diagnosisShare = Share(total: 6, perUser: 2, forOthers: 3, forRoot: 1)
  /// The maximum number of peers that one diagnosis checks.
  package static let diagnosedPeers = 16
  /// The maximum difference between the clocks of two machines, in seconds.
  package static let clockTolerance = 300.0
  /// The time from the start of a session within which the peer's advert should also have been seen.
  package static let advertGraceTime = Duration.seconds(5)
  /// The maximum number of failed continuations that are remembered, of all users. The oldest one of the user with the
  /// most is forgotten first.
  package static let rememberedFailures = 32
  /// How long a failed continuation is of interest.
  package static let failureMemory = Duration.seconds(10 * 60)

  // MARK: Continuations

  /// The time from a fetch to the payload. The origin's app may take `saveTime`, and connecting and the
  /// network the rest.
  package static let fetchTime = Duration.seconds(5)
  /// The time between attempts to reach the origin, until `fetchTime` is over. A restarted daemon is back within a
  /// second, and what was sent while the network was away is lost.
  package static let fetchRetryTime = Duration.milliseconds(250)
  /// The time from `willSave` until the app provides fresh state. Apple's documentation gives no figure. Apps block
  /// there for up to 1 s, Electron among them, and would always lose against the same limit.
  package static let saveTime = Duration.seconds(3)
  /// The maximum number of fetches of one peer that are in progress at the same time.
  package static let fetchesPerPeer = 16
  /// The rate at which one peer can make apps work: save for a fetch, or accept a stream. A peer can open at once as
  /// many streams as it may have.
  package static let appRequestRate = TokenBucket.Rate(perSecond: 20, burst: 300)
  /// The time from a payload until the peer reports the outcome. After that, the activity may go to another peer.
  package static let reservationTime = Duration.seconds(30)
  /// The time from the handover of a page until the other machine has its title. What that machine offers of the site
  /// until then is the page.
  package static let handoverTime = Duration.seconds(30)
  /// The time in which pages change their first title, as those do that say first that they load.
  package static let titleSettlingTime = Duration.seconds(5)
  /// The time from the start of a session until offers known only from adverts are dropped. A session reports its own
  /// offers immediately.
  package static let offerConfirmTime = Duration.seconds(1)
  /// The maximum number of one user's continuations that are remembered so that the programs may open streams. The
  /// oldest is forgotten first.
  package static let continuationsPerUser = 64

  // MARK: Names of machines

  /// The maximum number of names that are looked up at the same time, one per user. A server that does not answer holds
  /// a thread for up to 30 s.
  package static let lookups = 4
  /// The maximum number of names that one user waits for: those of all control connections and of static peers.
  package static let lookupsPerUser = 256

  // MARK: Streams

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
  /// in one direction that a sender keeps, to send them again on the next session: 200 MB/s at 160 ms.
  package static let streamWindowMaximum: UInt64 = 32 * 1024 * 1024
  /// The maximum number of bytes that all streams hold together, unless the configuration says otherwise, and what the
  /// configuration may say. It decides how many streams there can be (`StreamBudget`).
  package static let streamMemory = 256 * 1024 * 1024
  package static let streamMemoryRange = 4 * 1024 * 1024...64 * 1024 * 1024 * 1024
  /// The least time that bytes of a stream are taken to be on their way, however near the peer is, because the daemons
  /// and the apps take turns, too.
  package static let streamLeastRoundTrip = Duration.microseconds(500)
  /// The number of bytes that the app has taken, and of their frames, after which the sender is told within
  /// `streamQuietTime`, although that is much less than a window. It may have memory for only `streamFirstWindow`.
  package static let streamQuietLength: UInt64 = 16 * 1024
  package static let streamQuietFrames = 256
  package static let streamQuietTime = Duration.milliseconds(2)
  /// How long a stream waits for the next session with its peer. It outlasts a change of network and a restart of a
  /// router, but not the sleep of a laptop.
  package static let streamResumeTime = Duration.seconds(30)
  /// The same if the session went through a relay. The relay may be the only path, and start again; or both sides must
  /// find each other at a server first.
  package static let relayedStreamResumeTime = Duration.seconds(120)
  /// The time from the start of a stream until its app awaits the end, if the app announced that. Also the time from
  /// the start of a daemon that takes over streams until their apps ask again.
  package static let streamReturnTime = Duration.seconds(10)
  /// The maximum number of one peer's streams whose end is remembered. A peer that missed the end asks in the next
  /// session.
  package static let rememberedStreams = 512
  /// The maximum number of one user's ended streams that programs can ask about.
  package static let streamResultsPerUser = 1024
  /// How long `baton` waits for the reader of its pipe to read another byte. After that, the reader wants no more for
  /// now.
  package static let streamReadTime = Duration.seconds(5)
  /// The time from opening a stream until the origin's app accepts it.
  package static let streamAcceptTime = Duration.seconds(15)
  /// The time from the end of a stream's socket until the daemon reports how the stream ended. The daemon is on the
  /// same machine, and reports immediately.
  package static let streamOutcomeTime = Duration.seconds(5)
  /// How long an exiting process waits until the streams that it closed are over: as long as a stopping daemon lets
  /// streams finish.
  package static let streamExitTime = Duration.seconds(3)
  /// The time from the moment a command's output is no longer read until the command gives up its stream. A reader that
  /// has all it needs closes before the stream's end arrives, as tar does at the end of its archive.
  package static let streamEndTime = Duration.seconds(3)
  /// How long incoming bytes are discarded after an app has closed both its streams. Closing a socket with unread bytes
  /// would discard what the other side has not read.
  package static let streamDrainTime = Duration.seconds(2)

  /// The time from the end of a program's stream to the end of its call that awaits it, if the program was killed. The
  /// kernel closes one right after the other.
  package static let appExitTime = Duration.milliseconds(200)

  // MARK: Discovery

  /// The maximum length of an advert's TXT record in bytes, in total. RFC 6763 section 6.2 wants it in one 512-byte DNS
  /// message.
  package static let advertLength = 400
  /// The maximum number of instances of this machine's teams that are watched, going by their names. Further ones wait
  /// until one of these goes. It is two for each of `knownPeers`, because for a moment a device has an old name and a
  /// new one. Instances of others are not counted, because nothing of them is kept.
  package static let instances = 2 * knownPeers
  /// The number of instances from which on people are told that Avahi's cache may be full. It holds 4,096 records by
  /// default, and each instance has five: PTR, SRV, TXT, A and AAAA.
  package static let cachedInstances = 800
  /// How long an unknown instance keeps its place if others wait for it. Its text arrives in milliseconds.
  package static let instanceTurn = Duration.seconds(1)
  /// The minimum time between two TXT updates (RFC 6762 section 6).
  package static let advertInterval = Duration.seconds(1)
  /// The maximum number of TXT updates that may follow one another at `advertInterval`. After that, there may be one
  /// every `advertRefill`.
  package static let advertBurst = 10
  /// The time after which one more TXT update is allowed: ten per minute (RFC 6762 section 8.4).
  package static let advertRefill = Duration.seconds(6)
  /// The maximum number of sightings of instances beyond `instances` that are remembered until one of those goes.
  package static let instancesWaiting = 1024
  /// The maximum number of our own instance names that are remembered: those of all teams, and of the changes of the
  /// last few seconds.
  package static let ownInstances = 64
  /// The maximum number of TXT records of one instance that count as alive at the same time. There are two for some
  /// seconds after a change; the rest is spare.
  package static let textsPerInstance = 8
  /// The maximum number of TXT records watched at the same time, except that each instance always has one.
  package static let textWatches = 512
  /// The maximum number of watches of one connection to Avahi, which gives each 1,024 objects.
  package static let watchesPerClient = 1000
  /// The same for the first connection, whose other objects are the publications and the requests for addresses. If 200
  /// machines start at the same time, their addresses take 800.
  package static let watchesOfFirstClient = 128
  /// The maximum number of address records of one instance. Avahi accepts 32 records in an entry group, and three of
  /// them are not addresses if the instance is announced on all interfaces.
  package static let publishedAddresses = 24
  /// The maximum number of interfaces that an instance is announced on, unless it is announced on all. Each interface
  /// takes three records, and the rest of the 32 are addresses.
  package static let publishedInterfaces = 6
  /// The maximum number of records that Avahi accepts in an entry group.
  package static let publishedRecords = 32
  /// The time from asking for an instance's addresses until the answer. Avahi gives up after the same time.
  package static let resolveTime = Duration.seconds(5)
  /// The time from the first address of an instance until the answer is complete. By then other interfaces have
  /// answered, or will not answer soon.
  package static let resolveGrace = Duration.milliseconds(150)
  /// The time from committing an instance's records until they are announced. Without probing, that takes milliseconds.
  package static let publishTime = Duration.seconds(5)
  /// The first and the longest pause between attempts to reach Avahi.
  package static let avahiBackoff = Duration.milliseconds(50)...Duration.seconds(5)
  /// The first and the longest pause between attempts at a call that Avahi refused.
  package static let avahiRetryBackoff = Duration.seconds(5)...Duration.seconds(60)
  /// How long this machine's addresses must stay the same before they count as changed.
  package static let addressQuietTime = Duration.seconds(1)
  /// The time after which addresses count as changed even if they keep changing.
  package static let addressSettleTime = Duration.seconds(5)
  /// How long stopping waits for Avahi, whose calls block for up to 25 s.
  package static let discoveryStopTime = Duration.seconds(2)

  /// The time from restarting the browser until instances that did not answer count as lost. By then, Avahi has
  /// reported the others.
  package static let refreshTime = Duration.seconds(3)
  /// The maximum number of routes per IP version that are compared to notice a change of network. A laptop has about
  /// ten, and only a router has more than this.
  package static let routes = 256
  /// The maximum number of bytes that are read from the kernel's list of routes: 1,000 routes of IPv6.
  package static let routeListLength = 160 * 1024
  /// The maximum number of patterns in one list of interfaces in the configuration.
  package static let interfacePatterns = 64

  // MARK: Configuration

  /// The maximum size of a configuration file in bytes: some hundred times what anyone writes.
  package static let configurationFileLength = 65536
  /// The maximum number of files in one directory of drop-ins.
  package static let configurationFiles = 64
  /// The maximum number of faults that are reported for all files together. A file with more is not a configuration.
  package static let configurationFaults = 100

  // MARK: Sleep and sessions

  /// The first and the longest pause between attempts to reach the system bus.
  package static let systemBusBackoff = Duration.milliseconds(250)...Duration.seconds(60)
  /// The time from a call on D-Bus to its reply, which takes milliseconds. If the bus does not reply, the connection is
  /// closed and made again.
  package static let busReplyTime = Duration.seconds(20)
  /// The maximum number of bus messages that are handled in one turn of the loop, because others wait for the loop,
  /// too.
  package static let busBatch = 64
  /// The maximum length of a name or object path that is read from the bus, in bytes.
  package static let busTextLength = 512
  /// The maximum length of a list of names that is read from the bus, in bytes: those of all results of a search.
  package static let busListLength = 16 * 1024
  /// The maximum number of login sessions that are watched. Further ones withhold nothing.
  package static let loginSessions = 256
  /// The time from withdrawing everything until the machine may sleep. Sessions are told immediately, and Avahi
  /// announces within 250 ms. logind waits for 5 s.
  package static let sleepDelay = Duration.milliseconds(500)
  /// The shortest sleep that counts. A smaller difference between the machine's clocks is a measuring error.
  package static let shortestSleep = Duration.seconds(1)
  /// The change of the calendar clock, in one step, above which it counts as a jump. Time services correct smaller
  /// differences gradually.
  package static let clockJump = Duration.seconds(30)
  /// How late a timer must fire to show that the process was stopped. A busy machine is not that late.
  package static let lateTime = Duration.seconds(10)

  // MARK: Teams

  /// How long an invitation can be used.
  package static let invitationTime = Duration.seconds(15 * 60)
  /// How long a used or expired invitation is remembered, to be able to report the reason.
  package static let invitationMemory = Duration.seconds(24 * 60 * 60)
  /// The maximum number of open and remembered invitations of one team.
  package static let invitationsPerTeam = 64
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
  /// away while that many devices were removed.
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
  /// The maximum number of keys that are being derived from passphrases or wait for that: for all users together, one
  /// per user. Each takes 64 MiB, one at a time.
  package static let passphrases = 16
  /// The maximum number of revocation lists that a device holds for one team, besides the newest. There is another one
  /// each time the authority's machine is restored and then removes a device before it has met one with the other
  /// lists. The oldest is dropped first.
  package static let otherRevocationLists = 32
  /// The maximum number of one user's membership requests that wait for approval. A new one replaces the oldest.
  package static let pendingRequestsPerUser = 16

  // MARK: The service

  /// The maximum length of a log message, and of each of its fields, in bytes. Others choose how long some of them are.
  package static let logTextLength = 2048
  /// The rate of log lines about one user's failed continuations. The unit may log 500 lines in 30 s.
  package static let userLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  /// The minimum time between two lines for `systemctl status`, because people read them.
  package static let statusInterval = Duration.seconds(1)

  // MARK: Stopping

  /// How long streams may continue to finish after SIGTERM.
  package static let stopTime = Duration.seconds(3)
}
