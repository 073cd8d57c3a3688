// SPDX-License-Identifier: Apache-2.0

import Activity
import Synchronization
import TLS

/// The teams of this machine, as they are on its disk. The caller decides who may call what.
///
/// Every change is on the disk when its method returns, and in memory only then. So a change blocks for as long as the
/// disk takes, which is seconds if it is slow. Make all changes on one thread or queue. What only reads can be called
/// on any thread. It waits for no change, and sees the last one that was made.
///
/// All methods throw `storageFailed` if a file cannot be read or written, and log why.
// Unchecked: `log` and `uptime` are called on each thread that uses the store, and must be made for that. What changes
// after the start is in `memory`.
package final class TeamStore: @unchecked Sendable {
  /// The rate of log lines about requests, approvals and backups that were refused. Any user can submit some.
  private static let refusedFileLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)

  /// What changes. Only the thread that changes the files replaces a part of it that depends on what was there.
  struct Memory: Sendable {
    var teams: [TeamID: Team] = [:]
    /// When the invitations of a team can no longer be asked for, in seconds since 1970.
    var invitationsEnd: [TeamID: Int64] = [:]
    /// The open keys of teams whose keys are sealed.
    var openedKeys: [TeamID: OpenedKey] = [:]
    /// The list of a team's devices, as it was read from a file with this stamp.
    var devices: [TeamID: (stamp: FileStamp, list: [AdmittedDevice])] = [:]
    var refusalLines = LineLimit(TeamStore.refusedFileLogRate, at: TeamStore.start)
  }

  let directory: String
  let secrets: SecretFiles
  let log: (String) -> Void
  /// How long the machine has been running, in seconds, including sleep.
  let uptime: () -> Int64
  /// Which start of the machine this is.
  let boot: String
  let memory = Mutex(Memory())
  /// Called when something has become known about other devices of a team, for example that they were admitted, on the
  /// thread that changes the files. Set it before the first change.
  package var onDevicesChanged: (@Sendable (TeamID) -> Void)?
  /// The same, when revocation lists of a peer count, before they are written.
  package var onRevoked: (@Sendable (TeamID) -> Void)?
  /// The teams whose files exist and cannot be used.
  package let unusable: [UnusableTeam]
  /// When the machine started: lines are counted by ``uptime``.
  private static let start = ContinuousClock.now

  private var teamsPath: String { StoredTeams.teamsPath(in: directory) }
  var pendingPath: String { StoredTeams.pendingPath(in: directory) }

  /// The store of teams that were read. It does nothing; see ``open(directory:secrets:now:log:uptime:boot:)``.
  private init(
    _ stored: StoredTeams,
    log: @escaping (String) -> Void,
    uptime: @escaping () -> Int64,
    boot: String
  ) {
    (directory, secrets, unusable) = (stored.directory, stored.secrets, stored.unusable)
    (self.log, self.uptime, self.boot) = (log, uptime, boot)
    memory.withLock { $0.teams = stored.teams }
  }

  /// Loads all teams, and then does what an earlier process has left undone. The teams that cannot be loaded are
  /// logged, and are ``unusable``. What cannot be done is logged, too, and does not keep teams from being used.
  ///
  /// - Parameters:
  ///   - directory: Created if it does not exist; its parent must exist. Nobody else writes to it.
  ///   - secrets: How to seal secrets. Secrets that are not sealed in this way are rewritten.
  ///   - now: Seconds since 1970.
  ///   - log: Receives sentences for the journal.
  ///   - uptime: How long the machine has been running, in seconds.
  ///   - boot: Which start of the machine this is.
  package static func open(
    directory: String,
    secrets: SecretFiles = SecretFiles(),
    now: Int64,
    log: @escaping (String) -> Void = { _ in },
    uptime: @escaping () -> Int64 = SystemUptime.seconds,
    boot: String = SystemUptime.boot
  ) throws(Reason) -> TeamStore {
    let stored = try storing(log) { try StoredTeams(in: directory, secrets, log) }
    let store = TeamStore(stored, log: log, uptime: uptime, boot: boot)
    store.finishWhatWasBegun(now: now)
    return store
  }

  /// Leaves teams that were replaced, forgets old invitations, merges revocation lists and renews certificates.
  private func finishWhatWasBegun(now: Int64) {
    leaveReplaced()
    // A fault in one team's invitations is logged. It must not keep the other teams from loading.
    for team in teams where team.isAdministrator { try? forgetInvitations(of: team, now: now) }
    for team in teams {
      uniteRevocations(of: team, now: now)
      renewOwnCertificate(of: team.id, now: now)
    }
  }

  // MARK: Memory

  private var teamsByID: [TeamID: Team] {
    get { memory.withLock { $0.teams } }
    set { memory.withLock { $0.teams = newValue } }
  }

  var invitationsEnd: [TeamID: Int64] {
    get { memory.withLock { $0.invitationsEnd } }
    set { memory.withLock { $0.invitationsEnd = newValue } }
  }

  var openedKeys: [TeamID: OpenedKey] { memory.withLock { $0.openedKeys } }

  /// Forgets a team that is no longer on the disk.
  private func forget(_ id: TeamID) {
    memory.withLock { memory in
      memory.teams[id] = nil
      memory.openedKeys[id] = nil
      memory.invitationsEnd[id] = nil
      memory.devices[id] = nil
    }
  }

  // MARK: Teams

  /// All teams, the oldest first.
  package var teams: [Team] { teamsByID.values.sorted { ($0.created, $0.name) < ($1.created, $1.name) } }

  /// The teams of a user, the oldest first; all of them for root.
  package func teams(of uid: UInt32) -> [Team] { teams.filter { $0.belongs(to: uid) } }

  /// - Throws: `teamNotFound`.
  package func team(_ id: TeamID) throws(Reason) -> Team {
    guard let team = teamsByID[id] else { throw .teamNotFound }
    return team
  }

  /// The teams to which this machine can admit others, with their `K_invite`, for `TLSContext.server`.
  package var joinable: [(team: TeamID, serverNameKey: [UInt8])] {
    teams.filter(\.canAdminister).map { ($0.id, InvitationCode.serverNameKey(for: $0.id)) }
  }

  // MARK: Creating and leaving

  /// Makes a team, with this machine as its administrator.
  ///
  /// - Parameters:
  ///   - owner: The user who owns it.
  ///   - key: The key of a passphrase, which seals the team's key; nil for no passphrase.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNameInvalid`, `teamLimitReached`.
  package func create(
    name: String,
    owner: UInt32,
    key passphrase: PassphraseKey? = nil,
    now: Int64
  ) throws(Reason) -> Team {
    guard Team.isName(name) else { throw .teamNameInvalid }
    try checkLimit(for: owner)
    return try storing {
      let authority = try Authority.make(now: now)
      let key = try PrivateKey.make()
      let credentials = try Credentials(
        key: key,
        certificate: authority.sign(CertificateRequest.make(for: key), isAdministrator: true, now: now),
        authority: authority.certificate,
        discoveryKey: SystemRandom.bytes(Sealer.keyLength)
      )
      let description = TeamDescription(name: name, owners: [owner], created: now)
      let stored = try authority.stored(with: passphrase)
      let team = try install(credentials, description: description, authorityKey: stored)
      if passphrase != nil { open(authority, of: team, for: owner, Limits.unlockTime) }
      return team
    }
  }

  /// Makes a user leave a team. When its last user or root leaves, the team and its keys are deleted.
  ///
  /// - Throws: `teamNotFound`.
  package func leave(_ id: TeamID, user: UInt32) throws(Reason) {
    let team = try team(id)
    guard team.belongs(to: user) else { throw .teamNotFound }
    try leave(team, users: user == 0 ? Set(team.owners) : [user])
  }

  func leave(_ team: Team, users: Set<UInt32>) throws(Reason) {
    let others = team.owners.filter { !users.contains($0) }
    // The keys belong to the other users, too.
    guard others.isEmpty else {
      return try storing { _ = try set(owners: others, replaces: team.replaces, of: team) }
    }
    let path = files(of: team).path
    try storing {
      // Rename the directory first, because the next start must not find half a team.
      let gone = Files.temporaryPath(in: teamsPath)
      try Files.move(path, to: gone)
      do {
        try Files.synchronize(teamsPath)
      } catch {
        try Files.move(gone, to: path)
        throw error
      }
      forget(team.id)
      Files.remove(gone)
    }
  }

  // MARK: For the other files of this type

  func files(of team: Team) -> TeamDirectory {
    teamDirectory("\(teamsPath)/\(Hexadecimal.encode(team.id.bytes))")
  }

  private func teamDirectory(_ path: String) -> TeamDirectory { TeamDirectory(path: path, secrets: secrets) }

  func checkLimit(for user: UInt32) throws(Reason) {
    let own = teamsByID.values.count { $0.owners.contains(user) }
    guard Limits.teamShare.allows(user, own: own, all: teamsByID.count) else { throw .teamLimitReached }
  }

  /// Writes a new team to the disk, with one rename. So after a crash, all of it is there or nothing.
  ///
  /// - Parameter complete: Writes everything else of the team into its directory.
  func install(
    _ credentials: Credentials,
    description: TeamDescription,
    authorityKey: AuthorityKey? = nil,
    complete: (TeamDirectory) throws -> Void = { _ in }
  ) throws -> Team {
    let name = Hexadecimal.encode(credentials.team.bytes)
    let directory = teamDirectory("\(teamsPath)/\(name)")
    let path = Files.temporaryPath(in: teamsPath)
    let temporary = TeamDirectory(path: path, secrets: secrets.of(path, at: "teams/\(name)"))
    do {
      try temporary.create(credentials, description: description, authorityKey: authorityKey)
      try complete(temporary)
      try Files.move(temporary.path, to: directory.path)
      do {
        try Files.synchronize(teamsPath)
        let team = try directory.load()
        teamsByID[team.id] = team
        return team
      } catch {
        // What was reported as failed must not be there at the next start.
        try Files.move(directory.path, to: temporary.path)
        throw error
      }
    } catch {
      Files.remove(temporary.path)
      throw error
    }
  }

  /// Makes a user one of a team's owners.
  func add(owner: UInt32, to team: Team) throws -> Team {
    try set(owners: team.owners + [owner], replaces: team.replaces, of: team)
  }

  func set(owners: [UInt32], replaces: [TeamID], of team: Team) throws -> Team {
    var known: Set<TeamID> = []
    let replaces = replaces.filter { known.insert($0).inserted }
    try files(of: team).replace(team.description.with(owners: owners.sorted(), replaces: replaces))
    return try reload(team)
  }

  /// Takes over a changed team, without reading its files.
  func replace(_ team: Team) { teamsByID[team.id] = team }

  /// Takes over what has changed in a team's files.
  @discardableResult
  func reload(_ team: Team) throws -> Team {
    let changed = try files(of: team).load()
    teamsByID[team.id] = changed
    return changed
  }

  /// Sets a file aside that cannot be read, and logs this.
  func setAside(_ path: String, _ error: StorageError) {
    do throws(StorageError) {
      log("Can't read a file, so it was renamed to \(try Files.setAside(path)): \(error)")
    } catch let failure {
      log("Can't read a file (\(error)) or rename it (\(failure))")
    }
  }

  /// Runs a check of something that came from outside, and logs a refusal.
  func checking<T>(_ body: () throws(TLSError) -> T) throws(Reason) -> T {
    do {
      return try body()
    } catch {
      let time = Self.start + .seconds(uptime())
      if let leftOut = memory.withLock({ $0.refusalLines.take(at: time) }) {
        if leftOut > 0 { log("Suppressed \(leftOut) lines about refusals") }
        log("Refused: \(error)")
      }
      throw error.reason
    }
  }

  /// Runs work on files and keys, and turns whatever it throws into one reason.
  func storing<T>(_ body: () throws -> T) throws(Reason) -> T { try Self.storing(log, body) }

  private static func storing<T>(_ log: (String) -> Void, _ body: () throws -> T) throws(Reason) -> T {
    do {
      return try body()
    } catch let reason as Reason {
      throw reason
    } catch let error as TLSError {
      log("Can't use one of this machine's keys or certificates: \(error)")
      throw error.reason == .internalFailure ? .internalFailure : .storageFailed
    } catch {
      log("Can't use the state directory: \(error)")
      throw .storageFailed
    }
  }
}
