import Activity

extension Limits {
  /// The maximum length of a line of a rendezvous server, in bytes: the names of a large cluster.
  package static let rendezvousLineLength = 16 << 10
  /// The maximum length of what comes through a rendezvous server, in bytes. What members send has a fixed length.
  package static let rendezvousPayloadLength = 1024
  /// How long a server may take until it has accepted this machine, and to answer later.
  package static let rendezvousReplyTime = Duration.seconds(10)
  /// The pause after which a server is asked for a sign of life.
  package static let rendezvousIdleTime = Duration.seconds(60)
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
