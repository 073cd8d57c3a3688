/// What this machine does for peers, and for those who say that they are some.
extension Limits {
  /// After so long a machine is announced under another name.
  package static let advertPeriod = Duration.seconds(900)
  /// Seconds for which an advert is good: its period, and what clocks may differ by.
  package static let advertAge: Int64 = 1500
  /// Seconds by which a peer's clock may differ from what is known of it.
  package static let clockError: Int64 = 5
  /// Seconds by which an advert may come from the future.
  package static let advertClockTolerance: Int64 = 600

  /// Bytes of a frame's payload: with its header it is one TLS record.
  package static let framePayloadLength = 16 * 1024 - 4
  /// Arrays and objects within one another in a peer's message.
  package static let messageDepth = 12
  /// Connections that have not said for which team they are, of sources at which no peer was met: a descriptor each.
  package static let silentConnections = 256
  /// The same from one address (/32, or /64 of IPv6).
  package static let silentConnectionsPerSource = 16
  /// The same of all sources at which a peer was met.
  package static let silentConnectionsOfPeers = 64
  /// New connections from one address; from all addresses at which no peer was met; and from one at which one was. To
  /// refuse one costs some 50 µs.
  package static let connectionsPerSourceRate = TokenBucket.Rate(perSecond: 100, burst: 200)
  package static let connectionsRate = TokenBucket.Rate(perSecond: 500, burst: 1000)
  package static let connectionsOfPeersRate = TokenBucket.Rate(perSecond: 2000, burst: 4000)
  /// Sources whose connections are counted.
  package static let connectionSources = 4096
  /// A TLS ClientHello: OpenSSL sends some 300 bytes, and 1,500 with keys for quantum computers.
  package static let clientHelloLength = 4096
  /// From a connection's begin until its ClientHello is here.
  package static let clientHelloTime = Duration.seconds(2)
  /// By how much the clock of a client may differ that nobody has met, and for how long its server name is good.
  package static let serverNameTime = Duration.seconds(600)
  /// How long before the daemon's start a server name may have been made: whether it was used then is not known.
  package static let serverNameStartTime = Duration.seconds(5)
  /// Server names that are remembered, so that none is good twice: more than removed devices and joins, with 5 a second of
  /// each of three kinds, can bring in twice ``serverNameTime``.
  package static let usedServerNames = 20_480
  /// The same of those under the newest key, of which 64 peers bring some hundreds a day. Members could bring more, and see
  /// certificates anyway.
  package static let usedNamesOfMembers = 4096

  /// Connections on which no peer has proved membership yet, of all sources: 32 × 73 kB of OpenSSL's memory.
  package static let handshakes = 32
  /// The same from one address (/32, or /64 of IPv6).
  package static let handshakesPerSource = 4
  /// The same of clients whose name is one that removed devices can make, too (under a key of before, or for good), and of
  /// those that join.
  package static let outdatedHandshakes = 8
  package static let returningHandshakes = 8
  package static let joiningHandshakes = 8
  /// Handshakes that begin, at some 0.7 ms each, from all addresses at which no peer was met. Of a team of 64 that comes at
  /// once after a restart 48 get in, in 34 ms, and the others when they try again, after 0.5 to 1 s (``dialBackoff``).
  package static let handshakesRate = TokenBucket.Rate(perSecond: 50, burst: 48)
  /// The same by names that removed devices can make, and to join.
  package static let outdatedHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  package static let returningHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  package static let joiningHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  /// The same from one of these addresses: half of a burst. A team of 64 behind one address is in within 4 s.
  package static let handshakesPerSourceRate = TokenBucket.Rate(perSecond: 20, burst: 24)
  /// From one address at which a peer was met, which is asked for none of the above: some members may be behind it.
  package static let handshakesOfPeersRate = TokenBucket.Rate(perSecond: 20, burst: 200)
  /// From one address, by each of the names that removed devices can make, and to join: half of a burst, and then a fifth. A
  /// machine that joins asks no more often (``dialsPerTargetRate``).
  package static let rareHandshakesPerSourceRate = TokenBucket.Rate(perSecond: 1, burst: 10)
  /// What a connection that was refused costs its source beside its own one: from then on the source may make 10 a second.
  package static let refusedConnectionCost = 9.0
  /// Bytes of the certificates that a peer may show: ours are some 400, OpenSSL would take 100 KiB.
  package static let certificateListLength = 8 * 1024
  /// From a connection's begin to the end of the TLS handshake: a local network answers in milliseconds.
  package static let handshakeTime = Duration.seconds(5)
  /// From the end of the TLS handshake until both sides have accepted.
  package static let acceptTime = Duration.seconds(2)
  /// Connections of one peer that are not ready yet: one that each side dialled, and one of each that is on its way out.
  package static let connectionsPerPeer = 4
  /// What the messages of one peer may cost, on all of its connections: 1 each, a tenth for one about a stream's progress, and 1
  /// for each 2 KiB. Data costs nothing but in small pieces, a twentieth each below 4 KiB, and 1 if no such stream is open. The
  /// burst takes the loop some 2 ms, at 10 µs for a message that is answered.
  package static let peerMessageRate = TokenBucket.Rate(perSecond: 2000, burst: 200)
  /// What a message costs that is about certificates, removed devices or the team's key: signatures are verified, and files are
  /// read and written.
  package static let signedMessageCost = 40.0
  /// A peer that has used up its budget is read again when it has so much.
  package static let peerMessageBatch = 20.0
  /// Connections that one peer dials, and what the log says of its sessions.
  package static let peerSessionRate = TokenBucket.Rate(perSecond: 1, burst: 60)
  package static let peerLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  /// What the log says of the streams with one peer, two lines each. With `peerLogRate` it is less than a quarter of what
  /// the unit may log in 30 s.
  package static let peerStreamLogRate = TokenBucket.Rate(perSecond: 1, burst: 60)
  /// From an outgoing connection's begin until TCP is established.
  package static let connectTime = Duration.seconds(3)
  /// Peers with a warm session; beyond it, the least recently used of the user who has the most is let go.
  package static let warmPeers = 64
  /// Nothing received from a peer for so long: it is asked for a sign of life.
  package static let pingInterval = Duration.seconds(20)
  /// A peer that does not answer a ping for so long is gone.
  package static let pongTime = Duration.seconds(8)
  /// Two connections with one peer that became ready within this time were dialled by both sides at once.
  package static let crossedDialsTime = Duration.seconds(10)
  /// Ciphertext that may wait for a peer's TCP connection before streams stop being read.
  package static let peerSendQueueLength = 512 * 1024
  /// Ciphertext that may wait before the peer counts as stalled and the session ends: control messages go past the limit above.
  package static let peerSendQueueMaximum = 4 * 1024 * 1024
  /// First and last pause between attempts to reach a peer; doubled each time, with jitter.
  package static let dialBackoff = Duration.seconds(1)...Duration.seconds(300)
  /// How long the side with the greater Device ID waits for the other to dial: both discover each other at once.
  package static let dialCourtesy = Duration.milliseconds(500)
  /// Attempts that something caused for many peers at once are spread over so long.
  package static let redialJitter = Duration.milliseconds(100)
  /// Longest pause between attempts while streams wait for the peer, which they do for some 30 s.
  package static let awaitedRedialTime = Duration.seconds(1)
  /// A session that lasted so long is worth another at once; one that breaks sooner, again and again, is not.
  package static let steadySessionTime = Duration.seconds(1)
  /// First and last pause after sessions that broke sooner, one after the other: the peer is there, and its network may be
  /// good again at any time.
  package static let flappingBackoff = Duration.seconds(1)...Duration.seconds(5)
  /// From dialling one address of a peer to dialling the next: a living one on a local network has answered by then, and
  /// the fourth of which three are dead is dialled within 300 ms.
  package static let dialStep = Duration.milliseconds(80)
  /// Addresses of one peer that are dialled in one attempt: where it was reached before, and some of each of its instances.
  package static let dialledAddresses = addressesPerPeer + instancesPerPeer * addressesKeptPerInstance
  /// Of those, what no other instance of the peer can take from one: an address of each IP version. Anyone with a recorded
  /// advert can announce instances with many addresses.
  package static let addressesKeptPerInstance = 2
  /// From asking a peer for a sign of life after the network changed until it counts as gone.
  package static let quickPongTime = Duration.seconds(2)
  /// From a new instance of a device that was dialled in vain until it is dialled, where others may have made or recorded
  /// its advert.
  package static let strangeRedialTime = Duration.seconds(10)
  /// Between names of an instance that are all taken: chance alone takes none.
  package static let renameBackoff = Duration.seconds(1)...Duration.seconds(60)
  /// Connections to devices that nobody has met: to one address, and to all.
  package static let dialsPerTargetRate = TokenBucket.Rate(perSecond: 1, burst: 3)
  package static let dialsRate = TokenBucket.Rate(perSecond: 20, burst: 40)
  /// New instances of one device that are a reason to dial it immediately. Anyone with a recorded advert can announce it
  /// again and again.
  package static let newInstancesPerPeerRate = TokenBucket.Rate(perSecond: 1, burst: 10)
  /// From an attempt's begin: as long as new instances of the peer join it. Later ones wait for the next attempt, so that each
  /// ends and what is remembered is dialled again.
  package static let attemptJoinTime = Duration.seconds(5)
  /// Instances of one peer that are asked for addresses: the living one, and those of daemons of the last minutes.
  package static let instancesPerPeer = 8
  /// Those of them that a removed device may have made up, and the addresses of each: both leave the others room. The same goes
  /// for the addresses of an instance that cannot be read.
  package static let doubtfulInstancesPerPeer = 2
  package static let addressesPerDoubtfulInstance = 4
  /// Addresses of one instance that are told and dialled: those of some interfaces, in both IP versions.
  package static let addressesPerInstance = 16
  /// Instances with the team's sign whose adverts cannot be read and that are dialled all the same: each ends with the
  /// first session, after which its advert can be read. One that fails gives its place to a new one.
  package static let returnVisits = 16
  /// Ports below belong to the system's services: what others announce must not make us connect to one.
  package static let lowestPort: UInt16 = 1024
  /// Addresses of one peer that are remembered: cable and wireless, in both IP versions.
  package static let addressesPerPeer = 4
  /// Peers whose addresses are remembered: as many as may have a session. Beyond it, the oldest of the user who has the most
  /// is forgotten.
  package static let rememberedPeers = 64
  /// From a change of what is remembered until it is written: changes come together when a machine starts.
  package static let rememberTime = Duration.seconds(2)
  /// Addresses of peers that users of this machine named.
  package static let staticPeers = 128
  /// Of one user: those in all of that user's teams.
  package static let staticPeerShare = Share(total: staticPeers, perUser: 64, forOthers: 48, forRoot: 8)
  /// Bytes of the file of remembered or named addresses: 128 entries with IDs and host names.
  package static let addressFileLength = 64 * 1024
  /// Activities that one peer may offer at once: one for each user of a machine.
  package static let offersPerPeer = 16
}
