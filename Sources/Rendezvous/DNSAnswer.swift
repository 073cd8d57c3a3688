import Activity

/// The TXT records at a name.
package struct DNSAnswer: Equatable, Sendable {
  /// At most ``Limits/dnsRecords``, in any order.
  package private(set) var records: [TXTRecord] = []
  /// How many there are.
  package private(set) var count = 0

  mutating func note(_ record: TXTRecord) {
    // Checked: a message of 64 KiB has fewer than 6000.
    count += 1
    if records.count < Limits.dnsRecords { records.append(record) }
  }
}
