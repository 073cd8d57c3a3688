import Activity
import COpenSSL

/// One side's part in handshakes: what it shows, what it takes, and for what. Serves any number of sessions, one after
/// the other or at once, of one thread or queue.
package final class TLSContext {
  enum Role {
    case client(Credentials)
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
  package static func client(credentials: Credentials) throws(TLSError) -> TLSContext {
    let context = try SSLContext(TLS_client_method())
    try context.use(credentials)
    try context.offer(.peer)
    return TLSContext(role: .client(credentials), base: context)
  }

  /// Dials an administrator to join its team.
  ///
  /// - Parameters:
  ///   - keys: Of the invitation.
  ///   - serverNameKey: `K_invite`.
  package static func joining(_ keys: InvitationKeys, serverNameKey: [UInt8]) throws(TLSError) -> TLSContext {
    let context = try SSLContext(TLS_client_method())
    try context.offer(.join)
    guard SSL_CTX_set_ciphersuites(context.pointer, PreSharedKey.cipherSuite) == 1 else {
      throw .fromOpenSSL(doing: "Making a context")
    }
    SSL_CTX_set_psk_use_session_callback(context.pointer) { ssl, digest, identity, length, session in
      Handshake.of(ssl)?.offerPreSharedKey(ssl, digest: digest, identity: identity, length: length, session: session)
        ?? 0
    }
    return TLSContext(role: .joining(JoiningKeys(keys, serverNameKey: serverNameKey)), base: context)
  }

  /// Answers devices of several teams, and devices that join those that this one administers.
  ///
  /// - Parameters:
  ///   - credentials: One for each team.
  ///   - joinable: The teams that invitations may be for, with their `K_invite`.
  ///   - invitation: The pre-shared key (`K_psk`, 32 bytes) of a team's invitation by its identity, also of one that was
  ///     used or expired in the last 24 h; nil where there is none. Throws where that cannot be told. Called inside
  ///     ``TLSSession/receive(_:)``.
  ///   - usedNames: What refuses names that come twice, or late.
  package static func server(
    credentials: [Credentials],
    joinable: [(team: TeamID, serverNameKey: [UInt8])] = [],
    usedNames: UsedServerNames = UsedServerNames(),
    invitation: @escaping (_ team: TeamID, _ identity: [UInt8]) throws(Reason) -> [UInt8]? = { _, _ in nil }
  ) throws(TLSError) -> TLSContext {
    let base = try SSLContext(TLS_server_method())
    let served = try ServedTeams(
      credentials: credentials,
      joinable: joinable,
      usedNames: usedNames,
      invitation: invitation
    )
    // Both are taken from the first context, whichever is selected later.
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

  /// What a server makes of the first bytes of a connection, before anything is spent on it.
  package func greeting(_ bytes: [UInt8]) -> Greeting {
    guard case .server(let served) = role else { return .notTLS }
    switch ClientHello.serverName(in: bytes) {
    case .incomplete: return .incomplete
    case .malformed: return .notTLS
    case .absent: return .forNoTeam
    case .name(let name): return served.team(for: name).map { .forTeam(isReturning: $0.team.isReturning) } ?? .forNoTeam
    }
  }

  /// A new `SSL`, which the caller owns.
  func makeSSL() throws(TLSError) -> OpaquePointer {
    guard let ssl = SSL_new(base.pointer) else { throw .fromOpenSSL(doing: "Making a session") }
    return ssl
  }
}

/// The teams that a server answers for, each with a context of its own, so that each handshake sees one team's
/// certificates. A team is there once for each key that names are made with.
final class ServedTeams {
  struct Team {
    let id: TeamID
    let serverNameKey: [UInt8]
    /// The key never changes: devices that were removed have it.
    let isReturning: Bool
    let application: ApplicationProtocol
    let revocations: RevocationLists
    let context: SSLContext
  }

  let teams: [Team]
  let usedNames: UsedServerNames
  let invitation: (TeamID, [UInt8]) throws(Reason) -> [UInt8]?

  init(
    credentials: [Credentials],
    joinable: [(team: TeamID, serverNameKey: [UInt8])],
    usedNames: UsedServerNames,
    invitation: @escaping (TeamID, [UInt8]) throws(Reason) -> [UInt8]?
  ) throws(TLSError) {
    var teams: [Team] = []
    for credentials in credentials {
      let context = try SSLContext(TLS_server_method())
      try context.use(credentials)
      context.selectProtocol()
      for key in credentials.serverNameKeys {
        teams.append(
          Team(
            id: credentials.team,
            serverNameKey: key,
            isReturning: key == credentials.returnNameKey,
            application: .peer,
            revocations: credentials.revocations,
            context: context
          )
        )
      }
    }
    for (team, key) in joinable {
      let context = try SSLContext(TLS_server_method())
      context.selectProtocol()
      teams.append(
        Team(
          id: team,
          serverNameKey: key,
          isReturning: false,
          application: .join,
          revocations: RevocationLists(),
          context: context
        )
      )
    }
    self.teams = teams
    self.usedNames = usedNames
    self.invitation = invitation
  }

  /// The team that a name was made for.
  func team(for serverName: String) -> (team: Team, name: ServerName.Opened)? {
    for team in teams {
      if let name = ServerName.open(serverName, key: team.serverNameKey) { return (team, name) }
    }
    return nil
  }

  /// The same where the name is to be answered: a certificate is shown once for each, and soon after it was made. An
  /// invitation's name shows nothing, whatever its clock says.
  func answer(to serverName: String, toleratesClocks: Bool) -> Team? {
    guard let (team, name) = team(for: serverName),
      team.application == .join || usedNames.take(name, toleratesClocks: toleratesClocks)
    else { return nil }
    return team
  }
}
