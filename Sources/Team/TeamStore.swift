import Activity
import TLS

/// The teams of this machine, as they are on its disk. Every change is on the disk when its method returns, so all of
/// them block for some milliseconds. To be used on one thread or queue; who may call what is the caller's business.
///
/// Everything throws `storageFailed` where a file cannot be read or written, and logs why.
package final class TeamStore {
  /// How old what a crash left behind must be to be removed, in seconds: nobody is still writing it.
  private static let leftoverAge: Int64 = 60 * 60

  let directory: String
  let secrets: SecretFiles
  let log: (String) -> Void
  private var teamsByID: [TeamID: Team] = [:]

  private var teamsPath: String { "\(directory)/teams" }
  var pendingPath: String { "\(directory)/pending" }

  /// Loads all teams; the ones that cannot be loaded are logged, and are not there.
  ///
  /// - Parameters:
  ///   - directory: Made if it is not there; its parent is.
  ///   - secrets: Sealed anew where they are not sealed as it seals.
  ///   - now: Seconds since 1970.
  ///   - log: Given sentences for the journal.
  package init(
    directory: String,
    secrets: SecretFiles = SecretFiles(),
    now: Int64,
    log: @escaping (String) -> Void = { _ in }
  ) throws(Reason) {
    self.directory = directory
    self.secrets = secrets
    self.log = log
    try storing {
      for path in [directory, teamsPath, pendingPath] { try Files.makeDirectory(path) }
      removeLeftovers(now: now)
      for name in try Files.names(in: teamsPath) where !name.hasPrefix(".") { load(name) }
    }
    tell(renewPendingKeys())
    // What is wrong with one team's invitations must not keep the others from loading; it is logged.
    for team in teams where team.isAdministrator { try? forgetInvitations(of: team, now: now) }
    for team in teams { uniteRevocations(of: team, now: now) }
  }

  private func load(_ name: String) {
    let directory = teamDirectory("\(teamsPath)/\(name)")
    // Also where the team cannot be used: its secrets are not to be plain. What is wrong with the team is logged then.
    let errors = directory.renewSecrets()
    do {
      let team = try directory.load()
      teamsByID[team.id] = team
    } catch {
      return log("The team in \(directory.path) cannot be used: \(error)")
    }
    tell(errors)
  }

  /// What cannot be sealed anew may be of use all the same.
  private func tell(_ errors: [StorageError]) { for error in errors { log("A secret stays as it is: \(error)") } }

  private func removeLeftovers(now: Int64) {
    let teams = ((try? Files.names(in: teamsPath)) ?? []).map { "\(teamsPath)/\($0)" }
    let directories = [teamsPath, pendingPath] + teams + teams.map { "\($0)/invitations" }
    for directory in directories {
      for name in (try? Files.names(in: directory)) ?? [] where name.hasPrefix(Files.temporaryPrefix) {
        let path = "\(directory)/\(name)"
        guard let modified = Files.modified(path), modified < now - Self.leftoverAge else { continue }
        Files.remove(path)
      }
    }
  }

  // MARK: What there is

  /// All teams, the oldest first.
  package var teams: [Team] { teamsByID.values.sorted { ($0.created, $0.name) < ($1.created, $1.name) } }

  /// The teams of a user, the oldest first; all of them for root.
  package func teams(of uid: UInt32) -> [Team] { teams.filter { $0.belongs(to: uid) } }

  /// - Throws: `teamNotFound`.
  package func team(_ id: TeamID) throws(Reason) -> Team {
    guard let team = teamsByID[id] else { throw .teamNotFound }
    return team
  }

  /// The teams that this machine can admit others to, with their `K_invite`: for `TLSContext.server`.
  package var joinable: [(team: TeamID, serverNameKey: [UInt8])] {
    teams.filter(\.isAdministrator).map { ($0.id, InvitationCode.serverNameKey(for: $0.id)) }
  }

  // MARK: Coming and going

  /// Makes a team, with this machine as its administrator.
  ///
  /// - Parameters:
  ///   - owner: The user it belongs to.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNameInvalid`, `teamLimitReached`.
  package func create(name: String, owner: UInt32, now: Int64) throws(Reason) -> Team {
    guard Team.isName(name) else { throw .teamNameInvalid }
    try checkLimit()
    return try storing {
      let authority = try Authority.make(now: now)
      let key = try PrivateKey.make()
      let credentials = try Credentials(
        key: key,
        certificate: authority.sign(CertificateRequest.make(for: key), now: now),
        authority: authority.certificate,
        discoveryKey: SystemRandom.bytes(Sealer.keyLength)
      )
      let description = TeamDescription(name: name, owners: [owner], created: now)
      return try install(credentials, description: description, authorityKey: authority.key)
    }
  }

  /// Takes a team from a user; with its last user, and when root leaves it, the team and its keys are forgotten.
  ///
  /// - Throws: `teamNotFound`.
  package func leave(_ id: TeamID, user: UInt32) throws(Reason) {
    let team = try team(id)
    guard team.belongs(to: user) else { throw .teamNotFound }
    let others = team.owners.filter { $0 != user }
    // The keys are those of the others, too.
    if user != 0, !others.isEmpty { return try storing { _ = try set(owners: others, of: team) } }
    let path = files(of: team).path
    try storing {
      // The name first: half a team must not be found by the next start.
      let gone = Files.temporaryPath(in: teamsPath)
      try Files.move(path, to: gone)
      teamsByID[id] = nil
      try Files.synchronize(teamsPath)
      Files.remove(gone)
    }
  }

  // MARK: For the other files of this type

  func files(of team: Team) -> TeamDirectory {
    teamDirectory("\(teamsPath)/\(Hexadecimal.encode(team.id.bytes))")
  }

  private func teamDirectory(_ path: String) -> TeamDirectory { TeamDirectory(path: path, secrets: secrets) }

  func checkLimit() throws(Reason) { guard teamsByID.count < Limits.teams else { throw .teamLimitReached } }

  /// Puts a new team on the disk, by one rename: after a crash all of it is there or nothing.
  func install(
    _ credentials: Credentials,
    description: TeamDescription,
    authorityKey: PrivateKey? = nil
  ) throws -> Team {
    let temporary = teamDirectory(Files.temporaryPath(in: teamsPath))
    let directory = teamDirectory("\(teamsPath)/\(Hexadecimal.encode(credentials.team.bytes))")
    do {
      try temporary.create(credentials, description: description, authorityKey: authorityKey)
      try Files.move(temporary.path, to: directory.path)
    } catch {
      Files.remove(temporary.path)
      throw error
    }
    try Files.synchronize(teamsPath)
    let team = try directory.load()
    teamsByID[team.id] = team
    return team
  }

  /// Makes a user one of a team's owners.
  func add(owner: UInt32, to team: Team) throws -> Team {
    try set(owners: (team.owners + [owner]).sorted(), of: team)
  }

  private func set(owners: [UInt32], of team: Team) throws -> Team {
    try files(of: team).replace(TeamDescription(name: team.name, owners: owners, created: team.created))
    return try reload(team)
  }

  /// Takes in what has changed in a team's files.
  @discardableResult
  func reload(_ team: Team) throws -> Team {
    let changed = try files(of: team).load()
    teamsByID[team.id] = changed
    return changed
  }

  /// Runs what judges something that came from outside.
  func checking<T>(_ body: () throws(TLSError) -> T) throws(Reason) -> T {
    do {
      return try body()
    } catch {
      log("Refused: \(error)")
      throw error.reason
    }
  }

  /// Runs what touches files and keys, and makes one reason of what they throw.
  func storing<T>(_ body: () throws -> T) throws(Reason) -> T {
    do {
      return try body()
    } catch let reason as Reason {
      throw reason
    } catch let error as TLSError {
      log("A key or certificate of this machine cannot be used: \(error)")
      throw error.reason == .internalFailure ? .internalFailure : .storageFailed
    } catch {
      log("The state directory cannot be used: \(error)")
      throw .storageFailed
    }
  }
}
