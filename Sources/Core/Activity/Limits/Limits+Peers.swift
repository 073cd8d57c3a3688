/// The limits of what this machine does for peers, and for anyone who claims to be one.
extension Limits {
  /// The time after which a machine is announced under another name.
  package static let advertPeriod = Duration.seconds(900)
  /// How long an advert is valid, in seconds: its period, and the allowed difference between clocks.
  package static let advertAge: Int64 = 1500
  /// For how long a refused connection counts as a reason why no machine is connected, in seconds: longer than machines
  /// wait until they try again.
  package static let recentRefusalTime = 1800.0
  /// The maximum difference between a peer's clock and what is known about it, in seconds.
  package static let clockError: Int64 = 5
  /// How far in the future the time of an advert may be, in seconds.
  package static let advertClockTolerance: Int64 = 600

  /// The maximum length of a frame's payload in bytes. With its header, it is one TLS record.
  package static let framePayloadLength = 16 * 1024 - 4
  /// The maximum nesting depth of arrays and objects in a peer's message.
  package static let messageDepth = 12
  /// How often a machine tries to get its configured port if another program has it.
  package static let portRetryTime = Duration.seconds(10)
  /// The maximum number of connections, from sources at which no peer was met, that have not yet said which team they
  /// are for. Each takes a descriptor.
  package static let silentConnections = 256
  /// The maximum number of them from one address (/32, or /64 of IPv6).
  package static let silentConnectionsPerSource = 16
  /// The maximum number of such connections from all sources at which a peer was met.
  package static let silentConnectionsOfPeers = 64
  /// The rates of new connections: from one address; from all addresses at which no peer was met; and from all at which
  /// a peer was met and that exceed the first. Refusing a connection costs about 50 µs.
  package static let connectionsPerSourceRate = TokenBucket.Rate(perSecond: 100, burst: 200)
  package static let connectionsRate = TokenBucket.Rate(perSecond: 500, burst: 1000)
  package static let connectionsOfPeersRate = TokenBucket.Rate(perSecond: 2000, burst: 4000)
  /// The maximum number of sources whose connections are counted.
  package static let connectionSources = 4096
  /// The maximum length of a TLS ClientHello in bytes. OpenSSL sends about 300, and 1,500 with post-quantum keys.
  package static let clientHelloLength = 4096
  /// The time from the start of a connection until its ClientHello has arrived.
  package static let clientHelloTime = Duration.seconds(2)
  /// How much the clock of an unknown client may differ, and how long its server name is valid.
  package static let serverNameTime = Duration.seconds(600)
  /// How long before the daemon's start a server name may have been made. It is not known whether a name from that time
  /// was used.
  package static let serverNameStartTime = Duration.seconds(5)
  /// The maximum number of server names that are remembered, so that none can be used twice. Removed devices and joins,
  /// with 5 a second of each of three kinds, bring fewer in twice ``serverNameTime``.
  package static let usedServerNames = 20_480
  /// The same for names under the newest key. 64 peers bring some hundreds a day. Members could bring more, but they
  /// see certificates anyway.
  package static let usedNamesOfMembers = 4096

  /// The maximum number of connections on which no peer has proved membership yet, from all sources where no peer was
  /// met, and from all others. Each takes 73 kB of OpenSSL's memory. When a network is back, all peers come at the same
  /// time, and none should give way after most of the work is done.
  package static let handshakes = 32
  package static let handshakesOfPeers = 128
  /// The maximum number of them from one address (/32, or /64 of IPv6).
  package static let handshakesPerSource = 4
  /// The same for clients with a name that removed devices can make, too (under an earlier key, or a permanent one),
  /// and for clients that join.
  package static let outdatedHandshakes = 8
  package static let returningHandshakes = 8
  package static let joiningHandshakes = 8
  /// The rate of new handshakes, at about 0.7 ms each, from all addresses at which no peer was met. If a team of 64
  /// that was never met connects at the same time, 48 get in within 34 ms. The others get in when they try again, after
  /// 0.5 to 1 s (``dialBackoff``). Devices that were met before a restart do not count, if they have their addresses.
  package static let handshakesRate = TokenBucket.Rate(perSecond: 50, burst: 48)
  /// The same for names that removed devices can make, and for joins.
  package static let outdatedHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  package static let returningHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  package static let joiningHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  /// The same from one of these addresses: half of a burst. A team of 64 behind one address is in within 4 s.
  package static let handshakesPerSourceRate = TokenBucket.Rate(perSecond: 20, burst: 24)
  /// The rate from one address at which a peer was met. None of the rates above applies to it, because several members
  /// may share the address.
  package static let handshakesOfPeersRate = TokenBucket.Rate(perSecond: 20, burst: 200)
  /// The rate from one address for each kind of name that removed devices can make, and for joins: half of a burst, and
  /// then a fifth. A machine that joins does not ask more often (``dialsPerTargetRate``).
  package static let rareHandshakesPerSourceRate = TokenBucket.Rate(perSecond: 1, burst: 10)
  /// What a refused connection costs its source in addition to 1. From then on, the source may make 10 a second.
  package static let refusedConnectionCost = 9.0
  /// The maximum size in bytes of the certificates that a peer may show. Ours have about 400; OpenSSL would accept 100
  /// KiB.
  package static let certificateListLength = 8 * 1024
  /// The time from the start of a connection to the end of the TLS handshake. A local network answers in milliseconds.
  package static let handshakeTime = Duration.seconds(5)
  /// The time from the end of the TLS handshake until both sides have accepted.
  package static let acceptTime = Duration.seconds(2)
  /// The maximum number of connections with one peer that are not ready yet: one that each side dialled, and one for
  /// each that is about to end.
  package static let connectionsPerPeer = 4
  /// What the messages of one peer may cost, on all of its connections: 1 each, a tenth for a message about a stream's
  /// progress, and 1 for each 2 KiB. Data is free, except for pieces below 4 KiB, which cost a twentieth, and data
  /// without an open stream, which costs 1. The burst takes the loop about 2 ms, at 10 µs for a message that is
  /// answered.
  package static let peerMessageRate = TokenBucket.Rate(perSecond: 2000, burst: 200)
  /// What a message about certificates, removed devices or the team's key costs, because signatures are verified, and
  /// files are read and written.
  package static let signedMessageCost = 40.0
  /// What another name of a device costs: everyone who watches lists is told, and an administrator's machine compares
  /// it with the names of all devices that it has admitted.
  package static let renameCost = 400.0
  /// The budget at which a peer that had used it up is read again.
  package static let peerMessageBatch = 20.0
  /// The rates of connections that one peer dials, and of lines in the log about its sessions.
  package static let peerSessionRate = TokenBucket.Rate(perSecond: 1, burst: 60)
  package static let peerLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  /// The rate of lines in the log about the streams with one peer, two for each stream. With `peerLogRate`, it is less
  /// than a quarter of what the unit may log in 30 s.
  package static let peerStreamLogRate = TokenBucket.Rate(perSecond: 1, burst: 60)
  /// The time after the end of a stream in which others end, before unused memory is given back to the kernel.
  package static let memoryReturnTime = Duration.seconds(10)
  /// The time from the start of an outgoing connection until TCP is established.
  package static let connectTime = Duration.seconds(3)
  /// The maximum number of sessions with peers, at about 64 kB each without its streams. If one is too many, the user
  /// with the most loses the one that was used least recently.
  package static let sessions = 1024
  /// The time without anything received from a peer after which the peer is asked for a sign of life. With the two
  /// below, a peer that has gone is noticed within 30 s.
  package static let pingInterval = Duration.seconds(18)
  /// How much longer the side with the greater epoch waits, so that one of the two asks, and not both at the same time.
  package static let pingCourtesy = Duration.seconds(2)
  /// The time after which a peer that has not answered a ping counts as gone.
  package static let pongTime = Duration.seconds(8)
  /// The time within which two connections with one peer become ready if both sides dialled at the same time.
  package static let crossedDialsTime = Duration.seconds(10)
  /// How many bytes of streams the kernel takes that it has not sent yet, at least and at most. Whatever is sent next
  /// waits for them. If they are too few, the connection has nothing to send before the loop comes back, and TCP does
  /// not find out how fast the path is. In between, it is half of what is sent in a round trip, or all of it.
  package static let unsentLength = 64 * 1024...2 * 1024 * 1024
  /// The time that they may take to be sent in any case: less than people notice.
  package static let unsentTime = Duration.milliseconds(2)
  /// The number of bytes of ciphertext that may wait before the peer counts as stalled and the session ends. Control
  /// messages may exceed the limit above.
  package static let peerSendQueueMaximum = 4 * 1024 * 1024
  /// The first and the longest pause between attempts to reach a peer. Each pause is twice the previous one, with
  /// jitter.
  package static let dialBackoff = Duration.seconds(1)...Duration.seconds(300)
  /// How long the side with the greater Device ID waits for the other to dial, because both discover each other at the
  /// same time.
  package static let dialCourtesy = Duration.milliseconds(500)
  /// The time over which attempts are spread that one event caused for many peers.
  package static let redialJitter = Duration.milliseconds(100)
  /// The longest pause between attempts while streams wait for the peer, which they do for about 30 s.
  package static let awaitedRedialTime = Duration.seconds(1)
  /// The longest pause between attempts while this machine's own limit keeps it from dialling the peer. Its turn comes
  /// soon, however many others are dialled first.
  package static let limitedRedialTime = Duration.seconds(5)
  /// How long a session must have lasted to be replaced immediately. Sessions that repeatedly break sooner are not.
  package static let steadySessionTime = Duration.seconds(1)
  /// The first and the longest pause after consecutive sessions that broke sooner. The peer is there, and its network
  /// may recover at any time.
  package static let flappingBackoff = Duration.seconds(1)...Duration.seconds(5)
  /// The time from dialling one address of a peer to dialling the next. A live address on a local network has answered
  /// by then. After three dead addresses, the fourth is dialled within 300 ms.
  package static let dialStep = Duration.milliseconds(80)
  /// The maximum number of connections that are being dialled to one address. A user who waits does not wait for one
  /// that has not answered for ``dialStep``.
  package static let dialsPerAddress = 3
  /// The maximum number of addresses of one peer that one attempt dials: those where it was reached before, those where
  /// it says that it listens, and some of each of its instances.
  package static let dialledAddresses = addressesPerPeer + saidAddresses + instancesPerPeer * addressesKeptPerInstance
  /// How many of them are kept for each instance: an address of each IP version. Anyone with a recorded advert can
  /// announce instances with many addresses.
  package static let addressesKeptPerInstance = 2
  /// The time from asking a peer for a sign of life after the network changed until the peer counts as gone.
  package static let quickPongTime = Duration.seconds(2)
  /// The time until a new instance of a device that was dialled in vain is dialled, if others may have made or recorded
  /// its advert.
  package static let strangeRedialTime = Duration.seconds(10)
  /// The pause between names for an instance if each of them is taken. That does not happen by chance.
  package static let renameBackoff = Duration.seconds(1)...Duration.seconds(60)
  /// The rates of connections to devices that nobody has met: to one address, and to all.
  package static let dialsPerTargetRate = TokenBucket.Rate(perSecond: 1, burst: 3)
  package static let dialsRate = TokenBucket.Rate(perSecond: 20, burst: 40)
  /// The rate of new instances of one device that are a reason to dial it immediately. Anyone with a recorded advert
  /// can announce it again and again.
  package static let newInstancesPerPeerRate = TokenBucket.Rate(perSecond: 1, burst: 10)
  /// How long new instances of the peer join an attempt after its start. Later ones wait for the next attempt, so that
  /// each attempt ends and remembered addresses are dialled again.
  package static let attemptJoinTime = Duration.seconds(5)
  /// The maximum number of instances of one peer whose addresses are resolved: the live one, and those of its daemons
  /// of the last minutes.
  package static let instancesPerPeer = 8
  /// How many of them a removed device may have made up, and the addresses of each. Both leave room for the others. The
  /// number of addresses also applies to an instance that cannot be read.
  package static let doubtfulInstancesPerPeer = 2
  package static let addressesPerDoubtfulInstance = 4
  /// The maximum number of addresses of one instance that are reported and dialled: those of some interfaces, in both
  /// IP versions.
  package static let addressesPerInstance = 16
  /// The maximum number of instances with the team's sign that are dialled although their adverts cannot be read. A
  /// visit ends with the first session, after which the advert can be read. One that fails gives its place to a new
  /// one.
  package static let returnVisits = 16
  /// The lowest port that is dialled. Lower ports belong to the system's services, and what others announce must not
  /// make us connect to those.
  package static let lowestPort: UInt16 = 1024
  /// The maximum number of addresses of one peer that are remembered: cable and wireless, in both IP versions.
  package static let addressesPerPeer = 4
  /// The maximum number of addresses at which a machine says that it listens: two IP versions on cable, wireless, and
  /// two VPNs.
  package static let saidAddresses = 8
  /// The maximum number of devices of all teams that are known, at about 2 kB each: two for each session. Beyond that,
  /// one that is known only from an advert gives its place to another.
  package static let knownPeers = 2 * sessions
  /// The maximum number of peers and addresses whose recent conduct is remembered, so that none escapes its limits by
  /// being forgotten and known again.
  package static let rememberedConducts = 2 * knownPeers
  /// The maximum number of peers whose addresses are remembered: as many as have a session. If there are
  /// more, the oldest one of the user with the most is forgotten.
  package static let rememberedPeers = 1024
  /// The maximum number of names that belong to one device: the one that it has, and some that it had. A device that
  /// renames itself all the time keeps no more.
  package static let namesPerDevice = 4
  /// The time from a change of the remembered addresses until they are written. When a machine starts, several changes
  /// come together.
  package static let rememberTime = Duration.seconds(2)
  /// The time until it is written when sessions began and ended. A peer that comes and goes all the time causes one
  /// write a minute.
  package static let rememberMeetingsTime = Duration.seconds(60)
  /// The maximum number of addresses of peers that users of this machine gave. Each is dialled until somebody answers
  /// there, so they are not as many as the sessions. Of two machines, one needs the address.
  package static let staticPeers = 128
  /// The maximum number of machines that tailscaled can name, and of addresses of each: one of each IP version.
  package static let tailscalePeers = 64
  package static let tailscaleAddressesPerPeer = 2
  /// The maximum number of addresses that tailscaled gives and that are dialled, counted once for each team: all for
  /// two teams.
  package static let foundPeers = 256
  /// The maximum number of addresses that are dialled without knowing the peer.
  package static let namedPeers = staticPeers + foundPeers
  /// The time from asking tailscaled to asking it again, and the time until it has answered.
  package static let tailscaleInterval = Duration.seconds(60)
  package static let tailscaleReplyTime = Duration.seconds(5)
  /// The maximum size of its answer in bytes: about 1.5 kB for each of 600 machines. Then how much is read at a time,
  /// and how deep its JSON may be.
  package static let tailscaleReplyLength = 1024 * 1024
  package static let tailscaleReadLength = 64 * 1024
  package static let tailscaleDepth = 16
  /// Each user's share of the addresses that users gave, in all of the user's teams.
  package static let staticPeerShare = Share(total: staticPeers, perUser: 64, forOthers: 48, forRoot: 8)
  /// The maximum size in bytes of the file of remembered addresses, and of the file of static peers: 1,024 entries with
  /// IDs and twelve addresses.
  package static let addressFileLength = 1024 * 1024
  /// The maximum number of activities that one peer may offer at the same time: one for each user of a machine.
  package static let offersPerPeer = 16
  /// The time after which a peer that was not reached is asked, through a server, to dial this machine, and after which
  /// both meet at a relay.
  package static let relayAskTime = Duration.milliseconds(500)
  package static let relayPatience = Duration.seconds(2)
  /// The first and the longest pause between attempts to reach directly a peer whose session goes through a relay.
  package static let relayLeavingBackoff = Duration.seconds(10)...Duration.seconds(300)
}
