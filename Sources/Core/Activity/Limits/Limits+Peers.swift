// SPDX-License-Identifier: Apache-2.0

/// The limits of what this machine does for peers, and for anyone who claims to be one.
extension Limits {
  /// The time after which a machine is announced under another name.
  package static let advertPeriod = Duration.seconds(900)
  /// For how long a refused connection counts as a reason why no machine is connected, in seconds: longer than machines
  /// wait until they try again.
  package static let recentRefusalTime = 1800.0

  /// The maximum length of a frame's payload in bytes. With its header, it is one TLS record.
  package static let framePayloadLength = 16 * 1024 - 4
  /// The maximum nesting depth of arrays and objects in a peer's message.
  package static let messageDepth = 12
  /// The maximum number of connections, from sources without a known peer, whose team is not known yet. Each takes a
  /// descriptor.
  package static let silentConnections = 256
  /// The maximum length of a TLS ClientHello in bytes. OpenSSL sends about 300, and 1,500 with post-quantum keys.
  package static let clientHelloLength = 4096
  /// How much the clock of an unknown client may differ, and how long its server name is valid.
  package static let serverNameTime = Duration.seconds(600)

  /// The maximum number of connections on which no peer has proved membership yet, from all sources where no peer was
  /// met. Each takes 73 kB of OpenSSL's memory.
  package static let handshakes = 32
  /// The time from the end of the TLS handshake until both sides have accepted.
  package static let acceptTime = Duration.seconds(2)
  /// The maximum number of connections with one peer that are not ready yet: one that each side dialled, and one for
  /// each that is about to end.
  package static let connectionsPerPeer = 4
  /// The rate of lines in the log about the sessions of one peer.
  package static let peerLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)
  /// The time from the start of an outgoing connection until TCP is established.
  package static let connectTime = Duration.seconds(3)
  /// The maximum number of sessions with peers, at about 64 kB each without its streams. If one is too many, the user
  /// with the most loses the one that was used least recently.
  package static let sessions = 1024
  /// The time within which two connections with one peer become ready if both sides dialled at the same time.
  package static let crossedDialsTime = Duration.seconds(10)
  /// The first and the longest pause between attempts to reach a peer. Each pause is twice the previous one, with
  /// jitter.
  package static let dialBackoff = Duration.seconds(1)...Duration.seconds(300)
  /// How long the side with the greater Device ID waits for the other to dial, because both discover each other at the
  /// same time.
  package static let dialCourtesy = Duration.milliseconds(500)
  /// The time from dialling one address of a peer to dialling the next. A live address on a local network has answered
  /// by then. After three dead addresses, the fourth is dialled within 300 ms.
  package static let dialStep = Duration.milliseconds(80)
  /// The maximum number of addresses of one peer that one attempt dials: those where it was reached before, those in
  /// its list, and some of each of its instances.
  package static let dialledAddresses = addressesPerPeer + saidAddresses + instancesPerPeer * addressesKeptPerInstance
  /// How many of them are kept for each instance: an address of each IP version. Anyone with a recorded advert can
  /// announce instances with many addresses.
  package static let addressesKeptPerInstance = 2
  /// The pause between names for an instance if each of them is taken. That does not happen by chance.
  package static let renameBackoff = Duration.seconds(1)...Duration.seconds(60)
  /// The maximum number of instances of one peer whose addresses are resolved: the live one, and those of its daemons
  /// of the last minutes.
  package static let instancesPerPeer = 8
  /// The maximum number of addresses of an instance that a removed device may have made up, or that cannot be read. It
  /// leaves room for the others.
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
  /// The maximum number of addresses in a machine's list of where it listens: two IP versions on cable, wireless, and
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
  /// The time from a change of the remembered addresses until they are written. When a machine starts, changes tend to
  /// come together.
  package static let rememberTime = Duration.seconds(2)
  /// The maximum number of addresses of peers that users of this machine gave. Each is dialled until a machine answers
  /// there, so the limit is lower than that of sessions. Of two machines, one needs the address.
  package static let staticPeers = 128
  /// The maximum number of addresses that tailscaled gives and that are dialled, counted once for each team: all for
  /// two teams.
  package static let foundPeers = 256
  /// The maximum size of tailscaled's answer in bytes: about 1.5 kB for each of 600 machines.
  package static let tailscaleReplyLength = 1024 * 1024
  /// Each user's share of the addresses that users gave, in all of the user's teams.
  package static let staticPeerShare = Share(total: staticPeers, perUser: 64, forOthers: 48, forRoot: 8)
  /// The maximum number of activities that one peer may offer at the same time: one for each user of a machine.
  package static let offersPerPeer = 16
  /// The time after which a peer that was not reached is asked, through a server, to dial this machine, and after which
  /// both connect through a relay.
  package static let relayAskTime = Duration.milliseconds(500)
  package static let relayPatience = Duration.seconds(2)
}
