// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// What ``Membership`` tells the other parts.
@Loop
protocol MembershipHost: AnyObject {
  /// A team was added, removed or changed.
  func teamsChanged()
  /// There is a new code of a team.
  func invited(to team: TeamID)
  /// The last user of this machine has left a team.
  /// - Parameter isLeft: Whether a person wanted to leave it. Otherwise, another team has taken its place.
  func teamForgotten(_ team: TeamID, isLeft: Bool)
  /// A team has replaced one that will be forgotten next.
  func teamReplaced(_ old: TeamID, by team: TeamID)
  /// A team's key was unlocked.
  func keysUnlocked()
  /// Devices were removed from a team, by lists that are not on the disk yet.
  func devicesRemoved()
  /// The devices that are known to be admitted to a team may have changed.
  func devicesChanged(in team: TeamID)
  /// Where this machine meets a team has changed.
  func rendezvousChanged()
  /// A team has another discovery key, or its devices meet elsewhere.
  func rendezvousChanged(of team: TeamID)
}

/// This machine's teams, and the identity that they give it in handshakes.
@Loop
final class Membership {
  /// The devices that a list names.
  private struct Removal {
    let team: TeamID
    let devices: Set<DeviceID>
  }

  unowned let host: any MembershipHost
  /// What only reads is called here. What changes something is one of ``changes``.
  let store: TeamStore
  let changes: TeamChanges
  let log: Log
  /// Shared by all contexts, because adding or removing a team must not make a used name valid again.
  private let usedNames = UsedServerNames()
  /// The contexts by team and discovery key.
  private var clients: [TeamID: [[UInt8]: TLSContext]] = [:]
  /// Locks keys again.
  var lock: Timer?
  /// The devices that sessions have shown and that are not recorded yet.
  var met: [TeamID: [DeviceID: AdmittedDevice]] = [:]
  var metTimer: Timer?
  /// What valid lists name while they wait for their turn. It counts already.
  private var removals: [Int: Removal] = [:]
  private var lastRemoval = 0

  init(_ store: TeamStore, host: any MembershipHost, log: Log) {
    self.store = store
    self.host = host
    self.log = log
    changes = TeamChanges(store)
    store.onRevoked = { [weak self] team in Task { @Loop in self?.revocationsChanged(team) } }
    store.onDevicesChanged = { [weak self] team in Task { @Loop in self?.host.devicesChanged(in: team) } }
    lock = Timer { [unowned self] in keysOpened() }
    metTimer = Timer { [unowned self] in recordMet() }
  }

  static var now: Int64 { Int64(Time.now.date) }

  var teams: [Team] { store.teams }

  /// A user who owns the team.
  func owner(of team: TeamID) -> UserID? { (try? store.team(team))?.owners.first }

  /// This machine's Device ID in a team.
  func device(in team: TeamID) -> DeviceID? { (try? store.team(team))?.device }

  // MARK: Handshakes

  /// Nil if this machine is in no team.
  func serverContext() throws(TLSError) -> TLSContext? {
    guard !store.teams.isEmpty else { return nil }
    let credentials = store.teams.map(\.credentials)
    return try .server(
      credentials: credentials,
      joinable: store.joinable,
      usedNames: usedNames,
      hasInvitations: { [store] in store.hasInvitations($0, now: Self.now) },
      invitation: { [store] team, identity throws(Reason) in try store.invitationKey(of: team, identity: identity) }
    )
  }

  /// Whether machines that join the team are answered, even if only to say what has become of their code.
  func isInviting(to team: TeamID) -> Bool { store.hasInvitations(team, now: Self.now) }

  func credentials(in team: TeamID) -> Credentials? { (try? store.team(team))?.credentials }

  /// - Parameter discoveryKey: The key under which the device to dial was found; nil for the team's newest.
  func clientContext(_ team: TeamID, discoveryKey: [UInt8]?) -> TLSContext? {
    guard let credentials = credentials(in: team) else { return nil }
    let key = discoveryKey ?? credentials.discoveryKey
    if let context = clients[team]?[key] { return context }
    guard let credentials = try? credentials.using(discoveryKey: key),
      let context = try? TLSContext.client(credentials: credentials, usedNames: usedNames)
    else { return nil }
    clients[team, default: [:]][key] = context
    return context
  }

  // MARK: What users ask for

  func teams(of user: UInt32) -> [Team] { store.teams(of: user) }

  /// The teams that a user is told about and that cannot be used.
  func unusableTeams(of user: UInt32) -> [UnusableTeam] { store.unusable.filter { $0.concerns(user) } }

  /// Why nothing can be written to the state directory. Nil if it can, or if so many changes wait that this was not
  /// tried.
  func obstacle(for user: UserID) async -> StorageError? {
    let tried = try? await changes.make(for: .user(user)) { store throws(Reason) in store.obstacle() }
    return tried.flatMap { $0 }
  }

  /// The damage in the state directory that concerns the user.
  func damage(for user: UInt32) -> [String] { store.damage(for: user) }

  /// The files that could not be read and were renamed, if they concern the user.
  func setAside(for user: UInt32) -> [String] { store.setAside(for: user) }

  /// The team that a user means.
  ///
  /// - Parameter text: Its short ID or its name; nil for the only one.
  /// - Throws: `teamNotFound`, `teamAmbiguous`; `storageFailed` if it may be one that cannot be used.
  func team(_ text: String?, of user: UInt32) throws(Reason) -> Team {
    let teams = store.teams(of: user)
    guard let text else {
      guard let only = teams.first else { throw unusableTeams(of: user).isEmpty ? .teamNotFound : .storageFailed }
      guard teams.count == 1 else { throw .teamAmbiguous }
      return only
    }
    if let team = teams.first(where: { $0.id.description == text.uppercased() }) { return team }
    let named = teams.filter { $0.name.hasBytes(of: text) }
    guard let team = named.first else {
      let isUnusable = unusableTeams(of: user).contains { $0.isMeant(by: text) }
      throw isUnusable ? .storageFailed : .teamNotFound
    }
    // A team that cannot be used does not give its name away.
    let isTaken = unusableTeams(of: user).contains { $0.name?.hasBytes(of: text) ?? false }
    guard named.count == 1, !isTaken else { throw .teamAmbiguous }
    return team
  }

  func create(_ name: String, owner: UInt32, key: PassphraseKey? = nil) async throws(Reason) -> Team {
    checkClock()
    let now = Self.now
    let team = try await changes.make(for: .user(owner)) { store throws(Reason) in
      try store.create(name: name, owner: owner, key: key, now: now)
    }
    keysOpened()
    host.teamsChanged()
    return team
  }

  func leave(_ team: Team, user: UInt32) async throws(Reason) {
    try await changes.make(for: .user(user)) { store throws(Reason) in try store.leave(team.id, user: user) }
    forget(team, isLeft: true)
    host.teamsChanged()
  }

  private func forget(_ team: Team, isLeft: Bool = false) {
    guard !store.teams.contains(where: { $0.id == team.id }) else { return }
    clients[team.id] = nil
    host.teamForgotten(team.id, isLeft: isLeft)
  }

  func invite(to team: Team, by user: UInt32) async throws(Reason) -> (code: String, expires: Int64) {
    checkClock()
    let now = Self.now
    let invitation = try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.checkKey(of: team.id, for: user)
      return try store.invite(team.id, now: now)
    }
    host.invited(to: team.id)
    return (invitation.code.text, invitation.expires)
  }

  func redeem(_ identity: [UInt8], of team: TeamID, _ join: Join) async throws(Reason) -> Joined {
    let now = Self.now
    return try await changes.make(for: .daemon) { store throws(Reason) in
      try store.redeem(
        identity,
        of: team,
        request: join.request,
        name: join.device,
        nonce: join.nonce,
        certificate: join.certificate,
        now: now
      )
    }
  }

  /// - Parameter old: The team that the new one replaces.
  func complete(
    _ admitted: Joining.Admitted,
    code: InvitationCode,
    owner: UInt32,
    replacing old: Team?
  ) async throws(Reason) -> Team {
    let now = Self.now
    let team = try await changes.make(for: .user(owner)) { store throws(Reason) in
      try store.complete(
        admitted.joined,
        key: admitted.key,
        nonce: admitted.nonce,
        code: code,
        owner: owner,
        replacing: old?.id,
        now: now
      )
    }
    if let old { replaced(old, by: team) }
    host.teamsChanged()
    return team
  }

  // MARK: Renewed teams

  func renew(
    _ old: Team,
    user: UInt32,
    key: PassphraseKey?
  ) async throws(Reason) -> (team: Team, code: String, expires: Int64) {
    checkClock()
    let now = Self.now
    let renewed = try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.renew(old.id, user: user, key: key, now: now)
    }
    keysOpened()
    replaced(old, by: renewed.team)
    host.teamsChanged()
    return (renewed.team, renewed.code.text, renewed.expires)
  }

  /// Whether a code is for a team that was replaced by one that the user is in.
  func isReplaced(_ code: InvitationCode, for user: UInt32) -> Bool { store.isReplaced(code, for: user) }

  private func replaced(_ old: Team, by team: Team) {
    log.notice("A team was replaced", ["team": old.id.description, "by": team.id.description])
    if !store.teams.contains(where: { $0.id == old.id }) { host.teamReplaced(old.id, by: team.id) }
    forget(old)
  }

  /// Whether a user is in the team, with a certificate that does not expire soon. Then no code is needed.
  func isSettled(_ team: Team, for user: UInt32) -> Bool {
    team.owners.contains(user) && !team.credentials.certificate.isDue(now: Self.now)
  }

  func request(owner: UInt32) async throws(Reason) -> String {
    try await changes.make(for: .user(owner)) { store throws(Reason) in try store.request(owner: owner) }
  }

  func approve(_ request: String, in team: Team, by user: UInt32) async throws(Reason) -> String {
    checkClock()
    let now = Self.now
    return try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.checkKey(of: team.id, for: user)
      return try store.approve(request, in: team.id, now: now)
    }
  }

  func importApproval(_ approval: String, owner: UInt32) async throws(Reason) -> Team {
    let now = Self.now
    let team = try await changes.make(for: .user(owner)) { store throws(Reason) in
      try store.import(approval, owner: owner, now: now)
    }
    host.teamsChanged()
    return team
  }

  // MARK: Backups

  /// - Throws: `notPermitted` if the team also belongs to others, or the reason why a backup would be useless.
  func checkBackup(of team: Team, by user: UInt32) throws(Reason) {
    try store.checkBackup(of: team.id, by: user, now: Self.now)
  }

  func backUp(
    _ team: Team,
    by user: UInt32,
    machine: String,
    addresses: [String],
    key: PassphraseKey
  ) async throws(Reason) -> String {
    let (now, met) = (Self.now, met(in: team.id))
    return try await changes.make(for: .user(user)) { store throws(Reason) in
      try? store.learn(met: met, in: team.id)
      return try store.backUp(team.id, by: user, machine: machine, addresses: addresses, key: key, now: now)
    }
  }

  /// Returns the team that a backup would bring back, and what else is in the backup.
  func check(_ file: BackupFile, key: PassphraseKey, for user: UInt32) throws(Reason) -> (Team, TeamBackup) {
    let backup = try store.open(file, with: key)
    return (try store.check(backup, for: user, now: Self.now), backup)
  }

  func restore(_ file: BackupFile, key: PassphraseKey, for user: UInt32) async throws(Reason) -> (Team, TeamBackup) {
    let backup = try store.open(file, with: key)
    let now = Self.now
    let team = try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.restore(backup, for: user, now: now)
    }
    host.teamsChanged()
    return (team, backup)
  }

  /// Warns about a wrong clock. What is created is valid all the same, but this machine considers the certificates of
  /// others not yet valid.
  private func checkClock() {
    guard Self.now < Authority.earliest else { return }
    log.warning("This machine's clock is far behind. Set it", ["seconds": "\(Self.now)"])
  }

  // MARK: Revocation

  func isRevoked(_ peer: PeerID) -> Bool {
    revocations(of: peer.team).names(peer.device)
      || removals.values.contains { $0.team == peer.team && $0.devices.contains(peer.device) }
  }

  /// The revocation lists of a team that this machine holds.
  func revocations(of team: TeamID) -> RevocationLists { credentials(in: team)?.revocations ?? RevocationLists() }

  /// - Throws: `notAdministrator`.
  func devices(of team: Team) throws(Reason) -> [AdmittedDevice] {
    try store.devices(of: team.id, meeting: met(in: team.id))
  }

  /// - Throws: `notAdministrator`, `limitReached`.
  func revoke(_ device: DeviceID, of team: Team, by user: UInt32) async throws(Reason) {
    let (now, met) = (Self.now, met(in: team.id))
    try await changes.make(for: .user(user)) { store throws(Reason) in
      try store.checkKey(of: team.id, for: user)
      try? store.learn(met: met, in: team.id)
      try store.revoke(device, of: team.id, now: now)
    }
    revocationsChanged(team.id)
  }

  /// Takes a list that a peer sent, if it is newer or names other devices. `known` is called before
  /// ``MembershipHost/teamsChanged()``.
  ///
  /// - Throws: `certificateInvalid` if the team's authority has not signed it.
  func take(_ message: Revocations, from peer: PeerID, known: (RevocationLists) -> Void) async throws(Reason) {
    let (now, team) = (Self.now, peer.team)
    let held = revocations(of: team)
    // Any member can say again what this machine knows.
    if held.all.contains(where: { $0.list.der == message.list && $0.discoveryKey == message.discoveryKey }) {
      return known(held)
    }
    let list = try store.revocationList(message.list, discoveryKey: message.discoveryKey, of: team)
    let removal = Removal(team: team, devices: Set(list.entries.map(\.device)))
    lastRemoval &+= 1
    let number = lastRemoval
    removals[number] = removal
    defer { removals[number] = nil }
    if !removal.devices.isSubset(of: held.devices) { host.devicesRemoved() }
    _ = try await changes.make(for: .peer(peer)) { store throws(Reason) in
      try store.take(message.list, discoveryKey: message.discoveryKey, of: team, now: now)
    }
    known(revocations(of: team))
  }

  func revocationsChanged(_ team: TeamID) {
    let lists = revocations(of: team)
    log.notice(
      "Machines were removed from a team",
      [
        "team": team.description, "list": "\(lists.number)", "devices": "\(lists.entries.count)",
        "last": lists.entries.last?.device.description ?? "",
      ]
    )
    changed(team)
    host.rendezvousChanged(of: team)
  }

  /// Called when what handshakes show and accept has changed.
  func changed(_ team: TeamID) {
    clients[team] = nil
    host.teamsChanged()
  }
}
