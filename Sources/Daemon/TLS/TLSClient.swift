// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// One TLS 1.3 connection to a server that is no Baton peer, without its socket. Use it on one thread or queue, like
/// ``TLSEngine``: pass what arrives to ``receive(_:)``, then call ``read(upTo:)`` until it returns nothing, and send
/// the pending output, even if one of them throws. Once a method has thrown, all methods throw the same error.
package final class TLSClient {
  package enum Failure: Error, Equatable, Sendable {
    /// The server has another key or certificate than it must have.
    case wrongCertificate
    /// No authority that this machine knows vouches for the server.
    case unknownAuthority
    /// The certificate is for another server.
    case otherHost
    /// The certificate has expired, or has another fault.
    case invalidCertificate(String)
    case handshakeFailed(String)
    /// After the handshake, the server sent an alert, or what is no TLS.
    case interrupted(String)
    case internalFailure(String)
  }

  /// The maximum length of the certificates that a server may send, in bytes: a chain of the public authorities has at
  /// most 10 KiB.
  private static let certificateListLength = 32 << 10

  /// `SSL`, owned.
  private let ssl: OpaquePointer
  private let transport = Transport()
  private let verification: ServerVerification
  private let protocols: [String]
  private var failure: Failure?

  /// Whether the server has proved who it is, so that this side may write. The server may still refuse this side's
  /// certificate.
  package private(set) var isEstablished = false
  /// Whether the server has sent all it wanted to (`close_notify`).
  package private(set) var isEnded = false

  /// Begins the handshake. The first message is in ``pendingOutput`` immediately.
  ///
  /// - Parameters:
  ///   - host: The server's name, or its IPv4 or IPv6 address.
  ///   - protocols: The application protocols to offer (ALPN), of which the server must select one if there are any.
  ///   - identity: What this side shows if the server asks.
  package init(
    _ trust: ServerTrust,
    host: String,
    protocols: [String] = [],
    identity: ThrowawayCertificate? = nil
  ) throws(Failure) {
    OpenSSL.start()
    self.protocols = protocols
    verification = ServerVerification(trust)
    ssl = try Self.makeSSL(verification, protocols: protocols, identity: identity)
    // From here on, `deinit` frees the SSL, and with it the BIO.
    guard let bio = try? transport.makeBIO() else { throw Self.internalFailure() }
    SSL_set_bio(ssl, bio, bio)
    SSL_set_connect_state(ssl)
    guard verification.expect(host, in: ssl) else { throw Self.internalFailure() }
    try shakeHands()
  }

  deinit { SSL_free(ssl) }

  private static func makeSSL(
    _ verification: ServerVerification,
    protocols: [String],
    identity: ThrowawayCertificate?
  ) throws(Failure) -> OpaquePointer {
    // The session keeps the context.
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw internalFailure() }
    defer { SSL_CTX_free(context) }
    guard baton_SSL_CTX_only_TLS_1_3(context) == 1, SSL_CTX_set_ciphersuites(context, SSLContext.cipherSuites) == 1,
      verification.apply(to: context)
    else { throw internalFailure() }
    baton_SSL_CTX_set_session_cache_off(context)
    baton_SSL_CTX_set_max_cert_list(context, certificateListLength)
    baton_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN))
    if let identity {
      guard SSL_CTX_use_certificate(context, identity.certificate.pointer) == 1,
        SSL_CTX_use_PrivateKey(context, identity.key.pointer) == 1
      else { throw internalFailure() }
    }
    let list = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + $0.utf8 }
    if !list.isEmpty {
      guard SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0 else { throw internalFailure() }
    }
    guard let ssl = SSL_new(context) else { throw internalFailure() }
    return ssl
  }

  private static func internalFailure() -> Failure { .internalFailure(OpenSSL.takeErrorText()) }

  // MARK: Ciphertext

  /// Takes what has arrived from the server, and continues the handshake until it is finished.
  package func receive(_ ciphertext: UnsafeRawBufferPointer) throws(Failure) {
    transport.input.append(ciphertext)
    try shakeHands()
  }

  /// The number of ciphertext bytes that wait to be sent.
  package var pendingOutput: Int { transport.output.count }

  /// Gives `body` the ciphertext that waits to be sent. `body` returns how many bytes of it were sent, and must not use
  /// the session.
  @discardableResult
  package func withOutput(_ body: (UnsafeRawBufferPointer) -> Int) -> Int { transport.output.take(body) }

  // MARK: Plaintext

  /// Returns what the server has sent, at most `limit` bytes; nothing if there is nothing now.
  ///
  /// - Throws: What ended the session, after everything before that was read.
  package func read(upTo limit: Int = 16 << 10) throws(Failure) -> [UInt8] {
    try check()
    guard isEstablished, limit > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, total in
      while total < limit, !isEnded, failure == nil, let start = buffer.baseAddress {
        var count = 0
        guard note(OpenSSL.call(ssl) { SSL_read_ex($0, start + total, limit - total, &count) }) else { break }
        total += count
      }
    }
    if bytes.isEmpty { try check() }
    return bytes
  }

  /// Encrypts all of `plaintext` into ``pendingOutput``.
  ///
  /// - Throws: What ended the session; `internalFailure` before the session is established.
  package func write(_ plaintext: [UInt8]) throws(Failure) {
    try check()
    guard isEstablished else { throw .internalFailure("Data was written before the handshake finished") }
    guard !plaintext.isEmpty else { return }
    var count = 0
    // It writes all or fails, because the queue takes all.
    guard note(OpenSSL.call(ssl) { SSL_write_ex($0, plaintext, plaintext.count, &count) }) else {
      throw failure ?? .internalFailure("OpenSSL didn't write")
    }
  }

  /// Tells the server that nothing follows (`SSL_shutdown`). You can still read from the session.
  package func close() {
    guard isEstablished, failure == nil else { return }
    OpenSSL.shutDown(ssl)
  }

  // MARK: -

  private func check() throws(Failure) { if let failure { throw failure } }

  private func shakeHands() throws(Failure) {
    try check()
    guard !isEstablished else { return }
    guard note(OpenSSL.call(ssl, SSL_do_handshake)) else {
      if isEnded { failure = .handshakeFailed("The connection was closed during the handshake") }
      return try check()
    }
    guard SSL_version(ssl) == TLS1_3_VERSION, SSL_get0_peer_certificate(ssl) != nil,
      SSL_get_verify_result(ssl) == Int(X509_V_OK)
    else { return try fail(.handshakeFailed("The server didn't prove its identity")) }
    guard protocols.isEmpty || selectedProtocol.map(protocols.contains) == true else {
      return try fail(.handshakeFailed("The server uses a different application protocol"))
    }
    isEstablished = true
  }

  private var selectedProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self) }
  }

  private func fail(_ failure: Failure) throws(Failure) {
    OpenSSL.shutDown(ssl)
    self.failure = failure
    throw failure
  }

  /// Records what the end of a call means.
  ///
  /// - Returns: Whether it is done.
  private func note(_ outcome: SSLOutcome) -> Bool {
    switch outcome {
    case .done, .waits: break
    case .ended: isEnded = true
    case .failed:
      failure = meaning()
      ERR_clear_error()
    }
    return outcome == .done
  }

  private func meaning() -> Failure {
    let code = ERR_peek_error()
    let text = OpenSSL.takeErrorText()
    guard !isEstablished else { return .interrupted(text) }
    guard ERR_GET_LIB(code) == ERR_LIB_SSL, ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED else {
      return .handshakeFailed(text)
    }
    if verification.isWrong { return .wrongCertificate }
    let result = Int32(truncatingIfNeeded: SSL_get_verify_result(ssl))
    switch result {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return .otherHost
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return .unknownAuthority
    default: return .invalidCertificate(CertificateRules.text(ofVerifyError: result))
    }
  }
}
