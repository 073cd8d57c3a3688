import Activity

extension Limits {
  /// The maximum length of a line of a rendezvous server, in bytes: the names of a large cluster.
  package static let rendezvousLineLength = 16 << 10
  /// The maximum length of what comes through a rendezvous server, in bytes. What members send has a fixed length.
  package static let rendezvousPayloadLength = 1024
  /// The rate at which a server is listened to. More waits in the network. If a device arrives, all others of its team
  /// answer; otherwise, a large team says a few things in a second.
  package static let rendezvousMessageRate = TokenBucket.Rate(perSecond: 2000, burst: 8192)
  /// The rate at which messages are opened: of one sender, and of all. When a device arrives, each of the others sends
  /// one.
  package static let rendezvousSenderRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  package static let rendezvousOpeningRate = TokenBucket.Rate(perSecond: 500, burst: 4096)
  /// The maximum number of senders with a share of their own: two names of each device, around a change of keys.
  package static let rendezvousSenders = 2 * rendezvousDevices
  /// How long a server may take until it has accepted this machine, and to answer later.
  package static let rendezvousReplyTime = Duration.seconds(10)
  /// The pause after which a server is asked for a sign of life.
  package static let rendezvousIdleTime = Duration.seconds(60)

  /// The maximum number of addresses that a device tells its team through a server: those of some interfaces, in both
  /// IP versions.
  package static let rendezvousAddresses = 8
  /// The maximum number of devices of one team that are noted at a server. More do not find each other there.
  package static let rendezvousDevices = 256
  /// How often a device repeats what it offers, at most; it is a little more often, so that not all do so at once.
  package static let rendezvousPeriod = Duration.seconds(300)
  /// The time without a word of a device after which it counts as gone: two periods, and a minute.
  package static let rendezvousPresenceTime = Duration.seconds(660)
  /// How long a device that has left is remembered: as long as a recording of its messages could be believed, and
  /// longer.
  package static let rendezvousMemoryTime = Duration.seconds(2400)
  /// The time over which the answers to a device that has arrived are spread.
  package static let rendezvousAnswerTime = Duration.seconds(2)
  /// The pauses before this machine connects to a server again, of which a random part is taken. When a server starts
  /// again, thousands come back.
  package static let rendezvousBackoff = Duration.seconds(2)...Duration.seconds(300)
  /// How long a connection must have lasted to count as a success.
  package static let rendezvousSteadyTime = Duration.seconds(30)
  /// The pause before a server that has refused this machine is asked again, unless there is a new token.
  package static let rendezvousRefusedTime = Duration.seconds(300)
  /// The rate at which one device may ask this one to dial it or to come to a relay.
  package static let rendezvousRequestRate = TokenBucket.Rate(perSecond: 0.2, burst: 5)
  /// The maximum number of connections of one team to the servers. Each device has one, and an old one that is about to
  /// be noticed as gone.
  package static let rendezvousConnections = 1024
  /// The maximum number of subscriptions of one device.
  package static let rendezvousSubscriptions = 8
  /// How many bytes may wait for a server before the connection ends.
  package static let rendezvousQueueLength = 256 << 10
  /// The meetings at relays that are under way.
  package static let relayMeetingShare = Share(ofAll: 128)
  /// The maximum length of a relay's message without its header, in bytes. Relays have the same limit.
  package static let relayMessageLength = 1024
  /// The maximum length of an ID, a key or an address in such a message, in bytes.
  package static let relayFieldLength = 32
  /// The maximum length of a relay's address as text, in bytes: a name of 253, an ID, and what else a relay prints.
  package static let relayAddressLength = 1024
  /// How long a relay may take until it is connected, and for each answer.
  package static let relayReplyTime = Duration.seconds(10)
  /// How much later than the host a guest joins the session: more than the one's messages take longer than the other's.
  package static let relayPause = Duration.milliseconds(100)
  /// How long a host waits at a relay for its guest.
  package static let relayMeetingTime = Duration.seconds(20)
}
