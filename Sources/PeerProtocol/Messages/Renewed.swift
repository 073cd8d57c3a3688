import JSONCoding

/// The answer to a `Renew`.
package struct Renewed: MessageBody {
  package static let type: UInt8 = 65

  /// The certificate for the requester's key, in PEM.
  package var certificate: String

  package init(certificate: String) { self.certificate = certificate }

  package init(_ members: inout Members) throws(InvalidParameter) {
    certificate = try members.required("certificate", \.pem)
  }

  package var members: [String: JSON] { ["certificate": .string(certificate)] }
}
