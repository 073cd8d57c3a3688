import JSON

/// What a domain says of the apps that may show its pages: its `apple-app-site-association`.
///
/// Apps are named `PREFIX.ID`: the prefix is the Team ID of the desktop entry's `X-Baton-TeamID`, or anything where it has
/// none; the ID is the desktop file ID without `.desktop`.
package struct Association: Equatable, Sendable {
  /// Identifiers of apps: of `activitycontinuation.apps`, and of `applinks.details`.
  package let apps: Set<String>

  /// Nil where it is no JSON object. Parts that are not as they should be count as absent.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, depth: 16), let root = json.object else { return nil }
    var apps = Self.strings(root["activitycontinuation"]?.object?["apps"])
    let details = root["applinks"]?.object?["details"]
    // The oldest form is an object whose keys are the apps.
    apps += details?.object.map { Array($0.keys) } ?? []
    for detail in details?.array?.compactMap(\.object) ?? [] {
      apps += Self.strings(detail["appIDs"])
      apps += detail["appID"]?.string.map { [$0] } ?? []
    }
    self.apps = Set(apps)
  }

  private static func strings(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  /// Whether the domain lets the app show its pages.
  package func names(_ application: DesktopEntry) -> Bool {
    if let team = application.teamID { return apps.contains("\(team).\(application.id)") }
    return apps.contains { name in
      let prefix = name.prefix { $0 != "." }
      return !prefix.isEmpty && name.dropFirst(prefix.count) == "." + application.id
    }
  }
}
