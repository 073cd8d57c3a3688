/// Apps as a domain names them: `PREFIX.ID`.
struct ApplicationNames: Sendable {
  private let names: Set<String>
  /// The same without the prefix, of names that have one.
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

  /// With the prefix of its team, or any where it has none.
  func contain(_ application: DesktopEntry) -> Bool {
    if let team = application.teamID { return names.contains("\(team).\(application.id)") }
    return ids.contains(application.id)
  }
}
