// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

/// The teams that a server answers for. Each has its own context, so that each handshake sees the certificates of only
/// one team. A team is listed once for each key that its names are made with.
final class ServedTeams {
  struct Team {
    let id: TeamID
    let serverNameKey: [UInt8]
    let client: ClientClaim
    let revocations: RevocationLists
    let context: SSLContext
    /// Which of the team's devices this machine is; nil if it shows no certificate.
    let device: DeviceID?

    var application: ApplicationProtocol { client == .joining ? .join : .peer }
  }

  private let teams: [Team]
  private let usedNames: UsedServerNames
  private let hasInvitations: (TeamID) -> Bool
  let invitation: (TeamID, [UInt8]) throws(Reason) -> [UInt8]?

  init(
    credentials: [Credentials],
    joinable: [(team: TeamID, serverNameKey: [UInt8])],
    usedNames: UsedServerNames,
    hasInvitations: @escaping (TeamID) -> Bool,
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
            client: Self.claim(of: key, credentials),
            revocations: credentials.revocations,
            context: context,
            device: credentials.device
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
          client: .joining,
          revocations: RevocationLists(),
          context: context,
          device: nil
        )
      )
    }
    self.teams = teams
    self.usedNames = usedNames
    self.hasInvitations = hasInvitations
    self.invitation = invitation
  }

  /// What a client claims to be if its name was made with a key.
  private static func claim(of key: [UInt8], _ credentials: Credentials) -> ClientClaim {
    switch key {
    case credentials.serverNameKey: .member
    case credentials.returnNameKey: .returning
    default: .outdated
    }
  }

  /// The team that a name was made for.
  func team(for serverName: String) -> (team: Team, name: ServerName.Opened)? {
    for team in teams {
      guard let name = ServerName.open(serverName, as: team.device, key: team.serverNameKey) else { continue }
      return team.client != .joining || hasInvitations(team.id) ? (team, name) : nil
    }
    return nil
  }

  /// Returns the team that a name was made for, if the name must be answered: only once, and only soon after it was
  /// made. The clock of a joining machine may show any time.
  func answer(to serverName: String, toleratesClocks: Bool, isOwn: Bool) -> Team? {
    guard let (team, name) = team(for: serverName),
      usedNames.take(name, as: team.client, toleratesClocks: toleratesClocks || team.client == .joining, isOwn: isOwn)
    else { return nil }
    return team
  }
}
