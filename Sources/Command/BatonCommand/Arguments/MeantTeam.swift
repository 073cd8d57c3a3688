// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

/// The team that a person means.
enum MeantTeam {
  /// - Parameter text: Its ID or its name. Nil for the only one.
  /// - Throws: `teamNotFound`, `storageFailed`; `teamAmbiguous`, with the IDs of which one can be named.
  static func find(_ text: String?, _ connection: ControlConnection) throws -> ControlTeam {
    let reply = try connection.call(ListTeams.self, Nothing())
    if let team = reply.teams.first(where: { text.map($0.id.description.hasBytes(of:)) ?? false }) { return team }
    let meant = reply.teams.filter { $0.isMeant(by: text) }
    // It may be one that cannot be used.
    guard let team = meant.first else { throw CommandError(reply.unusable.isEmpty ? .teamNotFound : .storageFailed) }
    // A team that cannot be used does not give its name away.
    let isTaken = reply.unusable.contains { team in text.map { team.name?.hasBytes(of: $0) ?? false } ?? false }
    guard meant.count == 1, !isTaken else {
      let choices = meant.map { "  \($0.id)  \(Printable.text($0.name))" }.joined(separator: "\n")
      throw CommandError(
        .teamAmbiguous,
        localized("More than one team matches. Specify one by its ID:") + "\n\(choices)"
      )
    }
    return team
  }
}

extension ControlTeam {
  /// - Parameter text: An ID or a name. Nil means any team.
  fileprivate func isMeant(by text: String?) -> Bool {
    guard let text else { return true }
    return id.description.hasBytes(of: text.uppercased()) || name.hasBytes(of: text)
  }
}
