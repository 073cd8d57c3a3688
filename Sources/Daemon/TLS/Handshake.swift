// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The decisions of one handshake, for which OpenSSL's callbacks ask.
final class Handshake {
  let context: TLSContext
  /// The device that was dialled; nil for any device of the team.
  let expecting: DeviceID?
  /// Whether a client asks for the team with the name that never changes (`K_return`).
  private let isReturning: Bool
  /// What a client adds to this machine's clock to get the time of the other side's clock, in seconds.
  private let clockOffset: Int64
  /// Whether a server accepts any time on the client's clock.
  private let toleratesClocks: Bool
  /// Whether a server's client is on this machine.
  private let isOwn: Bool
  private(set) var team: TeamID?
  /// The devices of the team that must be refused.
  private(set) var revocations = RevocationLists()
  private(set) var application = ApplicationProtocol.peer
  /// The one identity that was looked up, and its key. Others are not looked up, because a ClientHello can name
  /// hundreds and each lookup reads the disk.
  private var lookedFor: (identity: [UInt8], key: [UInt8]?)?
  /// The invitation whose key a joining device has proved to have.
  private(set) var invitation: [UInt8]?
  /// Why this side has refused; nil if it has not.
  private(set) var objection: TLSError?
  private var secrets: (client: [UInt8], server: [UInt8]) = ([], [])

  init(
    context: TLSContext,
    expecting: DeviceID?,
    isReturning: Bool,
    clockOffset: Int64,
    toleratesClocks: Bool,
    isOwn: Bool
  ) {
    self.context = context
    self.expecting = expecting
    self.isReturning = isReturning
    self.clockOffset = clockOffset
    self.toleratesClocks = toleratesClocks
    self.isOwn = isOwn
    switch context.role {
    case .client(let credentials, _):
      team = credentials.team
      revocations = credentials.revocations
    case .joining: application = .join
    case .server: break
    }
  }

  deinit { wipeSecrets() }

  func refuse(_ objection: TLSError) { self.objection = objection }

  /// Keeps the traffic secrets among what OpenSSL tells (`SSL_CTX_set_keylog_callback`): a label, the client's random
  /// bytes and the secret in hexadecimal digits.
  func take(keyLine line: UnsafePointer<CChar>) {
    // Not a `String`: nothing would wipe it.
    var length = 0
    while line[length] != 0 { length += 1 }
    let words = UnsafeRawBufferPointer(start: line, count: length).split(separator: UInt8(ascii: " "))
    guard words.count == 3 else { return }
    if words[0].elementsEqual("CLIENT_TRAFFIC_SECRET_0".utf8) { secrets.client = Self.bytes(ofDigits: words[2]) }
    if words[0].elementsEqual("SERVER_TRAFFIC_SECRET_0".utf8) { secrets.server = Self.bytes(ofDigits: words[2]) }
  }

  private static func bytes(ofDigits digits: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: digits.count / 2)
    for (position, digit) in digits.enumerated() where position / 2 < bytes.count {
      // OpenSSL writes small letters.
      let value = digit >= UInt8(ascii: "a") ? digit &- UInt8(ascii: "a") &+ 10 : digit &- UInt8(ascii: "0")
      bytes[position / 2] = bytes[position / 2] << 4 | value & 0xF
    }
    return bytes
  }

  private func wipeSecrets() {
    OPENSSL_cleanse(&secrets.client, secrets.client.count)
    OPENSSL_cleanse(&secrets.server, secrets.server.count)
    secrets = ([], [])
  }

  /// Makes the records of the session that has just been established, and forgets its secrets.
  func makeRecords(_ ssl: OpaquePointer) throws(TLSError) -> RecordLayer {
    // While the ciphers share the memory, this wipes a copy. They wipe the memory itself.
    defer { wipeSecrets() }
    let number = SSL_CIPHER_get_protocol_id(SSL_get_current_cipher(ssl))
    guard let suite = CipherSuite(rawValue: number), !secrets.client.isEmpty, !secrets.server.isEmpty else {
      throw TLSError(.internalFailure, "OpenSSL gave no secrets for cipher suite \(number)")
    }
    return try RecordLayer(suite, secrets: secrets, isServer: isServer, application: application)
  }

  /// Returns the handshake of an `SSL`, which borrows it.
  static func of(_ ssl: OpaquePointer?) -> Handshake? {
    SSL_get_ex_data(ssl, 0).map { Unmanaged<Handshake>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the handshake that an `X509_STORE_CTX` verifies for.
  static func verifying(_ context: OpaquePointer?) -> Handshake? {
    guard let ssl = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()) else { return nil }
    return of(OpaquePointer(ssl))
  }

  var isServer: Bool { if case .server = context.role { true } else { false } }

  /// Sets the role, and the server name that a client sends.
  func start(_ ssl: OpaquePointer) throws(TLSError) {
    let key: [UInt8]
    let nonce = SystemRandom.bytes(ServerName.nonceLength)
    switch context.role {
    case .client(let credentials, let usedNames):
      key = isReturning ? credentials.returnNameKey : credentials.serverNameKey
      // A name for any device of the team would be valid on this device, too.
      if expecting == nil { usedNames.made(nonce) }
    case .joining(let keys): key = keys.serverNameKey
    case .server:
      SSL_set_accept_state(ssl)
      return
    }
    SSL_set_connect_state(ssl)
    let name = ServerName.make(nonce: nonce, time: ServerName.now &+ clockOffset, for: expecting, key: key)
    guard baton_SSL_set_tlsext_host_name(ssl, name) == 1 else { throw .fromOpenSSL(doing: "Setting a server name") }
  }

  /// Selects the team that a client asks for, before anything about any team is sent (`SSL_CTX_set_client_hello_cb`). A
  /// ClientHello after a HelloRetryRequest no longer selects anything.
  func select(_ ssl: OpaquePointer?, alert: UnsafeMutablePointer<Int32>?) -> Int32 {
    guard case .server(let served) = context.role else { return SSL_CLIENT_HELLO_ERROR }
    if team == nil {
      guard let name = ClientHello.serverName(ssl),
        let selected = served.answer(to: name, toleratesClocks: toleratesClocks, isOwn: isOwn)
      else {
        // Strangers get the same alert whatever they speak.
        objection =
          ClientHello.isOfOtherVersion(ssl)
          ? TLSError(.versionMismatch, "The client has a different version, whose server name is unknown")
          : TLSError(.otherTeam, "The server name belongs to no team on this machine")
        alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
        return SSL_CLIENT_HELLO_ERROR
      }
      guard SSL_set_SSL_CTX(ssl, selected.context.pointer) != nil else { return SSL_CLIENT_HELLO_ERROR }
      team = selected.id
      revocations = selected.revocations
      application = selected.application
    }
    // Without the extension, OpenSSL would continue without a protocol.
    guard ClientHello.hasProtocols(ssl) else {
      objection = TLSError(.notTLS, "No application protocol")
      alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
      return SSL_CLIENT_HELLO_ERROR
    }
    return SSL_CLIENT_HELLO_SUCCESS
  }

  /// Finds the key of the invitation that a client names (`SSL_CTX_set_psk_find_session_callback`). If there is none,
  /// the handshake continues, finds no certificate in this context, and ends with `handshake_failure`. If the lookup
  /// fails, the handshake ends with `internal_error`.
  func findPreSharedKey(
    _ ssl: OpaquePointer?,
    identity: [UInt8],
    session: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    session?.pointee = nil
    guard case .server(let served) = context.role, application == .join, let team else { return 1 }
    // After a HelloRetryRequest, the client names it again.
    if lookedFor == nil, identity.count == InvitationKeys.identityLength {
      do throws(Reason) { lookedFor = (identity, try served.invitation(team, identity)) } catch {
        objection = TLSError(error, "The invitation couldn't be looked up")
        return 0
      }
    }
    guard let lookedFor, lookedFor.identity == identity, let key = lookedFor.key else {
      objection = TLSError(.invitationUnknown, "The invitation is unknown")
      return 1
    }
    guard let made = PreSharedKey.makeEngine(key: key, for: ssl) else { return 0 }
    session?.pointee = made
    objection = nil
    invitation = identity
    return 1
  }

  /// Offers the key of this side's invitation (`SSL_CTX_set_psk_use_session_callback`).
  func offerPreSharedKey(
    _ ssl: OpaquePointer?,
    digest: OpaquePointer?,
    identity: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    length: UnsafeMutablePointer<Int>?,
    session: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    session?.pointee = nil
    guard case .joining(let keys) = context.role else { return 0 }
    // After a HelloRetryRequest, the digest is known. The key cannot be used with any other digest.
    guard digest == nil || EVP_MD_get_type(digest) == NID_sha256 else { return 1 }
    guard let made = PreSharedKey.makeEngine(key: keys.preSharedKey, for: ssl) else { return 0 }
    identity?.pointee = UnsafePointer(keys.identity.baseAddress)
    length?.pointee = keys.identity.count
    session?.pointee = made
    return 1
  }
}
