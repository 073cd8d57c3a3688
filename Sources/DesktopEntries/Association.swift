import Activity
import JSON

/// What a domain says of the apps that may show its pages: its `apple-app-site-association`.
///
/// Apps are named `PREFIX.ID`: the prefix is the Team ID of the desktop entry's `X-Baton-TeamID`, or anything where it has
/// none; the ID is the desktop file ID without `.desktop`. Those of `activitycontinuation` may show all pages, those of
/// `applinks` the ones whose URLs it describes.
package struct Association: Sendable {
  /// Those of `activitycontinuation.apps`.
  private let apps: ApplicationNames
  /// The elements of `applinks.details`.
  private let details: [LinkDetail]

  /// Nil where it is no JSON object. Parts that are not as they should be confirm nothing.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, depth: 16), let root = json.object else { return nil }
    apps = ApplicationNames(Self.strings(root["activitycontinuation"]?.object?["apps"]))
    let links = root["applinks"]?.object ?? [:]
    let defaults = links["defaults"]?.object ?? [:]
    let variables = (links["substitutionVariables"]?.object ?? [:]).mapValues { LinkPattern.choice(Self.strings($0)) }
    // The oldest form is an object whose keys are the apps.
    let named = (links["details"]?.object ?? [:]).compactMap { app, detail in
      detail.object.map { LinkDetail(apps: ApplicationNames([app]), $0, defaults: defaults, variables: variables) }
    }
    let listed = (links["details"]?.array ?? []).compactMap(\.object).map { detail in
      let apps = Self.strings(detail["appIDs"]) + (detail["appID"]?.string.map { [$0] } ?? [])
      return LinkDetail(apps: ApplicationNames(apps), detail, defaults: defaults, variables: variables)
    }
    details = named + listed  // Checked: both are lists.
  }

  private static func strings(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  /// Whether the domain lets the app show the page.
  func confirms(_ application: DesktopEntry, _ matching: inout LinkMatching) throws(OutOfSteps) -> Bool {
    try matching.spend(LinkMatching.begin)
    if apps.contain(application) { return true }
    for detail in details {
      try matching.spend(LinkMatching.begin)
      guard detail.apps.contain(application) else { continue }
      if let isAllowed = try detail.allows(&matching) { return isAllowed }
    }
    return false
  }
}
