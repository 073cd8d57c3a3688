import JSONCoding

/// What somebody may do at a NATS server, signed by who may allow it: a JWT with the algorithm `ed25519-nkey`.
///
/// An organisation's operator allows accounts. A team's account allows users, which are its devices.
package struct NATSToken: Equatable, Sendable {
  package enum Rights: Equatable, Sendable {
    /// The operator's own token, which a server's configuration contains.
    case `operator`
    case account
    /// Subjects, in which `*` stands for one token.
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

  private var kind: NATSKey.Kind {
    switch rights {
    case .operator: .operator
    case .account: .account
    case .user: .user
    }
  }

  private var issuerKind: NATSKey.Kind {
    switch rights {
    case .operator, .account: .operator
    case .user: .account
    }
  }

  private var nats: [String: JSON] {
    let unlimited = JSON.integer(-1)
    switch rights {
    case .operator: return ["type": .string("operator"), "version": .integer(2)]
    case .account:
      let limits: [String: JSON] = [
        "subs": unlimited, "data": unlimited, "payload": unlimited, "imports": unlimited, "exports": unlimited,
        "wildcards": .bool(true), "conn": unlimited, "leaf": .integer(0),
      ]
      let all: JSON = .object(["pub": .object([:]), "sub": .object([:])])
      return [
        "type": .string("account"), "version": .integer(2), "limits": .object(limits), "default_permissions": all,
      ]
    case .user(let publish, let subscribe):
      return [
        "type": .string("user"), "version": .integer(2), "subs": unlimited, "data": unlimited, "payload": unlimited,
        "pub": .object(["allow": .array(publish.map(JSON.string))]),
        "sub": .object(["allow": .array(subscribe.map(JSON.string))]),
      ]
    }
  }
}
