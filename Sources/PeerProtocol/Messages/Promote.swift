import JSON

/// Makes the other side an administrator. Holds the team's key: a secret of secrets.
package struct Promote: MessageBody {
  package static let type: UInt8 = 66

  /// For the key of the other side, as an administrator's; in PEM.
  package var certificate: String
  /// In PEM, or sealed with a passphrase.
  package var authorityKey: String

  package init(certificate: String, authorityKey: String) {
    self.certificate = certificate
    self.authorityKey = authorityKey
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    certificate = try members.required("certificate", \.pem)
    authorityKey = try members.required("authorityKey", \.pem)
  }

  package var members: [String: JSON] {
    ["certificate": .string(certificate), "authorityKey": .string(authorityKey)]
  }
}
