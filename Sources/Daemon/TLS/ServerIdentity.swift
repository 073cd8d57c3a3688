// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The key of a server that a team runs, with a certificate that nobody else has signed. Devices know the server by one
/// of them.
package struct ServerIdentity {
  /// In PEM.
  package let certificate: String
  package let key: String
  /// SHA-256 of the public key: 32 bytes.
  package let keyHash: [UInt8]
  /// SHA-256 of the certificate: 32 bytes.
  package let certificateHash: [UInt8]

  /// - Parameters:
  ///   - hosts: Names or addresses that the certificate is for, which contain no comma.
  ///   - now: Seconds since 1970.
  package static func make(hosts: [String], now: Int64) throws(TLSError) -> ServerIdentity {
    let key = try PrivateKey.make()
    var template = CertificateTemplate(
      commonName: "Baton rendezvous",
      basicConstraints: "CA:FALSE",
      keyUsage: "digitalSignature",
      extendedKeyUsage: "serverAuth,clientAuth",
      notBefore: Authority.earliest,
      notAfter: max(now, Authority.earliest) + Authority.validity
    )
    let names = hosts.map { host in isAddress(host) ? "IP:\(host)" : "DNS:\(host)" }
    template.subjectAlternativeName = names.isEmpty ? nil : names.joined(separator: ",")
    let certificate = try template.signed(for: key.pointer, by: .itself(key))
    return ServerIdentity(
      certificate: try certificate.pem(),
      key: try key.pem(),
      keyHash: try certificate.publicKeyHash,
      certificateHash: SHA256.hash(try certificate.der())
    )
  }

  /// Whether a host is an address, and no name.
  static func isAddress(_ host: String) -> Bool {
    guard let address = a2i_IPADDRESS(host) else { return false }
    ASN1_OCTET_STRING_free(address)
    return true
  }
}
