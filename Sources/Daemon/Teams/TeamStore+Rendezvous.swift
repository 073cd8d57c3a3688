// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

/// Where the devices of a team meet if they share no network.
extension TeamStore {
  // MARK: On every machine

  /// Takes what an administrator's machine has made for this device, if it is newer than what is here.
  ///
  /// - Returns: Whether it has replaced what was here.
  /// - Throws: `teamNotFound`, `storageFailed`.
  package func take(_ access: RendezvousAccess, of id: TeamID) throws(Reason) -> Bool {
    let team = try team(id)
    var access = access
    if let before = team.rendezvous {
      guard access.version >= before.version else { return false }
      // What makes users is told only to administrators.
      if access.account == nil, access.servers == before.servers { access.account = before.account }
      guard access != before, !Self.isRepeated(access, before) else { return false }
    }
    try keep(access, of: team)
    return true
  }

  /// Whether an administrator has only signed the same again. A new token is a reason to connect anew, so it must be
  /// worth it.
  private static func isRepeated(_ access: RendezvousAccess, _ before: RendezvousAccess) -> Bool {
    guard let user = access.user, let old = before.user, user.seed == old.seed else { return false }
    var other = access
    other.user = old
    return other == before && user.expires - old.expires < Authority.renewalTime / 4
  }

  // MARK: On an administrator's machine

  /// Makes what another device of the team needs. The result is nil if the team meets nowhere.
  ///
  /// - Parameters:
  ///   - isAdministrator: Whether the device can make it for others, too.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `certificateRevoked`.
  package func rendezvous(
    for device: DeviceID,
    isAdministrator: Bool,
    in id: TeamID,
    now: Int64
  ) throws(Reason) -> RendezvousAccess? {
    let team = try team(id)
    guard let own = team.rendezvous else { return nil }
    guard team.isAdministrator else { throw .notAdministrator }
    guard !team.credentials.revocations.names(device) else { throw .certificateRevoked }
    var access = own
    if let account = own.account {
      access.user = try storing { try user(device, of: team, account, now: now) }
    } else if !own.servers.isEmpty {
      throw .notAdministrator
    }
    if !isAdministrator { access.account = nil }
    return access
  }

  /// This machine may not know yet what makes users. If so, the result is nil, and another administrator's
  /// machine tells the device later.
  func rendezvous(forNew device: DeviceID, in team: Team, now: Int64) throws(Reason) -> RendezvousAccess? {
    do {
      return try rendezvous(for: device, isAdministrator: false, in: team.id, now: now)
    } catch .notAdministrator {
      return nil
    }
  }

  /// Renews what lets this machine in, after a new discovery key or in time.
  ///
  /// - Returns: Whether it has changed.
  package func renewOwnRendezvous(of id: TeamID, now: Int64) -> Bool {
    guard let team = try? team(id), var access = team.rendezvous, let account = access.account, !access.servers.isEmpty
    else { return false }
    guard !isCurrent(access.user, of: team, now: now) else { return false }
    do {
      access.user = try user(team.device, of: team, account, now: now)
      try keep(access, of: team)
      return true
    } catch {
      return false
    }
  }

  /// Whether what lets this machine in is for the team's newest discovery key, and ends late enough.
  package func isCurrent(_ user: RendezvousAccess.User?, of team: Team, now: Int64) -> Bool {
    guard let user else { return false }
    guard user.expires - now > Authority.renewalTime || user.expires >= team.expires else { return false }
    guard let account = team.rendezvous?.account else { return true }
    let seed = RendezvousKeys.userSeed(
      of: team.device,
      discoveryKey: team.credentials.discoveryKey,
      account: account.seed
    )
    return user.seed == seed
  }

  private func user(
    _ device: DeviceID,
    of team: Team,
    _ account: RendezvousAccess.Account,
    now: Int64
  ) throws(TLSError) -> RendezvousAccess.User {
    let discoveryKey = team.credentials.discoveryKey
    let seed = RendezvousKeys.userSeed(of: device, discoveryKey: discoveryKey, account: account.seed)
    let name = RendezvousKeys.name(of: device, discoveryKey: discoveryKey)
    let expires = now + Authority.deviceValidity
    let token = NATSToken(
      RendezvousSubject.rights(name),
      name: name,
      subject: try PrivateKey(seed: seed).rawPublicKey,
      issued: now,
      expires: expires
    )
    return RendezvousAccess.User(
      token: try RendezvousSigner(seed: account.seed).sign(token),
      seed: seed,
      expires: expires
    )
  }

  /// Replaces where the team meets.
  ///
  /// - Parameter replacesServers: Whether nothing remains of the servers where it meets now. Otherwise, this machine
  ///   must know what makes users for them.
  /// - Throws: `teamNotFound`, `notAdministrator`, `storageFailed`.
  package func setRendezvous(
    of id: TeamID,
    replacesServers: Bool = false,
    now: Int64,
    _ change: (inout RendezvousAccess) throws -> Void
  ) throws(Reason) -> RendezvousAccess {
    let team = try administered(id)
    // A machine that was promoted lately learns from another administrator's machine what makes users.
    let isComplete = team.rendezvous.map { $0.servers.isEmpty || $0.account != nil } ?? true
    guard isComplete || replacesServers else { throw .notAdministrator }
    return try storing {
      var access = team.rendezvous ?? RendezvousAccess(version: 0)
      try change(&access)
      // Greater than before, even if the clock was set back.
      access.version = max(now * 1000, access.version + 1)
      access.user =
        if let account = access.account, !access.servers.isEmpty {
          try user(team.device, of: team, account, now: now)
        } else {
          nil
        }
      try keep(access, of: team)
      return access
    }
  }

  /// What the servers must know of the team. The result is nil if this machine does not run them.
  ///
  /// - Throws: `teamNotFound`, `internalFailure`.
  package func rendezvousAccount(of id: TeamID, now: Int64) throws(Reason) -> ServerAccount? {
    let team = try team(id)
    guard let account = team.rendezvous?.account, let `operator` = account.operator else { return nil }
    return try storing {
      ServerAccount(
        key: try PrivateKey(seed: account.seed).rawPublicKey,
        revoked: try revokedUsers(of: team, account, now: now).revocations,
        operator: `operator`
      )
    }
  }

  func revokedUsers(
    of team: Team,
    _ account: RendezvousAccess.Account,
    now: Int64
  ) throws(TLSError) -> RevokedUsers {
    let credentials = team.credentials
    return try RevokedUsers(
      credentials.revocations.entries,
      discoveryKeys: [credentials.discoveryKey] + credentials.previousKeys,
      account: account.seed,
      now: now
    )
  }

  private func keep(_ access: RendezvousAccess, of team: Team) throws(Reason) {
    try storing {
      try files(of: team).replace(access)
      replace(team.with(access))
    }
  }
}
