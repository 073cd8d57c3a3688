import JSON

/// What a domain says of the apps that may show its pages: its `apple-app-site-association`.
///
/// Apps are named `PREFIX.ID`: the prefix is the Team ID of the desktop entry's `X-Baton-TeamID`, or anything where it has
/// none; the ID is the desktop file ID without `.desktop`. Those of `activitycontinuation` may show all pages, those of
/// `applinks` the ones whose URLs it describes.
package struct Association: Equatable, Sendable {
  /// Identifiers of `activitycontinuation.apps`.
  package let apps: Set<String>
  /// The elements of `applinks.details`.
  private let details: [LinkDetail]

  /// Nil where it is no JSON object. Parts that are not as they should be confirm nothing.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, depth: 16), let root = json.object else { return nil }
    apps = Set(Self.strings(root["activitycontinuation"]?.object?["apps"]))
    let links = root["applinks"]?.object ?? [:]
    let defaults = links["defaults"]?.object ?? [:]
    let variables = (links["substitutionVariables"]?.object ?? [:]).mapValues { LinkPattern.choice(Self.strings($0)) }
    // The oldest form is an object whose keys are the apps.
    let named = (links["details"]?.object ?? [:]).compactMap { app, detail in
      detail.object.map { LinkDetail(apps: [app], $0, defaults: defaults, variables: variables) }
    }
    let listed = (links["details"]?.array ?? []).compactMap(\.object).map { detail in
      let apps = Self.strings(detail["appIDs"]) + (detail["appID"]?.string.map { [$0] } ?? [])
      return LinkDetail(apps: Set(apps), detail, defaults: defaults, variables: variables)
    }
    details = named + listed
  }

  private static func strings(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  /// Whether the domain lets the app show the page.
  package func confirms(_ application: DesktopEntry, showing page: WebPage) -> Bool {
    if Self.names(apps, application) { return true }
    var matching = LinkMatching(page)
    for detail in details where Self.names(detail.apps, application) {
      if let isAllowed = detail.allows(&matching) { return isAllowed }
    }
    return false
  }

  private static func names(_ apps: Set<String>, _ application: DesktopEntry) -> Bool {
    if let team = application.teamID { return apps.contains("\(team).\(application.id)") }
    return apps.contains { name in
      let prefix = name.prefix { $0 != "." }
      return !prefix.isEmpty && name.dropFirst(prefix.count) == "." + application.id
    }
  }
}
