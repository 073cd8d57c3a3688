// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// `SSL_CTX` with the settings that all our connections share.
final class SSLContext {
  /// The maximum size in bytes of the certificates that a peer may show. Ours have about 400; OpenSSL would accept 100
  /// KiB.
  private static let certificateListLength = 8 * 1024

  static let cipherSuites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

  /// The same in all contexts, because OpenSSL refuses a pre-shared key in a context with no value or another one.
  static let sessionContext = Array("baton".utf8)

  /// `SSL_CTX`, owned.
  let pointer: OpaquePointer

  /// Makes a context for TLS 1.3 with certificates on both sides, without resumption.
  init(_ method: OpaquePointer?) throws(TLSError) {
    OpenSSL.start()
    guard let pointer = SSL_CTX_new(method) else { throw .fromOpenSSL(doing: "Creating a context") }
    self.pointer = pointer
    guard baton_SSL_CTX_only_TLS_1_3(pointer) == 1,
      SSL_CTX_set_ciphersuites(pointer, Self.cipherSuites) == 1,
      baton_SSL_CTX_set1_groups_list(pointer, "X25519:P-256") == 1,
      baton_SSL_CTX_set1_sigalgs_lists(pointer, "ed25519:ECDSA+SHA256") == 1,
      SSL_CTX_set_session_id_context(pointer, Self.sessionContext, UInt32(Self.sessionContext.count)) == 1,
      SSL_CTX_set_num_tickets(pointer, 0) == 1, SSL_CTX_set_max_early_data(pointer, 0) == 1
    else { throw .fromOpenSSL(doing: "Creating a context") }
    baton_SSL_CTX_set_session_cache_off(pointer)
    baton_SSL_CTX_prefer_server_ciphers(pointer)
    baton_SSL_CTX_set_max_cert_list(pointer, Self.certificateListLength)
    // No chain is sent, because the other side has the authority.
    baton_SSL_CTX_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN))
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) { passed, context in
      Handshake.verifying(context)?.verify(passed: passed == 1, in: context) ?? 0
    }
    SSL_CTX_set_verify_depth(pointer, 0)
    SSL_CTX_set_keylog_callback(pointer) { ssl, line in
      if let line { Handshake.of(ssl)?.take(keyLine: line) }
    }
  }

  deinit { SSL_CTX_free(pointer) }

  /// Shows the certificate of `credentials`, and accepts only those of its team.
  func use(_ credentials: Credentials) throws(TLSError) {
    guard SSL_CTX_use_certificate(pointer, credentials.certificate.pointer) == 1,
      SSL_CTX_use_PrivateKey(pointer, credentials.key.pointer) == 1,
      X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), credentials.authority.pointer) == 1
    else { throw .fromOpenSSL(doing: "Using a certificate") }
  }

  /// Makes a client offer one protocol.
  func offer(_ application: ApplicationProtocol) throws(TLSError) {
    let list = application.listed
    guard SSL_CTX_set_alpn_protos(pointer, list, UInt32(list.count)) == 0 else {
      throw .fromOpenSSL(doing: "Creating a context")
    }
  }

  /// Makes a server select the protocol that the handshake is for.
  func selectProtocol() {
    let select: SSL_CTX_alpn_select_cb_func = { ssl, selected, selectedLength, offered, offeredLength, _ in
      guard let handshake = Handshake.of(ssl), let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
      let list = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
      guard let match = handshake.application.position(in: list) else {
        if handshake.application.hasOtherVersion(in: list) {
          handshake.refuse(TLSError(.versionMismatch, "The application protocol has a different version"))
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
      }
      selected?.pointee = offered + match.lowerBound
      selectedLength?.pointee = UInt8(match.count)
      return SSL_TLSEXT_ERR_OK
    }
    SSL_CTX_set_alpn_select_cb(pointer, select, nil)
  }
}
