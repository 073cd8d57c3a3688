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
}
