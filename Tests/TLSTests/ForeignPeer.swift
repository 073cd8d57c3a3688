// SPDX-License-Identifier: Apache-2.0

import COpenSSL

@testable import TLS

/// A peer that is not ours: plain OpenSSL, which checks nothing and does what the test wants.
final class ForeignPeer {
  /// What it sends and shows. Except for the certificate, the defaults are those of a well-behaved peer.
  struct Behaviour {
    var certificate: Certificate?
    var key: PrivateKey?
    /// Certificates that are shown in addition to its own.
    var chain: [Certificate] = []
    var serverName: String?
    var protocols = ["baton/1"]
    var maximumVersion = TLS1_3_VERSION
    var groups = "X25519:P-256"
    var cipherSuites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// Keys that it names and uses as a client, no matter what it is asked for.
    var invitation: InvitationKeys?

    func showing(_ credentials: Credentials) -> Behaviour {
      var copy = self
      copy.certificate = credentials.certificate
      copy.key = credentials.key
      copy.serverName = ServerName.make(key: credentials.serverNameKey)
      return copy
    }
  }

  let ssl: OpaquePointer
  private let context: OpaquePointer
  private let joining: JoiningKeys?
  private(set) var error: String?

  init(_ behaviour: Behaviour, isServer: Bool) throws {
    OpenSSL.start()
    guard let context = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
      throw TLSError.fromOpenSSL(doing: "Testing")
    }
    self.context = context
    joining = behaviour.invitation.map { JoiningKeys($0, serverNameKey: []) }
    SSL_CTX_set_security_level(context, 0)
    baton_SSL_CTX_set_max_version(context, behaviour.maximumVersion)
    _ = baton_SSL_CTX_set1_groups_list(context, behaviour.groups)
    SSL_CTX_set_ciphersuites(context, behaviour.cipherSuites)
    if let certificate = behaviour.certificate, let key = behaviour.key {
      SSL_CTX_use_certificate(context, certificate.pointer)
      SSL_CTX_use_PrivateKey(context, key.pointer)
    }
    for certificate in behaviour.chain { baton_SSL_CTX_add1_chain_cert(context, certificate.pointer) }
    let list = behaviour.protocols.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
    if !list.isEmpty { SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) }
    if isServer, !list.isEmpty {
      SSL_CTX_set_alpn_select_cb(
        context,
        { _, selected, length, offered, _, _ in
          // Select the first of the protocols that are offered.
          guard let offered else { return SSL_TLSEXT_ERR_NOACK }
          selected?.pointee = offered + 1
          length?.pointee = offered.pointee
          return SSL_TLSEXT_ERR_OK
        },
        nil
      )
    }
    if joining != nil {
      // Also a client refuses a pre-shared key of another one.
      SSL_CTX_set_session_id_context(context, SSLContext.sessionContext, UInt32(SSLContext.sessionContext.count))
      SSL_CTX_set_psk_use_session_callback(context) { ssl, _, identity, length, session in
        guard let data = SSL_get_ex_data(ssl, 0) else { return 0 }
        let keys = Unmanaged<JoiningKeys>.fromOpaque(data).takeUnretainedValue()
        session?.pointee = PreSharedKey.makeEngine(key: keys.preSharedKey, for: ssl)
        identity?.pointee = UnsafePointer(keys.identity.baseAddress)
        length?.pointee = keys.identity.count
        return 1
      }
    }
    guard let ssl = SSL_new(context) else { throw TLSError.fromOpenSSL(doing: "Testing") }
    self.ssl = ssl
    if let joining { SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(joining).toOpaque()) }
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    if isServer { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
    if let name = behaviour.serverName { _ = baton_SSL_set_tlsext_host_name(ssl, name) }
    shakeHands()
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  var isFinished: Bool { SSL_is_init_finished(ssl) == 1 }

  func receive(_ bytes: [UInt8]) {
    BIO_write(SSL_get_rbio(ssl), bytes, Int32(bytes.count))
    shakeHands()
  }

  func takeOutput() -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 1024 * 1024)
    let count = BIO_read(SSL_get_wbio(ssl), &output, Int32(output.count))
    return Array(output.prefix(max(0, Int(count))))
  }

  func write(_ text: String) { SSL_write(ssl, text, Int32(text.utf8.count)) }

  func read() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = SSL_read(ssl, &buffer, Int32(buffer.count))
    if count <= 0 { note(count) }
    return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
  }

  private func shakeHands() {
    guard !isFinished else { return }
    ERR_clear_error()
    note(SSL_do_handshake(ssl))
  }

  private func note(_ result: Int32) {
    if result <= 0, SSL_get_error(ssl, result) == SSL_ERROR_SSL { error = OpenSSL.takeErrorText() }
  }

  /// Carries bytes until neither side has any left. As soon as the handshake is finished, the foreign peer writes the
  /// text.
  ///
  /// - Returns: The error that our side threw.
  func converse(with session: TLSEngine, saying text: String = "secret") -> TLSError? {
    var thrown: TLSError?
    var said = false
    while true {
      if isFinished, !said {
        said = true
        write(text)
      }
      let fromHere = takeOutput()
      let fromSession = session.takeOutput()
      if fromHere.isEmpty, fromSession.isEmpty { return thrown }
      receive(fromSession)
      do { try session.receive(fromHere) } catch { thrown = thrown ?? error as? TLSError }
    }
  }
}
