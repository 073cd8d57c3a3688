import Activity
import COpenSSL

/// A client's TLS 1.3 connection to a server that is no device of a team, without its socket: a NATS server or a relay.
///
/// It is used as ``TLSEngine`` is.
package final class ServerTLSEngine {
  /// How the server proves what it is.
  package enum Proof {
    /// With one of these public keys: SHA-256 of each.
    case publicKeys([[UInt8]])
    /// With this certificate: its SHA-256.
    case certificate([UInt8])
    /// With a certificate for its host that an authority has signed which the system trusts.
    case authorities
    /// It proves nothing.
    case none
  }

  /// `SSL` and `SSL_CTX`, owned.
  private let ssl: OpaquePointer
  private let context: OpaquePointer
  private let transport = Transport()
  private let proof: Proof
  private var failure: TLSError?

  package private(set) var isEstablished = false
  /// Whether the server has sent all it wanted to.
  package private(set) var isEnded = false

  /// Begins the handshake.
  ///
  /// - Parameters:
  ///   - host: The server's name, or its address.
  ///   - protocols: Names for ALPN, of at most 255 bytes.
  ///   - identity: What this side shows; nil for nothing.
  package init(
    host: String,
    proof: Proof,
    protocols: [String] = [],
    identity: ServerIdentity? = nil
  ) throws(TLSError) {
    OpenSSL.start()
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .fromOpenSSL(doing: "Making a context") }
    guard let ssl = SSL_new(context) else {
      SSL_CTX_free(context)
      throw .fromOpenSSL(doing: "Making a session")
    }
    // From here on, `deinit` frees both.
    (self.context, self.ssl, self.proof) = (context, ssl, proof)
    let bio = try transport.makeBIO()
    SSL_set_bio(ssl, bio, bio)
    try configure(host: host, protocols: protocols, identity: identity)
    SSL_set_connect_state(ssl)
    try shakeHands()
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  private func configure(host: String, protocols: [String], identity: ServerIdentity?) throws(TLSError) {
    let isAddress = ServerIdentity.isAddress(host)
    guard baton_SSL_only_TLS_1_3(ssl) == 1, isAddress || baton_SSL_set_tlsext_host_name(ssl, host) == 1 else {
      throw .fromOpenSSL(doing: "Making a session")
    }
    let list = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
    guard list.isEmpty || SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else {
      throw .fromOpenSSL(doing: "Making a session")
    }
    if let identity {
      let (certificate, key) = (try Certificate(pem: identity.certificate), try PrivateKey(pem: identity.key))
      guard SSL_use_certificate(ssl, certificate.pointer) == 1, SSL_use_PrivateKey(ssl, key.pointer) == 1 else {
        throw .fromOpenSSL(doing: "Using a certificate")
      }
    }
    guard case .authorities = proof else { return SSL_set_verify(ssl, SSL_VERIFY_NONE, nil) }
    let parameters = SSL_get0_param(ssl)
    guard SSL_CTX_set_default_verify_paths(context) == 1,
      isAddress
        ? X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 : X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1
    else { throw .fromOpenSSL(doing: "Making a session") }
    SSL_set_verify(ssl, SSL_VERIFY_PEER, nil)
  }

  // MARK: Ciphertext

  /// Takes what has arrived, and continues the handshake until it is finished.
  ///
  /// - Throws: Why the connection cannot be used: `certificateInvalid` if the server has not proved what it is.
  package func receive(_ ciphertext: [UInt8]) throws(TLSError) {
    ciphertext.withUnsafeBytes { transport.input.append($0) }
    try shakeHands()
  }

  /// Takes the ciphertext that waits to be sent.
  package func takeOutput() -> [UInt8] {
    var bytes: [UInt8] = []
    transport.output.take { output in
      bytes = Array(output)
      return output.count
    }
    return bytes
  }

  // MARK: Plaintext

  /// Returns what the server has sent, at most 16 KiB; nothing if there is nothing now.
  package func read() throws(TLSError) -> [UInt8] {
    if let failure { throw failure }
    guard isEstablished, !isEnded else { return [] }
    var count = 0
    var result: Int32 = 0
    ERR_clear_error()
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.recordLength) { space, initialized in
      result = SSL_read_ex(ssl, space.baseAddress, space.count, &count)
      initialized = result == 1 ? count : 0
    }
    if result != 1 { note(result) }
    if let failure, bytes.isEmpty { throw failure }
    return bytes
  }

  /// Encrypts all of `plaintext`.
  package func write(_ plaintext: [UInt8]) throws(TLSError) {
    if let failure { throw failure }
    guard isEstablished else { throw TLSError(.internalFailure, "Data was written before the handshake finished") }
    guard !plaintext.isEmpty else { return }
    var count = 0
    ERR_clear_error()
    let result = SSL_write_ex(ssl, plaintext, plaintext.count, &count)
    if result != 1 {
      note(result)
      throw failure ?? TLSError(.internalFailure, "OpenSSL did not write")
    }
  }

  /// Tells the server that nothing follows.
  package func close() {
    guard isEstablished, failure == nil else { return }
    ERR_clear_error()
    _ = SSL_shutdown(ssl)
    ERR_clear_error()
  }

  // MARK: -

  private static let recordLength = 16 * 1024

  private func shakeHands() throws(TLSError) {
    if let failure { throw failure }
    guard !isEstablished else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    guard result == 1 else {
      note(result)
      if isEnded { failure = TLSError(.notTLS, "The connection was closed during the handshake") }
      if let failure { throw failure }
      return
    }
    guard try isProved() else {
      let error = TLSError(.certificateInvalid, "The server shows another key than the team's")
      failure = error
      throw error
    }
    isEstablished = true
  }

  private func isProved() throws(TLSError) -> Bool {
    guard let pointer = SSL_get0_peer_certificate(ssl) else { return false }
    let certificate = Certificate(retaining: pointer)
    switch proof {
    case .publicKeys(let hashes): return hashes.contains(try certificate.publicKeyHash)
    case .certificate(let hash): return SHA256.hash(try certificate.der()) == hash
    // OpenSSL has verified it.
    case .authorities: return SSL_get_verify_result(ssl) == Int(X509_V_OK)
    case .none: return true
    }
  }

  private func note(_ result: Int32) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
    case SSL_ERROR_ZERO_RETURN: isEnded = true
    default:
      let verified = SSL_get_verify_result(ssl)
      if case .authorities = proof, verified != Int(X509_V_OK) {
        let text = X509_verify_cert_error_string(verified).map { String(cString: $0) } ?? ""
        failure = TLSError(.certificateInvalid, text)
      } else {
        failure = TLSError(isEstablished ? .protocolViolation : .notTLS, OpenSSL.takeErrorText())
      }
    }
    ERR_clear_error()
  }
}
