// SPDX-License-Identifier: Apache-2.0

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

/// What a server says of itself. That it also names others is ignored.
package struct NATSInfo: Equatable, Sendable {
  /// What the client signs to prove that it has its key. Nil if the server asks nobody for that.
  package let nonce: String?
  /// The connection must change to TLS before anything else is said.
  package let requiresTLS: Bool
  /// The server is about to stop.
  package let isLeaving: Bool

  package init?(json: JSON) {
    guard let members = json.object else { return nil }
    nonce = members["nonce"]?.string
    requiresTLS = members["tls_required"]?.bool == true
    isLeaving = members["ldm"]?.bool == true
  }
}
