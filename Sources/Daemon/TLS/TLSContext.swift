// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// One side's part in handshakes: what it shows, what it accepts, and for what. It serves any number of sessions, one
/// after the other or at the same time, on one thread or queue.
package final class TLSContext {
  enum Role {
    case client(Credentials, UsedServerNames)
    case joining(JoiningKeys)
    case server(ServedTeams)
  }

  let role: Role
  private let base: SSLContext

  private init(role: Role, base: SSLContext) {
    self.role = role
    self.base = base
  }

  /// Dials devices of the team of `credentials`.
  ///
  /// - Parameter usedNames: Shared with this machine's server, which then refuses names that this client sent to
  ///   others.
  package static func client(
    credentials: Credentials,
    usedNames: UsedServerNames = UsedServerNames()
  ) throws(TLSError) -> TLSContext {
    let context = try SSLContext(TLS_client_method())
    try context.use(credentials)
    try context.offer(.peer)
    return TLSContext(role: .client(credentials, usedNames), base: context)
  }

  /// Dials an administrator to join its team.
  ///
  /// - Parameters:
  ///   - keys: The keys of the invitation.
  ///   - serverNameKey: `K_invite`.
  package static func joining(_ keys: InvitationKeys, serverNameKey: [UInt8]) throws(TLSError) -> TLSContext {
    let context = try SSLContext(TLS_client_method())
    try context.offer(.join)
    guard SSL_CTX_set_ciphersuites(context.pointer, PreSharedKey.cipherSuite) == 1 else {
      throw .fromOpenSSL(doing: "Creating a context")
    }
    SSL_CTX_set_psk_use_session_callback(context.pointer) { ssl, digest, identity, length, session in
      Handshake.of(ssl)?.offerPreSharedKey(ssl, digest: digest, identity: identity, length: length, session: session)
        ?? 0
    }
    return TLSContext(role: .joining(JoiningKeys(keys, serverNameKey: serverNameKey)), base: context)
  }

  /// Answers devices of several teams, and devices that join those teams that this device administers.
  ///
  /// - Parameters:
  ///   - credentials: One for each team.
  ///   - joinable: The teams that invitations may be for, with their `K_invite`.
  ///   - hasInvitations: Whether a team has any. A team that has none looks like an unknown one. Called within
  ///     ``greeting(_:)`` and ``TLSEngine/receive(_:)``.
  ///   - invitation: Returns the pre-shared key (`K_psk`, 32 bytes) of a team's invitation by its identity, even if it
  ///     was used or has expired in the last 24 h; nil if there is none. Throws if this cannot be determined. Called
  ///     within ``TLSEngine/receive(_:)``.
  ///   - usedNames: Refuses names that arrive twice, or late.
  package static func server(
    credentials: [Credentials],
    joinable: [(team: TeamID, serverNameKey: [UInt8])] = [],
    usedNames: UsedServerNames = UsedServerNames(),
    hasInvitations: @escaping (_ team: TeamID) -> Bool = { _ in true },
    invitation: @escaping (_ team: TeamID, _ identity: [UInt8]) throws(Reason) -> [UInt8]? = { _, _ in nil }
  ) throws(TLSError) -> TLSContext {
    let base = try SSLContext(TLS_server_method())
    let served = try ServedTeams(
      credentials: credentials,
      joinable: joinable,
      usedNames: usedNames,
      hasInvitations: hasInvitations,
      invitation: invitation
    )
    // OpenSSL takes both from the first context, whichever context is selected later.
    SSL_CTX_set_client_hello_cb(
      base.pointer,
      { ssl, alert, _ in
        Handshake.of(ssl)?.select(ssl, alert: alert) ?? SSL_CLIENT_HELLO_ERROR
      },
      nil
    )
    SSL_CTX_set_psk_find_session_callback(base.pointer) { ssl, identity, length, session in
      let identity = Array(UnsafeBufferPointer(start: identity, count: length))
      return Handshake.of(ssl)?.findPreSharedKey(ssl, identity: identity, session: session) ?? 0
    }
    return TLSContext(role: .server(served), base: base)
  }

  /// Judges the first bytes of a connection for a server, before anything is spent on it.
  package func greeting(_ bytes: [UInt8]) -> Greeting {
    guard case .server(let served) = role else { return .notTLS }
    switch ClientHello.read(bytes) {
    case .incomplete: return .incomplete
    case .malformed: return .notTLS
    case .said(let name, let isOfOtherVersion):
      if let found = name.flatMap(served.team(for:)) { return .forTeam(found.team.client) }
      return isOfOtherVersion ? .ofOtherVersion : .forNoTeam
    }
  }

  /// Makes an `SSL`, which the caller owns.
  func makeSSL() throws(TLSError) -> OpaquePointer {
    guard let ssl = SSL_new(base.pointer) else { throw .fromOpenSSL(doing: "Creating a session") }
    return ssl
  }
}
