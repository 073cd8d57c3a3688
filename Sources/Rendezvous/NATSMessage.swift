import JSONCoding

/// What a NATS server says ("Client Protocol" of NATS).
package enum NATSMessage: Equatable, Sendable {
  /// The first message: what the server is, and wants.
  case info(NATSInfo)
  /// Something was published on a subject to which the client has subscribed.
  case message(subject: String, subscription: Int, payload: [UInt8])
  case ping
  case pong
  case ok
  /// The server's own words, without quotation marks. It closes the connection after most of them.
  case error(String)
}

/// What a server says of itself.
package struct NATSInfo: Equatable, Sendable {
  package let version: String?
  /// What the client signs to prove that it has its key. Nil if the server asks nobody for that.
  package let nonce: String?
  /// The connection must change to TLS before anything else is said.
  package let requiresTLS: Bool
  /// The maximum length of a payload, in bytes. Nil if it does not say.
  package let payloadLimit: Int?
  /// Other servers of its cluster: `HOST:PORT`. At most ``addressLimit``, and none that is not printable.
  package let addresses: [String]
  /// The server is about to stop.
  package let isLeaving: Bool

  /// The maximum number of servers of a cluster that are noted.
  static let addressLimit = 16

  package init?(json: JSON) {
    guard let members = json.object else { return nil }
    version = members["version"]?.string
    nonce = members["nonce"]?.string
    requiresTLS = members["tls_required"]?.bool == true
    payloadLimit = members["max_payload"]?.int64.flatMap { Int(exactly: $0) }
    let texts = (members["connect_urls"]?.array ?? []).prefix(Self.addressLimit).compactMap(\.string)
    addresses = texts.filter { text in (1...280).contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
    isLeaving = members["ldm"]?.bool == true
  }
}
