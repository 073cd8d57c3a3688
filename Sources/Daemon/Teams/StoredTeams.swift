// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// What a state directory holds when a store is opened. Its secrets are sealed as they are to be from then on, and what
/// a crash has left half-written is gone.
struct StoredTeams {
  let directory: String
  private(set) var secrets: SecretFiles
  private(set) var teams: [TeamID: Team] = [:]
  /// The teams whose files exist and cannot be used.
  private(set) var unusable: [UnusableTeam] = []
  private let log: (String) -> Void

  private var teamsPath: String { Self.teamsPath(in: directory) }
  private var pendingPath: String { Self.pendingPath(in: directory) }

  static func teamsPath(in directory: String) -> String { "\(directory)/teams" }
  /// Where the keys of requests wait for an approval.
  static func pendingPath(in directory: String) -> String { "\(directory)/pending" }
  /// The servers that users of this machine run for teams of others.
  static func operatorsPath(in directory: String) -> String { "\(directory)/operators.json" }

  /// Reads everything. Teams that cannot be loaded are logged.
  ///
  /// - Throws: `StorageError` if a directory cannot be made or listed.
  init(in directory: String, _ secrets: SecretFiles, _ log: @escaping (String) -> Void) throws {
    (self.directory, self.log) = (directory, log)
    self.secrets = secrets.of(directory)
    for path in [directory, teamsPath, pendingPath] { try Files.makeDirectory(path) }
    removeLeftovers()
    let names = try Files.names(in: teamsPath).filter(Files.isInUse)
    self.secrets = secrets.begun(in: directory, beside: names.map { TeamDirectory.key(in: "\(teamsPath)/\($0)") })
    var errors: [StorageError] = []
    for name in names { errors += load(name) }
    let others = renewOthers()
    tell(others)
    errors += others
    endSealing(isComplete: errors.isEmpty)
  }

  /// - Returns: The errors that kept secrets from being rewritten.
  private mutating func load(_ name: String) -> [StorageError] {
    guard let bytes = Hexadecimal.decode(name), bytes.count == TeamID.byteCount else {
      log("Ignoring \(teamsPath)/\(name), which doesn't belong to a team")
      return []
    }
    let directory = TeamDirectory(path: "\(teamsPath)/\(name)", secrets: secrets)
    // Do this even if the team cannot be used, because its secrets must not be plain. In that case, its fault is
    // logged.
    let errors = directory.renewSecrets()
    do {
      let team = try directory.load()
      teams[team.id] = team
      if case .unusable(let fault) = team.administration, !errors.contains(where: { $0.description == fault }) {
        log("This machine can't admit or remove machines of the team in \(directory.path): \(fault)")
      }
      tell(errors)
    } catch {
      unusable.append(UnusableTeam(directory, error))
      log("Can't use the team in \(directory.path): \(error)")
    }
    return errors
  }

  /// Rewrites the secrets that belong to no team and are not sealed as they would be now.
  private func renewOthers() -> [StorageError] {
    let pending = SecretFiles.forEach(in: pendingPath) { path throws(StorageError) in
      try secrets.renew(path, limit: Limits.enrolmentFileLength, in: pendingPath)
    }
    let operators = Self.operatorsPath(in: directory)
    return pending + secrets.renew([operators], limit: Limits.operatorFileLength, in: directory)
  }

  private mutating func endSealing(isComplete: Bool) {
    do throws(StorageError) {
      try secrets.end(in: directory, isComplete: isComplete)
    } catch {
      tell([error])
    }
  }

  /// Logs the secrets that cannot be rewritten. They may be usable nevertheless.
  private func tell(_ errors: [StorageError]) { for error in errors { log("Can't rewrite a secret: \(error)") } }

  /// Removes what a crash left partly written or partly removed.
  private func removeLeftovers() {
    let teams = ((try? Files.names(in: teamsPath)) ?? []).map { "\(teamsPath)/\($0)" }
    let directories = [directory, teamsPath, pendingPath] + teams + teams.map { "\($0)/invitations" }
    for directory in directories {
      for name in (try? Files.names(in: directory)) ?? [] where name.starts(withBytesOf: Files.temporaryPrefix) {
        Files.remove("\(directory)/\(name)")
      }
    }
    // A file of layout 1.
    Files.remove("\(directory)/epoch.new")
  }
}
