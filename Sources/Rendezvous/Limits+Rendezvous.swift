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

  /// How long a DNS server may take from the start of the connection to the end of its answer.
  package static let dnsReplyTime = Duration.seconds(10)
  /// The maximum number of TXT records at one name that are noted: one for each device. So many, and a signature, fit
  /// into one message of 64 KiB.
  package static let dnsRecords = 64
  /// The maximum length of the text of a record that this machine writes, in bytes.
  package static let dnsTextLength = 900
  /// The maximum length of all deletions of one update, in bytes. The rest of the message takes less than 4 KiB.
  package static let dnsDeletionLength = 60 << 10
}
