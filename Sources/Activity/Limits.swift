/// Every limit of this project, with its unit and its reason. Each has a test at the limit and one past it.
package enum Limits {
  // MARK: Activities

  /// Bytes of a `userInfo` as encoded: the 3 KB that Apple's Handoff guide documents.
  package static let userInfoLength = 3072
  /// Arrays and objects within one another in a `userInfo`: enough for real state, and it bounds the parser's recursion.
  package static let userInfoDepth = 8
  /// Bytes of an activity type: it travels whole in the advert, whose length is fixed.
  package static let activityTypeLength = 128
  /// Bytes of a title that an app may set. Longer ones are refused, not cut.
  package static let titleLength = 512
  /// Bytes of a title in an advert; longer ones are cut there at a character.
  package static let advertTitleLength = 64
  /// Bytes of a whole activity in JSON: with a request's number it is one frame. Text of control characters and quotes is
  /// longer there than in an app.
  package static let activityLength = framePayloadLength - 64
  /// Bytes of a device name: a DNS label, which host names are.
  package static let deviceNameLength = 63
  /// Bytes of a URL: what browsers take.
  package static let urlLength = 2048
  /// Activities that one user may hold at once, current or not.
  package static let activitiesPerUser = 64

  /// Bytes of the host that an offer names: those of a name of the DNS with other scripts than ASCII, and to spare.
  package static let hostLength = 512

  // MARK: Shared folders

  /// Folders that a machine shares: as many as teams.
  package static let sharedFolders = 16
  /// Bytes of a shared folder's name: as many as a device's name has.
  package static let sharedFolderNameLength = 63
  /// Bytes of a shared folder's path: a `userInfo` of nothing but its URLs, each byte percent-encoded, is some 350 kB
  /// when it is delivered, and fits in `controlSendQueueLength`.
  package static let sharedFolderPathLength = 1024

  // MARK: Control socket

  /// Activity types that one program may register: an app has a few.
  package static let applicationTypes = 64
  /// Activity types that a launcher may register, those of all installed apps: with 128 bytes each they fit in a message.
  package static let launcherTypes = 480
  /// Offers of one user for which apps are being started at once.
  package static let launchesPerUser = 16
  /// From asking the launcher for an app until that has registered its type: large apps start in less on slow disks.
  package static let launchTime = Duration.seconds(20)
  /// Bytes of an activation token: those of Wayland's compositors and X11's startup IDs are less than 200.
  package static let activationTokenLength = 512

  /// Bytes of one Varlink message without its NUL: 20 times the largest `userInfo`.
  package static let varlinkMessageLength = 64 * 1024
  /// Arrays and objects within one another in a Varlink message: a `userInfo` and what wraps it.
  package static let varlinkDepth = 16
  /// Connections to the control socket. One holds up to some 200 kB, and an app has some five.
  package static let controlConnectionShare = Share(total: 1024, perUser: 128, forOthers: 256, forRoot: 64)
  /// Bytes that may wait to be written to a control client before it is dropped as one that does not read.
  package static let controlSendQueueLength = 1024 * 1024
  /// The same for all clients of one user; root's are not counted. Some programs may stop reading at the same time, and
  /// ten users who do so on purpose take less than half of the memory that the unit allows.
  package static let controlUserSendQueueLength = 8 * 1024 * 1024

  /// Seconds for which one user's calls may keep the loop, root's apart. A fourth is measured; with what is around it, waking
  /// up and what a call leaves to be done later, a user takes a third at most.
  package static let controlUserTime = TokenBucket.Rate(perSecond: 0.25, burst: 0.25)
  /// How long the calls of one connection may keep the loop before others get their turn.
  package static let controlCallTurn = Duration.microseconds(500)
  /// Entries of one kind of list that are given to a user's watchers, at some 5 µs each; a list counts as one more.
  package static let watcherEntryRate = TokenBucket.Rate(perSecond: 20_000, burst: 10_000)
  /// Until a client that has not read the list before is given the newest. Looking costs an entry.
  package static let watcherRetryTime = Duration.milliseconds(50)
  /// A user's clients that are looked at each time: all that a user can have, and an eighth of `watcherEntryRate`.
  package static let watcherRetries = controlConnectionShare.perUser

  // MARK: Control clients

  /// From connecting to the daemon until it accepts, and for each write: it is on the same machine.
  package static let controlConnectTime = Duration.seconds(5)
  /// From a call to its reply: longer than anything the daemon itself waits for.
  package static let controlReplyTime = Duration.seconds(60)
  /// First and last pause between attempts of an app to reach a daemon that went away: a restart takes a second.
  package static let reconnectBackoff = Duration.milliseconds(100)...Duration.seconds(5)
  /// From an app's change of an activity until it is sent: what changes within this time is sent together, so that nobody
  /// fetches a state that is half of one and half of another.
  package static let activityChangeTime = Duration.milliseconds(10)
  /// Bytes of one reply that a client takes: the largest lists, as much as systemd's clients take.
  package static let controlReplyLength = 16 * 1024 * 1024

  // MARK: Diagnosis

  /// Least time between two connections back that one peer may ask for: a person who asks again and again.
  package static let probeInterval = Duration.seconds(5)
  /// From asking a peer to dial back to its answer: `connectTime`, and some for the network.
  package static let probeTime = connectTime + .seconds(1)
  /// From asking D-Bus and Avahi for a sign of life to the answer: they are on the same machine.
  package static let discoveryCheckTime = Duration.seconds(2)
  /// From sending a multicast to this machine itself until it is heard.
  package static let multicastTestTime = Duration.milliseconds(500)
  /// How long a diagnosis waits until peers are connected or have failed: longer makes nobody wiser.
  package static let peerCheckTime = Duration.seconds(6)
  /// The whole of a diagnosis, for who waits for it: all of the above, one after the other, and some more.
  package static let diagnosisTime = Duration.seconds(20)
  /// Diagnoses at once.
  package static let diagnosisShare = Share(total: 6, perUser: 2, forOthers: 3, forRoot: 1)
  /// Peers that one diagnosis looks at.
  package static let diagnosedPeers = 16
  /// Seconds that the clocks of two machines may differ.
  package static let clockTolerance = 300.0
  /// From a session's begin until the peer's advert should have been seen, too.
  package static let advertGraceTime = Duration.seconds(5)
  /// Continuations that failed and are remembered, of all users; of who has the most the oldest goes first.
  package static let rememberedFailures = 32
  /// How long a continuation that failed is of interest.
  package static let failureMemory = Duration.seconds(10 * 60)

  // MARK: Continuations

  /// From a fetch to the payload: the origin's app may take `saveTime`, and the network the rest.
  package static let fetchTime = Duration.seconds(5)
  /// From an attempt to reach the origin that failed to the next, while `fetchTime` is not over: a daemon that starts again
  /// is back within a second.
  package static let fetchRetryTime = Duration.milliseconds(250)
  /// From `willSave` until the app's fresh state: Apple's documentation gives no figure; apps block up to 1 s in it.
  package static let saveTime = Duration.seconds(1)
  /// Fetches of one peer under way at once.
  package static let fetchesPerPeer = 16
  /// From a payload until the peer says what became of it; then the activity may go to another.
  package static let reservationTime = Duration.seconds(30)
  /// From a session's begin until offers that only adverts told are dropped: a session tells its own at once.
  package static let offerConfirmTime = Duration.seconds(1)
  /// Continuations of one user that are remembered so that their programs may open streams; the oldest goes first.
  package static let continuationsPerUser = 64

  // MARK: Names of machines

  /// Names that are looked up at once, one of each user: a server that does not answer holds a thread for up to 30 s.
  package static let lookups = 4
  /// Names that one user waits for: those of all control connections, and of static peers.
  package static let lookupsPerUser = 256

  // MARK: Streams

  /// Streams with one peer at once.
  package static let streamsPerPeer = 8
  /// Streams with all peers at once, also those that are kept over a restart.
  package static let streams = 64
  /// What users get of them.
  package static let streamShare = Share(total: streams, perUser: 32, forOthers: 16, forRoot: 4)
  /// Bytes that a receiver holds for one stream while its app does not read.
  package static let streamWindow: UInt64 = 512 * 1024
  /// Bytes of one direction that a sender keeps until they are acknowledged, to send them again on the next session: a
  /// window, and acknowledgements come four times in one.
  package static let streamReplayLength = streamWindow
  /// How long a stream waits for the next session with its peer. Suspended laptops are longer gone; a network that
  /// changes, or a router that starts again, is not.
  package static let streamResumeTime = Duration.seconds(30)
  /// From the begin of a stream whose app says that it awaits the end until it does; and from the start of a daemon that
  /// goes on with another's streams until their apps have asked again.
  package static let streamReturnTime = Duration.seconds(10)
  /// Streams of one peer that are over and whose end is remembered: a peer that did not hear of it asks on the next session.
  package static let rememberedStreams = 8 * streamsPerPeer
  /// Streams of one user that are over and that programs may ask about: as many as streams of all users at once, twice
  /// what one has.
  package static let streamResultsPerUser = 64
  /// How long `baton` waits until the reader of its pipe reads another byte; then that reader wants no more for now.
  package static let streamReadTime = Duration.seconds(5)
  /// From opening a stream until the origin's app accepts it.
  package static let streamAcceptTime = Duration.seconds(15)
  /// From the end of a stream's socket until the daemon has said how the stream ended: it says so at once, on the same
  /// machine.
  package static let streamOutcomeTime = Duration.seconds(5)
  /// How long a process that exits waits until the streams that it closed are over: as long as a daemon that stops lets
  /// streams finish.
  package static let streamExitTime = Duration.seconds(3)
  /// From when a command's output is not read any more until it gives its stream up: a reader that has all it wants, as tar
  /// has with the end of its archive, closes before the stream's end is there.
  package static let streamEndTime = Duration.seconds(3)
  /// How long what still comes is dropped once an app has closed both its streams: a socket that is closed with bytes
  /// unread takes with it what the other side has not read.
  package static let streamDrainTime = Duration.seconds(2)

  /// From the end of a program's stream to that of its call that awaits it, where the program was killed: the kernel closes
  /// the one right after the other.
  package static let appExitTime = Duration.milliseconds(200)

  // MARK: Discovery

  /// Bytes of an advert's TXT record in all: RFC 6763 section 6.2 wants it in one 512-byte DNS message.
  package static let advertLength = 400
  /// Instances of other daemons that are watched; the ones beyond it are not seen until one goes.
  package static let instances = 256
  /// How long an instance that nobody knows stays where others wait for its place: its text is there in milliseconds.
  package static let instanceTurn = Duration.seconds(1)
  /// Least time between two TXT updates (RFC 6762 section 6).
  package static let advertInterval = Duration.seconds(1)
  /// TXT updates that may follow one another at `advertInterval`; then one every `advertRefill`.
  package static let advertBurst = 10
  /// Time in which one more TXT update may follow: ten a minute (RFC 6762 section 8.4).
  package static let advertRefill = Duration.seconds(6)
  /// Sightings of instances beyond `instances` that are remembered until one of those goes.
  package static let instancesWaiting = 1024
  /// Instance names of our own that are remembered: those of all teams, and of the changes of the last seconds.
  package static let ownInstances = 64
  /// TXT records of one instance that count as alive at once: two for seconds after a change, and some spare.
  package static let textsPerInstance = 8
  /// TXT records watched at once, but one of each instance in any case: Avahi gives a client 1,024 objects, and our
  /// other ones need room.
  package static let textWatches = 512
  /// Address records of one instance: Avahi takes 32 records in an entry group, and there are three others for all interfaces.
  package static let publishedAddresses = 24
  /// Interfaces that an instance is announced on, where it is not on all: three records for each, and the rest of the 32 are
  /// addresses.
  package static let publishedInterfaces = 6
  /// Records that Avahi takes in an entry group.
  package static let publishedRecords = 32
  /// From asking for an instance's addresses to the answer: Avahi gives up after the same time.
  package static let resolveTime = Duration.seconds(5)
  /// From the first address of an instance to the answer: other interfaces have answered by then, or will not soon.
  package static let resolveGrace = Duration.milliseconds(150)
  /// From committing an instance's records until they are announced: without probing it takes milliseconds.
  package static let publishTime = Duration.seconds(5)
  /// First and last pause between attempts to reach Avahi.
  package static let avahiBackoff = Duration.milliseconds(50)...Duration.seconds(5)
  /// First and last pause between attempts at a call that Avahi refused.
  package static let avahiRetryBackoff = Duration.seconds(5)...Duration.seconds(60)
  /// How long this machine's addresses must stay the same before they count as changed.
  package static let addressQuietTime = Duration.seconds(1)
  /// The same where they never do.
  package static let addressSettleTime = Duration.seconds(5)
  /// How long stopping waits for Avahi, whose calls block for up to 25 s.
  package static let discoveryStopTime = Duration.seconds(2)

  /// From beginning to browse anew until instances that did not answer are lost: Avahi has told of the others by then.
  package static let refreshTime = Duration.seconds(3)
  /// Routes that are compared to notice a change of network: a laptop has some ten, a router is not one.
  package static let routes = 256
  /// Bytes read of the kernel's list of routes: 1,000 of IPv6.
  package static let routeListLength = 160 * 1024
  /// Patterns in one list of interfaces of the configuration.
  package static let interfacePatterns = 64

  // MARK: Configuration

  /// Bytes of a configuration file: some hundred times what somebody writes.
  package static let configurationFileLength = 65536
  /// Files in one directory of drop-ins.
  package static let configurationFiles = 64
  /// Faults that are named of all files together: more than this is no configuration.
  package static let configurationFaults = 100

  // MARK: Sleep and sessions

  /// First and last pause between attempts to reach the system's bus.
  package static let systemBusBackoff = Duration.milliseconds(250)...Duration.seconds(60)
  /// From a call on D-Bus to its reply, which takes milliseconds; a bus that does not reply is left and reached
  /// anew.
  package static let busReplyTime = Duration.seconds(20)
  /// Messages of the bus that are handled in one turn of the loop: others wait for it too.
  package static let busBatch = 64
  /// Bytes of a name or object path that is read from the bus.
  package static let busTextLength = 512
  /// Login sessions that are watched; the ones beyond it withhold nothing.
  package static let loginSessions = 256
  /// From withdrawing everything until the machine may sleep: sessions are told at once, and Avahi announces within 250 ms.
  /// logind waits for 5 s.
  package static let sleepDelay = Duration.milliseconds(500)
  /// A time in which the machine's clocks tell that it slept: less is measuring.
  package static let shortestSleep = Duration.seconds(1)
  /// A calendar clock that is set by more than this counts as a jump: time services correct less without one.
  package static let clockJump = Duration.seconds(30)
  /// A timer that fires so late tells that the process was stopped: a busy machine is not that late.
  package static let lateTime = Duration.seconds(10)

  // MARK: Teams

  /// How long an invitation can be used.
  package static let invitationTime = Duration.seconds(15 * 60)
  /// How long a used or expired invitation is remembered, to tell its reason.
  package static let invitationMemory = Duration.seconds(24 * 60 * 60)
  /// Open and remembered invitations of one team.
  package static let invitationsPerTeam = 64
  /// Teams on one machine: each is announced by itself.
  package static let teams = 32
  package static let teamShare = Share(total: teams, perUser: 16, forOthers: 12, forRoot: 4)
  /// Bytes of a team's name.
  package static let teamNameLength = 63
  /// Bytes of a membership request or approval in PEM.
  package static let enrolmentFileLength = 16 * 1024
  /// Devices that the administrator's machine remembers to have admitted to one team; removed ones are forgotten first.
  /// As many as instances are watched.
  package static let admittedDevices = 256
  /// Discovery keys of a team before its newest that a device keeps: one that was away while so many devices were
  /// removed is found all the same.
  package static let previousDiscoveryKeys = 16
  /// Devices that may be removed from one team: the list of them, some 100 bytes each, fits in one frame, also with the
  /// certificates of a device that joins.
  package static let revokedDevices = 100
  /// Bytes of a revocation list in DER: in base 64 it is 13,824, and leaves room for the rest of its frame.
  package static let revocationListLength = 10 * 1024 + 128
  /// Characters of a passphrase at least: guessing costs some 100 ms and 64 MiB each time, and 12 small letters at random
  /// are 10^16 of them.
  package static let passphraseCharacters = 12
  /// Bytes of a passphrase.
  package static let passphraseLength = 1024
  /// Bytes of a team's backup: in a Varlink message beside the longest passphrase. Names and other comforts are left out of
  /// one that would be longer.
  package static let backupLength = 56 * 1024
  /// Keys that are being made of passphrases, or wait for it, of all users; one of each user. They take 64 MiB, one at a
  /// time.
  package static let passphrases = 16
  /// Lists of removed devices beside the newest that a device holds of one team: one for each time that the
  /// authority's machine was put back and then removed a device, until it meets who has the others. The oldest goes first.
  package static let otherRevocationLists = 32
  /// Membership requests of one user that wait for their approval; the oldest is forgotten for a new one.
  package static let pendingRequestsPerUser = 16

  // MARK: The service

  /// Bytes of a message in the log, and of each of its fields: what others choose how long it is.
  package static let logTextLength = 2048
  /// What the log says of one user's continuations that failed. The unit may log 500 lines in 30 s.
  package static let userLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  /// Least time between two lines for `systemctl status`: a person reads them.
  package static let statusInterval = Duration.seconds(1)

  // MARK: Stopping

  /// How long streams may go on finishing after SIGTERM.
  package static let stopTime = Duration.seconds(3)
}
