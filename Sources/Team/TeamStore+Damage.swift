import Activity

/// What of the state directory cannot be used, for people.
extension TeamStore {
  /// - Parameter uid: Who is told: of files that are not a team's everybody is, of a team's files those whose it is.
  /// - Returns: Sentences without a period.
  package func damage(for uid: UInt32) -> [String] {
    var damage = unusable.filter { $0.concerns(uid) }.map { team in
      "The team \(team.name.map { "\"\($0)\"" } ?? "in \(team.path)") cannot be used: \(team.fault)"
    }
    for team in teams(of: uid) {
      guard case .unusable(let fault) = team.administration else { continue }
      damage.append("The team \"\(team.name)\" cannot admit or remove machines: \(fault)")
    }
    let teams = teams(of: uid).map { files(of: $0).path } + unusable.filter { $0.concerns(uid) }.map(\.path)
    let directories = [directory, pendingPath] + teams + teams.map { "\($0)/invitations" }
    for directory in directories {
      for name in (try? Files.names(in: directory)) ?? [] where name.contains(Files.unreadableMark) {
        damage.append("\(directory)/\(name) was set aside, as it could not be read")
      }
    }
    return damage
  }
}
