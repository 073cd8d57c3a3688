// SPDX-License-Identifier: Apache-2.0

/// The names of apps as a domain states them: `PREFIX.ID`.
struct ApplicationNames: Sendable {
  private let names: Set<String>
  /// The names without their prefix, if they have one.
  private let ids: Set<String>

  init(_ names: [String]) {
    self.names = Set(names)
    ids = Set(
      names.compactMap { name in
        name.utf8.firstIndex(of: UInt8(ascii: ".")).flatMap { dot in
          dot == name.startIndex ? nil : String(name.utf8[dot...].dropFirst())
        }
      }
    )
  }

  /// Whether the app is named: with the prefix of its team, or with any prefix if it has no team.
  func contain(_ application: DesktopEntry) -> Bool {
    if let team = application.teamID { return names.contains("\(team).\(application.id)") }
    return ids.contains(application.id)
  }
}
