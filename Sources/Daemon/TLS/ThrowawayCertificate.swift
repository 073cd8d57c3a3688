// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A key and a certificate for one purpose, which say nothing about this machine or its user. A relay knows a client
/// by its certificate, and must not recognize it later.
package struct ThrowawayCertificate {
  let key: PrivateKey
  let certificate: Certificate
  /// SHA-256 of the certificate's DER: 32 bytes.
  package let id: [UInt8]

  /// Makes a new Ed25519 key and its certificate.
  package static func make() throws(TLSError) -> ThrowawayCertificate {
    let key = try PrivateKey.make()
    let template = CertificateTemplate(
      commonName: "throwaway",
      basicConstraints: "CA:FALSE",
      keyUsage: "digitalSignature",
      extendedKeyUsage: "serverAuth,clientAuth",
      // The clock of this machine would tell something about it.
      notBefore: 0,
      notAfter: Authority.clamped(.max)
    )
    let certificate = try template.signed(for: key.pointer, by: .itself(key))
    return ThrowawayCertificate(key: key, certificate: certificate, id: SHA256.hash(try certificate.der()))
  }
}
