// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// What a client tells a NATS server.
package enum NATSCommand: Equatable, Sendable {
  /// - Parameters:
  ///   - token: The user's JWT.
  ///   - signature: That of the server's nonce with the user's key: 64 bytes.
  case connect(token: String, signature: [UInt8])
  case subscribe(subject: String, subscription: Int)
  /// - Parameter subject: Made of tokens that this program has made itself. It contains no space.
  /// - Parameter reply: Where the answer is to be published; nil if none is wanted.
  case publish(subject: String, reply: String? = nil, payload: [UInt8])
  case ping
  case pong

  package var bytes: [UInt8] {
    switch self {
    case .connect(let token, let signature):
      let options: JSON = .object([
        "verbose": .bool(false), "pedantic": .bool(false), "echo": .bool(false), "protocol": .integer(1),
        "lang": .string("swift"), "version": .string("1"), "jwt": .string(token),
        "sig": .string(Base64URL.encode(signature)),
      ])
      return Array("CONNECT ".utf8) + options.bytes + Self.end
    case .subscribe(let subject, let subscription): return Array("SUB \(subject) \(subscription)".utf8) + Self.end
    case .publish(let subject, let reply, let payload):
      let subjects = reply.map { "\(subject) \($0)" } ?? subject
      return Array("PUB \(subjects) \(payload.count)".utf8) + Self.end + payload + Self.end
    case .ping: return Array("PING".utf8) + Self.end
    case .pong: return Array("PONG".utf8) + Self.end
    }
  }

  private static let end: [UInt8] = [0x0D, 0x0A]
}
