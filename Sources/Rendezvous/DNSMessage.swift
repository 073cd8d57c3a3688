/// What this machine asks of a zone's primary server.
package enum DNSMessage: Equatable, Sendable {
  /// All TXT records at a name.
  case query(DNSName)
  /// Changes of the TXT records at a name (RFC 2136). The server makes all of them, or none.
  /// - Parameters:
  ///   - zone: The zone that contains the name.
  ///   - deletions: Records that do not exist are ignored.
  ///   - timeToLive: How long resolvers may keep what is added, in seconds.
  case update(zone: DNSName, name: DNSName, deletions: [TXTRecord], additions: [TXTRecord], timeToLive: UInt32)

  /// The types and classes of records (RFC 6895, section 3).
  enum Code {
    static let soa: UInt16 = 6
    static let txt: UInt16 = 16
    static let tsig: UInt16 = 250
    static let `in`: UInt16 = 1
    /// In an update, a record of this class is deleted.
    static let none: UInt16 = 254
    static let any: UInt16 = 255
  }

  static let headerLength = 12

  /// What the message is about: what a response to it repeats.
  var question: (name: DNSName, type: UInt16) {
    switch self {
    case .query(let name): (name, Code.txt)
    case .update(let zone, _, _, _, _): (zone, Code.soa)
    }
  }

  /// The kind of the message, in its header.
  var opcode: UInt16 {
    switch self {
    case .query: 0
    case .update: 5
    }
  }

  /// Returns the message, without a signature. It can be longer than DNS allows.
  func bytes(id: UInt16) -> [UInt8] {
    var records: [UInt8] = []
    var count = 0
    let section = question.name.wire + Self.number(question.type) + Self.number(Code.in)
    if case .update(_, let name, let deletions, let additions, let timeToLive) = self {
      let changes = deletions.map { (Code.none, 0, $0) } + additions.map { (Code.in, timeToLive, $0) }
      // The name is written once, after the zone. All other records point there.
      let pointer = 0xC000 | UInt16(Self.headerLength + section.count)
      for (group, timeToLive, record) in changes {
        records += records.isEmpty ? name.wire : Self.number(pointer)
        records.append(number: Code.txt)
        records.append(number: group)
        records.append(number: timeToLive)
        records.append(counted: record.data)
      }
      count = changes.count
    }
    var bytes: [UInt8] = []
    // An update has its zone where a query has its question, and its changes where a response has authorities.
    for field in [id, opcode << 11, 1, 0, UInt16(truncatingIfNeeded: count), 0] { bytes.append(number: field) }
    return bytes + section + records
  }

  private static func number(_ number: UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: number)
    return bytes
  }
}
