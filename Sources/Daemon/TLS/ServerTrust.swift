// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// How a ``TLSClient`` knows the right server.
package enum ServerTrust: Equatable, Sendable {
  /// By one of these public keys: SHA-256 of its SubjectPublicKeyInfo, 32 bytes each.
  case publicKeys([[UInt8]])
  /// By its certificate: SHA-256 of its DER, 32 bytes.
  case certificate([UInt8])
  /// By its name, for which an authority vouches.
  ///
  /// - Parameter directory: Has the authorities' certificates under the names that `openssl rehash` gives them. Nil for
  ///   those of the system.
  case authorities(directory: String? = nil)
  /// Not at all, because nothing passes that the server may not read or change.
  case unverified
}

/// Judges one server's certificate, for OpenSSL (`SSL_CTX_set_cert_verify_callback`).
final class ServerVerification {
  private let trust: ServerTrust
  /// Whether the server has another key or certificate.
  private(set) var isWrong = false

  init(_ trust: ServerTrust) { self.trust = trust }

  /// Makes a client's context check certificates this way.
  func apply(to context: OpaquePointer) -> Bool {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    guard case .authorities(let directory) = trust else {
      SSL_CTX_set_cert_verify_callback(
        context,
        { context, verification in
          guard let context, let verification else { return 0 }
          return Unmanaged<ServerVerification>.fromOpaque(verification).takeUnretainedValue().judge(context)
        },
        Unmanaged.passUnretained(self).toOpaque()
      )
      return true
    }
    if let directory { return SSL_CTX_load_verify_dir(context, directory) == 1 }
    // `SSL_CTX_set_default_verify_paths` would ask the environment, too. Not every system has both.
    let hasFile = X509_get_default_cert_file().map { SSL_CTX_load_verify_file(context, $0) == 1 } ?? false
    let hasDirectory = X509_get_default_cert_dir().map { SSL_CTX_load_verify_dir(context, $0) == 1 } ?? false
    return hasFile || hasDirectory
  }

  /// Makes a session ask for the server by its name, and check it if that is how the server is known.
  ///
  /// - Parameter host: A name, or an IPv4 or IPv6 address.
  func expect(_ host: String, in ssl: OpaquePointer) -> Bool {
    // OpenSSL would check nothing for an empty name, and accept any name below one with a dot at its begin.
    guard !host.isEmpty, !host.starts(withBytesOf: "."), !host.utf8.contains(0) else { return false }
    guard let parameters = SSL_get0_param(ssl) else { return false }
    if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
    ERR_clear_error()
    X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    return X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 && baton_SSL_set_tlsext_host_name(ssl, host) == 1
  }

  /// - Parameter context: `X509_STORE_CTX`. It has only the certificates that the server sent.
  private func judge(_ context: OpaquePointer) -> Int32 {
    guard let certificate = X509_STORE_CTX_get0_cert(context), accepts(certificate) else {
      isWrong = true
      X509_STORE_CTX_set_error(context, X509_V_ERR_CERT_REJECTED)
      return 0
    }
    X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
  }

  private func accepts(_ certificate: OpaquePointer) -> Bool {
    switch trust {
    case .publicKeys(let hashes):
      guard let hash = try? PublicKey.hash(ofCertificate: certificate) else { return false }
      return hashes.contains(hash)
    case .certificate(let hash):
      guard let der = try? Certificate(retaining: certificate).der() else { return false }
      return SHA256.hash(der) == hash
    case .authorities: return false
    case .unverified: return true
    }
  }
}
