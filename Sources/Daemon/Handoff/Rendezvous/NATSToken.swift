// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What somebody may do at a NATS server, signed by who may allow it: a JWT with the algorithm `ed25519-nkey`.
///
/// An organisation's operator allows accounts. A team's account allows users, which are its devices.
package struct NATSToken: Sendable {
  /// The maximum number of connections of one team to the servers. Each device has one, and an old one that is about to
  /// be noticed as gone.
  private static let rendezvousConnections = 1024
  /// The maximum number of subscriptions of one device.
  package static let rendezvousSubscriptions = 8

  package enum Rights: Sendable {
    /// The operator's own token, which a server's configuration contains.
    /// - Parameter system: The public key of the account through which servers are told about others: 32 bytes. Nil for
    ///   none.
    case `operator`(system: [UInt8]?)
    /// A team's account.
    case account(revoked: NATSRevocations)
    /// The account through which servers are told about others.
    case system
    /// Subjects, in which `*` stands for one token. None means all.
    case user(publish: [String], subscribe: [String])
  }

  package let rights: Rights
  /// For people who look at the server.
  package let name: String
  /// The public key of whom it is about: 32 bytes.
  package let subject: [UInt8]
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let issued: Int64
  /// The same. Nil if it does not expire.
  package let expires: Int64?

  package init(_ rights: Rights, name: String, subject: [UInt8], issued: Int64, expires: Int64? = nil) {
    (self.rights, self.name, self.subject) = (rights, name, subject)
    (self.issued, self.expires) = (issued, expires)
  }

  /// Writes it.
  ///
  /// - Parameters:
  ///   - issuer: The public key of who allows it: 32 bytes.
  ///   - id: What no other token of the issuer has.
  ///   - sign: Returns the signature of a text with the issuer's key: 64 bytes.
  package func text<E>(issuer: [UInt8], id: String, sign: ([UInt8]) throws(E) -> [UInt8]) throws(E) -> String {
    var claims: [String: JSON] = [
      "iat": .integer(issued), "iss": .string(NATSKey.text(issuerKind, issuer)), "jti": .string(id),
      "name": .string(name), "sub": .string(NATSKey.text(kind, subject)), "nats": .object(nats),
    ]
    claims["exp"] = expires.map(JSON.integer)
    let header: JSON = .object(["typ": .string("JWT"), "alg": .string("ed25519-nkey")])
    let signed = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(JSON.object(claims).bytes))"
    return "\(signed).\(Base64URL.encode(try sign(Array(signed.utf8))))"
  }

  /// The name in a token. Its signature is not checked. Nil if it is no token.
  package static func name(in text: String) -> String? { claims(in: text)?["name"]?.string }

  /// The account that a token is about, as ``NATSKey`` writes it. Its signature is not checked. Nil if it is no token.
  package static func subject(in text: String) -> String? { claims(in: text)?["sub"]?.string }

  static func claims(in text: String) -> [String: JSON]? {
    let parts = text.split(atScalar: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = Base64URL.decode(String(parts[1])) else { return nil }
    return (try? JSON(parsing: claims, depth: 8))?.object
  }

  private var kind: NATSKey.Kind {
    switch rights {
    case .operator: .operator
    case .account, .system: .account
    case .user: .user
    }
  }

  private var issuerKind: NATSKey.Kind {
    switch rights {
    case .operator, .account, .system: .operator
    case .user: .account
    }
  }

  private var nats: [String: JSON] {
    switch rights {
    case .operator(let system):
      var members: [String: JSON] = ["type": .string("operator"), "version": .integer(2)]
      members["system_account"] = system.map { .string(NATSKey.text(.account, $0)) }
      return members
    case .account(let revoked):
      // So much for one team that it cannot use up what others need.
      var members = Self.account(
        connections: Self.rendezvousConnections,
        subscriptions: Self.rendezvousConnections * Self.rendezvousSubscriptions,
        payload: Limits.rendezvousPayloadLength
      )
      if revoked != NATSRevocations() { members["revocations"] = revoked.json }
      return members
    case .system: return Self.account(connections: -1, subscriptions: -1, payload: -1)
    case .user(let publish, let subscribe):
      let subscriptions = publish.isEmpty ? -1 : Self.rendezvousSubscriptions
      return [
        "type": .string("user"), "version": .integer(2), "subs": .integer(Int64(subscriptions)), "data": .integer(-1),
        "payload": .integer(-1), "pub": Self.allowing(publish), "sub": Self.allowing(subscribe),
      ]
    }
  }

  private static func allowing(_ subjects: [String]) -> JSON {
    .object(subjects.isEmpty ? [:] : ["allow": .array(subjects.map(JSON.string))])
  }

  private static func account(connections: Int, subscriptions: Int, payload: Int) -> [String: JSON] {
    let limits: [String: JSON] = [
      "subs": .integer(Int64(subscriptions)), "data": .integer(-1), "payload": .integer(Int64(payload)),
      "imports": .integer(-1), "exports": .integer(-1), "wildcards": .bool(true),
      "conn": .integer(Int64(connections)), "leaf": .integer(0),
    ]
    let all: JSON = .object(["pub": .object([:]), "sub": .object([:])])
    return [
      "type": .string("account"), "version": .integer(2), "limits": .object(limits), "default_permissions": all,
    ]
  }
}
